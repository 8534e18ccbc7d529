package files

import (
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/lease"
)

// TestPause_garbageStaysUntilItEnds pauses sweeps, by one that ends and by one whose process was killed.
func TestPause_garbageStaysUntilItEnds(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		if err := st.keep("owner", "text"); err != nil {
			t.Fatal(err)
		}
		resume, err := Pause(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		st.delete("owner")
		st.sweep()
		if left := st.rows(); len(left) != 1 {
			t.Fatalf("got %d files during the pause, want 1", len(left))
		}
		// A sweep that has found its candidates before the pause deletes none either.
		marked, err := st.mark(t.Context(), st.rows(), millis(st.now()), millis(st.now().Add(markTime)))
		if err != nil || len(marked) != 0 {
			t.Errorf("got %v, %v marked during the pause, want none", marked, err)
		}
		st.hasFile(nameOf("text"), "text")
		resume()
		if _, err := d.Exec(t.Context(), `INSERT INTO sweep_pauses (id, until) VALUES ('killed', ?)`,
			millis(time.Now().Add(pauseTime))); err != nil {
			t.Fatal(err)
		}
		st.sweep()
		if left := st.rows(); len(left) != 1 {
			t.Fatalf("got %d files during the other pause, want 1", len(left))
		}
		st.later(pauseTime + time.Second)
		st.sweep()
		if left := st.rows(); len(left) != 0 {
			t.Errorf("got %d files after the pauses, want none", len(left))
		}
	})
}

// TestPause_waitsForTheSweepThatRuns holds the lease of the sweep.
func TestPause_waitsForTheSweepThatRuns(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		if d.Dialect() != db.Postgres {
			return // one transaction after the other
		}
		held, err := lease.New(d, leaseTime).Acquire(t.Context(), sweepLease)
		if err != nil || held == nil {
			t.Fatal(held, err)
		}
		paused := make(chan error, 1)
		go func() {
			resume, err := Pause(t.Context(), d)
			if err == nil {
				resume()
			}
			paused <- err
		}()
		var pauses int
		for pauses == 0 { // until Pause has said so, it can't have returned
			if err := d.Get(t.Context(), &pauses, `SELECT count(*) FROM sweep_pauses`); err != nil {
				t.Fatal(err)
			}
		}
		select {
		case err := <-paused:
			t.Fatalf("got %v while a sweep runs, want it to wait", err)
		default:
		}
		if err := held.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := <-paused; err != nil {
			t.Error(err)
		}
	})
}
