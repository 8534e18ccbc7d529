package images

import (
	"testing"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
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
