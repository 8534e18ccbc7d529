package worker_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"masthead/pkg/apperr"
	"masthead/pkg/worker"
)

func key(name string) func() string { return func() string { return name } }

// spinner is work that computes, whatever its context says, until it is released.
type spinner struct{ released atomic.Bool }

func (s *spinner) work(context.Context) (int, error) {
	for !s.released.Load() {
		time.Sleep(time.Second) // of a bubble's time; else its clock would stand still
	}
	return 1, nil
}

// end has the work finish, and waits for it.
func (s *spinner) end() {
	s.released.Store(true)
	time.Sleep(2 * time.Second)
	synctest.Wait()
}

// spin starts work that does not finish, and returns what its caller gets.
func spin(ctx context.Context, p *worker.Pool, s *spinner, name string) chan error {
	got := make(chan error, 1)
	go func() {
		_, err := worker.Do(ctx, p, worker.Work{Stage: "test", Key: key(name)}, s.work)
		got <- err
	}()
	synctest.Wait()
	return got
}

func quick(p *worker.Pool, name string) error {
	v, err := worker.Do(context.Background(), p, worker.Work{Stage: "test", Key: key(name)},
		func(context.Context) (int, error) { return 7, nil })
	if err == nil && v != 7 {
		return errors.New("the value was lost")
	}
	return err
}

// wantUnavailable checks an error's kind, code and time.
func wantUnavailable(t *testing.T, err, kind error, least, most time.Duration) {
	t.Helper()
	var e *apperr.Error
	if !errors.Is(err, kind) || !errors.As(err, &e) || e.Code != apperr.Unavailable ||
		e.RetryAfter < least || e.RetryAfter > most {
		t.Errorf("got %v, want %v as UNAVAILABLE with Retry-After from %v to %v", err, kind, least, most)
	}
}

func TestPool_lostWorkers_areReplacedUntilHalfAreLost(t *testing.T) {
	for _, c := range []struct{ workers, survives int }{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 2}, {8, 3}} {
		synctest.Test(t, func(t *testing.T) {
			p, s := worker.New(worker.Config{Name: "test", Workers: c.workers, Deadline: 3 * time.Second}), &spinner{}
			for i := range c.survives {
				start := time.Now()
				err := <-spin(t.Context(), p, s, string(rune('a'+i)))
				if took := time.Since(start); took != 3*time.Second {
					t.Errorf("%d workers: given up after %v, want the deadline", c.workers, took)
				}
				wantUnavailable(t, err, worker.ErrHung, time.Hour, time.Hour)
				if err := p.Usable(); err != nil || p.Lost() != i+1 || p.Running() != 0 {
					t.Errorf("%d workers: %v with %d lost and %d running", c.workers, err, p.Lost(), p.Running())
				}
				full := make([]chan error, c.workers) // as many as ever run beside those that are lost
				release := &spinner{}
				for n := range full {
					full[n] = spin(t.Context(), p, release, "other "+string(rune('a'+n)))
				}
				if p.Running() != c.workers || p.Waiting() != 0 {
					t.Errorf("%d workers, %d lost: %d run", c.workers, i+1, p.Running())
				}
				release.end()
				for _, got := range full {
					if err := <-got; err != nil {
						t.Errorf("%d workers: other work got %v", c.workers, err)
					}
				}
			}
			<-spin(t.Context(), p, s, "last")
			start := time.Now()
			wantUnavailable(t, quick(p, "new"), worker.ErrLost, time.Second, time.Minute)
			if took := time.Since(start); took != 0 {
				t.Errorf("%d workers: refused after %v, want at once", c.workers, took)
			}
			if most := 2 * c.workers; p.Lost()+p.Running() > most {
				t.Errorf("%d workers: %d exist, want at most %d", c.workers, p.Lost()+p.Running(), most)
			}
			s.end()
			if err := quick(p, "new"); err != nil || p.Lost() != 0 {
				t.Errorf("%d workers, after they finished: %v with %d lost", c.workers, err, p.Lost())
			}
		})
	}
}

