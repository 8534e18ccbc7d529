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
		table := New(d, time.Minute)
		var holders atomic.Int32
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				l, err := table.Acquire(t.Context(), "work")
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
		table := New(d, time.Minute)
		table.now = func() time.Time { return now }
		acquire := func() *Lease {
			t.Helper()
			l, err := table.take(ctx, "work")
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

func TestLease_isRenewedWhileItsHolderLives(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		const ttl = 1500 * time.Millisecond
		ctx, table := t.Context(), New(d, ttl)
		held, err := table.Acquire(ctx, "work")
		if held == nil || err != nil {
			t.Fatalf("got %v, %v, want the lease", held, err)
		}
		time.Sleep(2 * ttl)
		if other, err := table.Acquire(ctx, "work"); other != nil || err != nil {
			t.Errorf("got %v, %v, want it renewed", other, err)
		}
		if err := held.Release(ctx); err != nil {
			t.Fatal(err)
		}
		killed, err := table.take(ctx, "work")
		if killed == nil || err != nil {
			t.Fatalf("got %v, %v, want it free after release", killed, err)
		}
		time.Sleep(ttl + 100*time.Millisecond)
		if next, err := table.take(ctx, "work"); next == nil || err != nil {
			t.Errorf("got %v, %v, want it free once a killed holder's time is over", next, err)
		}
	})
}
