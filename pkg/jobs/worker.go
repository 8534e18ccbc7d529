package jobs

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"masthead/pkg/db"
)

// This file owns who does the jobs: how many at once, how often, and how they end with the program.

// Result writes what came of a job, in the transaction that ends it; nil writes nothing.
type Result func(ctx context.Context, tx *db.Tx) error

// Work is how the jobs of a queue are done.
type Work struct {
	// Do makes an attempt. An error is tried again, as long as there are attempts, unless Final says that it always
	// will be one.
	Do func(ctx context.Context, j *Job) (Result, error)
	// Fail says what is written of a job that is given up for an error: context.DeadlineExceeded for one whose last
	// attempt ended with its node.
	Fail  func(ctx context.Context, j *Job, err error) Result
	Final func(err error) bool

	AtOnce   int           // on this node
	Time     time.Duration // of an attempt
	Attempts int
	Pause    time.Duration // before the second attempt; it is four times as long before each further one
	Every    time.Duration // between looks for jobs that are due, each of which is one read; 0 is a second
}

const usualEvery = time.Second

// resultTime bounds writing what came of an attempt.
const resultTime = 10 * time.Second

// lease is how long an attempt keeps others off: its own time, with what writing its result takes and some for clocks
// that differ.
func (w *Work) lease() time.Duration { return w.Time + 2*resultTime }

// Worker does the jobs of a queue on this node.
type Worker struct {
	queue  *Queue
	work   Work
	places chan struct{} // one for each job that may run

	mu       sync.Mutex
	drained  bool          // no job is begun any more
	draining chan struct{} // closed with it
	running  sync.WaitGroup
}

// NewWorker returns a worker; Run makes it work.
func NewWorker(q *Queue, work Work) *Worker {
	work.Every = cmp.Or(work.Every, usualEvery)
	return &Worker{queue: q, work: work, places: make(chan struct{}, work.AtOnce), draining: make(chan struct{})}
}

// Run does jobs until ctx ends; what is being done then is cut off and put back.
func (w *Worker) Run(ctx context.Context) {
	defer w.running.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.draining:
			return
		case w.places <- struct{}{}:
		}
		if w.begin(ctx) {
			continue
		}
		<-w.places
		pause := w.work.Every + rand.N(w.work.Every/4+1) // nodes are not to be in step
		select {
		case <-ctx.Done():
		case <-w.draining:
		case <-time.After(pause):
		}
	}
}

// Drain begins no job any more and waits for those that run, or until ctx ends.
func (w *Worker) Drain(ctx context.Context) {
	w.mu.Lock()
	if !w.drained {
		w.drained = true
		close(w.draining)
	}
	w.mu.Unlock()
	done := make(chan struct{})
	go func() { defer close(done); w.running.Wait() }()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// enter counts a job that is about to begin; false while draining.
func (w *Worker) enter() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.drained {
		return false
	}
	w.running.Add(1)
	return true
}

// begin begins a job that is due, in the place that was taken for it; false when there is none.
func (w *Worker) begin(ctx context.Context) bool {
	if !w.enter() {
		return false
	}
	job, err := w.queue.claim(ctx, w.work.lease())
	if err != nil && ctx.Err() == nil {
		slog.ErrorContext(ctx, "jobs not looked for", "kind", w.queue.kind, "err", err)
	}
	if job == nil {
		w.running.Done()
		return false
	}
	go func() {
		defer func() { w.running.Done(); <-w.places }()
		w.do(ctx, job)
	}()
	return true
}

// do makes an attempt and writes what came of it.
func (w *Worker) do(ctx context.Context, j *Job) {
	result, err := w.attempt(ctx, j)
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), resultTime)
	defer cancel()
	switch {
	case err == nil:
		err = w.queue.end(writing, j, result)
	case ctx.Err() != nil:
		err = w.queue.again(writing, j, 0, true)
	case j.Attempt >= w.work.Attempts || w.work.Final(err):
		slog.WarnContext(ctx, "job given up", "kind", w.queue.kind, "attempts", j.Attempt, "err", err)
		err = w.queue.end(writing, j, w.work.Fail(ctx, j, err))
	default:
		slog.InfoContext(ctx, "job will be tried again", "kind", w.queue.kind, "attempt", j.Attempt, "err", err)
		err = w.queue.again(writing, j, w.pause(j.Attempt), false)
	}
	if err != nil { // its lease ends, and it is tried again
		slog.ErrorContext(ctx, "end of a job not written", "kind", w.queue.kind, "err", err)
	}
}

func (w *Worker) attempt(ctx context.Context, j *Job) (Result, error) {
	if j.Attempt > w.work.Attempts { // the last one ended with its node
		return nil, context.DeadlineExceeded
	}
	bounded, cancel := context.WithTimeout(ctx, w.work.Time)
	defer cancel()
	return w.work.Do(bounded, j)
}

// pause is the time after an attempt before the next.
func (w *Worker) pause(attempt int) time.Duration {
	pause := w.work.Pause
	for range attempt - 1 {
		pause *= 4
	}
	return pause + rand.N(pause/4+1)
}
