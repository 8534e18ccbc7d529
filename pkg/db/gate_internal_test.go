package db

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"masthead/pkg/apperr"
)

// silence waits like a statement that the server never answers.
func silence(ctx context.Context) error {
	<-ctx.Done()
	return &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}
}

func answer(context.Context) error { return nil }

// inGate runs test with a gate of two places over a database that is silent while the flag says so.
func inGate(t *testing.T, test func(t *testing.T, g *gate, silent *atomic.Bool)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		silent := new(atomic.Bool)
		g := newGate("test", 2, func(ctx context.Context) error {
			if silent.Load() {
				return silence(ctx)
			}
			return nil
		}, func() {})
		defer g.shut()
		test(t, g, silent)
	})
}

func TestGate_silenceOpensAndAnAnswerCloses(t *testing.T) {
	inGate(t, func(t *testing.T, g *gate, silent *atomic.Bool) {
		silent.Store(true)
		began := time.Now()
		var callers sync.WaitGroup
		for range 40 {
			callers.Go(func() {
				err := g.run(ForRequest(t.Context()), answerTime, silence)
				if !IsUnavailable(err) && apperr.CodeOf(err) != apperr.Unavailable {
					t.Errorf("got %v, want UNAVAILABLE", err)
				}
			})
		}
		callers.Wait()
		if got := time.Since(began); got > answerTime {
			t.Errorf("callers waited %v, want at most %v", got, answerTime)
		}
		began = time.Now()
		err := g.run(ForRequest(t.Context()), answerTime, answer)
		var fault *apperr.Error
		if !errors.As(err, &fault) || fault.RetryAfter <= 0 || time.Since(began) != 0 {
			t.Errorf("while open: got %v after %v, want a refusal at once that says when to try again", err, time.Since(began))
		}
		time.Sleep(time.Minute)
		if !g.isOpen.Load() {
			t.Fatal("closed though the database is silent")
		}
		silent.Store(false)
		time.Sleep(trialTime + 2*trialEvery)
		if err := g.run(ForRequest(t.Context()), answerTime, answer); err != nil {
			t.Errorf("after an answer: got %v, want none", err)
		}
	})
}

// TestGate_onlyTheDatabaseIsBlamed runs work that ends badly for other reasons than the database, more often than
// faults would be let pass.
func TestGate_onlyTheDatabaseIsBlamed(t *testing.T) {
	broken := &net.OpError{Op: "read", Err: io.ErrUnexpectedEOF}
	within := func(d time.Duration) func(context.Context) (context.Context, context.CancelFunc) {
		return func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ForRequest(ctx), d)
		}
	}
	leaving := func(d time.Duration) func(context.Context) (context.Context, context.CancelFunc) {
		return func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ForRequest(ctx))
			time.AfterFunc(d, cancel)
			return ctx, cancel
		}
	}
	canceled := func(ctx context.Context) context.Context {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		return ctx
	}
	detached := func(ctx context.Context) (context.Context, context.CancelFunc) {
		return Detached(canceled(ForRequest(ctx))), func() {}
	}
	background := func(ctx context.Context) (context.Context, context.CancelFunc) { return ctx, func() {} }
	detachedBackground := func(ctx context.Context) (context.Context, context.CancelFunc) {
		return Detached(canceled(ctx)), func() {}
	}
	for name, c := range map[string]struct {
		caller func(context.Context) (context.Context, context.CancelFunc)
		work   func(context.Context) error
		opens  bool
	}{
		"nobody answers":              {within(time.Hour), silence, true},
		"a bound like ours":           {within(answerTime), silence, true},
		"an impatient caller":         {within(time.Second), silence, false},
		"callers who leave early":     {leaving(time.Second), silence, false},
		"background work":             {background, silence, false},
		"work that must be done":      {detached, silence, true},
		"the same, in background":     {detachedBackground, silence, false},
		"broken connections":          {within(time.Hour), func(context.Context) error { return broken }, true},
		"broken ones, in background":  {background, func(context.Context) error { return broken }, false},
		"no rows":                     {within(time.Hour), func(context.Context) error { return sql.ErrNoRows }, false},
		"a caller leaves mid-answer":  {leaving(0), func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, false},
		"refused by another database": {within(time.Hour), func(context.Context) error { return errOpen }, false},
	} {
		t.Run(name, func(t *testing.T) {
			inGate(t, func(t *testing.T, g *gate, silent *atomic.Bool) {
				silent.Store(true)
				for range 2 * maxFaults {
					ctx, cancel := c.caller(t.Context())
					if err := g.run(ctx, answerTime, c.work); err == nil {
						t.Error("got no error")
					}
					cancel()
				}
				if got := g.isOpen.Load(); got != c.opens {
					t.Errorf("open: got %v, want %v", got, c.opens)
				}
			})
		})
	}
}