func TestPool_halfLost_whoWaitsIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := worker.New(worker.Config{Name: "test", Workers: 2, Deadline: 3 * time.Second}), &spinner{}
		start := time.Now()
		spin(t.Context(), p, s, "a")
		time.Sleep(time.Second) // the deadlines of the two must differ: at the first, who waits longest gets the slot
		spin(t.Context(), p, s, "b")
		one, two := spin(t.Context(), p, s, "c"), spin(t.Context(), p, s, "d")
		if p.Waiting() != 2 {
			t.Fatalf("%d wait, want 2", p.Waiting())
		}
		wantUnavailable(t, <-two, worker.ErrLost, time.Second, time.Minute)
		if took := time.Since(start); took != 4*time.Second || p.Lost() != 2 || p.Running() != 1 {
			t.Errorf("refused after %v with %d lost and %d running", took, p.Lost(), p.Running())
		}
		wantUnavailable(t, <-one, worker.ErrHung, time.Second, time.Hour)
		if took := time.Since(start); took != 6*time.Second || p.Lost() != 3 {
			t.Errorf("the last was given up after %v with %d lost", took, p.Lost())
		}
		s.end()
	})
}

func TestPool_hungKey_isRefusedForAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := worker.New(worker.Config{Name: "test", Workers: 4, Deadline: time.Second}), &spinner{}
		<-spin(t.Context(), p, s, "a")
		s.end()
		time.Sleep(time.Minute)
		err := quick(p, "a")
		wantUnavailable(t, err, worker.ErrHung, 58*time.Minute, 59*time.Minute)
		if !strings.Contains(err.Error(), "did not finish") {
			t.Errorf("got %q, want an explanation", err)
		}
		if err := quick(p, "b"); err != nil {
			t.Errorf("another key: %v", err)
		}
		time.Sleep(time.Hour)
		if err := quick(p, "a"); err != nil {
			t.Errorf("after an hour: %v", err)
		}
	})
}

func TestPool_callerLeaves_workerIsLostAtItsDeadlineAllTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := worker.New(worker.Config{Name: "test", Workers: 4, Deadline: 10 * time.Second}), &spinner{}
		ctx, leave := context.WithCancel(t.Context())
		got := spin(ctx, p, s, "a")
		leave()
		start := time.Now()
		if err := <-got; !errors.Is(err, context.Canceled) || time.Since(start) != 0 {
			t.Errorf("got %v after %v, want the end of the context at once", err, time.Since(start))
		}
		if p.Running() != 1 {
			t.Errorf("%d run, want the one whose caller left", p.Running())
		}
		time.Sleep(11 * time.Second)
		if p.Lost() != 1 {
			t.Errorf("%d are lost, want 1", p.Lost())
		}
		wantUnavailable(t, quick(p, "a"), worker.ErrHung, time.Minute, time.Hour)
		s.end()
	})
}

func TestPool_workInTime_isStoppedByItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := worker.New(worker.Config{Name: "test", Workers: 1, Deadline: 10 * time.Second})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := worker.Do(ctx, p, worker.Work{Stage: "test", Key: key("a")}, func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the end of the context", err)
		}
		synctest.Wait()
		if err := quick(p, "a"); err != nil || p.Lost() != 0 || p.Running() != 0 {
			t.Errorf("afterwards: %v, %d lost, %d running", err, p.Lost(), p.Running())
		}
	})
}

func TestPool_panic_isAnErrorAndFreesTheWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := worker.New(worker.Config{Name: "test", Workers: 1})
		for range 3 {
			_, err := worker.Do(t.Context(), p, worker.Work{Stage: "test"},
				func(context.Context) (int, error) { panic("a parser's mistake") })
			if err == nil || !strings.Contains(err.Error(), "a parser's mistake") || apperr.CodeOf(err) != apperr.Internal {
				t.Errorf("got %v, want the panic as an internal error", err)
			}
		}
		if err := quick(p, "a"); err != nil {
			t.Errorf("after it: %v", err)
		}
	})
}

