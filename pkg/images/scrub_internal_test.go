package images

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/lease"
)

func (st *storage) nameOf(text string) blob.Name {
	return blob.Name{Digest: fileDigest(st.project, []byte(text)), File: "og.png"}
}

func (st *storage) put(n blob.Name, text string) {
	st.t.Helper()
	if err := st.blobs.Put(st.t.Context(), n, []byte(text)); err != nil {
		st.t.Fatal(err)
	}
}

// hasFile fails the test when the file does not hold text; "" stands for no file.
func (st *storage) hasFile(n blob.Name, text string) {
	st.t.Helper()
	data, err := st.blobs.Get(st.t.Context(), n)
	if text == "" && !errors.Is(err, blob.ErrNotFound) || text != "" && (err != nil || string(data) != text) {
		st.t.Errorf("got %q, %v, want %q", data, err, text)
	}
}

func TestDiscard_takesDamagedFilesAlone(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		ctx, n := t.Context(), st.nameOf("a")
		discard := func() {
			t.Helper()
			if err := st.discard(ctx, n, st.project); err != nil {
				t.Fatal(err)
			}
		}
		st.keep("k", "a")
		discard()
		st.hasFile(n, "a") // it is whole
		st.put(n, "b")
		// Somebody has claimed the name, and may be writing the file just now.
		j := st.drawn("k", "a")
		j.files = []File{{Name: n.File, Digest: n.Digest}}
		if err := st.claim(ctx, j.files); err != nil {
			t.Fatal(err)
		}
		discard()
		st.hasFile(n, "b")
		if err := errors.Join(st.keepFiles(ctx, j), st.keepRecord(ctx, j)); err != nil {
			t.Fatal(err)
		}
		st.put(n, "b")
		discard()
		st.hasFile(n, "")
		if st.keep("k", "a"); t.Failed() {
			return
		}
		st.hasFile(n, "a")
		st.sweep()
		st.hasFile(n, "a")
	})
}

// TestCondemn_nobodyWritesOrNamesTheFileMeanwhile looks at the moment between the last look and the deleting.
func TestCondemn_nobodyWritesOrNamesTheFileMeanwhile(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		ctx, n := t.Context(), st.nameOf("a")
		st.keep("k", "a")
		now := time.Now()
		until := millis(now.Add(doomTime))
		for _, want := range []bool{true, false} {
			if held, err := st.store.condemn(ctx, n, millis(now), until); err != nil || held != want {
				t.Fatalf("got %v, %v, want %v", held, err, want)
			}
		}
		claim := func() int {
			t.Helper()
			lives, err := st.store.claim(ctx, []blob.Name{n}, millis(now), millis(now.Add(keepTime)))
			if err != nil {
				t.Fatal(err)
			}
			return len(lives)
		}
		if claim() != 0 {
			t.Error("a file that is being deleted was claimed")
		}
		if err := st.store.acquit(ctx, n, until); err != nil {
			t.Fatal(err)
		}
		if claim() != 1 {
			t.Error("a file that was deleted cannot be claimed")
		}
	})
}

func TestScrub_fileWithoutARowIsSweptAfterAnHour(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st := newStorage(t, d)
		st.keep("k", "a")
		orphan := blob.Name{Digest: fileDigest("another", []byte("o")), File: "og.png"}
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
		st.hasFile(st.nameOf("a"), "a")
	})
}

