// Package worker owns work that computes and that nothing can interrupt for certain, such as drawing and decoding: it
// runs in a bounded number of workers, and is given up when it does not finish by its deadline.
//
// A worker past its deadline is lost: its goroutine goes on, since Go cannot stop it, but its caller gets an error, and
// another worker takes its slot. Once half of the workers are lost, the pool refuses all work at once. What was lost
// has a key, and is refused for an hour on every node, so that a retry does not cost the next worker. A lost worker
// that finishes after all is counted as lost no more.
//
// To run work here, give its pool to the package that does it, and call [Do] with a stage, which logs and metrics name,
// and with a key.
package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"

	"masthead/pkg/apperr"
)

// ErrHung says that work did not finish by its deadline, now or within the last hour.
var ErrHung = errors.New("the work did not finish by its deadline")

// ErrLost says that a pool refuses work, since half of its workers are lost.
var ErrLost = errors.New("too many workers are lost")

// DefaultDeadline is how long work may run where a [Config] does not say. A card takes 1 to 30 ms and an icon set up to
// 0.5 s, so that a processor may be 40 times as busy or slow; and a client that waits for 60 s still gets an answer.
const DefaultDeadline = 20 * time.Second

// Config says how a [Pool] works.
type Config struct {
	// Name is that of the pool in logs and metrics, such as "draw".
	Name string
	// Workers is how many run at once; 0 is one for each processor.
	Workers int
	// Deadline is how long work may run; 0 is [DefaultDeadline].
	Deadline time.Duration
	// Refusals is where work that hung is remembered; nil is for this process alone.
	Refusals *Refusals
	// Begin, unless it is nil, is called in the worker before its work. It is for tests of work that does not finish.
	Begin func(Work)
}

// Work names what a worker does.
type Work struct {
	// Stage says what is done: one of a small fixed set, such as "draw".
	Stage string
	// Key returns what is refused when the work hangs: the same for all that would hang with it. It is called when that
	// is needed. It is nil for work that nobody can ask for again.
	Key func() string
	// Deadline, unless it is 0, is how long this work may run.
	Deadline time.Duration
}

// Pool is a bounded number of workers. It is safe for concurrent use. It has no goroutine of its own: each lives as
// long as its work.
type Pool struct {
	name     string
	workers  int
	most     int64 // how many lost workers stop the pool
	deadline time.Duration
	refusals *Refusals
	begin    func(Work)

	slots                  *semaphore.Weighted
	running, waiting, lost atomic.Int64
	hung                   *prometheus.CounterVec
}

// New returns a pool as cfg describes it.
func New(cfg Config) *Pool {
	if cfg.Workers <= 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	if cfg.Deadline <= 0 {
		cfg.Deadline = DefaultDeadline
	}
	if cfg.Refusals == nil {
		cfg.Refusals = NewRefusals(nil)
	}
	return &Pool{
		name: cfg.Name, workers: cfg.Workers, most: mostLost(cfg.Workers), deadline: cfg.Deadline,
		refusals: cfg.Refusals, begin: cfg.Begin, slots: semaphore.NewWeighted(int64(cfg.Workers)), hung: newHung(cfg.Name),
	}
}

// mostLost returns at how many lost workers a pool refuses work: half of them, but never just one, since a single
// picture would stop a pool of one or two workers. No worker starts after that, so with those that run then at most
// twice the workers exist: mostLost(n) - 1 + n.
func mostLost(workers int) int64 { return int64(max((workers+1)/2, 2)) }

// Deadline is how long work may run that has no deadline of its own.
func (p *Pool) Deadline() time.Duration { return p.deadline }

// Workers is how many run at once.
func (p *Pool) Workers() int { return p.workers }

// Running is how many run, without those that are lost.
func (p *Pool) Running() int { return int(p.running.Load()) }

// Waiting is how many callers wait for a worker.
func (p *Pool) Waiting() int { return int(p.waiting.Load()) }

// Lost is how many workers are lost.
func (p *Pool) Lost() int { return int(p.lost.Load()) }

// retryLost is when a refused request is worth sending again: behind a load balancer it then reaches another node.
const retryLost = 10 * time.Second

// Usable returns nil while the pool takes work, and else UNAVAILABLE with [ErrLost].
func (p *Pool) Usable() error {
	lost := p.lost.Load()
	if lost < p.most {
		return nil
	}
	e := apperr.Wrap(apperr.Unavailable,
		fmt.Sprintf("%d workers of this node (%s) are stuck in work that does not finish; it takes no more. "+
			"Try again in %d seconds.", lost, p.name, retryLost/time.Second),
		fmt.Errorf("%w: %d, of %d in the pool %q", ErrLost, lost, p.workers, p.name))
	e.RetryAfter = retryLost
	return e
}

// Check returns UNAVAILABLE with [ErrHung] and the rest of the time when work with the key hung within the last hour,
// on any node.
func (p *Pool) Check(ctx context.Context, key string) error { return p.refusals.check(ctx, key) }

