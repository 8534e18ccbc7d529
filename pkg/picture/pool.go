package picture

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// pool runs decodes, which nothing can cancel for certain: in a bounded number of workers, within a bounded sum of
// memory, and so that a caller never waits longer than it may. A worker that runs past its deadline keeps its place
// and its memory, for it has them, and counts as lost until it ends.
type pool struct {
	workers  int
	memory   int64
	wait     time.Duration
	deadline time.Duration
	queue    int64

	slots   *semaphore.Weighted
	bytes   *semaphore.Weighted
	waiting atomic.Int64
	lost    atomic.Int64
}

func newPool(cfg Config) *pool {
	return &pool{
		workers: cfg.Workers, memory: cfg.MaxBytes, wait: cfg.Wait, deadline: cfg.Deadline, queue: int64(cfg.Queue),
		slots: semaphore.NewWeighted(int64(cfg.Workers)),
		bytes: semaphore.NewWeighted(cfg.MaxBytes),
	}
}

// result is what a worker hands back.
type result[T any] struct {
	value T
	err   error
}

// run calls work in a worker and returns what it returns. cost is the memory that work takes, in bytes; work that
// takes more than all there is fails with [ErrTooLarge]. stop is set when nobody waits any more or the deadline has
// passed: work should then end as soon as it can. A panic becomes an [ErrCorrupt].
func run[T any](ctx context.Context, p *pool, cost int64, work func(stop *atomic.Bool) (T, error)) (T, error) {
	var none T
	if cost > p.memory {
		return none, tooLarge("it takes %d MiB to decode, of %d", cost>>20, p.memory>>20)
	}
	if err := p.acquire(ctx, cost); err != nil {
		return none, err
	}
	var (
		stop    atomic.Bool
		expired = make(chan struct{})
		done    = make(chan result[T], 1)
	)
	watchdog := time.AfterFunc(p.deadline, func() {
		p.lost.Add(1)
		stop.Store(true)
		close(expired)
	})
	go func() {
		value, err := recovered(func() (T, error) { return work(&stop) })
		if !watchdog.Stop() {
			<-expired // The worker was counted, or is about to be.
			p.lost.Add(-1)
		}
		p.bytes.Release(cost)
		p.slots.Release(1)
		done <- result[T]{value, err}
	}()
	select {
	case r := <-done:
		if stop.Load() {
			return none, ErrTimeout // It ended because it was told to, or so late that the answer counts no more.
		}
		return r.value, r.err
	case <-expired:
		return none, ErrTimeout
	case <-ctx.Done():
		stop.Store(true)
		return none, ctx.Err()
	}
}

// acquire takes a worker's place, then the memory: who waits for a place holds no memory.
func (p *pool) acquire(ctx context.Context, cost int64) error {
	if err := p.usable(); err != nil {
		return err
	}
	if p.waiting.Add(1) > p.queue {
		p.waiting.Add(-1)
		return fmt.Errorf("%w: %d pictures wait already", ErrBusy, p.queue)
	}
	defer p.waiting.Add(-1)
	waited, cancel := context.WithTimeout(ctx, p.wait)
	defer cancel()
	err := p.slots.Acquire(waited, 1)
	if err == nil {
		if err = p.bytes.Acquire(waited, cost); err != nil {
			p.slots.Release(1)
		}
	}
	switch {
	case ctx.Err() != nil && err != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%w within %v", ErrBusy, p.wait)
	}
	if err := p.usable(); err != nil {
		p.bytes.Release(cost)
		p.slots.Release(1)
		return err
	}
	return nil
}

// usable refuses work while half of the workers or more are lost.
func (p *pool) usable() error {
	if lost := p.lost.Load(); 2*lost >= int64(p.workers) {
		return fmt.Errorf("%w: %d of %d", ErrWorkersLost, lost, p.workers)
	}
	return nil
}

// recovered calls f and turns a panic of it into an error. It cannot catch one in a goroutine that f starts; no
// decoder of ours starts any.
func recovered[T any](f func() (T, error)) (value T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: its decoder failed: %v\n%s", ErrCorrupt, r, debug.Stack())
		}
	}()
	return f()
}
