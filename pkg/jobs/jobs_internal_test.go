package jobs

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"masthead/pkg/apperr"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// clocked is a worker, and the queue of its kind "test", with a clock that tests set.
func clocked(d *db.DB, work Work) (w *Worker, q *Queue, pass func(time.Duration)) {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	w = NewWorker(d, time.Millisecond, nil)
	w.now = func() time.Time { return at }
	if work.AtOnce == 0 {
		work.AtOnce = 1
	}
	return w, w.Handle("test", work), func(by time.Duration) { at = at.Add(by) }
}

func queue(d *db.DB) (q *Queue, pass func(time.Duration)) {
	_, q, pass = clocked(d, Work{})
	return q, pass
}

func enqueue(t *testing.T, q *Queue, key string) { t.Helper(); enqueueOf(t, q, "owner", key) }

func enqueueOf(t *testing.T, q *Queue, owner, key string) {
	t.Helper()
	enqueueAt(t, q, owner, key, q.now())
}

func enqueueAt(t *testing.T, q *Queue, owner, key string, due time.Time) {
	t.Helper()
	err := q.db.InTx(t.Context(), func(tx *db.Tx) error { return q.EnqueueAt(t.Context(), tx, owner, key, due, key) })
	if err != nil {
		t.Fatal(err)
	}
}

func claim(t *testing.T, q *Queue) *Job {
	t.Helper()
	j, err := q.claim(t.Context(), time.Minute)
	if err != nil {
		t.Error(err)
	}
	return j
}

func waiting(t *testing.T, q *Queue) int {
	t.Helper()
	n, err := q.Waiting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestQueue_leaseKeepsOthersOff_andItsEndLetsThemIn(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		q, pass := queue(d)
		enqueue(t, q, "one")
		enqueue(t, q, "one")
		first := claim(t, q)
		if first == nil || first.Attempt != 1 || string(first.Payload) != `"one"` {
			t.Fatalf("got %+v, want the first attempt", first)
		}
		pass(time.Minute - time.Millisecond)
		if other := claim(t, q); other != nil {
			t.Fatalf("got %+v within the lease, want nothing", other)
		}
		pass(time.Millisecond)
		second := claim(t, q)
		if second == nil || second.Attempt != 2 {
			t.Fatalf("got %+v after the lease, want the second attempt", second)
		}
		// The first comes back after all: it has lost the job, and neither ends it nor writes.
		results := 0
		count := func(context.Context, *db.Tx) error { results++; return nil }
		if err := q.end(t.Context(), first, count); err != nil || results != 0 || waiting(t, q) != 1 {
			t.Errorf("the loser wrote %d results, %v, want none", results, err)
		}
		if err := q.again(t.Context(), first, 0, nil); err != nil || claim(t, q) != nil {
			t.Errorf("the loser put the job back, %v", err)
		}
		if err := q.end(t.Context(), second, count); err != nil || results != 1 || waiting(t, q) != 0 {
			t.Errorf("the holder wrote %d results, %v, want one, and the end of the job", results, err)
		}
	})
}

// TestQueue_ownersTakeTurns has one owner with many jobs, and others who come while they wait.
func TestQueue_ownersTakeTurns(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		q, pass := queue(d)
		add := func(owner string, keys ...string) {
			for _, key := range keys {
				enqueueOf(t, q, owner, key)
				pass(time.Millisecond)
			}
		}
		order := ""
		begin := func(jobs int) {
			for range jobs {
				j := claim(t, q)
				if j == nil {
					t.Fatalf("nothing is due after %s", order)
				}
				order += j.Key + " "
				if err := q.end(t.Context(), j, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		add("a", "a1", "a2", "a3", "a4", "a5")
		begin(1)
		add("b", "b1", "b2")
		begin(2)
		add("c", "c1") // who comes last has no earlier turn than those who wait, and no later one
		begin(5)
		if want := "a1 a2 b1 a3 b2 c1 a4 a5 "; order != want {
			t.Errorf("got %s, want %s", order, want)
		}
	})
}

func TestQueue_resultThatFails_leavesTheJob(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		q, pass := queue(d)
		enqueue(t, q, "one")
		fault := errors.New("no")
		failing := func(context.Context, *db.Tx) error { return fault }
		if err := q.end(t.Context(), claim(t, q), failing); !errors.Is(err, fault) {
			t.Errorf("got %v, want %v", err, fault)
		}
		if pass(time.Minute); claim(t, q) == nil {
			t.Error("the job is gone without its result")
		}
	})
}

