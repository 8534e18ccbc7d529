// Package limit owns rate windows and breakers: how many requests of somebody a stretch of time takes, and for how long
// those are refused who go far beyond. What is counted is bounded, whoever sends it.
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
	// window is the length of every rate window. Source: the service's decisions, "Rate limits and quotas".
	window = time.Minute
	day    = 24 * time.Hour
	// maxKeys bounds a table; who was seen longest ago leaves it. Source: security requirements, "Limits and quotas".
	maxKeys = 100_000
)

// Result is what a request was told.
type Result struct {
	// Limit is the number of requests that the rate window holds, Remaining what is left of it.
	Limit, Remaining int64
	// Reset is when the window ends: with a second.
	Reset time.Time
	// Reached says whether this request is one too many.
	Reached bool
}

// Window is a rate window: it counts requests by key, at most a number in each minute, or day. The counting is
// ulule/limiter's: fixed windows, one atomic step a request. It is safe for concurrent use.
type Window struct {
	length time.Duration
	store  limiter.Store
	keys   *lru.Cache[string, struct{}]
}

// NewWindow returns a rate window that counts in the memory of this process.
func NewWindow() *Window { return newWindow(window, maxKeys) }

// NewDay is [NewWindow] for days, each from the first request of a key on.
func NewDay() *Window { return newWindow(day, maxKeys) }

func newWindow(length time.Duration, most int) *Window {
	// The store has no bound. Ours makes its own cleaning needless, which loses what is counted while it runs.
	store := memory.NewStoreWithOptions(limiter.StoreOptions{})
	keys, err := lru.NewWithEvict(most, func(key string, _ struct{}) {
		// The memory store knows no faults.
		_, _ = store.Reset(context.Background(), key, limiter.Rate{Period: length})
	})
	if err != nil {
		panic(err) // it fails for a bad size alone
	}
	return &Window{length: length, store: store, keys: keys}
}

// untilEnd is the time that a window which begins now has. It ends with a whole second, as its headers tell it, so that
// who waits for the end finds the next one.
func untilEnd(now time.Time, length time.Duration) time.Duration {
	return length - time.Duration(now.Nanosecond())
}

// Take counts one request of key, of which the window takes at most most.
func (w *Window) Take(ctx context.Context, key string, most int64) (Result, error) {
	w.keys.Add(key, struct{}{})
	rate := limiter.Rate{Period: untilEnd(time.Now(), w.length), Limit: most}
	c, err := w.store.Get(ctx, key, rate)
	if err == nil && time.Until(time.Unix(c.Reset, 0)) > w.length+time.Second {
		// The clock went back: a window begun before would last until it has caught up.
		if _, err = w.store.Reset(ctx, key, rate); err == nil {
			c, err = w.store.Get(ctx, key, rate)
		}
	}
	if err != nil {
		return Result{}, fmt.Errorf("count a request: %w", err)
	}
	return Result{Limit: c.Limit, Remaining: c.Remaining, Reset: time.Unix(c.Reset, 0), Reached: c.Reached}, nil
}

// Reached says whether one more request of key would be one too many, and counts none.
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