// TestScrub_passesAreADayApart counts the passes by what they find: a file without a row.
func TestScrub_passesAreADayApart(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st, ctx := newStorage(t, d), t.Context()
		orphan := blob.Name{Digest: fileDigest("another", []byte("o")), File: "og.png"}
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
		if err := st.store.seen(ctx, "here", millis(st.now())); err != nil {
			t.Fatal(err)
		}
		expect("beside a node", false)
		if err := st.store.left(ctx, "here"); err != nil {
			t.Fatal(err)
		}
		st.ahead.Add(int64(killedAfter + time.Minute))
		expect("after a node that ended well", false)
		if err := st.store.seen(ctx, "killed", millis(st.now())); err != nil {
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
	early := blob.Name{Digest: "00" + fileDigest("", nil)[2:], File: "og.png"}
	late := blob.Name{Digest: "ff" + fileDigest("", nil)[2:], File: "og.png"}
	st.put(early, "x")
	st.put(late, "x")
	if err := st.store.savePass(t.Context(), pass{Next: 200, BeganAt: millis(st.now())}); err != nil {
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
		orphan := blob.Name{Digest: fileDigest("another", []byte("o")), File: "og.png"}
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

func TestAgain_rowOfBeforeTheContentWasKept(t *testing.T) {
	asked := Request{ProjectID: "p", Request: card.Request{
		URL: "https://example.com/", Kind: card.OG, Style: card.Style{Dark: true}}}
	for name, content := range map[string]card.Content{"none": {}, "given": {Title: "Given", Author: "Ada"}} {
		asked.Content = content
		r, err := asked.normalize()
		if err != nil {
			t.Fatal(err)
		}
		key, err := r.key()
		if err != nil {
			t.Fatal(err)
		}
		row := imageRow{URL: r.URL, ProjectID: r.ProjectID, Kind: r.Kind, Template: r.Template, CacheKey: key,
			Style: db.JSON[card.Style]{V: r.Style},
			Page:  db.JSON[card.PageData]{V: card.PageData{Title: "Kept", SiteName: "Site"}}}
		got, err := row.again()
		want := card.Content{}
		if content != (card.Content{}) {
			want = card.Content{Title: "Kept", SiteName: "Site"}
		}
		if err != nil || got.Content != want {
			t.Errorf("%s: got %+v, %v, want %+v", name, got.Content, err, want)
		}
		row.Content.V = &content
		if got, err := row.again(); err != nil || got.Content != content {
			t.Errorf("%s, kept: got %+v, %v, want %+v", name, got.Content, err, content)
		}
	}
}

// TestRemake_pictureOfAModelWaitsForItsOwner loses one: to make it again takes a unit, which only a POST may take.
func TestRemake_pictureOfAModelWaitsForItsOwner(t *testing.T) {
	kept := imageRow{ID: "i", AI: db.JSON[*AIResult]{V: &AIResult{Model: "standard"}}}
	n := blob.Name{Digest: "d", File: "og.png"}
	s := &Service{losses: newLosses(), metrics: newMetrics(), now: time.Now}
	for range 2 { // the second is not even tried
		if _, err := s.heal(t.Context(), kept, n); !errors.Is(err, errLost) {
			t.Errorf("got %v, want it lost", err)
		}
	}
	if err := s.remake(t.Context(), kept); !errors.Is(err, errPaid) {
		t.Errorf("got %v, want it left to its owner", err)
	}
}

// TestScrub_startAfterAKillNotesWhatIsLeft holds that the only node, whose predecessor was killed, notes files without
// a row at once and checks all files anew, and that one whose predecessor ended well does not look.
func TestScrub_startAfterAKillNotesWhatIsLeft(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		st, ctx := newStorage(t, d), t.Context()
		st.leases = nil
		if err := st.keepFiles(ctx, st.drawn("k", "a", "b")); err != nil {
			t.Fatal(err)
		}
		done := pass{Next: scrubParts, BeganAt: millis(st.now())}
		if err := st.store.savePass(ctx, done); err != nil {
			t.Fatal(err)
		}
		if seen := st.noteKilled(ctx, "first"); seen.IsZero() || len(st.rows()) > 0 {
			t.Errorf("got %v, seen at %v, want no look: nobody was killed", st.rows(), seen)
		}
		if err := st.store.left(ctx, "first"); err != nil {
			t.Fatal(err)
		}
		st.noteKilled(ctx, "second")
		if len(st.rows()) > 0 {
			t.Errorf("got %v, want no look after a good end", st.rows())
		}
		st.noteKilled(ctx, "third") // beside the second, which has not ended
		st.holds("a", "b")
		if last, err := st.store.lastPass(ctx); err != nil || last.Next != 0 {
			t.Errorf("got %+v, %v, want all files checked from the beginning", last, err)
		}
		st.later(keepTime + time.Minute)
		st.holds()
	})
}
