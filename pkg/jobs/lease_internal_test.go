package jobs

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// renewing is how long an attempt of these tests runs before its lease is renewed for the third time.
const renewing = 60 * time.Millisecond

// long is work that takes longer than its lease.
func long(do func(context.Context, *Job) (Result, error)) Work {
	return Work{Do: do, AtOnce: 1, Time: time.Hour, Attempts: 3, Pause: Pauses(time.Second)}
}

// node is a worker of long jobs, and their queue.
func node(d *db.DB, do func(context.Context, *Job) (Result, error)) (*Worker, *Queue) {
	w := NewWorker(d, time.Millisecond, nil)
	w.longest = renewing
	return w, w.Handle("test", long(do))
}

// leased returns when the lease of the job expires.
func leased(t *testing.T, d *db.DB) (until int64) {
	t.Helper()
	if err := d.Get(t.Context(), &until, `SELECT due_at FROM jobs`); err != nil {
		t.Fatal(err)
	}
	return until
}

// waitUntil waits until done says true, for half a minute at most.
func waitUntil(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 6000 {
		if done() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("waited in vain for %s", what)
}

// TestWorker_longJob_twoNodes_kill9 has another process work on a job for longer than its first lease, and kills it.
func TestWorker_longJob_twoNodes_kill9(t *testing.T) {
	if url, dir := os.Getenv("JOBS_TEST_URL"), os.Getenv("JOBS_TEST_DIR"); url+dir != "" { // this is that process
		d, err := db.Open(t.Context(), db.Config{URL: url, Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		w, _ := node(d, func(ctx context.Context, _ *Job) (Result, error) {
			fmt.Println("started")
			<-ctx.Done()
			return nil, ctx.Err()
		})
		w.Run(t.Context())
		return
	}
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		if cfg.URL == "" {
			cfg.Dir = t.TempDir()
		}
		d, err := db.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() }) // the test is over
		var results atomic.Int64
		w, q := node(d, func(context.Context, *Job) (Result, error) {
			return func(context.Context, *db.Tx) error { results.Add(1); return nil }, nil
		})
		enqueue(t, q, "one")

		other := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWorker_longJob_twoNodes_kill9$", "-test.v")
		other.Env = append(os.Environ(), "JOBS_TEST_URL="+cfg.URL, "JOBS_TEST_DIR="+cfg.Dir)
		said, err := other.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Start(); err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(said); lines.Scan() && lines.Text() != "started"; {
		}
		first := leased(t, d)
		waitUntil(t, "two renewals", func() bool { return leased(t, d) > first+int64(renewing/time.Millisecond)/2 })
		w.now = func() time.Time { return time.UnixMilli(first) } // the first lease would be over
		if j := claim(t, q); j != nil {
			t.Fatalf("got %+v, which another node is working on", j)
		}
		if err := other.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = other.Wait() // it was killed
		left := leased(t, d)
		w.now = func() time.Time { return time.UnixMilli(left - 1) }
		if j := claim(t, q); j != nil {
			t.Fatalf("got %+v within the lease of the killed node", j)
		}
		w.now = func() time.Time { return time.UnixMilli(left) }
		w.startDue(t.Context())
		w.Drain(t.Context())
		if results.Load() != 1 || waiting(t, q) != 0 {
			t.Errorf("%d results and %d jobs after the kill, want one result", results.Load(), waiting(t, q))
		}
	})
}

// TestWorker_lostLease_endsTheAttempt_andItsResultIsNotWritten has another node take over a job, as happens after this
// node was frozen for a while, and an operator cancel one.
func TestWorker_lostLease_endsTheAttempt_andItsResultIsNotWritten(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		for how, lose := range map[string]func(t *testing.T, w *Worker, q *Queue){
			"taken over": func(t *testing.T, _ *Worker, q *Queue) {
				later := &Queue{d, q.kind, func() time.Time { return time.Now().Add(time.Hour) }}
				if j := claim(t, later); j == nil || j.Attempt != 2 {
					t.Errorf("got %+v, want the second attempt", j)
				}
			},
			"canceled": func(t *testing.T, w *Worker, _ *Queue) {
				if err := w.Cancel(t.Context(), list(t, w, Filter{})[0].ID); err != nil {
					t.Error(err)
				}
			},
		} {
			t.Run(how, func(t *testing.T) {
				if _, err := d.Exec(t.Context(), `DELETE FROM jobs`); err != nil {
					t.Fatal(err)
				}
				var written atomic.Bool
				started, ended := make(chan struct{}), make(chan struct{})
				w, q := node(d, func(ctx context.Context, _ *Job) (Result, error) {
					close(started)
					<-ctx.Done()
					close(ended)
					return func(context.Context, *db.Tx) error { written.Store(true); return nil }, nil
				})
				enqueue(t, q, "one")
				w.startDue(t.Context())
				<-started
				lose(t, w, q)
				select {
				case <-ended:
				case <-time.After(30 * time.Second):
					t.Fatal("the attempt goes on")
				}
				w.Drain(t.Context())
				if written.Load() {
					t.Error("an attempt that had lost its lease wrote its result")
				}
			})
		}
	})
}

// TestWorker_databaseAway_attemptEndsBeforeItsLease has renewals fail.
func TestWorker_databaseAway_attemptEndsBeforeItsLease(t *testing.T) {
	d := dbtest.SQLite(t)
	ended := make(chan struct{})
	w, q := node(d, func(ctx context.Context, _ *Job) (Result, error) {
		if _, err := d.Exec(ctx, `ALTER TABLE jobs RENAME TO away`); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	})
	enqueue(t, q, "one")
	k := w.kinds["test"]
	j := claim(t, q)
	done := make(chan struct{})
	go func() {
		defer close(done)
		k.do(t.Context(), j, time.Now().Add(renewing-k.lease+resultTime)) // claimed long ago
	}()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Fatal("the attempt goes on without a lease")
	}
	<-done
}
