package limit

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// alone is the store of a node without a server.
var alone *Store

// take counts a request and compares what is told.
func take(t *testing.T, w *Window, key string, most, remaining int64, reached bool) Result {
	t.Helper()
	got, err := w.Take(t.Context(), key, most)
	if err != nil {
		t.Fatal(err)
	}
	if got.Limit != most || got.Remaining != remaining || got.Reached != reached {
		t.Errorf("%s: got %+v, want %d left of %d, reached %v", key, got, remaining, most, reached)
	}
	return got
}

// Source: docs/security.md#limits-and-quotas: a fixed window of 60 s.
func TestWindow_isFixedAndOfAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := alone.Window("test")
		time.Sleep(300 * time.Millisecond)
		began := time.Now()
		first := take(t, w, "a", 2, 1, false)
		if want := began.Add(time.Minute).Truncate(time.Second); !first.Reset.Equal(want) {
			t.Errorf("it ends at %v, want %v", first.Reset, want)
		}
		time.Sleep(59 * time.Second) // and 0.3
		take(t, w, "a", 2, 0, false)
		take(t, w, "a", 2, 0, true)
		take(t, w, "b", 2, 1, false)
		// A plan that changes has its effect at once.
		take(t, w, "a", 10, 6, false)
		time.Sleep(time.Until(first.Reset) + time.Millisecond)
		take(t, w, "a", 2, 1, false)
	})
}

func TestDay_lastsForOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := alone.Day("test")
		take(t, w, "a", 2, 1, false)
		reached := func(want bool) {
			t.Helper()
			if got, err := w.Reached(t.Context(), "a", 2); err != nil || got != want {
				t.Errorf("got reached %v, %v, want %v", got, err, want)
			}
		}
		reached(false)
		take(t, w, "a", 2, 0, false)
		reached(true)
		time.Sleep(23 * time.Hour)
		take(t, w, "a", 2, 0, true)
		time.Sleep(time.Hour + time.Second)
		reached(false)
		take(t, w, "a", 2, 1, false)
	})
}