func TestQueue_oneJobHasOneHolder_howeverManyClaim(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		q, _ := queue(d)
		for _, key := range []string{"a", "b", "c", "d"} {
			enqueue(t, q, key)
		}
		var claiming sync.WaitGroup
		var mu sync.Mutex
		held := map[string]int{}
		for range 8 {
			claiming.Go(func() {
				for j := claim(t, q); j != nil; j = claim(t, q) {
					mu.Lock()
					held[j.Key]++
					mu.Unlock()
				}
			})
		}
		claiming.Wait()
		for j := claim(t, q); j != nil; j = claim(t, q) { // whom others' locks kept from looking further
			held[j.Key]++
		}
		for _, key := range []string{"a", "b", "c", "d"} {
			if held[key] != 1 {
				t.Errorf("%s was claimed %d times, want once", key, held[key])
			}
		}
	})
}

// work is work whose attempts are do.
func work(do func(context.Context, *Job) (Result, error), fail func(error)) Work {
	return Work{
		Do: do, AtOnce: 2, Time: time.Minute, Attempts: 3, Pause: Pauses(time.Second, 4*time.Second),
		Fail: func(_ context.Context, _ *Job, err error) Result {
			fail(err)
			return func(context.Context, *db.Tx) error { return nil }
		},
	}
}

// do claims the job whose turn it is and makes an attempt.
func do(t *testing.T, w *Worker) {
	t.Helper()
	k := w.kinds["test"]
	k.do(t.Context(), claim(t, k.Queue), time.Now())
}

func TestQueue_enqueueAt_isDueThen_andReplacesOnlyWhatWasGivenUp(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		q, pass := queue(d)
		tomorrow := q.now().Add(24 * time.Hour)
		enqueueAt(t, q, "owner", "page 2026-11-22", tomorrow)
		enqueueOf(t, q, "owner", "page 2026-11-22") // it is enqueued already
		if j := claim(t, q); j != nil {
			t.Fatalf("got %+v before it is due", j)
		}
		enqueueOf(t, q, "owner", "now") // what isn't due yet doesn't put it off
		enqueueOf(t, q, "other", "other")
		if pass(time.Millisecond); claim(t, q).Key != "now" || claim(t, q).Key != "other" {
			t.Error("a job that is due waited for one that isn't")
		}
		pass(24*time.Hour - time.Millisecond)
		j := claim(t, q)
		for j != nil && j.Key != "page 2026-11-22" {
			j = claim(t, q)
		}
		if j == nil {
			t.Fatal("it isn't due when it should be")
		}
		if err := q.giveUp(t.Context(), j, errors.New("no"), nil); err != nil || waiting(t, q) != 2 {
			t.Fatalf("%d waiting, %v, want the other two", waiting(t, q), err)
		}
		enqueueOf(t, q, "owner", "page 2026-11-22")
		if j := claim(t, q); j == nil || j.Key != "page 2026-11-22" || j.Attempt != 1 {
			t.Errorf("got %+v, want the new job", j)
		}
	})
}

func TestQueue_wake_makesWhatWaitsDue_andLeavesWhatRuns(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		q := &Queue{d, "test", time.Now}
		wake := func() {
			err := d.InTx(t.Context(), func(tx *db.Tx) error { return q.Wake(t.Context(), tx, "owner", "a", "woken") })
			if err != nil {
				t.Fatal(err)
			}
		}
		enqueueAt(t, q, "owner", "a", time.Now().Add(time.Hour))
		if claim(t, q) != nil {
			t.Fatal("the job is due before its time")
		}
		wake()
		j := claim(t, q)
		if j == nil || string(j.Payload) != `"woken"` {
			t.Fatalf("got %+v, want the job that was woken", j)
		}
		wake()
		if other := claim(t, q); other != nil || waiting(t, q) != 1 {
			t.Errorf("while it runs: got %+v, want no second attempt", other)
		}
		if err := q.end(t.Context(), j, nil); err != nil || waiting(t, q) != 0 {
			t.Errorf("after waking one that runs: got %v with %d jobs, want it ended by its holder", err, waiting(t, q))
		}
	})
}

func TestWorker_pausesGrow_andTheLastErrorIsTold(t *testing.T) {
	fault, attempts := errors.New("again"), 0
	var told error
	w, q, pass := clocked(dbtest.SQLite(t), work(
		func(context.Context, *Job) (Result, error) { attempts++; return nil, fault }, func(err error) { told = err }))
	enqueue(t, q, "one")
	for _, pause := range []time.Duration{time.Second, 4 * time.Second} {
		do(t, w)
		if pass(pause - time.Millisecond); claim(t, q) != nil {
			t.Fatalf("it is due before %v", pause)
		}
		pass(pause/4 + 2*time.Millisecond)
	}
	if told != nil {
		t.Errorf("given up after %d attempts", attempts)
	}
	if do(t, w); !errors.Is(told, fault) || attempts != 3 || waiting(t, q) != 0 {
		t.Errorf("got %v after %d attempts, want %v after 3", told, attempts, fault)
	}
}

