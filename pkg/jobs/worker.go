package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/tracing"
)

// This file runs the jobs: how many at once, how often they are looked for, and how they stop with the program.

// Result writes the outcome of a job, in the transaction that ends it; nil writes nothing.
type Result func(ctx context.Context, tx *db.Tx) error

// Work says how the jobs of a kind are done.
type Work struct {
	// Do makes an attempt. After an error the job is attempted again, until there were as many attempts as it may have
	// or Final reports that another can't succeed. If the node loses the job while Do runs (the lease couldn't be
	// renewed, or the job was canceled), the context of Do ends, and its result isn't written.
	Do func(ctx context.Context, j *Job) (Result, error)
	// Fail returns what to write of a job that is given up for an error, [context.DeadlineExceeded] if its node was
	// killed in the last attempt, or canceled ([ErrCanceled]). A job that was given up with nothing to write can be
	// retried. A nil Fail writes nothing.
	Fail func(ctx context.Context, j *Job, err error) Result
	// Final reports whether an error is permanent; nil for a kind without such errors.
	Final func(err error) bool

	AtOnce   int           // attempts at a time on this node
	Time     time.Duration // of an attempt
	Attempts int
	// Pause returns the time between an attempt, counted from 1, and the next; up to a quarter is added. See [Pauses].
	Pause func(attempt int) time.Duration
}

// ErrCanceled is the reason why a canceled job failed.
var ErrCanceled = errors.New("the job was canceled")

// errLost ends an attempt that no longer holds the lease of its job.
var errLost = errors.New("another node took over the job, or it was canceled")

const (
	usualEvery = time.Second
	// longestLease bounds how long a job of a killed node waits for another. A longer attempt renews its lease.
	longestLease = time.Minute
	// resultTime bounds writing the result of an attempt.
	resultTime = 10 * time.Second
)

// Pauses returns a [Work.Pause] with these pauses after the first attempts, the last of them after all others.
func Pauses(pauses ...time.Duration) func(attempt int) time.Duration {
	return func(attempt int) time.Duration { return pauses[min(attempt, len(pauses))-1] }
}

// Worker runs the jobs of all kinds on this node. It asks the database once per pause for all of them, and each kind
// has its own slots: a slow kind doesn't delay the others.
type Worker struct {
	db      *db.DB
	every   time.Duration
	longest time.Duration // see longestLease
	now     func() time.Time
	kinds   map[string]*kind
	order   []string // of kinds, as they were added
	metrics *metrics
	tracer  *tracing.Tracer

	freed chan struct{} // an attempt has ended

	mu       sync.Mutex
	drained  bool          // no job is started any more
	draining chan struct{} // closed with it
	running  sync.WaitGroup
}

// kind is the jobs of one kind and how they are done.
type kind struct {
	*Queue
	work   Work
	tracer *tracing.Tracer
	lease  time.Duration
	slots  chan struct{} // one token for each attempt that runs
}

// NewWorker returns a worker of the jobs in d, without kinds yet. It looks for due jobs after each pause, every; 0 is a
// second. Each attempt is traced by tracer. The clocks of all nodes must agree within 10 s.
func NewWorker(d *db.DB, every time.Duration, tracer *tracing.Tracer) *Worker {
	return &Worker{
		db: d, every: cmp.Or(every, usualEvery), longest: longestLease, now: time.Now, kinds: map[string]*kind{},
		metrics: newMetrics(), tracer: tracer, freed: make(chan struct{}, 1), draining: make(chan struct{}),
	}
}

// Handle adds a kind of jobs, such as "analysis", and returns its queue. It is called before Run and panics for a kind
// that was added already.
func (w *Worker) Handle(name string, work Work) *Queue {
	if w.kinds[name] != nil {
		panic("jobs: two handlers for " + name)
	}
	k := &kind{
		Queue: &Queue{w.db, name, func() time.Time { return w.now() }}, work: work, tracer: w.tracer,
		lease: min(work.Time, w.longest) + 2*resultTime, slots: make(chan struct{}, work.AtOnce),
	}
	w.kinds[name] = k
	w.order = append(w.order, name)
	w.metrics.add(name)
	return k.Queue
}

// Run runs jobs until ctx ends. Attempts that are running then are interrupted and put back.
func (w *Worker) Run(ctx context.Context) {
	if !w.enter() {
		return
	}
	go func() { defer w.running.Done(); w.measure(ctx) }()
	defer w.running.Wait()
	for {
		more := w.startDue(ctx)
		freed := w.freed
		if !more {
			freed = nil
		}
		pause := w.every + rand.N(w.every/4+1) // so that nodes aren't in step
		select {
		case <-ctx.Done():
			return
		case <-w.draining:
			return
		case <-freed:
		case <-time.After(pause):
		}
	}
}

// Drain starts no more jobs, and waits for those that run or until ctx ends.
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

// enter counts a job that is about to start; false while draining.
func (w *Worker) enter() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.drained {
		return false
	}
	w.running.Add(1)
	return true
}

// startDue starts due jobs of each kind while it has free slots. more reports whether a kind without one has further
// jobs.
func (w *Worker) startDue(ctx context.Context) (more bool) {
	due, err := w.due(ctx)
	if err != nil && ctx.Err() == nil {
		slog.ErrorContext(ctx, "jobs not looked for", "err", err)
	}
	for _, name := range due {
		more = w.startKind(ctx, w.kinds[name]) || more
	}
	return more
}

