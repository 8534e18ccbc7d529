package images

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
)

// makings are the jobs under way. Each outlives the caller who began it, but not the service.
type makings struct {
	flight singleflight.Group // those that callers share, by their names
	kept   atomic.Uint64      // how many images were kept, new ones and others

	mu       sync.Mutex
	draining bool // no stage that must not be cut begins any more
	closed   bool // nothing begins any more
	under    map[*making]bool
	work     sync.WaitGroup
	spared   sync.WaitGroup // those of work that must not be cut
}

// making is one of the jobs under way.
type making struct {
	of     *makings
	ctx    context.Context // ends with the making, or when the service closes
	cancel context.CancelFunc
	spared bool // it is not cut any more
}

// begin returns a new making, whose end must be called.
func (d *makings) begin(ctx context.Context) (*making, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, &apperr.Error{Code: apperr.Unavailable, Detail: "This node is shutting down.", RetryAfter: time.Second}
	}
	w := &making{of: d}
	w.ctx, w.cancel = context.WithCancel(db.Detached(ctx))
	if d.under == nil {
		d.under = map[*making]bool{}
	}
	d.under[w] = true
	d.work.Add(1)
	return w, nil
}

func (w *making) end() {
	w.cancel()
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	delete(w.of.under, w)
	if w.spared {
		w.of.spared.Done()
	}
	w.of.work.Done()
}

// uncut reports whether the making must not be cut.
func (w *making) uncut() bool {
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	return w.spared
}

// spare keeps the making from being cut, from now to its end or to unspare; it is false when it is too late for that,
// since the service drains.
func (w *making) spare() bool {
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	if w.of.draining && !w.spared {
		return false
	}
	if !w.spared {
		w.spared = true
		w.of.spared.Add(1)
	}
	return true
}

// unspare lets the making be cut again, since nothing in it is paid for any more.
func (w *making) unspare() {
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	if w.spared {
		w.spared = false
		w.of.spared.Done()
	}
}

// Drain is called when the program is told to end: from then on no stage begins that must not be cut. It returns when
// those that run have ended and what they gave is kept, or with ctx. Others go on meanwhile, for requests that are
// still answered.
func (s *Service) Drain(ctx context.Context) {
	d := &s.makings
	d.mu.Lock()
	d.draining = true
	d.mu.Unlock()
	ended := make(chan struct{})
	go func() { defer close(ended); d.spared.Wait() }()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// Close ends all jobs whose callers have left, returns their leases and lets no more begin. It is called when no
// request is answered any more, after Drain, and before the database closes. It waits for the jobs until ctx ends; the
// error then says how many are left.
func (s *Service) Close(ctx context.Context) error {
	d := &s.makings
	d.mu.Lock()
	d.draining, d.closed = true, true
	for w := range d.under {
		w.cancel()
	}
	d.mu.Unlock()
	ended := make(chan struct{})
	go func() { defer close(ended); d.work.Wait() }()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return fmt.Errorf("%d images are still being made", len(d.under))
}
