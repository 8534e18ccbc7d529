package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"

	"masthead/pkg/apperr"
	"masthead/pkg/monotonic"
)

// Limits of database operations, such that every one has a timeout and a breaker.
const (
	// answerTime is the limit of one statement or transaction, including its wait for a connection, and of all those of a
	// request together; listTime is the limit of a list and of background work.
	answerTime = 3 * time.Second
	listTime   = 5 * time.Second
	// faultAfter distinguishes a database that doesn't respond from an impatient caller: a statement that was interrupted
	// sooner says nothing about the database.
	faultAfter = 2 * time.Second
	// maxWaiting is how many callers may wait for a connection: more than one client sends concurrently, so that its burst
	// doesn't cause refusals for others. Each takes a millisecond or less.
	maxWaiting = 2048
	// maxFaults failures in a row open the breaker, which then makes a trial every trialEvery.
	maxFaults  = 3
	trialEvery = time.Second
	trialTime  = 2 * time.Second
	// busyTime is how long a writer waits for SQLite's lock, which another process may hold.
	busyTime = 2 * time.Second
)

// retryAfter is the Retry-After while the breaker is open: two trials.
const retryAfter = 2 * trialEvery

var (
	errOpen = &apperr.Error{
		Code: apperr.Unavailable, RetryAfter: retryAfter,
		Detail: "The service cannot reach its storage. Try again in a moment.",
	}
	errBusy = &apperr.Error{
		Code: apperr.Unavailable, RetryAfter: retryAfter,
		Detail: "The service's storage is busy. Try again in a moment.",
	}
)

// gate controls access to a pool of connections: it limits the time of each operation and how many wait for a
// connection, and refuses immediately while the database doesn't respond.
type gate struct {
	name    string
	breaker interface { // gobreaker.TwoStepCircuitBreaker, see package cache
		Allow() (done func(error), err error)
	}
	places chan struct{} // one for each connection
	// trial checks whether the database responds; settle is called before the first trial, to drop broken connections.
	trial  func(context.Context) error
	settle func()

	waiting  atomic.Int64
	answered atomic.Int64 // last response of the database, as monotonic.Now says
	refused  atomic.Int64 // by the open breaker or the full queue
	faults   atomic.Int64 // operations without a response, of requests and in the background
	// asked counts operations of requests, with or without a response; behind counts those in the background.
	asked, behind atomic.Int64

	certain atomic.Bool // the current fault opens the breaker by itself
	isOpen  atomic.Bool
	opened  atomic.Pointer[chan struct{}] // closed when the breaker opens, which fails the waiting callers
	trials  sync.WaitGroup
	closing context.Context //nolint:containedctx // of the trials, which are no request's
	close   context.CancelFunc
}

func newGate(name string, places int, trial func(context.Context) error, settle func()) *gate {
	g := &gate{name: name, places: make(chan struct{}, places), trial: trial, settle: settle}
	g.closing, g.close = context.WithCancel(context.Background())
	g.answered.Store(math.MinInt64) // never so far
	opened := make(chan struct{})
	g.opened.Store(&opened)
	g.breaker = gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Name: name, Timeout: trialEvery,
		ReadyToTrip: func(c gobreaker.Counts) bool {
			return c.ConsecutiveFailures >= maxFaults || c.ConsecutiveFailures > 0 && g.certain.Load()
		},
		IsExcluded:    func(err error) bool { return err == errNoVerdict }, //nolint:errorlint // never wrapped
		OnStateChange: g.changed,
	})
	return g
}

// changed is called on changes of the breaker, with its lock held.
func (g *gate) changed(_ string, from, to gobreaker.State) {
	switch {
	case from == gobreaker.StateClosed:
		slog.Error("the database doesn't respond; requests to it are suspended and retried periodically",
			"pool", g.name, "every", trialEvery)
		g.isOpen.Store(true)
		close(*g.opened.Load())
		if g.closing.Err() == nil {
			g.trials.Go(g.try)
		}
	case to == gobreaker.StateClosed:
		slog.Info("the database responds again", "pool", g.name)
		opened := make(chan struct{})
		g.opened.Store(&opened)
		g.isOpen.Store(false)
	}
}

