package images

import (
	"errors"
	"testing"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/files"
	"masthead/pkg/images/store"
	"masthead/pkg/lease"
)

// TestKeepRecord_lostLease has a forced job go on that was stopped for so long that another node got its lease.
func TestKeepRecord_lostLease(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		// meanwhile is what happens between the drawing of the job's picture and its storing.
		meanwhile func(st *storage, lost func())
		want      string
	}{
		{"kept by its holder", func(*storage, func()) {}, "own"},
		{"kept by its holder, beside a plain job", func(st *storage, _ func()) { st.keep("k", "plain") }, "own"},
		{"lost to a node that has drawn it", func(st *storage, lost func()) { lost(); st.keep("k", "newer") }, "newer"},
		{"lost to a node that draws it", func(_ *storage, lost func()) { lost() }, "own"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dbtest.Run(t, func(t *testing.T, d *db.DB) {
				st, ctx := newStorage(t, d), t.Context()
				st.leases = lease.New(d, leaseTime)
				id := st.keep("k", "old")
				j := st.drawn("k", "own")
				var err error
				if j.held, err = st.leases.Acquire(ctx, "image "+j.sharedName()); err != nil || j.held == nil {
					t.Fatal(j.held, err)
				}
				t.Cleanup(func() { st.release(ctx, j.held) })
				if err := errors.Join(st.lookAgain(ctx, j), st.keepFiles(ctx, j)); err != nil || j.done {
					t.Fatalf("got %v, done %v, want it drawn again", err, j.done)
				}
				j.found = store.Image{} // no version is kept, which the plans would have to allow
				c.meanwhile(st, func() {
					if _, err := d.Exec(ctx, `UPDATE leases SET holder = 'another'`); err != nil {
						t.Fatal(err)
					}
				})
				if err := st.keepRecord(ctx, j); err != nil || j.record.ID != id || j.record.Cached ||
					j.saved != (c.want == "own") {
					t.Errorf("got image %s, %v, stored %v, cached %v; want %s as new", j.record.ID, err, j.saved,
						j.record.Cached, id)
				}
				kept, whole, err := st.find(ctx, "k", st.isWhole)
				if want := files.Digest(st.project, []byte(c.want)); err != nil || !whole || kept.Files[0].Digest != want {
					t.Errorf("got the files %v, whole %v, %v, want %s", kept.Files, whole, err, c.want)
				}
				if got := j.record.Files[0].Digest; got != kept.Files[0].Digest {
					t.Errorf("the response has the file %s, want %s", got, kept.Files[0].Digest)
				}
			})
		})
	}
}
