package lease

import (
	"slices"
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

// TestTake_clockGoesBack_blocksNobody has a worker killed whose clock was a day ahead.
func TestTake_clockGoesBack_blocksNobody(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), time.Now()
		table := New(d, time.Minute)
		table.now = func() time.Time { return now.Add(24 * time.Hour) }
		if l, err := table.take(ctx, "work"); l == nil || err != nil {
			t.Fatal(l, err)
		}
		table.now = func() time.Time { return now }
		if l, err := table.take(ctx, "work"); l == nil || err != nil {
			t.Fatalf("got %v, %v, want the lease", l, err)
		}
		table.now = func() time.Time { return now.Add(-40 * time.Second) } // of another node
		if l, err := table.take(ctx, "work"); l != nil || err != nil {
			t.Errorf("by a clock that is 40 s late: got %v, %v, want nothing", l, err)
		}
	})
}

func TestSweep_takesWhatEndedLongAgo(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), time.Now()
		table := New(d, time.Minute)
		table.now = func() time.Time { return now }
		for _, name := range []string{"killed", "ended just now", "held"} {
			if l, err := table.take(ctx, name); l == nil || err != nil {
				t.Fatal(name, err)
			}
			now = now.Add(time.Minute)
		}
		if err := table.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		var left []string
		if err := d.Select(ctx, &left, `SELECT name FROM leases ORDER BY name`); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(left, []string{"ended just now", "held"}) {
			t.Errorf("got %v left", left)
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
