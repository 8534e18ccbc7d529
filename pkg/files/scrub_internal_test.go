package files

import (
	"testing"
	"testing/synctest"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/lease"
)

func TestScrub_fileWithoutARowIsSweptAfterAnHour(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		st.kept("k", "a")
		orphan := blob.Name{Digest: Digest("another", []byte("o")), File: "og.png"}
		st.put(orphan, "o")
		for range 2 {
			if err := st.ScrubAll(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		st.later(keepTime - time.Minute)
		st.hasFile(orphan, "o")
		st.later(2 * time.Minute)
		st.hasFile(orphan, "")
		st.hasFile(nameOf("a"), "a")
	})
}

// TestScrub_passesAreADayApart counts the passes by what they find: a file without a row.
func TestScrub_passesAreADayApart(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st, ctx := newStorage(t, d), t.Context()
		orphan := blob.Name{Digest: Digest("another", []byte("o")), File: "og.png"}
		st.put(orphan, "o")
		ran := func() bool {
			t.Helper()
			if err := st.scrubOn(ctx, newPace(1<<30, 0)); err != nil {
				t.Fatal(err)
			}
			rows, err := d.Exec(ctx, `DELETE FROM files WHERE digest = ?`, orphan.Digest)
			if err != nil {
				t.Fatal(err)
			}
			return rows > 0
		}
		expect := func(when string, want bool) {
			t.Helper()
			if got := ran(); got != want {
				t.Errorf("%s: checked %v, want %v", when, got, want)
			}
		}
		expect("at first", true)
		expect("at once again", false)
		st.ahead.Add(int64(scrubEvery))
		expect("after a day", true)
		if err := st.seen(ctx, "here", millis(st.now())); err != nil {
			t.Fatal(err)
		}
		expect("beside a node", false)
		if err := st.left(ctx, "here"); err != nil {
			t.Fatal(err)
		}
		st.ahead.Add(int64(killedAfter + time.Minute))
		expect("after a node that ended well", false)
		if err := st.seen(ctx, "killed", millis(st.now())); err != nil {
			t.Fatal(err)
		}
		st.ahead.Add(int64(killedAfter + time.Minute))
		expect("after a node that was killed", true)
		expect("and again", false)
	})
}

// TestScrub_goesOnWhereItWas stops a pass in the middle.
func TestScrub_goesOnWhereItWas(t *testing.T) {
	t.Parallel()
	st := newStorage(t, dbtest.SQLite(t))
	early := blob.Name{Digest: "00" + Digest("", nil)[2:], File: "og.png"}
	late := blob.Name{Digest: "ff" + Digest("", nil)[2:], File: "og.png"}
	st.put(early, "x")
	st.put(late, "x")
	if err := st.savePass(t.Context(), pass{Next: 200, BeganAt: millis(st.now())}); err != nil {
		t.Fatal(err)
	}
	if err := st.scrubOn(t.Context(), newPace(1<<30, 0)); err != nil {
		t.Fatal(err)
	}
	var noted []string
	if err := st.d.Select(t.Context(), &noted, `SELECT digest FROM files`); err != nil || len(noted) != 1 ||
		noted[0] != late.Digest {
		t.Errorf("got %v, %v, want the late one alone", noted, err)
	}
}

func TestScrub_oneNodeAtATime(t *testing.T) {
	t.Parallel()
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		d, err := db.Open(t.Context(), db.Config{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		st, ctx := newStorage(t, d), t.Context()
		orphan := blob.Name{Digest: Digest("another", []byte("o")), File: "og.png"}
		st.put(orphan, "o")
		held, err := lease.New(d, leaseTime).Acquire(ctx, "scrub of files")
		if err != nil || held == nil {
			t.Fatal(held, err)
		}
		noted := func() (n int) {
			t.Helper()
			if err := st.scrubOn(ctx, newPace(1<<30, 0)); err != nil {
				t.Fatal(err)
			}
			if err := d.Get(ctx, &n, `SELECT COUNT(*) FROM files`); err != nil {
				t.Fatal(err)
			}
			return n
		}
		if n := noted(); n != 0 {
			t.Errorf("got %d files noted while another node checks, want none", n)
		}
		if err := held.Release(ctx); err != nil {
			t.Fatal(err)
		}
		if n := noted(); n != 1 {
			t.Errorf("got %d files noted, want one", n)
		}
	})
}

func TestPace_bytesASecondAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, began := newPace(scrubBytes, 0), time.Now()
		for range 10 {
			if err := p.take(t.Context(), scrubBytes/2); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.take(t.Context(), 5*scrubBytes); err != nil { // one that is larger than a second's share
			t.Fatal(err)
		}
		for range 16 {
			if err := p.take(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took < 9*time.Second || took > 11*time.Second {
			t.Errorf("11 MiB took %v, want 10 s after the first second's share", took)
		}
	})
}

// TestScrub_startAfterAKillBeginsAgain holds that the only node, after a killed one, scrubs all files from the
// beginning, and that one whose predecessor ended well goes on.
func TestScrub_startAfterAKillBeginsAgain(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st, ctx := newStorage(t, d), t.Context()
		st.leases = nil
		st.kept("k", "a")
		checked := 0
		st.remake = func(owner string, _ blob.Name) error { checked++; return st.keep(owner, "a") }
		start := func(node string) (scrubbed bool) {
			t.Helper()
			if err := st.noteStart(ctx, node); err != nil {
				t.Fatal(err)
			}
			if err := st.blobs.Store.Delete(ctx, nameOf("a")); err != nil {
				t.Fatal(err)
			}
			checked = 0
			if err := st.scrubOn(ctx, newPace(1<<30, 0)); err != nil {
				t.Fatal(err)
			}
			return checked == 1
		}
		if err := st.savePass(ctx, pass{Next: scrubParts, BeganAt: millis(st.now().Add(-time.Second))}); err != nil {
			t.Fatal(err)
		}
		if start("first") {
			t.Error("scrubbed after nobody was killed")
		}
		if err := st.left(ctx, "first"); err != nil {
			t.Fatal(err)
		}
		if start("second") {
			t.Error("scrubbed after a good end")
		}
		if !start("third") { // beside the second, which has not ended
			t.Error("not scrubbed after a kill")
		}
		st.holds("a")
	})
}

// TestScrub_everyOwnerOfADamagedFileHasItAgain damages one file of two owners, and leaves another whole.
func TestScrub_everyOwnerOfADamagedFileHasItAgain(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		st.kept("k", "a")
		st.kept("l", "a")
		st.kept("m", "b")
		st.put(nameOf("a"), "damaged")
		var asked []string
		st.remake = func(owner string, n blob.Name) error {
			asked = append(asked, owner)
			if n != nameOf("a") {
				t.Errorf("got %v, want the damaged file", n)
			}
			return st.keep(owner, "a")
		}
		for range 2 {
			if err := st.ScrubAll(t.Context()); err != nil {
				t.Fatal(err)
			}
			st.holds("a", "b")
		}
		if len(asked) != 2 || asked[0] != "k" || asked[1] != "l" {
			t.Errorf("got %v asked to make it again, want both once", asked)
		}
	})
}
