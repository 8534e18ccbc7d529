package images

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/images/store"
	"masthead/pkg/images/task"
)

// notWaited is a bound that a stage of these tests does not reach.
const notWaited = time.Hour

// drainTime is how long a drain of these tests may take.
const drainTime = 44 * time.Second

// made is a service that shares jobs and stands on nothing.
func made() *Service { return &Service{metrics: newMetrics(), now: time.Now} }

func TestStages_boundIsTheSum(t *testing.T) {
	list := stages{{bound: time.Second}, {}, {bound: 2 * time.Second}}
	if got := list.bound(); got != 3*time.Second {
		t.Errorf("got %v, want 3s", got)
	}
}

func TestStages_slowStageIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		err := made().run(t.Context(), stages{
			{name: "quick", bound: notWaited, run: func(context.Context, *job) error { return nil }},
			{name: "slow", bound: time.Second, run: func(ctx context.Context, _ *job) error { <-ctx.Done(); return ctx.Err() }},
			{name: "never", run: func(context.Context, *job) error { panic("a stage after one that failed") }},
		}, &job{})
		if !errors.Is(err, context.DeadlineExceeded) ||
			err.Error() != `the stage "slow" took more than 1s: context deadline exceeded` {
			t.Errorf("got %v, want the end of the slow stage's time", err)
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("it took %v, want the stage's 1s", took)
		}
	})
}

func TestStages_answerEndsThem(t *testing.T) {
	j := &job{}
	err := made().run(t.Context(), stages{
		{run: func(_ context.Context, j *job) error { j.done = true; return nil }},
		{run: func(context.Context, *job) error { panic("a stage after the answer") }},
	}, j)
	if err != nil || !j.done {
		t.Errorf("got %v, %v", j.done, err)
	}
}

func TestShare_panicIsAnError(t *testing.T) {
	_, err := made().share(t.Context(), &job{key: "k"}, nil,
		stages{{run: func(context.Context, *job) error { panic("a parser's mistake") }}})
	if err == nil || apperr.CodeOf(err) != apperr.Internal {
		t.Errorf("got %v, want an internal error", err)
	}
}

func TestShare_makingOutlivesItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, ended := made(), false
		ctx, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		_, err := s.share(ctx, &job{key: "k"}, nil, stages{{bound: notWaited, run: func(ctx context.Context, _ *job) error {
			time.Sleep(time.Minute)
			ended = ctx.Err() == nil
			return nil
		}}})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the end of the caller's time", err)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if !ended {
			t.Error("the making ended with its caller")
		}
	})
}

// paid is a stage that is never cut, as the drawing of a provider's picture will be: it takes 25 s.
func paid(began, skipped *bool) stage {
	return stage{
		name: "paid", bound: notWaited,
		run: func(ctx context.Context, _ *job) error {
			*began = true
			select {
			case <-time.After(25 * time.Second):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		},
		skip: func(*job) { *skipped = true },
	}
}

func TestDrain_waitsForTheUncutStageAndWhatKeepsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := made()
		var began, skipped, kept, plainCut bool
		making := stages{paid(&began, &skipped), {name: "keep", bound: notWaited,
			run: func(ctx context.Context, _ *job) error {
				time.Sleep(5 * time.Second)
				kept = ctx.Err() == nil
				return nil
			}}}
		plain := stages{{name: "plain", bound: notWaited, run: func(ctx context.Context, _ *job) error {
			<-ctx.Done()
			plainCut = true
			return ctx.Err()
		}}}
		ask(t, s, "paid", making)
		ask(t, s, "plain", plain)
		synctest.Wait()
		asked := time.Now()
		bound, cancel := context.WithTimeout(t.Context(), drainTime)
		defer cancel()
		s.Drain(bound)
		if took := time.Since(asked); took != 30*time.Second || !kept || plainCut {
			t.Errorf("drained after %v, kept %v, the other cut %v; want 30s for the stage and its keeping alone", took, kept,
				plainCut)
		}
		s.Close(t.Context())
		if !plainCut || skipped {
			t.Errorf("after closing: the plain one cut %v, the paid one skipped %v", plainCut, skipped)
		}
	})
}

