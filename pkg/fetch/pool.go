package fetch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/fair"
)

// Bounds of the pool. Source: security requirements, "Staying up": 64 places, a queue of 256. Half of each is the most
// that one owner has; who gets no place in placeTime is told to come again.
const (
	maxPlaces     = 64
	maxPlaceQueue = 256
	placeTime     = 2 * time.Second
)

// pool is the places for exchanges under way, with whatever host. Waiting for a host's turn takes none. It is safe for
// concurrent use.
type pool struct {
	places, ownerPlaces int
	queueLength         int

	mu    sync.Mutex
	inUse int
	held  map[string]int // places by owner
	queue fair.Queue[struct{}]
}

func newPool(places, queueLength int) *pool {
	return &pool{places: places, ownerPlaces: max(places/2, 1), queueLength: queueLength, held: map[string]int{}}
}

// enter takes a place for owner, waiting up to placeTime for it. The function returned gives it back. Without a place
// the error is UNAVAILABLE.
func (p *pool) enter(ctx context.Context, owner string) (leave func(), err error) {
	w, err := p.ask(owner)
	if err != nil {
		return nil, err
	}
	if w != nil {
		if err := p.wait(ctx, w); err != nil {
			return nil, err
		}
	}
	return func() { p.leave(owner) }, nil
}

// ask gives owner a place, or one in the queue, which is the waiter.
func (p *pool) ask(owner string) (*fair.Waiter[struct{}], error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.inUse < p.places && p.mayHaveMore(owner) {
		// Who waits though a place is free has as many as an owner may have.
		p.take(owner)
		return nil, nil //nolint:nilnil // no error, and nothing to wait for
	}
	if p.queue.Len() >= p.queueLength || p.queue.Waiting(owner) >= (p.queueLength+1)/2 {
		return nil, errNoPlace()
	}
	return p.queue.Push(owner, struct{}{}), nil
}

// wait waits for w's place.
func (p *pool) wait(ctx context.Context, w *fair.Waiter[struct{}]) error {
	timer := time.NewTimer(placeTime)
	defer timer.Stop()
	select {
	case err := <-w.Ready:
		return err
	case <-ctx.Done():
	case <-timer.C:
	}
	p.mu.Lock()
	waited := p.queue.Remove(w)
	p.mu.Unlock()
	switch {
	case !waited && ctx.Err() == nil:
		return <-w.Ready // the place came just in time
	case !waited:
		p.leave(w.Owner)
	}
	if errors.Is(context.Cause(ctx), context.Canceled) {
		return fmt.Errorf("wait for a place: %w", context.Canceled)
	}
	return errNoPlace()
}

// leave gives a place of owner back, and to the next.
func (p *pool) leave(owner string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inUse--
	if p.held[owner]--; p.held[owner] == 0 {
		delete(p.held, owner)
	}
	if next := p.queue.Pop(p.mayHaveMore); next != nil {
		p.take(next.Owner)
		next.Ready <- nil
	}
}

func (p *pool) take(owner string) {
	p.inUse++
	p.held[owner]++
}

// used is how many places are in use, waiting how many wait for one.
func (p *pool) used() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inUse
}

func (p *pool) waiting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.queue.Len()
}

func (p *pool) mayHaveMore(owner string) bool { return p.held[owner] < p.ownerPlaces }

// errNoPlace is for a request that got no place in time.
func errNoPlace() error {
	return &apperr.Error{
		Code: apperr.Unavailable, Detail: "Too many pages are being fetched; try again in a moment.", RetryAfter: placeTime,
	}
}