func TestPauses_lastOneIsRepeated(t *testing.T) {
	pause := Pauses(time.Minute, time.Hour)
	if pause(1) != time.Minute || pause(2) != time.Hour || pause(9) != time.Hour {
		t.Errorf("got %v, %v and %v", pause(1), pause(2), pause(9))
	}
}

func TestWorker_killedInTheLastAttempt_isGivenUp(t *testing.T) {
	var told error
	w, q, pass := clocked(dbtest.SQLite(t), work(func(context.Context, *Job) (Result, error) {
		t.Error("a fourth attempt was made")
		return nil, nil
	}, func(err error) { told = err }))
	enqueue(t, q, "one")
	for range 3 {
		claim(t, q)
		pass(time.Minute)
	}
	if do(t, w); !errors.Is(told, context.DeadlineExceeded) || waiting(t, q) != 0 {
		t.Errorf("got %v, want it given up", told)
	}
}

func TestWorker_panic_isAFailedAttempt(t *testing.T) {
	w, q, _ := clocked(dbtest.SQLite(t), Work{
		Do:   func(context.Context, *Job) (Result, error) { panic("oh") },
		Time: time.Minute, Attempts: 1, Pause: Pauses(time.Second),
	})
	enqueue(t, q, "one")
	do(t, w)
	if list := list(t, w, Filter{}); len(list) != 1 || list[0].LastError != "panic: oh" {
		t.Errorf("got %+v, want the panic as its error", list)
	}
}

func TestWorker_endOfTheProgram_putsBackWhatRuns(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	w, q, _ := clocked(dbtest.SQLite(t), work(func(ctx context.Context, _ *Job) (Result, error) {
		stop()
		<-ctx.Done()
		return nil, ctx.Err()
	}, func(err error) { t.Errorf("given up: %v", err) }))
	enqueue(t, q, "one")
	w.Run(ctx)
	if j := claim(t, q); j == nil || j.Attempt != 1 {
		t.Errorf("got %+v, want it due at once, and that the attempt does not count", j)
	}
}

func TestWorker_drainWhileItStarts_ends(t *testing.T) {
	d := dbtest.SQLite(t)
	for range 20 { // the race detector sees a job that is counted while the running ones are waited for
		w, _, _ := clocked(d, work(nil, nil))
		ran := make(chan struct{})
		go func() { defer close(ran); w.Run(t.Context()) }()
		w.Drain(t.Context())
		<-ran
	}
}

func TestWorker_drainWaitsForWhatRuns_andBeginsNoMore(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	var done atomic.Int32
	w, q, _ := clocked(dbtest.SQLite(t), work(func(context.Context, *Job) (Result, error) {
		close(begun)
		<-release
		return func(context.Context, *db.Tx) error { done.Add(1); return nil }, nil
	}, func(err error) { t.Errorf("given up: %v", err) }))
	enqueue(t, q, "one")
	ran := make(chan struct{})
	go func() { defer close(ran); w.Run(t.Context()) }()
	<-begun
	short, cancel := context.WithCancel(t.Context())
	cancel()
	w.Drain(short) // it is not waited for longer than that
	enqueue(t, q, "two")
	close(release)
	w.Drain(t.Context())
	<-ran
	if done.Load() != 1 || waiting(t, q) != 1 {
		t.Errorf("%d done and %d waiting, want one of each", done.Load(), waiting(t, q))
	}
}

// TestWorker_slowKind_delaysNoOther has a kind whose jobs don't end, more of them than it has slots.
func TestWorker_slowKind_delaysNoOther(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		release, done := make(chan struct{}), make(chan string, 10)
		w, slow, _ := clocked(d, Work{
			Do:     func(context.Context, *Job) (Result, error) { <-release; return nil, nil },
			AtOnce: 1, Time: time.Minute, Attempts: 1, Pause: Pauses(time.Second),
		})
		fast := w.Handle("fast", Work{
			Do:     func(_ context.Context, j *Job) (Result, error) { done <- j.Key; return nil, nil },
			AtOnce: 1, Time: time.Minute, Attempts: 1, Pause: Pauses(time.Second),
		})
		for _, key := range []string{"a", "b", "c"} {
			enqueue(t, slow, key)
			enqueue(t, fast, key)
		}
		ran := make(chan struct{})
		go func() { defer close(ran); w.Run(t.Context()) }()
		for range 3 {
			<-done
		}
		close(release)
		for deadline := time.Now().Add(10 * time.Second); waiting(t, slow) > 0; {
			if time.Now().After(deadline) {
				t.Fatal("the slow jobs were not done")
			}
			runtime.Gosched()
		}
		w.Drain(t.Context())
		<-ran
	})
}

