package s3_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/blob/s3"
	"masthead/pkg/blob/s3/s3test"
)

// requestLog has the requests that a store has sent.
type requestLog struct {
	mu       sync.Mutex
	requests []*http.Request
}

func (s *requestLog) add(r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
}

// take returns the methods of the requests since the last call, and those of conditional ones with a star.
func (s *requestLog) take() (methods []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		method := r.Method
		if r.Header.Get("If-None-Match") == "*" {
			method += "*"
		}
		methods = append(methods, method)
	}
	s.requests = nil
	return methods
}

// between returns a bucket, and a store in it whose requests see gets.
func between(t *testing.T, see func(r *http.Request) (status int)) (s3.Config, *s3.Store, bool) {
	t.Helper()
	cfg, ok := s3test.Bucket(t)
	if !ok {
		return cfg, nil, false
	}
	through := cfg
	through.Endpoint = s3test.Between(t, cfg.Endpoint, see)
	return cfg, open(t, through), true
}

// TestPut_writesAnObjectOnce puts the same content twice, and then another one: only that replaces the object.
func TestPut_writesAnObjectOnce(t *testing.T) {
	t.Parallel()
	var sent requestLog
	cfg, store, ok := between(t, func(r *http.Request) int { sent.add(r); return 0 })
	if !ok {
		return
	}
	written := func() time.Time {
		t.Helper()
		key := "cdn/" + name.Digest + "/og.png"
		info, err := raw(t, cfg).StatObject(t.Context(), cfg.Bucket, key, minio.StatObjectOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return info.LastModified
	}
	put := func(text string, want ...string) {
		t.Helper()
		if err := store.Put(t.Context(), name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := sent.take(); !slices.Equal(got, want) {
			t.Errorf("%q: got the requests %v, want %v", text, got, want)
		}
	}
	put("picture", "PUT*")
	first := written()
	time.Sleep(1100 * time.Millisecond) // times of objects are in seconds
	put("picture", "PUT*", "HEAD")
	if again := written(); !again.Equal(first) {
		t.Errorf("an object with the same content was written at %v and %v", first, again)
	}
	put("another", "PUT*", "HEAD", "PUT")
	if got, err := store.Get(t.Context(), name); err != nil || string(got) != "another" {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestPut_changedOnItsWay changes what is sent: the server compares it with its checksum, and stores nothing.
func TestPut_changedOnItsWay(t *testing.T) {
	t.Parallel()
	changed := false
	cfg, store, ok := between(t, func(r *http.Request) int {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		other := bytes.ReplaceAll(body, []byte("picture"), []byte("pXcture"))
		changed = changed || !bytes.Equal(body, other)
		r.Body = io.NopCloser(bytes.NewReader(other))
		return 0
	})
	if !ok {
		return
	}
	if err := store.Put(t.Context(), name, []byte("picture")); err == nil || !changed {
		t.Errorf("got %v, want a refusal (changed %v)", err, changed)
	}
	if got, err := open(t, cfg).Get(t.Context(), name); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("got %q, %v, want no object", got, err)
	}
}

// TestStore_triesAgain has a server that is busy once for each call, and then for good.
func TestStore_triesAgain(t *testing.T) {
	t.Parallel()
	var sent requestLog
	var busy func(earlier int) bool
	_, store, ok := between(t, func(r *http.Request) int {
		sent.mu.Lock()
		refuse := busy(len(sent.requests))
		sent.mu.Unlock()
		sent.add(r)
		if refuse {
			return http.StatusServiceUnavailable
		}
		return 0
	})
	if !ok {
		return
	}
	calls := []func() error{
		func() error { return store.Put(t.Context(), name, []byte("picture")) },
		func() error { _, err := store.Get(t.Context(), name); return err },
		func() error { _, err := store.Stat(t.Context(), name); return err },
	}
	busy = func(earlier int) bool { return earlier == 0 }
	for i, call := range calls {
		if err := call(); err != nil {
			t.Errorf("call %d: got %v, want the second try to succeed", i, err)
		}
		if got := sent.take(); len(got) != 2 {
			t.Errorf("call %d: got the requests %v, want two", i, got)
		}
	}
	busy = func(int) bool { return true }
	for i, call := range calls {
		began := time.Now()
		if err := call(); apperr.CodeOf(err) != apperr.Unavailable {
			t.Errorf("call %d: got %v, want UNAVAILABLE", i, err)
		}
		if got, took := sent.take(), time.Since(began); len(got) != 2 || took > 8*time.Second {
			t.Errorf("call %d: got the requests %v in %v, want two, within its time", i, got, took)
		}
	}
}