// try makes trials until the database responds, which closes the breaker. No caller's request is used for this.
func (g *gate) try() {
	g.settle()
	for {
		select {
		case <-g.closing.Done():
			return
		case <-time.After(trialEvery + time.Millisecond): // by then the breaker's own pause is over
		}
		done, err := g.breaker.Allow()
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(g.closing, trialTime)
		g.certain.Store(false)
		err = g.trial(ctx)
		cancel()
		done(err)
		if err == nil {
			return
		}
	}
}

// shut stops the trials.
func (g *gate) shut() {
	g.close()
	g.trials.Wait()
}

// run does work, which uses the database, within the time limit of its kind.
func (g *gate) run(ctx context.Context, most time.Duration, work func(context.Context) error) (err error) {
	request := requestTimeOf(ctx)
	if request == nil {
		g.behind.Add(1)
	} else {
		g.asked.Add(1)
	}
	if most = request.left(most); most <= 0 {
		g.refused.Add(1)
		return errBusy
	}
	if request != nil && request.shared {
		defer request.spend(time.Now())
	}
	if g.isOpen.Load() {
		g.refused.Add(1)
		return errOpen
	}
	done, err := g.breaker.Allow()
	if err != nil {
		g.refused.Add(1)
		return errOpen
	}
	verdict, entered := errNoVerdict, false
	defer func() {
		if verdict != nil && verdict != errNoVerdict { //nolint:errorlint // it is never wrapped
			g.faults.Add(1)
		}
		if request == nil {
			verdict = errNoVerdict
		}
		done(verdict)
		if entered { // only now, so that the next caller sees a breaker that opened
			<-g.places
		}
	}()
	bounded, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	if err, verdict = g.enter(ctx, bounded); err != nil {
		return err
	}
	entered = true
	began := time.Now()
	err = work(bounded)
	verdict = g.judge(ctx, began, err)
	return forCaller(ctx, err)
}

// enter waits for a free connection. On an error, verdict is what it says about the database.
func (g *gate) enter(ctx, bounded context.Context) (err, verdict error) {
	select {
	case g.places <- struct{}{}:
		return nil, nil
	default:
	}
	if g.waiting.Add(1) > maxWaiting {
		g.waiting.Add(-1)
		g.refused.Add(1)
		return errBusy, errNoVerdict
	}
	defer g.waiting.Add(-1)
	began := monotonic.Now()
	select {
	case g.places <- struct{}{}:
		if g.isOpen.Load() { // the breaker opened when the slot became free
			<-g.places
			return errOpen, errNoVerdict
		}
		return nil, nil
	case <-*g.opened.Load():
		g.refused.Add(1)
		return errOpen, errNoVerdict
	case <-bounded.Done():
	}
	switch {
	case ctx.Err() != nil && monotonic.Now()-began < faultAfter:
		return ctx.Err(), errNoVerdict
	case g.answered.Load() < int64(began):
		return errBusy, errSilent // in all that time it didn't respond to anyone
	case ctx.Err() != nil:
		return ctx.Err(), errNoVerdict
	}
	return errBusy, errNoVerdict
}

var (
	errNoVerdict = errors.New("this outcome says nothing about the database")
	errSilent    = errors.New("the database responded to nobody")
)

// judge returns what the outcome of work says about the database: nil if it responded, even with an error.
func (g *gate) judge(ctx context.Context, began time.Time, err error) error {
	switch kindOf(err) {
	case answers:
		g.answered.Store(int64(monotonic.Now()))
		return nil
	case outOfTime:
		cut := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, sql.ErrTxDone)
		if time.Since(began) < faultAfter || cut && errors.Is(ctx.Err(), context.Canceled) {
			return errNoVerdict // the caller was impatient
		}
		return err
	case locked:
		if time.Since(began) < busyTime*9/10 {
			return errNoVerdict
		}
		if requestTimeOf(ctx) != nil {
			g.certain.Store(true) // the lock was held for the whole busy timeout
		}
		return err
	case left:
		return errNoVerdict
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return errNoVerdict
	}
	return err
}

// forCaller converts err for callers: a timeout of ours, and not of theirs, is a fault of the database.
func forCaller(ctx context.Context, err error) error {
	switch kindOf(err) {
	case outOfTime:
		if ctx.Err() != nil {
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		}
		return &unansweredError{err}
	case unreachable, locked:
		return &unansweredError{err}
	}
	return err
}