func list(t *testing.T, w *Worker, f Filter) []Summary {
	t.Helper()
	page, _, err := w.List(t.Context(), f, cursor.Page{})
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestWorker_operator_seesRetriesAndCancels(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		fault := errors.New("the server said\nno")
		var failed []error
		w, q, pass := clocked(d, Work{
			Do:   func(context.Context, *Job) (Result, error) { return nil, fault },
			Time: time.Minute, Attempts: 1, Pause: Pauses(time.Second),
			Fail: func(_ context.Context, j *Job, err error) Result {
				failed = append(failed, err)
				if j.Key == "consequences" {
					return func(context.Context, *db.Tx) error { return nil }
				}
				return nil
			},
		})
		enqueue(t, q, "one")
		do(t, w)
		gave := list(t, w, Filter{Kind: "test", GivenUp: true})
		want := Summary{
			ID: gave[0].ID, Kind: "test", Key: "one", OwnerID: "owner", State: GivenUp, Attempts: 1,
			GivenUpAt: q.now(), LastError: "the server said no", Retryable: true,
		}
		if len(gave) != 1 || gave[0] != want {
			t.Fatalf("got %+v, want %+v", gave, want)
		}
		if err := w.Retry(t.Context(), gave[0].ID); err != nil {
			t.Fatal(err)
		}
		if err := w.Retry(t.Context(), gave[0].ID); apperr.CodeOf(err) != apperr.Conflict {
			t.Errorf("got %v for a job that waits, want CONFLICT", err)
		}
		if j := claim(t, q); j == nil || j.Attempt != 1 || string(j.Payload) != `"one"` {
			t.Fatalf("got %+v, want the job again, with its payload and all its attempts", j)
		}
		if l := list(t, w, Filter{}); len(l) != 1 || l[0].State != Running || l[0].DueAt != q.now().Add(time.Minute) {
			t.Errorf("got %+v, want it running until its lease expires", l)
		}
		failed = nil
		if err := w.Cancel(t.Context(), gave[0].ID); err != nil || len(failed) != 1 || !errors.Is(failed[0], ErrCanceled) {
			t.Errorf("got %v, and the failures %v, want the cancellation", err, failed)
		}
		if err := w.Cancel(t.Context(), gave[0].ID); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("got %v for a job that is gone, want NOT_FOUND", err)
		}
		if err := w.Retry(t.Context(), gave[0].ID); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("got %v for a job that is gone, want NOT_FOUND", err)
		}

		enqueue(t, q, "consequences")
		do(t, w)
		gave = list(t, w, Filter{GivenUp: true})
		if len(gave) != 1 || gave[0].Retryable {
			t.Fatalf("got %+v, want it given up for good", gave)
		}
		if err := w.Retry(t.Context(), gave[0].ID); apperr.CodeOf(err) != apperr.Conflict {
			t.Errorf("got %v for what can't be retried, want CONFLICT", err)
		}
		if err := w.count(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := testutil.ToFloat64(w.metrics.givenUp.WithLabelValues("test")); n != 1 {
			t.Errorf("the metrics count %v given up, want 1", n)
		}
		pass(keptFor)
		if err := w.Sweep(t.Context()); err != nil || len(list(t, w, Filter{})) != 1 {
			t.Errorf("deleted within a week, %v", err)
		}
		pass(time.Millisecond)
		if err := w.Sweep(t.Context()); err != nil || len(list(t, w, Filter{})) != 0 {
			t.Errorf("kept for more than a week, %v", err)
		}
	})
}

func TestWorker_metrics_countWhatWaitsAndForHowLong(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		w, q, pass := clocked(d, Work{})
		enqueue(t, q, "one")
		enqueueAt(t, q, "owner", "two", q.now().Add(time.Hour))
		pass(90 * time.Second)
		if err := w.count(t.Context()); err != nil {
			t.Fatal(err)
		}
		waits := testutil.ToFloat64(w.metrics.waiting.WithLabelValues("test"))
		overdue := testutil.ToFloat64(w.metrics.overdue.WithLabelValues("test"))
		if waits != 2 || overdue != 90 {
			t.Errorf("%v wait, the oldest for %v s, want 2 and 90", waits, overdue)
		}
		if _, err := d.Exec(t.Context(), `DELETE FROM jobs`); err != nil {
			t.Fatal(err)
		}
		if err := w.count(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := testutil.ToFloat64(w.metrics.waiting.WithLabelValues("test")); n != 0 {
			t.Errorf("%v wait, want none", n)
		}
	})
}
