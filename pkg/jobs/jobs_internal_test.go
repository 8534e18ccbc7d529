package jobs

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// clocked is a queue with a clock that tests set.
func clocked(d *db.DB) (q *Queue, pass func(time.Duration)) {
	q = NewQueue(d, "test")
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	q.now = func() time.Time { return at }
	return q, func(by time.Duration) { at = at.Add(by) }
}

func enqueue(t *testing.T, q *Queue, key string) { t.Helper(); enqueueOf(t, q, "owner", key) }

func enqueueOf(t *testing.T, q *Queue, owner, key string) {
	t.Helper()
	err := q.db.InTx(t.Context(), func(tx *db.Tx) error { return q.Enqueue(t.Context(), tx, owner, key, key) })
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
		q, pass := clocked(d)
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
		if err := q.again(t.Context(), first, 0, false); err != nil || claim(t, q) != nil {
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
		q, pass := clocked(d)
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
		q, pass := clocked(d)
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
		q, _ := clocked(d)
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
		Do: do, AtOnce: 2, Time: time.Minute, Attempts: 3, Pause: time.Second, Every: time.Millisecond,
		Final: func(error) bool { return false },
		Fail:  func(_ context.Context, _ *Job, err error) Result { fail(err); return nil },
	}
}

func TestWorker_pausesGrow_andTheLastErrorIsTold(t *testing.T) {
	q, pass := clocked(dbtest.SQLite(t))
	enqueue(t, q, "one")
	fault, attempts := errors.New("again"), 0
	var told error
	w := NewWorker(q, work(func(context.Context, *Job) (Result, error) { attempts++; return nil, fault },
		func(err error) { told = err }))
	for _, pause := range []time.Duration{time.Second, 4 * time.Second} {
		w.do(t.Context(), claim(t, q))
		if pass(pause - time.Millisecond); claim(t, q) != nil {
			t.Fatalf("it is due before %v", pause)
		}
		pass(pause/4 + 2*time.Millisecond)
	}
	if told != nil {
		t.Errorf("given up after %d attempts", attempts)
	}
	if w.do(t.Context(), claim(t, q)); !errors.Is(told, fault) || attempts != 3 || waiting(t, q) != 0 {
		t.Errorf("got %v after %d attempts, want %v after 3", told, attempts, fault)
	}
}

func TestWorker_killedInTheLastAttempt_isGivenUp(t *testing.T) {
	q, pass := clocked(dbtest.SQLite(t))
	enqueue(t, q, "one")
	for range 3 {
		claim(t, q)
		pass(time.Minute)
	}
	var told error
	w := NewWorker(q, work(func(context.Context, *Job) (Result, error) {
		t.Error("a fourth attempt was made")
		return nil, nil
	}, func(err error) { told = err }))
	if w.do(t.Context(), claim(t, q)); !errors.Is(told, context.DeadlineExceeded) || waiting(t, q) != 0 {
		t.Errorf("got %v, want it given up", told)
	}
}

func TestWorker_endOfTheProgram_putsBackWhatRuns(t *testing.T) {
	q, _ := clocked(dbtest.SQLite(t))
	enqueue(t, q, "one")
	ctx, stop := context.WithCancel(t.Context())
	w := NewWorker(q, work(func(ctx context.Context, _ *Job) (Result, error) {
		stop()
		<-ctx.Done()
		return nil, ctx.Err()
	}, func(err error) { t.Errorf("given up: %v", err) }))
	w.Run(ctx)
	if j := claim(t, q); j == nil || j.Attempt != 1 {
		t.Errorf("got %+v, want it due at once, and that the attempt does not count", j)
	}
}

func TestWorker_drainWaitsForWhatRuns_andBeginsNoMore(t *testing.T) {
	q, _ := clocked(dbtest.SQLite(t))
	enqueue(t, q, "one")
	begun, release := make(chan struct{}), make(chan struct{})
	var done atomic.Int32
	w := NewWorker(q, work(func(context.Context, *Job) (Result, error) {
		close(begun)
		<-release
		return func(context.Context, *db.Tx) error { done.Add(1); return nil }, nil
	}, func(err error) { t.Errorf("given up: %v", err) }))
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
