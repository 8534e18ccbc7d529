package images

import (
	"context"
	"sync"

	"masthead/pkg/apperr"
)

// detached are the drawings under way. Each outlives the caller who began it, but not the service.
type detached struct {
	mu     sync.Mutex
	closed bool
	ends   map[int]context.CancelFunc
	serial int
	work   sync.WaitGroup
}

// begin returns the context of a drawing, which ends after jobTime, when the service closes, or with end, which must be called.
func (d *detached) begin(ctx context.Context) (work context.Context, end func(), err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, nil, &apperr.Error{Code: apperr.Unavailable, Detail: "This node is leaving.", RetryAfter: pollEvery}
	}
	work, cancel := context.WithTimeout(context.WithoutCancel(ctx), jobTime)
	d.serial++
	id := d.serial
	if d.ends == nil {
		d.ends = map[int]context.CancelFunc{}
	}
	d.ends[id] = cancel
	d.work.Add(1)
	return work, func() {
		cancel()
		d.mu.Lock()
		delete(d.ends, id)
		d.mu.Unlock()
		d.work.Done()
	}, nil
}

// Close ends the drawings whose callers have left, returns their leases and lets no more begin. It is called when no request is
// answered any more, and before the database closes.
func (s *Service) Close() {
	d := &s.drawings
	d.mu.Lock()
	d.closed = true
	for _, cancel := range d.ends {
		cancel()
	}
	d.mu.Unlock()
	d.work.Wait()
}
