package files

import (
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// TestUnsure_lastsFromAnUncleanEndToTheCheckOfAllFiles follows what has to be compared, through the lives of nodes.
func TestUnsure_lastsFromAnUncleanEndToTheCheckOfAllFiles(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st, ctx := newStorage(t, d), t.Context()
		n := nameOf("a")
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		var others nodes
		expect := func(when string, want bool) {
			t.Helper()
			var err error
			others, err = st.lookAround(ctx, "here", others)
			must(err)
			if got := st.unsure.of(n); got != want {
				t.Errorf("%s: to be compared %v, want %v", when, got, want)
			}
		}
		if !st.unsure.of(n) {
			t.Error("before anything is known: not to be compared, want it to be")
		}
		expect("alone", false)
		must(st.seen(ctx, "later", millis(st.now())))
		expect("beside a node that started later", false)

		others = nil
		expect("a start beside a node that may have been killed", true)
		st.unsure.found(n)
		expect("compared", false)
		other := nameOf("b")
		if !st.unsure.of(other) {
			t.Error("another file: not to be compared, want it to be")
		}
		st.ahead.Add(int64(seenEvery))
		must(st.seen(ctx, "later", millis(st.now())))
		expect("the node lives", false)
		if st.unsure.of(other) {
			t.Error("the node lives: another file is to be compared, want none")
		}

		st.ahead.Add(int64(killedAfter + seenEvery))
		if _, err := st.noteKilled(ctx, millis(st.now().Add(-killedAfter)), millis(st.now()), "here"); err != nil {
			t.Fatal(err)
		}
		expect("the node was killed", true)
		st.unsure.found(n)
		expect("compared since", false)
		others = nil
		st.unsure = newUnsure() // as at the next start
		expect("the start after a good end, before the check of all files", true)
		if err := st.savePass(ctx, pass{Next: 100, BeganAt: millis(st.now().Add(-killedAfter))}); err != nil {
			t.Fatal(err)
		}
		must(st.scrubOn(ctx, newPace(1<<30, 0)))
		expect("all files were checked", false)
		if last, err := st.lastPass(ctx); err != nil || last.Next != scrubParts ||
			st.now().Sub(last.BeganAt.Time) > killedAfter {
			t.Errorf("got the pass %+v, %v, want one that began after the kill", last, err)
		}
	})
}

// TestWatchOnce_killedNeighbor_isKnownWithinFiveMinutes has a node end without saying so, beside one that goes on.
func TestWatchOnce_killedNeighbor_isKnownWithinFiveMinutes(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st, ctx, n := newStorage(t, d), t.Context(), nameOf("a")
		others, err := st.watchOnce(ctx, "here", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := st.watchOnce(ctx, "neighbor", nodes{}); err != nil {
			t.Fatal(err)
		}
		for minute := range 6 {
			if others, err = st.watchOnce(ctx, "here", others); err != nil {
				t.Fatal(err)
			}
			if got := st.unsure.of(n); minute < 4 && got || minute == 5 && !got {
				t.Errorf("%d minutes after the neighbor was last seen: files have to be compared %v", minute, got)
			}
			st.ahead.Add(int64(time.Minute))
		}
		if killed, err := st.noteKilled(ctx, millis(st.now().Add(-killedAfter)), millis(st.now()), ""); killed || err != nil {
			t.Errorf("got %v, %v, want that the node that looks is alive", killed, err)
		}
	})
}

// TestUnsure_anotherUncleanEndMeansToCompareAgain has a second node killed once a file was compared.
func TestUnsure_anotherUncleanEndMeansToCompareAgain(t *testing.T) {
	u, n := newUnsure(), nameOf("a")
	for _, c := range []struct {
		after int64
		want  bool
	}{{1000, true}, {1000, false}, {2000, true}, {2000, false}, {1000, false}} {
		u.set(true, c.after)
		if got := u.of(n); got != c.want {
			t.Errorf("after %d: to be compared %v, want %v", c.after, got, c.want)
		}
		u.found(n)
	}
	u.set(false, 0)
	if u.of(n) {
		t.Error("to be compared, though nothing has")
	}
}
