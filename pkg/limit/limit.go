// Package limit counts requests per key in fixed windows (rate limits) and blocks keys that far exceed them
// (breakers). Memory is bounded, no matter how many keys there are.
//
// A [Store] makes both: its nodes count together on a Redis server, or in the memory of one process for a nil Store. Of
// what is counted together, some is one step on the server for each request ([Store.Window], [Store.Day],
// [Breaker.TakeMiss]), which is exact, and some is counted in memory and added ten times a second ([Store.Synced],
// [Breaker.Take]), for requests that take less time than that step. Nothing that may not be lost is counted here:
// quotas are in the database.
package limit

import (
	"context"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"
)

const (
	// window is the length of every rate limit window. Source: docs/security.md#limits-and-quotas.
	window = time.Minute
	day    = 24 * time.Hour
	// maxKeys bounds the number of keys. The least recently used one is evicted. Source:
	// docs/security.md#limits-and-quotas.
	maxKeys = 100_000
)

// Result is the outcome of counting one request.
type Result struct {
	// Limit is the number of requests per window, Remaining the number left in this one.
	Limit, Remaining int64
	// Reset is when the window ends, in whole seconds.
	Reset time.Time
	// Reached reports whether this request is one too many.
	Reached bool
}

// Window limits the rate of requests per key, per minute or per day. It uses the fixed windows of ulule/limiter, with
// one atomic operation per request. It is safe for concurrent use.
type Window struct {
	length time.Duration
	store  limiter.Store
	keys   simplelru.LRUCache[string, struct{}]

	shared *Store        // nil for a window that this process alone counts in
	name   string        // of the window in the shared store, as a prefix of keys
	synced *syncedCounts // nil if each request is one step in the shared store
}

// Window returns a limiter with windows of a minute. Windows of the same name on all nodes count together; each request
// is one step on the server.
func (s *Store) Window(name string) *Window { return s.window(name, window, false) }

// Day is like [Store.Window] with windows of a day, which start at the first request of a key.
func (s *Store) Day(name string) *Window { return s.window(name, day, false) }

// Synced is like [Store.Window] for requests that must not wait for a server: it counts in memory, and with the other
// nodes ten times a second.
func (s *Store) Synced(name string) *Window { return s.window(name, window, true) }

func (s *Store) window(name string, length time.Duration, sync bool) *Window {
	w := newWindow(length, maxKeys)
	if s == nil {
		return w
	}
	w.shared, w.name = s, "masthead:"+name+":"
	if sync {
		w.synced = newSyncedCounts(maxKeys)
		s.onSync(w.sync)
	}
	return w
}

func newWindow(length time.Duration, most int) *Window {
	// The store is unbounded. Evicting keys ourselves replaces its own cleanup, which loses counts while it runs.
	store := memory.NewStoreWithOptions(limiter.StoreOptions{})
	keys, err := lru.NewWithEvict(most, func(key string, _ struct{}) {
		// The memory store never fails.
		_, _ = store.Reset(context.Background(), key, limiter.Rate{Period: length})
	})
	if err != nil {
		panic(err) // it fails only for an invalid size
	}
	return &Window{length: length, store: store, keys: keys}
}

// untilEnd returns the length of a window that starts now. Windows end on a whole second, as their headers say, so
// that a client that waits until then gets the next window.
func untilEnd(now time.Time, length time.Duration) time.Duration {
	return length - time.Duration(now.Nanosecond())
}

// Take counts one request of key, which may send most requests per window.
func (w *Window) Take(ctx context.Context, key string, most int64) (Result, error) {
	if w.synced != nil {
		own := most
		if !w.shared.Usable() {
			own = w.shared.share(most)
		}
		return w.synced.take(key, w.length, own).of(most), nil
	}
	if w.shared != nil {
		if r, err := w.takeShared(ctx, key, 1, most); err == nil || ctx.Err() != nil {
			return r, err
		}
		r, err := w.take(ctx, key, w.shared.share(most))
		return r.of(most), err
	}
	return w.take(ctx, key, most)
}

// of returns the result of a node's share as that of the whole limit.
func (r Result) of(most int64) Result { r.Limit = most; return r }

// take counts one request in the memory of this process.
func (w *Window) take(ctx context.Context, key string, most int64) (Result, error) {
	w.keys.Add(key, struct{}{})
	rate := limiter.Rate{Period: untilEnd(time.Now(), w.length), Limit: most}
	c, err := w.store.Get(ctx, key, rate)
	if err == nil && time.Until(time.Unix(c.Reset, 0)) > w.length+time.Second {
		// The clock was set back. The existing window would last until the clock catches up.
		if _, err = w.store.Reset(ctx, key, rate); err == nil {
			c, err = w.store.Get(ctx, key, rate)
		}
	}
	if err != nil {
		return Result{}, fmt.Errorf("count a request: %w", err)
	}
	return Result{Limit: c.Limit, Remaining: c.Remaining, Reset: time.Unix(c.Reset, 0), Reached: c.Reached}, nil
}

// Reached reports whether another request of key would exceed the limit, without counting one.
func (w *Window) Reached(ctx context.Context, key string, most int64) (bool, error) {
	if w.shared != nil {
		if r, err := w.takeShared(ctx, key, 0, most); err == nil || ctx.Err() != nil {
			return r.Remaining < 1, err
		}
		most = w.shared.share(most)
	}
	if !w.keys.Contains(key) {
		return most < 1, nil
	}
	c, err := w.store.Peek(ctx, key, limiter.Rate{Period: untilEnd(time.Now(), w.length), Limit: most})
	if err != nil {
		return false, fmt.Errorf("look at what is counted: %w", err)
	}
	return c.Remaining < 1, nil
}
