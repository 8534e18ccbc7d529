package lease

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

func TestAcquire_manyAtOnceGiveOneHolder(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		table := New(d)
		var holders atomic.Int32
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				l, err := table.Acquire(t.Context(), "work", time.Minute)
				if err != nil {
					t.Error(err)
				}
				if l != nil {
					holders.Add(1)
				}
			})
		}
		wg.Wait()
		if n := holders.Load(); n != 1 {
			t.Errorf("got %d holders, want 1", n)
		}
	})
}

func TestLease_endsByReleaseOrTime(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), time.Now()
		table := New(d)
		table.now = func() time.Time { return now }
		acquire := func() *Lease {
			t.Helper()
			l, err := table.Acquire(ctx, "work", time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		first := acquire()
		if first == nil || acquire() != nil {
			t.Fatal("want the first to hold it and the second not")
		}
		if err := first.Release(ctx); err != nil {
			t.Fatal(err)
		}
		second := acquire()
		if second == nil {
			t.Fatal("want it free after release")
		}
		now = now.Add(2 * time.Minute)
		third := acquire()
		if third == nil {
			t.Fatal("want it free after its time")
		}
		if err := second.Release(ctx); err != nil {
			t.Fatal(err)
		}
		if acquire() != nil {
			t.Error("the release of one that ended freed another's")
		}
	})
}