// Hung is Check for work that starts even if the database can't tell in time, which isn't an error. It doesn't call key
// while there is nothing to compare it with.
func (p *Pool) Hung(ctx context.Context, key func() string) error {
	if p.refusals.store == nil && p.refusals.known.Len() == 0 {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	err := p.refusals.check(bounded, key())
	if err == nil || errors.Is(err, ErrHung) {
		return err
	}
	if ctx.Err() == nil {
		slog.WarnContext(ctx, "work starts without knowing whether it hung lately", "pool", p.name, "err", err)
	}
	return nil
}

// checkTime is how long [Pool.Hung] waits for the database, of the 3 s that a decode has and the 20 s of a page.
const checkTime = 500 * time.Millisecond

// Do waits for a worker and calls work in it; see [Run]. It takes no work whose key hung lately: see [Pool.Check].
func Do[T any](ctx context.Context, p *Pool, w Work, work func(context.Context) (T, error)) (T, error) {
	var none T
	if err := p.Usable(); err != nil {
		return none, err
	}
	if w.Key != nil {
		if err := p.Check(ctx, w.Key()); err != nil {
			return none, err
		}
	}
	if err := p.Take(ctx); err != nil {
		return none, err
	}
	return Run(ctx, p, w, work)
}

// Take waits for a slot, which [Run] takes over or [Pool.Return] gives back. The error is that of [Pool.Usable] or ctx.
func (p *Pool) Take(ctx context.Context) error {
	if err := p.Usable(); err != nil {
		return err
	}
	p.waiting.Add(1)
	err := p.slots.Acquire(ctx, 1)
	p.waiting.Add(-1)
	if err != nil {
		return err
	}
	if err := p.Usable(); err != nil { // workers were lost meanwhile
		p.slots.Release(1)
		return err
	}
	return nil
}

// Return gives back a slot that no work ran in.
func (p *Pool) Return() { p.slots.Release(1) }

// result is what work returns.
type result[T any] struct {
	value T
	err   error
	late  bool // it came after the deadline
}

// Run calls work in a worker, in the slot that the caller got from [Pool.Take], and returns what work returns. A panic
// becomes an error. The context of work ends with ctx and at the deadline; work should return then as soon as it can.
//
// Work may go on after Run returned ErrHung or the error of ctx. So it must not write what its caller reads, nor read
// what its caller writes: it takes what it needs by value and gives its result by returning it.
func Run[T any](ctx context.Context, p *Pool, w Work, work func(context.Context) (T, error)) (T, error) {
	p.running.Add(1)
	return run(ctx, p, w, p.free, work)
}

// Watch is [Run] for work that mostly waits, and takes no slot. Past its deadline it computes, and so counts as a lost
// worker.
func Watch[T any](ctx context.Context, p *Pool, w Work, work func(context.Context) (T, error)) (T, error) {
	return run(ctx, p, w, func() {}, work)
}

// run calls work in a goroutine of its own, and free once that ends or is lost.
func run[T any](
	ctx context.Context, p *Pool, w Work, free func(), work func(context.Context) (T, error),
) (T, error) {
	var none T
	running, stop := context.WithCancel(ctx)
	var (
		expired = make(chan error, 1)
		gone    = make(chan struct{})
		done    = make(chan result[T], 1)
		began   = time.Now()
	)
	watchdog := time.AfterFunc(cmp.Or(w.Deadline, p.deadline), func() {
		defer close(gone)
		stop()
		expired <- p.lose(w, free)
	})
	go func() {
		var r result[T]
		defer stop()
		defer func() {
			if watchdog.Stop() {
				free()
			} else {
				<-gone // it is counted
				p.lost.Add(-1)
				slog.Warn("a lost worker finished after all", "pool", p.name, "stage", w.Stage,
					"seconds", time.Since(began).Seconds())
				r.late = true
			}
			done <- r
		}()
		r.value, r.err = recovered(func() (T, error) {
			if p.begin != nil {
				p.begin(w)
			}
			return work(running)
		})
	}()
	select {
	case err := <-expired:
		return none, err
	case <-ctx.Done():
		return none, ctx.Err()
	case r := <-done:
		if r.late {
			return none, <-expired
		}
		return r.value, r.err
	}
}

// free gives back the slot of a worker.
func (p *Pool) free() {
	p.running.Add(-1)
	p.slots.Release(1)
}

// lose gives up a worker: another takes its slot, and its work is refused from now on. It returns the error for whoever
// waits for the work.
func (p *Pool) lose(w Work, free func()) error {
	lost := p.lost.Add(1)
	free()
	p.hung.WithLabelValues(w.Stage).Inc()
	key := ""
	if w.Key != nil {
		key = w.Key()
	}
	slog.Error("a worker is lost: its work did not finish", "pool", p.name, "stage", w.Stage, "key", brief(key),
		"deadline", cmp.Or(w.Deadline, p.deadline).String(), "lost", lost, "workers", p.workers, "refusing", lost >= p.most)
	return p.refusals.add(key, w.Stage)
}

// brief is as much of a key as logs tell: enough to find its row.
func brief(key string) string { return key[:min(len(key), 12)] }

// recovered calls f and turns a panic of it into an error. It cannot catch a stack overflow, nor a panic in a goroutine
// that f starts.
func recovered[T any](f func() (T, error)) (value T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}

// GrowStack has the stack of a new goroutine grow at once to what reading, drawing and keeping a picture takes, while
// there is little on it. Else it is copied at each doubling, from deep within parsers and the database.
func GrowStack() { growStack(0) }

//go:noinline
func growStack(i int) byte {
	var room [24 << 10]byte
	return room[i]
}
