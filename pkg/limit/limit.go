// Package limit counts requests per key in fixed windows (rate limits) and blocks keys that far exceed them
// (breakers). Memory is bounded, no matter how many keys there are.
package limit

import (
	"context"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
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
	keys   *lru.Cache[string, struct{}]
}

// NewWindow returns a limiter with windows of a minute that counts in the memory of this process.
func NewWindow() *Window { return newWindow(window, maxKeys) }

// NewDay is like [NewWindow] with windows of a day, which start at the first request of a key.
func NewDay() *Window { return newWindow(day, maxKeys) }

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
	if !w.keys.Contains(key) {
		return most < 1, nil
	}
	c, err := w.store.Peek(ctx, key, limiter.Rate{Period: untilEnd(time.Now(), w.length), Limit: most})
	if err != nil {
		return false, fmt.Errorf("look at what is counted: %w", err)
	}
	return c.Remaining < 1, nil
}
