package limit

import (
	"context"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gomodule/redigo/redis"
)

// silent returns one of two nodes whose server takes what is sent to it and says nothing.
func silent(t *testing.T) *Store {
	t.Helper()
	s := open(Config{URL: "redis://127.0.0.1:1/0"}, redis.DialContextFunc(
		func(context.Context, string, string) (net.Conn, error) {
			here, server := net.Pipe()
			go func() { _, _ = io.Copy(io.Discard, server) }()
			return here, nil
		}))
	s.nodes.Store(2)
	return s
}

// TestStore_silentServerCostsOneStep counts on a silent server: the first call and one a second wait for it, 100 ms at
// most, of all that make one. The others are counted at once, with the node's share, also while one is waiting.
func TestStore_silentServerCostsOneStep(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]func(ctx context.Context, s *Store) error{
		"a request": func(ctx context.Context, s *Store) error {
			_, err := s.Window("first").Take(ctx, "a", 10)
			return err
		},
		"a sync": func(ctx context.Context, s *Store) error {
			w := s.Synced("first")
			if _, err := w.Take(ctx, "a", 10); err != nil {
				return err
			}
			if w.sync(ctx) == nil {
				t.Error("a silent server took what was counted")
			}
			return nil
		},
		"saying that the node is alive": func(ctx context.Context, s *Store) error {
			if s.sayAlive(ctx) == nil {
				t.Error("a silent server counted nodes")
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { costsOneStep(t, first) })
		})
	}
}

func costsOneStep(t *testing.T, first func(ctx context.Context, s *Store) error) {
	s := silent(t)
	window, synced, breaker := s.Window("w"), s.Synced("y"), s.Breaker("b", 1000, 10)
	timed := func(do func()) time.Duration {
		began := time.Now()
		do()
		return time.Since(began)
	}
	asked := func() {
		if err := first(t.Context(), s); err != nil {
			t.Error(err)
		}
	}
	// Half of each limit is this node's share.
	alone := func(key string) {
		t.Helper()
		through, misses := 0, 0
		took := timed(func() {
			for range 20 {
				for _, w := range []*Window{window, synced} {
					if r, err := w.Take(t.Context(), key, 10); err != nil {
						t.Error(err)
					} else if !r.Reached {
						through++
					}
				}
				if !breaker.TakeMiss(t.Context(), key).Reached {
					misses++
				}
			}
		})
		if through != 10 || misses != 5 || took != 0 || s.Usable() {
			t.Errorf("%s: got %d requests and %d misses through in %v, usable %v; want 5 of each window and 5, at once",
				key, through, misses, took, s.Usable())
		}
	}
	if took := timed(asked); took != stepTime {
		t.Errorf("the first call took %v, want %v", took, stepTime)
	}
	alone("after the first call")
	for range 2 {
		time.Sleep(retryAge + time.Nanosecond)
		trial := make(chan time.Duration)
		go func() { trial <- timed(asked) }()
		synctest.Wait()
		alone("during a trial " + time.Now().String())
		if took := <-trial; took != stepTime {
			t.Errorf("a trial took %v, want %v", took, stepTime)
		}
		alone("after a trial " + time.Now().String())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
