package fair

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrFull says that a queue is full, and ErrWaited that no slot became free in time.
var (
	ErrFull   = errors.New("the queue is full")
	ErrWaited = errors.New("no slot became free in time")
)

// Limits bound a [Pool].
type Limits struct {
	// Slots is how many are held at once, OwnerSlots how many of them by one owner.
	Slots, OwnerSlots int
	// Queue is how many wait for a slot, OwnerQueue how many of them for one owner.
	Queue, OwnerQueue int
	// Wait is how long one waits.
	Wait time.Duration
}

// Pool has a bounded number of slots, for which owners take turns. It is safe for concurrent use and has no goroutine.
type Pool struct {
	limits Limits

	mu    sync.Mutex
	inUse int
	held  map[string]int // slots by owner
	queue Queue[struct{}]
}

// NewPool returns a pool with all its slots free.
func NewPool(limits Limits) *Pool { return &Pool{limits: limits, held: map[string]int{}} }

// Enter waits for a slot and takes it for owner. leave must be called once, and releases it. The error is [ErrFull],
// at once, [ErrWaited], or that of ctx.
func (p *Pool) Enter(ctx context.Context, owner string) (leave func(), err error) {
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

// ask gives owner a slot, or a place in the queue, which is the waiter.
func (p *Pool) ask(owner string) (*Waiter[struct{}], error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.inUse < p.limits.Slots && p.mayHaveMore(owner) {
		// While a slot is free, only owners wait who have as many as they may have.
		p.take(owner)
		return nil, nil //nolint:nilnil // no error, and nothing to wait for
	}
	if p.queue.Len() >= p.limits.Queue || p.queue.Waiting(owner) >= p.limits.OwnerQueue {
		return nil, ErrFull
	}
	return p.queue.Push(owner, struct{}{}), nil
}

// wait waits for w's slot.
func (p *Pool) wait(ctx context.Context, w *Waiter[struct{}]) error {
	timer := time.NewTimer(p.limits.Wait)
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
		return <-w.Ready // the slot became free just in time
	case !waited:
		p.leave(w.Owner)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return ErrWaited
}

// leave gives a slot of owner back, and to the next.
func (p *Pool) leave(owner string) {
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

func (p *Pool) take(owner string) {
	p.inUse++
	p.held[owner]++
}

func (p *Pool) mayHaveMore(owner string) bool { return p.held[owner] < p.limits.OwnerSlots }

// InUse returns how many slots are held.
func (p *Pool) InUse() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inUse
}

// Waiting returns how many wait for a slot.
func (p *Pool) Waiting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.queue.Len()
}

// Owners returns how many owners the pool remembers: those that hold slots or wait.
func (p *Pool) Owners() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.held) + p.queue.Owners()
}
