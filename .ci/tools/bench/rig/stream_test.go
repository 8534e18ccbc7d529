package rig

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestStream_countsFromWhenARequestWasDue(t *testing.T) {
	hold := make(chan struct{})
	asked := make(chan struct{}, 1000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-hold
		if r.URL.Path == "/full" {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `{"status": 503, "detail": "Too many."}`)
		}
	}))
	defer server.Close()
	start := time.Now()
	s := NewStream(t.Context(), NewClient(time.Minute), 50, func(ctx context.Context, i int) (*http.Request, error) {
		return http.NewRequestWithContext(ctx, http.MethodGet, server.URL+[]string{"/", "/full"}[i%2], nil)
	})
	for range 4 { // nobody waits for an answer before asking again
		<-asked
	}
	close(hold)
	s.Stop()
	felt := s.Between(start, time.Now())
	if len(felt) < 4 || len(felt.Good()) == 0 || felt.Bad() == 0 {
		t.Fatalf("got %d requests, %d bad", len(felt), felt.Bad())
	}
	for _, one := range felt {
		if one.Retry != (one.Status == http.StatusServiceUnavailable) || (one.Fault == "Too many.") != one.Retry {
			t.Errorf("got %+v", one)
		}
	}
	// The first was due 60 ms before the fourth, which was asked before any had an answer.
	if took := felt.Quantile(1); took < 60*time.Millisecond {
		t.Errorf("got %v, want the time since the first was due", took)
	}
	if last, any := felt.LastBad(time.Minute); !any || last.Before(start) {
		t.Errorf("got %v, %v", last, any)
	}
	if why := felt.Why(); len(why) == 0 || !strings.HasSuffix(why[0], " × 503: Too many.") {
		t.Errorf("got %q", why)
	}
	if _, any := felt.Good().LastBad(time.Minute); any {
		t.Error("good requests have a bad one")
	}
}

// TestStream_picturesStayTheSame has a picture that differs once, beside texts that always do.
func TestStream_picturesStayTheSame(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := asked.Add(1)
		w.Header().Set("Content-Type", "image/png")
		switch {
		case r.URL.Path == "/list":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, n)
		case n == 20:
			fmt.Fprint(w, "a fallback card")
		default:
			fmt.Fprint(w, "the picture at ", r.URL)
		}
	}))
	defer server.Close()
	for _, address := range []string{"/og/a?v=N", "/list"} {
		asked.Store(0)
		asking := func(ctx context.Context, i int) (*http.Request, error) {
			at := strings.Replace(address, "N", fmt.Sprint(i%2), 1)
			return http.NewRequestWithContext(ctx, http.MethodGet, server.URL+at, nil)
		}
		var s Stream
		for i := range 40 {
			s.add(s.send(t.Context(), server.Client(), time.Now(), asking, i))
		}
		felt := s.Between(time.Time{}, time.Now())
		bad := felt.With(0)
		if want := strings.Count(address, "og"); len(bad) != want || felt.Bad() != want {
			t.Errorf("%s: got %d faults and %s, want %d", address, felt.Bad(), felt.Why(), want)
		}
		for _, one := range bad {
			if one.Fault != "another picture than before" {
				t.Errorf("got %+v", one)
			}
		}
	}
}

func TestFelt_quantile(t *testing.T) {
	var f Felt
	if got := f.Quantile(.99); got != 0 {
		t.Errorf("got %v for nothing", got)
	}
	for i := range 100 {
		f = append(f, Sample{Took: time.Duration(100-i) * time.Millisecond, Status: 200})
	}
	for share, want := range map[float64]time.Duration{0: 1, .5: 51, .99: 100, 1: 100} {
		if got := f.Quantile(share); got != want*time.Millisecond {
			t.Errorf("quantile %v: got %v, want %v ms", share, got, int(want))
		}
	}
}
