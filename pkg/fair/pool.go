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
	// Wait is how long one waits; 0 means until its context ends.
	Wait time.Duration
	// Displace is how a full queue admits another: at the cost of the last one in it, which gets [ErrFull], if that
	// one's turn is after the new one's. So an owner who fills the queue keeps nobody else out.
	Displace bool
}

// Pool has a bounded number of slots, for which owners take turns. It is safe for concurrent use and has no goroutine.
type Pool struct {
	limits Limits

	mu    sync.Mutex
	inUse int
	held  map[string]int // slots by owner
	queue Queue          // with whether each was admitted by EnterAnyway
}

// NewPool returns a pool with all its slots free.
func NewPool(limits Limits) *Pool { return &Pool{limits: limits, held: map[string]int{}} }

// Enter waits for a slot and takes it for owner. leave must be called once, and releases it. The error is [ErrFull],
// at once, [ErrWaited], or that of ctx.
func (p *Pool) Enter(ctx context.Context, owner string) (leave func(), err error) {
	return p.enter(ctx, owner, false)
}

// EnterAnyway is Enter for what must be done: it waits even if the queue is full, and isn't displaced.
func (p *Pool) EnterAnyway(ctx context.Context, owner string) (leave func(), err error) {
	return p.enter(ctx, owner, true)
}

func (p *Pool) enter(ctx context.Context, owner string, anyway bool) (leave func(), err error) {
	w, err := p.ask(owner, anyway)
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
func (p *Pool) ask(owner string, anyway bool) (*Waiter, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.inUse < p.limits.Slots && p.mayHaveMore(owner) {
		// While a slot is free, only owners wait who have as many as they may have.
		p.take(owner)
		return nil, nil //nolint:nilnil // no error, and nothing to wait for
	}
	if !anyway && !p.hasRoom(owner) {
		return nil, ErrFull
	}
	return p.queue.Push(owner, anyway), nil
}

// hasRoom reports whether another of owner may wait, and displaces one of another owner for it if necessary.
func (p *Pool) hasRoom(owner string) bool {
	switch {
	case p.queue.Waiting(owner) >= p.limits.OwnerQueue:
		return false
	case p.queue.Len() < p.limits.Queue:
		return true
	case !p.limits.Displace:
		return false
	}
	last := p.queue.Displace(owner, func(anyway any) bool { return anyway == false })
	if last == nil {
		return false
	}
	last.Ready <- ErrFull
	return true
}

// wait waits for w's slot.
func (p *Pool) wait(ctx context.Context, w *Waiter) error {
	var late <-chan time.Time
	if p.limits.Wait > 0 {
		timer := time.NewTimer(p.limits.Wait)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case err := <-w.Ready:
		return err
	case <-ctx.Done():
	case <-late:
	}
	p.mu.Lock()
	waited := p.queue.Remove(w)
	p.mu.Unlock()
	if !waited { // just now it got a slot, or was displaced
		if err := <-w.Ready; err != nil || ctx.Err() == nil {
			return err
		}
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

// Ahead returns how many are before the next of owner, if nobody else came: those that hold slots, and those whose turn
// is earlier.
func (p *Pool) Ahead(owner string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inUse + p.queue.Ahead(owner)
}

// Len returns how many hold a slot or wait for one.
func (p *Pool) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inUse + p.queue.Len()
}

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
