package s3

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestCall_trialIsShort has a server that says nothing: calls take their time until the breaker opens, and the trial
// calls afterwards, for which all others are refused, a shorter one.
func TestCall_trialIsShort(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, err := Open(Config{
			Endpoint: "http://127.0.0.1:9", Bucket: "pictures", Region: "us-east-1", AccessKey: "a", SecretKey: "b",
		}, "cdn")
		if err != nil {
			t.Fatal(err)
		}
		took := func() time.Duration {
			began := time.Now()
			err := store.call(t.Context(), "get", readTime, func(ctx context.Context) error {
				<-ctx.Done()
				return ctx.Err()
			})
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("got %v, want the end of its time", err)
			}
			return time.Since(began)
		}
		for i := range openAfter {
			if got := took(); got != readTime {
				t.Errorf("call %d: ended after %v, want %v", i, got, readTime)
			}
		}
		for i := range 2 {
			time.Sleep(openTime + time.Nanosecond)
			if got := took(); got != probeTime {
				t.Errorf("trial %d: ended after %v, want %v", i, got, probeTime)
			}
		}
	})
}
