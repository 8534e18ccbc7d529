package images

import (
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/images/store"
)

// TestBeginRedraw_secondNodeEndsIt has two nodes that have both read the image before either began: the second one,
// which got the lease after the first had failed, makes no attempt.
func TestBeginRedraw_secondNodeEndsIt(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st, ctx := newStorage(t, d), t.Context()
		st.keep("k", "a")
		if _, err := d.Exec(ctx, `UPDATE images SET redraw = '{}'`); err != nil {
			t.Fatal(err)
		}
		stale, _, err := st.store.ByKey(ctx, "k")
		if err != nil {
			t.Fatal(err)
		}
		for node, wantDone := range []bool{false, true} {
			j := &job{outdated: &stale}
			if err := st.beginRedraw(ctx, j); err != nil || j.done != wantDone {
				t.Errorf("node %d: got done %v, %v, want %v", node, j.done, err, wantDone)
			}
		}
		if fresh, _, err := st.store.ByKey(ctx, "k"); err != nil || fresh.Redraw.V == nil || fresh.Redraw.V.Tries != 1 {
			t.Errorf("got %+v, %v, want one attempt", fresh.Redraw.V, err)
		}
	})
}

// TestRedraw_pausesGrowToADay compares the pauses after failed attempts.
func TestRedraw_pausesGrowToADay(t *testing.T) {
	t.Parallel()
	now, known := time.UnixMilli(1_790_000_000_000), store.Redraw{}
	for i, want := range []time.Duration{
		5 * time.Minute, 20 * time.Minute, 80 * time.Minute, 320 * time.Minute, 1280 * time.Minute, 24 * time.Hour,
		24 * time.Hour,
	} {
		if known = known.Next(now); time.UnixMilli(known.After).Sub(now) != want {
			t.Errorf("after attempt %d: got a pause of %v, want %v", i+1, time.UnixMilli(known.After).Sub(now), want)
		}
	}
}

// TestRedraws_queueIsBounded fills the queue with uses, and takes them from it again.
func TestRedraws_queueIsBounded(t *testing.T) {
	t.Parallel()
	r, now := newRedraws(), time.Now()
	starts := 0
	push := func(id string) {
		if r.push(use{publicID: id}, now) {
			starts++
		}
	}
	for i := range maxRedraws + 10 {
		push(time.Duration(i).String())
		push("0s") // again
	}
	if len(r.waiting) != maxRedraws || starts != 1 {
		t.Fatalf("%d uses wait and %d callers were told to take them, want %d and one", len(r.waiting), starts, maxRedraws)
	}
	for range maxRedraws {
		if _, ok := r.pop(); !ok {
			t.Fatal("a use is missing")
		}
	}
	if _, ok := r.pop(); ok || r.running || len(r.queued) != 0 {
		t.Errorf("the queue is not empty: %d", len(r.queued))
	}
	if now = now.Add(useRest - time.Second); r.push(use{publicID: "0s"}, now) {
		t.Error("a use is queued again too soon")
	}
	if now = now.Add(2 * time.Second); !r.push(use{publicID: "0s"}, now) {
		t.Error("a use is not queued again later")
	}
}
