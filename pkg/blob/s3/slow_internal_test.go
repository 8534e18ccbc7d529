package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"masthead/pkg/blob"
)

// slowServer responds with an object of which each MB takes a time.
type slowServer struct {
	megabytes int
	each      time.Duration
}

func (s slowServer) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, Body: &slowBody{r.Context(), s.each},
		ContentLength: int64(s.megabytes) << 20, Header: http.Header{
			"Content-Length": {fmt.Sprint(s.megabytes << 20)}, "Last-Modified": {"Mon, 02 Nov 2026 15:04:05 GMT"},
			"Etag": {`"a"`},
		},
	}, nil
}

// slowBody is zeros.
type slowBody struct {
	ctx  context.Context
	each time.Duration
}

func (b *slowBody) Read(to []byte) (int, error) {
	most := min(len(to), 1<<20)
	select {
	case <-b.ctx.Done():
		return 0, b.ctx.Err()
	case <-time.After(b.each * time.Duration(most) >> 20):
	}
	return most, nil
}

func (*slowBody) Close() error { return nil }

// TestGet_timeGrowsWithTheObject reads 8 MB that take longer than a small object may, and from a server that has
// stopped: that is the server's fault, not the caller's.
func TestGet_timeGrowsWithTheObject(t *testing.T) {
	t.Parallel()
	const megabytes = 8
	name := blob.Name{Digest: fmt.Sprintf("%064d", 7), File: "a-1.part"}
	for _, c := range []struct {
		name  string
		each  time.Duration
		after time.Duration
		want  error
	}{
		{"slow", time.Second, megabytes * time.Second, nil},
		{"stopped", time.Hour, readTime + megabytes*forMegabyte, context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			store, err := Open(Config{
				Endpoint: "http://127.0.0.1:9", Bucket: "pictures", Region: "us-east-1", AccessKey: "a", SecretKey: "b",
			}, "exports")
			if err != nil {
				t.Fatal(err)
			}
			core, err := minio.NewCore("127.0.0.1:9", &minio.Options{
				Creds: credentials.NewStaticV4("a", "b", ""), Region: "us-east-1", Transport: slowServer{megabytes, c.each},
			})
			if err != nil {
				t.Fatal(err)
			}
			store.core = *core
			began := time.Now()
			data, err := store.Get(t.Context(), name)
			if !errors.Is(err, c.want) || err == nil && len(data) != megabytes<<20 {
				t.Errorf("%s: got %d bytes, %v, want %v", c.name, len(data), err, c.want)
			}
			if took := time.Since(began); took != c.after {
				t.Errorf("%s: it took %v, want %v", c.name, took, c.after)
			}
		})
	}
}
