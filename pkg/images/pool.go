package images

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"

	"masthead/pkg/apperr"
)

// Bounds of the work under way: how many pages are read at once, and how many may wait for a place to be read or drawn.
// Source: security requirements, "Staying up".
const (
	maxFetches = 64
	maxQueue   = 256
)

// pool bounds the works that run at once and those that wait.
type pool struct {
	running *semaphore.Weighted
	places  *semaphore.Weighted
}

func newPool(workers int) *pool {
	return &pool{running: semaphore.NewWeighted(int64(workers)), places: semaphore.NewWeighted(int64(workers + maxQueue))}
}

var errQueueFull = &apperr.Error{
	Code: apperr.Unavailable, Detail: "Too many pictures are waiting; try again in a moment.", RetryAfter: time.Second,
}

// full says whether run would fail at once.
func (p *pool) full() bool {
	if !p.places.TryAcquire(1) {
		return true
	}
	p.places.Release(1)
	return false
}

// run calls fn as soon as a worker is free. When the queue is full it fails at once.
func (p *pool) run(ctx context.Context, fn func() error) error {
	if !p.places.TryAcquire(1) {
		return errQueueFull
	}
	defer p.places.Release(1)
	if err := p.running.Acquire(ctx, 1); err != nil {
		return err
	}
	defer p.running.Release(1)
	return fn()
}
