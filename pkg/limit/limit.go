// Package limit owns rate windows: how many requests of somebody a stretch of time takes. The counting itself is
// ulule/limiter's: fixed windows, one atomic step per request.
package limit

import (
	"context"
	"fmt"
	"time"

	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"
)

// window is the length of every rate window. Source: the service's decisions, "Rate limits and quotas".
const window = time.Minute

// Result is what a request was told.
type Result struct {
	// Limit is the number of requests that the rate window holds, Remaining what is left of it.
	Limit, Remaining int64
	// Reset is when the window ends.
	Reset time.Time
	// Reached says whether this request is one too many.
	Reached bool
}

// Window is a rate window: it counts requests by key, at most a fixed number in each minute. It is safe for concurrent
// use.
type Window struct {
	limiter *limiter.Limiter
}

// NewWindow returns a rate window of perMinute requests that counts in the memory of this process.
func NewWindow(perMinute int64) *Window {
	store := memory.NewStoreWithOptions(limiter.StoreOptions{Prefix: "masthead", CleanUpInterval: window})
	return &Window{limiter: limiter.New(store, limiter.Rate{Period: window, Limit: perMinute})}
}

// Take counts one request of key.
func (w *Window) Take(ctx context.Context, key string) (Result, error) {
	c, err := w.limiter.Get(ctx, key)
	if err != nil {
		return Result{}, fmt.Errorf("count a request: %w", err)
	}
	return Result{Limit: c.Limit, Remaining: c.Remaining, Reset: time.Unix(c.Reset, 0), Reached: c.Reached}, nil
}