func TestPool_innerPoolHangs_outerGetsItsError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer := worker.New(worker.Config{Name: "outer", Workers: 1, Deadline: 10 * time.Second})
		inner := worker.New(worker.Config{Name: "inner", Workers: 1, Deadline: time.Second})
		s := &spinner{}
		_, err := worker.Do(t.Context(), outer, worker.Work{Stage: "outer", Key: key("a")},
			func(ctx context.Context) (int, error) {
				return worker.Do(ctx, inner, worker.Work{Stage: "inner", Key: key("b")}, s.work)
			})
		if !errors.Is(err, worker.ErrHung) || outer.Lost() != 0 || inner.Lost() != 1 {
			t.Errorf("got %v, %d and %d lost", err, outer.Lost(), inner.Lost())
		}
		if err := quick(outer, "a"); err != nil {
			t.Errorf("the outer key: %v", err)
		}
		s.end()
	})
}

func TestWatch_workThatHangs_countsAsALostWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := worker.New(worker.Config{Name: "test", Workers: 2, Deadline: time.Second}), &spinner{}
		watch := func() error {
			_, err := worker.Watch(t.Context(), p,
				worker.Work{Stage: "test", Key: key("a"), Deadline: 10 * time.Second}, s.work)
			return err
		}
		both := make(chan error, 2)
		start := time.Now()
		for range 2 {
			go func() { both <- watch() }()
		}
		synctest.Wait()
		if p.Running() != 0 || quick(p, "b") != nil {
			t.Error("what is watched took a slot")
		}
		for range 2 {
			wantUnavailable(t, <-both, worker.ErrHung, time.Hour, time.Hour)
		}
		if took := time.Since(start); took != 10*time.Second || p.Lost() != 2 || p.Running() != 0 {
			t.Errorf("given up after %v, %d lost, %d running; want its own deadline", took, p.Lost(), p.Running())
		}
		wantUnavailable(t, quick(p, "b"), worker.ErrLost, time.Second, time.Minute)
		s.end()
		wantUnavailable(t, quick(p, "a"), worker.ErrHung, time.Minute, time.Hour)
		if err := quick(p, "b"); err != nil || p.Lost() != 0 {
			t.Errorf("afterwards: %v, %d lost", err, p.Lost())
		}
	})
}

func TestPool_logNamesTheStageAndTheKeysBeginning(t *testing.T) {
	var text bytes.Buffer
	before := slog.Default()
	t.Cleanup(func() { slog.SetDefault(before) })
	slog.SetDefault(slog.New(slog.NewTextHandler(&text, nil)))
	synctest.Test(t, func(t *testing.T) {
		p, s := worker.New(worker.Config{Name: "pool", Workers: 4, Deadline: time.Second}), &spinner{}
		<-spin(t.Context(), p, s, "0123456789abcdef")
		for _, want := range []string{
			"level=ERROR", "pool=pool", "stage=test", "key=0123456789ab ", "lost=1", "workers=4", "refusing=false",
		} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("the log lacks %s: %s", want, text.String())
			}
		}
		s.end()
	})
}

func TestPool_metricsNameTheStage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := worker.New(worker.Config{Name: "test", Workers: 4, Deadline: time.Second}), &spinner{}
		<-spin(t.Context(), p, s, "a")
		collectors := p.Collectors()
		if got := testutil.ToFloat64(collectors[0]); got != 1 {
			t.Errorf("hung: got %v, want 1", got)
		}
		problems := `# HELP masthead_worker_hung_total Work that did not finish by its deadline, by what was being done.
			# TYPE masthead_worker_hung_total counter
			masthead_worker_hung_total{pool="test",stage="test"} 1
			`
		if err := testutil.CollectAndCompare(collectors[0], strings.NewReader(problems)); err != nil {
			t.Error(err)
		}
		if lost, most := testutil.ToFloat64(collectors[1]), testutil.ToFloat64(collectors[2]); lost != 1 || most != 2 {
			t.Errorf("got %v lost of at most %v", lost, most)
		}
		s.end()
	})
}
