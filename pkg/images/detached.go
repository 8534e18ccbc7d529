package images

import (
	"context"
	"sync"

	"masthead/pkg/apperr"
)

// outliving are the drawings under way. Each outlives the caller who began it, but not the service.
type outliving struct {
	mu     sync.Mutex
	closed bool
	ends   map[int]context.CancelFunc
	serial int
	work   sync.WaitGroup
}

// begin returns the context of a drawing, which ends after jobTime, when the service closes, or with end, which must be called.
func (o *outliving) begin(ctx context.Context) (work context.Context, end func(), err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil, nil, &apperr.Error{Code: apperr.Unavailable, Detail: "This node is leaving.", RetryAfter: pollEvery}
	}
	work, cancel := context.WithTimeout(context.WithoutCancel(ctx), jobTime)
	o.serial++
	id := o.serial
	if o.ends == nil {
		o.ends = map[int]context.CancelFunc{}
	}
	o.ends[id] = cancel
	o.work.Add(1)
	return work, func() {
		cancel()
		o.mu.Lock()
		delete(o.ends, id)
		o.mu.Unlock()
		o.work.Done()
	}, nil
}

// Close ends the drawings whose callers have left, returns their leases and lets no more begin. It is called when no request is
// answered any more, and before the database closes.
func (s *Service) Close() {
	o := &s.drawings
	o.mu.Lock()
	o.closed = true
	for _, cancel := range o.ends {
		cancel()
	}
	o.mu.Unlock()
	o.work.Wait()
}
