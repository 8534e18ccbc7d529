// Package task has the tasks that draw images: they outlive the callers who began them, but not the service, and are
// shielded from interruption while what they have paid for isn't stored. Those that have their page wait in a queue, in
// which owners take turns.
package task

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
)

// Group is the running tasks. Each outlives the caller who began it, but not the service. The zero value is ready to
// use.
type Group struct {
	// Flight has the tasks that callers share, by their names.
	Flight singleflight.Group

	mu       sync.Mutex
	draining bool // no task is shielded any more
	closed   bool // no task begins any more
	running  map[*Task]bool
	work     sync.WaitGroup
	shielded sync.WaitGroup // those of work that are shielded
}

// Task is a running task. It must be ended.
type Task struct {
	// Ctx ends with the task, or when the group is closed.
	Ctx context.Context

	of       *Group
	cancel   context.CancelFunc
	shielded bool
}

// Begin returns a new task with the values of ctx. It returns UNAVAILABLE once the group is closed.
func (d *Group) Begin(ctx context.Context) (*Task, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, &apperr.Error{Code: apperr.Unavailable, Detail: "This node is shutting down.", RetryAfter: time.Second}
	}
	w := &Task{of: d}
	w.Ctx, w.cancel = context.WithCancel(db.Detached(ctx))
	if d.running == nil {
		d.running = map[*Task]bool{}
	}
	d.running[w] = true
	d.work.Add(1)
	return w, nil
}

// End ends the task.
func (w *Task) End() {
	w.cancel()
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	delete(w.of.running, w)
	if w.shielded {
		w.of.shielded.Done()
	}
	w.of.work.Done()
}

// Shielded reports whether the task must not be interrupted.
func (w *Task) Shielded() bool {
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	return w.shielded
}

// Shield protects the task from interruption until it ends or Unshield is called. It returns false if the group is
// drained: what can't be interrupted must not start.
func (w *Task) Shield() bool {
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	if w.of.draining && !w.shielded {
		return false
	}
	if !w.shielded {
		w.shielded = true
		w.of.shielded.Add(1)
	}
	return true
}

// Unshield lets the task be interrupted again, since nothing in it is paid for any more.
func (w *Task) Unshield() {
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	if w.shielded {
		w.shielded = false
		w.of.shielded.Done()
	}
}

// Drain lets no task be shielded any more. It returns when the shielded ones have ended, or with ctx.
func (d *Group) Drain(ctx context.Context) {
	d.mu.Lock()
	d.draining = true
	d.mu.Unlock()
	ended := make(chan struct{})
	go func() { defer close(ended); d.shielded.Wait() }()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// Close interrupts all tasks and lets no more begin. It waits for them until ctx ends; the error then says how many are
// left.
func (d *Group) Close(ctx context.Context) error {
	d.mu.Lock()
	d.draining, d.closed = true, true
	for w := range d.running {
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
	return fmt.Errorf("%d images are still being made", len(d.running))
}