// TestDrain_doesNotWaitForAJobThatFellBack has one whose picture nobody pays for: it is cut like any other.
func TestDrain_doesNotWaitForAJobThatFellBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, released := made(), false
		ask(t, s, "fallback", stages{
			{name: "paid", skip: func(*job) {}, run: func(ctx context.Context, j *job) error {
				j.ai = &store.AIResult{}
				j.release = append(j.release, func(context.Context) { released = true })
				j.fallBack(ctx, store.ReasonQuota)
				return nil
			}},
			{name: "draw", bound: notWaited, run: func(ctx context.Context, _ *job) error { <-ctx.Done(); return ctx.Err() }},
		})
		synctest.Wait()
		asked := time.Now()
		s.Drain(t.Context())
		if took := time.Since(asked); took != 0 || !released {
			t.Errorf("drained after %v, released %v; want at once, and the unit given back", took, released)
		}
		s.Close(t.Context())
	})
}

func TestDrain_noUncutStageBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := made()
		var began, skipped, drawn bool
		asking := make(chan struct{})
		ask(t, s, "late", stages{
			{name: "read", bound: notWaited, run: func(context.Context, *job) error { <-asking; return nil }},
			paid(&began, &skipped),
			{name: "draw", run: func(context.Context, *job) error { drawn = true; return nil }},
		})
		synctest.Wait()
		s.Drain(t.Context())
		close(asking)
		synctest.Wait()
		if began || !skipped || !drawn {
			t.Errorf("began %v, skipped %v, drawn %v; want the picture without what is paid for", began, skipped, drawn)
		}
		s.Close(t.Context())
	})
}

func TestDrain_endsAfterItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, cut := made(), false
		ask(t, s, "endless", stages{{name: "endless", bound: notWaited, skip: func(*job) {},
			run: func(ctx context.Context, _ *job) error {
				<-ctx.Done()
				cut = true
				return ctx.Err()
			}}})
		synctest.Wait()
		asked := time.Now()
		bound, cancel := context.WithTimeout(t.Context(), drainTime)
		defer cancel()
		s.Drain(bound)
		if took := time.Since(asked); took != drainTime || cut {
			t.Errorf("drained after %v, cut %v; want %v", took, cut, drainTime)
		}
		s.Close(t.Context())
		if !cut {
			t.Error("closing left it running")
		}
		if _, err := s.share(t.Context(), &job{key: "k"}, nil, nil); apperr.CodeOf(err) != apperr.Unavailable {
			t.Errorf("after closing: got %v, want unavailable", err)
		}
	})
}

// ask shares a job whose caller does not wait.
func ask(t *testing.T, s *Service, key string, steps stages) {
	t.Helper()
	go func() {
		// What comes of it the test sees by its stages.
		_, _ = s.share(context.WithoutCancel(t.Context()), &job{key: key}, nil, steps)
	}()
}

// TestShare_gateRefusesBeforeAnythingAndJoinersPass has a full queue refuse the first of a key, and nobody who joins.
func TestShare_gateRefusesBeforeAnythingAndJoinersPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := made()
		s.workers = task.NewQueue(1)
		gate, asked, made := stages{{name: "admit", run: s.admit}}, 0, make(chan struct{})
		steps := stages{{name: "read", run: func(context.Context, *job) error {
			asked++
			<-made
			return nil
		}}}
		go func() {
			if _, err := s.share(t.Context(), &job{key: "begun"}, gate, steps); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		for range task.MaxQueue { // of the same owner, who is nobody here
			go func() { _, _ = s.workers.Join(t.Context(), "", false) }()
			synctest.Wait()
		}
		if _, err := s.share(t.Context(), &job{key: "new"}, gate, steps); apperr.CodeOf(err) != apperr.Unavailable {
			t.Errorf("a new one: got %v, want UNAVAILABLE", err)
		}
		joining := make(chan error)
		go func() {
			_, err := s.share(t.Context(), &job{key: "begun"}, gate, steps)
			joining <- err
		}()
		synctest.Wait()
		close(made)
		if err := <-joining; err != nil || asked != 1 {
			t.Errorf("one that joins: got %v and %d pages read, want none and 1", err, asked)
		}
	})
}

func TestShare_reservationOfOneCallerPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("got none, want a panic: the others' reservations would be lost")
		}
	}()
	_, _ = made().share(t.Context(), &job{key: "k", release: []func(context.Context){func(context.Context) {}}}, nil, nil)
}