func TestWindow_manyAtOnceTakeNoMoreThanItHolds(t *testing.T) {
	w := alone.Window("test")
	var passed atomic.Int64
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 100 {
				if r, err := w.Take(t.Context(), "a", 500); err == nil && !r.Reached {
					passed.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if got := passed.Load(); got != 500 {
		t.Errorf("got %d through, want 500", got)
	}
}

func TestWindow_isBounded(t *testing.T) {
	w := newWindow(window, 1000)
	before := heap()
	const sent = 200_000
	for i := range sent {
		take(t, w, fmt.Sprint("192.0.2.", i), 5, 4, false)
		take(t, w, "who goes on", sent, int64(sent-i-1), false) // and is not forgotten over the others
	}
	if grown := int64(heap()) - int64(before); grown > 2<<20 {
		t.Errorf("the table grew by %d bytes for %d keys, want it bounded", grown, sent)
	}
	if got := w.keys.Len(); got != 1000 {
		t.Errorf("got %d keys, want 1000", got)
	}
	take(t, w, "192.0.2.0", 5, 4, false) // was forgotten, and begins anew
}

// TestShared_isBounded counts more keys than are remembered, while the server is out of reach and nothing is synced.
func TestShared_isBounded(t *testing.T) {
	s := Open(Config{URL: "redis://127.0.0.1:1/0"})
	w, b := s.Synced("w"), s.Breaker("b", 3, 2)
	for i := range maxKeys + 1000 {
		key := fmt.Sprint("192.0.2.", i)
		take(t, w, key, 5, 4, false)
		b.Take(key)
	}
	if got, windows := len(w.synced.changed), w.synced.windows.Len(); got != maxKeys || windows != maxKeys {
		t.Errorf("got %d windows to sync of %d, want %d", got, windows, maxKeys)
	}
	if got, circuits := len(b.changed), b.keys.Len(); got != maxKeys || circuits != maxKeys {
		t.Errorf("got %d circuits to sync of %d, want %d", got, circuits, maxKeys)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// clockedBreaker takes 3 requests and 2 misses a minute, by a clock that moves when it is told to.
type clockedBreaker struct {
	*Breaker
	t     *testing.T
	clock time.Time
}

func newClockedBreaker(t *testing.T) *clockedBreaker {
	b := &clockedBreaker{Breaker: newBreaker(3, 2, 100), t: t, clock: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	b.now = func() time.Time { return b.clock }
	return b
}

// exceed goes beyond the limit, which has to open the breaker for a time.
func (b *clockedBreaker) exceed(key string, want time.Duration) {
	b.t.Helper()
	for i := range 3 {
		if r := b.Take(key); r.Reached || r.Remaining != int64(2-i) {
			b.t.Fatalf("request %d: got %+v, want it let through", i+1, r)
		}
	}
	for range 5 { // refused requests make it no longer
		if r := b.Take(key); !r.Reached || r.Reset.Sub(b.clock) != want {
			b.t.Fatalf("beyond the limit: got %+v, want it open for %v", r, want)
		}
	}
	if r := b.Peek(key); !r.Reached {
		b.t.Errorf("a look: got %+v, want it open", r)
	}
	b.clock = b.clock.Add(want - time.Millisecond)
	if r := b.Take(key); !r.Reached {
		b.t.Errorf("just before the end of %v: got %+v, want it open", want, r)
	}
	b.clock = b.clock.Add(time.Millisecond)
}

// Source: docs/security.md#limits-and-quotas: opens for 60 s, doubling to 15 min, then one trial.
func TestBreaker_opensForLongerEachTime(t *testing.T) {
	b := newClockedBreaker(t)
	for _, want := range []time.Duration{1, 2, 4, 8, 15, 15} {
		b.exceed("a", want*time.Minute)
	}
	if r := b.Take("b"); r.Reached {
		t.Errorf("another address: got %+v, want it let through", r)
	}
	// The trial is one window; kept within, the breaker is as new.
	b.Take("a")
	b.clock = b.clock.Add(time.Minute)
	b.exceed("a", time.Minute)
}

func TestBreaker_windowsBeginAnew(t *testing.T) {
	b := newClockedBreaker(t)
	for range 10 {
		for range 3 {
			if r := b.Take("a"); r.Reached {
				t.Fatalf("got %+v, want 3 a minute let through", r)
			}
		}
		b.clock = b.clock.Add(time.Minute)
	}
}

func TestBreaker_missesOpenItToo(t *testing.T) {
	b := newClockedBreaker(t)
	for range 2 {
		if r := b.TakeMiss(t.Context(), "a"); r.Reached {
			t.Fatalf("got %+v, want 2 misses let through", r)
		}
	}
	if r := b.TakeMiss(t.Context(), "a"); !r.Reached {
		t.Errorf("the third miss: got %+v, want it refused", r)
	}
	if r := b.Take("a"); !r.Reached || r.Limit != 3 {
		t.Errorf("a request after that: got %+v, want it refused", r)
	}
}

func TestBreaker_isBounded(t *testing.T) {
	b := NewBreaker(3, 2)
	before := heap()
	for i := range 3 * maxKeys {
		b.Take(fmt.Sprint("192.0.2.", i))
	}
	grown := int64(heap()) - int64(before)
	if got := b.keys.Len(); got != maxKeys || grown > 64<<20 {
		t.Errorf("got %d keys in %d bytes, want %d in at most 64 MiB", got, grown, maxKeys)
	}
	t.Logf("%d bytes a key", grown/maxKeys)
}

func BenchmarkWindow(b *testing.B) {
	w := alone.Window("test")
	for b.Loop() {
		if _, err := w.Take(b.Context(), "192.0.2.1", 1<<40); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBreaker(b *testing.B) {
	breaker := NewBreaker(1<<40, 1)
	for b.Loop() {
		breaker.Take("192.0.2.1")
	}
}
