package images

import (
	"context"
	"sync"
	"time"

	"masthead/pkg/apperr"
)

// DrainTime is the most time that the end of the program waits for pictures that must not be cut. Source: the service's
// decisions, "AI" (a provider's picture takes up to 25 s) and the request's own bound of 50 s.
const DrainTime = 50 * time.Second

// detached are the jobs under way. Each outlives the caller who began it, but not the service.
type detached struct {
	mu       sync.Mutex
	draining bool // no stage that must not be cut begins any more
	closed   bool // nothing begins any more
	drawings map[*drawing]bool
	work     sync.WaitGroup
	spared   sync.WaitGroup // those of work that must not be cut
}

// drawing is one of the jobs under way.
type drawing struct {
	of     *detached
	ctx    context.Context // ends with the drawing, or when the service closes
	cancel context.CancelFunc
	spared bool // it is not cut any more
}

// begin returns a new drawing, whose end must be called.
func (d *detached) begin(ctx context.Context) (*drawing, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, &apperr.Error{Code: apperr.Unavailable, Detail: "This node is leaving.", RetryAfter: time.Second}
	}
	w := &drawing{of: d}
	w.ctx, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if d.drawings == nil {
		d.drawings = map[*drawing]bool{}
	}
	d.drawings[w] = true
	d.work.Add(1)
	return w, nil
}

func (w *drawing) end() {
	w.cancel()
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	delete(w.of.drawings, w)
	if w.spared {
		w.of.spared.Done()
	}
	w.of.work.Done()
}

// spare makes the drawing one that is not cut, from now to its end; it is false when it is too late for that, since the
// service drains.
func (w *drawing) spare() bool {
	if w == nil {
		return true // a job that nobody shares ends with its caller alone
	}
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

// Drain is called when the program is told to end: from then on no stage begins that must not be cut. It returns when
// those that run have ended and what they gave is kept, or with ctx, whose time should be [DrainTime]. Others go on
// meanwhile, for requests that are still answered.
func (s *Service) Drain(ctx context.Context) {
	d := &s.drawings
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
// request is answered any more, after Drain, and before the database closes.
func (s *Service) Close() {
	d := &s.drawings
	d.mu.Lock()
	d.draining, d.closed = true, true
	for w := range d.drawings {
		w.cancel()
	}
	d.mu.Unlock()
	d.work.Wait()
}
