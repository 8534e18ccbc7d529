package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"

	"masthead/pkg/apperr"
)

// Bounds of what is asked of a database. Source: security requirements, "Staying up" (every dependency has a time-out
// and a breaker), with the times that the service promises.
const (
	// answerTime is the most that one statement or transaction may take, its wait for a connection included, and all of a
	// request together; listTime is that of a list and of work in the background.
	answerTime = 3 * time.Second
	listTime   = 5 * time.Second
	// faultAfter tells a database that does not answer from a caller who would not wait: what was cut by its time before
	// this says nothing about the database.
	faultAfter = 2 * time.Second
	// maxWaiting is how many may wait for a connection: more than one client sends at once, so that a burst of one is
	// waited for and not refused to others. Each takes a millisecond or less.
	maxWaiting = 2048
	// maxFaults in a row open the breaker, which tries again every trialEvery.
	maxFaults  = 3
	trialEvery = time.Second
	trialTime  = 2 * time.Second
	// busyTime is how long a writer waits for SQLite's lock, which another process may hold.
	busyTime = 2 * time.Second
)

// retryAfter is what callers are told while the breaker is open: two trials.
const retryAfter = 2 * trialEvery

var (
	errOpen = &apperr.Error{
		Code: apperr.Unavailable, RetryAfter: retryAfter,
		Detail: "The service cannot reach its storage; try again in a moment.",
	}
	errBusy = &apperr.Error{
		Code: apperr.Unavailable, RetryAfter: retryAfter,
		Detail: "The service's storage is busy; try again in a moment.",
	}
)

// gate stands before a pool of connections: it bounds the time of each piece of work and how many wait for a
// connection, and refuses at once while the database does not answer.
type gate struct {
	name    string
	breaker *gobreaker.TwoStepCircuitBreaker[struct{}]
	places  chan struct{} // one for each connection
	// trial asks the database for a sign of life; settle is called before the first one, to drop what is broken.
	trial  func(context.Context) error
	settle func()

	waiting  atomic.Int64
	answered atomic.Int64 // when the database last answered: Unix time in nanoseconds
	refused  atomic.Int64 // by the open breaker or the full queue
	faults   atomic.Int64 // what was not answered, by callers and in the background
	// asked is what callers asked, answered or not; behind is what was asked in the background.
	asked, behind atomic.Int64

	certain atomic.Bool // the fault at hand opens the breaker by itself
	isOpen  atomic.Bool
	opened  atomic.Pointer[chan struct{}] // closed when the breaker opens; those who wait go
	trials  sync.WaitGroup
	closing context.Context //nolint:containedctx // of the trials, which are no request's
	close   context.CancelFunc
}

func newGate(name string, places int, trial func(context.Context) error, settle func()) *gate {
	g := &gate{name: name, places: make(chan struct{}, places), trial: trial, settle: settle}
	g.closing, g.close = context.WithCancel(context.Background())
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

// changed follows the breaker, whose lock is held meanwhile.
func (g *gate) changed(_ string, from, to gobreaker.State) {
	switch {
	case from == gobreaker.StateClosed:
		slog.Error("the database does not answer: it is left alone, and asked again every while",
			"pool", g.name, "every", trialEvery)
		g.isOpen.Store(true)
		close(*g.opened.Load())
		if g.closing.Err() == nil {
			g.trials.Go(g.try)
		}
	case to == gobreaker.StateClosed:
		slog.Info("the database answers again", "pool", g.name)
		opened := make(chan struct{})
		g.opened.Store(&opened)
		g.isOpen.Store(false)
	}
}

// try asks the database until it answers, which closes the breaker. No caller's request is put at stake for that.
func (g *gate) try() {
	g.settle()
	for {
		select {
		case <-g.closing.Done():
			return
		case <-time.After(trialEvery + time.Millisecond): // the breaker's own pause is over by then
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

// shut ends the trials.
func (g *gate) shut() {
	g.close()
	g.trials.Wait()
}

// run does work, which asks the database, within the time of its kind.
func (g *gate) run(ctx context.Context, most time.Duration, work func(context.Context) error) (err error) {
	limit := deadlineOf(ctx)
	if limit.background {
		g.behind.Add(1)
	} else {
		g.asked.Add(1)
	}
	if most = limit.left(most); most <= 0 {
		g.refused.Add(1)
		return errBusy
	}
	if limit.spent != nil {
		defer limit.spend(time.Now())
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
		if limit.background {
			verdict = errNoVerdict
		}
		done(verdict)
		if entered { // only now, so that who comes next knows of a breaker that opened
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
	return told(ctx, err)
}

// enter waits for a connection to be free. On an error, verdict is what that says about the database.
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
	began := time.Now()
	select {
	case g.places <- struct{}{}:
		if g.isOpen.Load() { // the breaker and the place came together
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
	case ctx.Err() != nil && time.Since(began) < faultAfter:
		return ctx.Err(), errNoVerdict
	case g.answered.Load() < began.UnixNano():
		return errBusy, errSilent // in all that time it answered nobody
	case ctx.Err() != nil:
		return ctx.Err(), errNoVerdict
	}
	return errBusy, errNoVerdict
}

var (
	errNoVerdict = errors.New("how this ended says nothing about the database")
	errSilent    = errors.New("the database answered nobody")
)

// judge says what the end of work tells about the database: nil when it answers, if only to refuse.
func (g *gate) judge(ctx context.Context, began time.Time, err error) error {
	switch kindOf(err) {
	case answers:
		g.answered.Store(time.Now().UnixNano())
		return nil
	case outOfTime:
		cut := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, sql.ErrTxDone)
		if time.Since(began) < faultAfter || cut && errors.Is(ctx.Err(), context.Canceled) {
			return errNoVerdict // the caller would not wait
		}
		return err
	case locked:
		if time.Since(began) < busyTime*9/10 {
			return errNoVerdict
		}
		if !deadlineOf(ctx).background {
			g.certain.Store(true) // somebody held the lock for the whole of the busy time-out
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

// told is err as callers are to see it: what ended by a time of ours, and not by theirs, is a fault of the database.
func told(ctx context.Context, err error) error {
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