// startKind starts due jobs of a kind until there are none, or no free slot: then more is true.
func (w *Worker) startKind(ctx context.Context, k *kind) (more bool) {
	for {
		select {
		case k.slots <- struct{}{}:
		default:
			return true
		}
		if !w.start(ctx, k) {
			return false
		}
	}
}

// due returns the kinds that have due jobs. It takes no write lock, and mostly there are none.
func (w *Worker) due(ctx context.Context) (kinds []string, err error) {
	if len(w.order) == 0 {
		return nil, nil
	}
	query, args, now := make([]string, len(w.order)), []any{}, w.now().UnixMilli()
	for i, name := range w.order {
		query[i] = `SELECT CAST(? AS TEXT) AS kind WHERE EXISTS (SELECT 1 FROM jobs WHERE kind = ? AND due_at <= ?)`
		args = append(args, name, name, now)
	}
	err = w.db.Select(ctx, &kinds, strings.Join(query, ` UNION ALL `), args...)
	return kinds, err
}

// start starts a due job in the slot that was taken for it; false if there is none.
func (w *Worker) start(ctx context.Context, k *kind) bool {
	free := func() {
		<-k.slots
		select {
		case w.freed <- struct{}{}:
		default:
		}
	}
	if !w.enter() {
		free()
		return false
	}
	claimed := time.Now()
	job, err := k.claim(ctx, k.lease)
	if err != nil && ctx.Err() == nil {
		slog.ErrorContext(ctx, "jobs not looked for", "kind", k.kind, "err", err)
	}
	if job == nil {
		w.running.Done()
		free()
		return false
	}
	go func() {
		defer func() { free(); w.running.Done() }()
		k.do(ctx, job, claimed)
	}()
	return true
}

// do makes an attempt at a job that was claimed at a time, and writes its outcome.
func (k *kind) do(ctx context.Context, j *Job, claimed time.Time) {
	ctx, span := k.tracer.Continue(ctx, tracing.Job, "job "+k.kind, j.trace)
	span.Number("masthead.attempt", j.Attempt)
	result, err, lost := k.attempt(ctx, j, claimed)
	defer func() { span.End(err) }()
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), resultTime)
	defer cancel()
	log := slog.With("kind", k.kind, "key", j.Key, "attempt", j.Attempt, "err", err)
	switch {
	case err == nil:
		err = k.end(writing, j, result)
	case lost:
		log.WarnContext(ctx, "attempt at a job stopped: its lease was lost")
		return
	case ctx.Err() != nil:
		err = k.again(writing, j, 0, nil)
	case j.Attempt >= k.work.Attempts || k.work.Final != nil && k.work.Final(err):
		log.WarnContext(ctx, "job given up")
		err = k.giveUp(writing, j, err, k.failed(writing, j, err))
	default:
		log.InfoContext(ctx, "job will be attempted again")
		err = k.again(writing, j, k.pause(j.Attempt), err)
	}
	if err != nil { // the lease expires, and the job is attempted again
		slog.ErrorContext(ctx, "outcome of a job not written", "kind", k.kind, "key", j.Key, "err", err)
	}
}

func (k *kind) failed(ctx context.Context, j *Job, err error) Result {
	if k.work.Fail == nil {
		return nil
	}
	return k.work.Fail(ctx, j, err)
}

// attempt makes an attempt; lost reports whether it lost its lease.
func (k *kind) attempt(ctx context.Context, j *Job, claimed time.Time) (result Result, err error, lost bool) {
	if j.Attempt > k.work.Attempts { // the node of the last one was killed
		return nil, context.DeadlineExceeded, false
	}
	bounded, cancel := context.WithTimeout(ctx, k.work.Time)
	defer cancel()
	held, lose := context.WithCancelCause(bounded)
	defer lose(nil)
	var holding sync.WaitGroup
	if k.work.Time+2*resultTime > k.lease {
		holding.Go(func() { k.hold(held, j, claimed, lose) })
	}
	result, err = k.safely(held, j)
	lost = errors.Is(context.Cause(held), errLost)
	cancel()
	holding.Wait()
	return result, err, lost
}

// safely turns a panic into an error, so that one job can't end the program.
func (k *kind) safely(ctx context.Context, j *Job) (result Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			result, err = nil, fmt.Errorf("panic: %v", v)
		}
	}()
	return k.work.Do(ctx, j)
}

// hold renews the lease of an attempt, claimed at a time, until ctx ends. If the lease is lost, or can't be renewed
// before it expires, hold calls lose.
func (k *kind) hold(ctx context.Context, j *Job, claimed time.Time, lose context.CancelCauseFunc) {
	every := (k.lease - 2*resultTime) / 3
	ticker := time.NewTicker(max(every, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		asked := time.Now()
		held, err := k.renew(ctx, j, k.lease)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil && held:
			claimed = asked
		case err == nil || time.Since(claimed) > k.lease-resultTime-every:
			lose(errLost)
			return
		default:
			slog.WarnContext(ctx, "lease of a job not renewed", "kind", k.kind, "key", j.Key, "err", err)
		}
	}
}

// pause is the time between an attempt and the next.
func (k *kind) pause(attempt int) time.Duration {
	pause := k.work.Pause(attempt)
	return pause + rand.N(pause/4+1)
}