func TestGate_waitingIsBoundedAndNoFault(t *testing.T) {
	inGate(t, func(t *testing.T, g *gate, _ *atomic.Bool) {
		var callers sync.WaitGroup
		slow := func(context.Context) error { time.Sleep(2500 * time.Millisecond); return nil }
		for range 2 {
			callers.Go(func() { _ = g.run(ForRequest(t.Context()), answerTime, slow) })
		}
		synctest.Wait()
		results := make(chan error, maxWaiting)
		for range maxWaiting {
			callers.Go(func() { results <- g.run(ForRequest(t.Context()), answerTime, slow) })
		}
		synctest.Wait()
		began := time.Now()
		if err := g.run(ForRequest(t.Context()), answerTime, answer); !errors.Is(err, errBusy) || time.Since(began) != 0 {
			t.Errorf("one too many: got %v after %v, want to be refused at once", err, time.Since(began))
		}
		callers.Wait()
		if g.isOpen.Load() {
			t.Error("a queue in front of a database that answers opened the breaker")
		}
		if err := g.run(ForRequest(t.Context()), answerTime, answer); err != nil {
			t.Errorf("afterwards: got %v", err)
		}
	})
}

// TestGate_thoseWhoWaitLeaveWhenItOpens holds that nobody waits for a place at a database that is known not to answer.
func TestGate_thoseWhoWaitLeaveWhenItOpens(t *testing.T) {
	inGate(t, func(t *testing.T, g *gate, silent *atomic.Bool) {
		silent.Store(true)
		var callers sync.WaitGroup
		callers.Go(func() { _ = g.run(ForRequest(t.Context()), answerTime, silence) })
		callers.Go(func() { // the place is taken until the other opens it
			_ = g.run(ForRequest(t.Context()), answerTime, silence)
		})
		synctest.Wait()
		waited := make(chan time.Duration, 1)
		began := time.Now()
		callers.Go(func() {
			if err := g.run(ForRequest(t.Context()), time.Hour, answer); !errors.Is(err, errOpen) {
				t.Errorf("got %v, want to be refused", err)
			}
			waited <- time.Since(began)
		})
		synctest.Wait()
		for range maxFaults {
			done, err := g.breaker.Allow()
			if err != nil {
				t.Fatal(err)
			}
			done(io.EOF)
		}
		if got := <-waited; got != 0 {
			t.Errorf("waited %v after the breaker opened", got)
		}
		callers.Wait()
	})
}

// TestGate_requestHasOneTimeForAll has a database that answers, each time after a second.
func TestGate_requestHasOneTimeForAll(t *testing.T) {
	inGate(t, func(t *testing.T, g *gate, _ *atomic.Bool) {
		slow := func(ctx context.Context) error {
			select {
			case <-time.After(time.Second):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		ctx, began := ForRequest(t.Context()), time.Now()
		for range 2 {
			if err := g.run(ctx, answerTime, slow); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Minute) // which is not spent on the database
		began = began.Add(time.Minute)
		for range 10 { // the first one begins just in time
			if err := g.run(ctx, answerTime-time.Millisecond, slow); !IsUnavailable(err) &&
				apperr.CodeOf(err) != apperr.Unavailable {
				t.Errorf("after 2 s: got %v, want UNAVAILABLE", err)
			}
		}
		if got := time.Since(began); got > answerTime {
			t.Errorf("the request took %v, want at most %v", got, answerTime)
		}
		if err := g.run(ctx, listTime, slow); err != nil {
			t.Errorf("a list, which has more time: %v", err)
		}
		for range 10 {
			if err := g.run(Detached(ctx), answerTime, slow); err != nil {
				t.Errorf("what has to be done all the same: %v", err)
			}
		}
		if g.isOpen.Load() {
			t.Error("the breaker opened, though the database answers")
		}
	})
}
