package worker

import (
	"errors"
	"sync"
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// clock is the time of a node, which tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// TestRefusals_allNodesRefuseForAnHour has one node add a key: others that share the database refuse it at once.
func TestRefusals_allNodesRefuseForAnHour(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		time0 := &clock{now: time.Now()}
		a, b := NewRefusals(d), NewRefusals(d)
		a.now, b.now = time0.read, time0.read
		if err := b.check(t.Context(), "k"); err != nil {
			t.Fatalf("before: %v", err)
		}
		if err := a.add("k", "draw"); !errors.Is(err, ErrHung) {
			t.Errorf("got %v, want that it hung", err)
		}
		for name, node := range map[string]*Refusals{"its node": a, "another": b, "one that starts": NewRefusals(d)} {
			if err := node.check(t.Context(), "k"); !errors.Is(err, ErrHung) {
				t.Errorf("%s: got %v, want that it hung", name, err)
			}
			if err := node.check(t.Context(), "other"); err != nil {
				t.Errorf("%s, another key: got %v", name, err)
			}
		}
		var row struct{ Stage, Node string }
		err := d.Get(t.Context(), &row, `SELECT stage, node FROM hung_work WHERE work_key = 'k'`)
		if err != nil || row.Stage != "draw" || row.Node != a.node {
			t.Errorf("got %+v, %v, want stage and node of the hang", row, err)
		}
		time0.add(RefusedFor - time.Second)
		if err := b.check(t.Context(), "k"); !errors.Is(err, ErrHung) {
			t.Errorf("just before the hour: %v", err)
		}
		if err := a.Sweep(t.Context()); err != nil || rows(t, d) != 1 {
			t.Errorf("sweep before the hour: %v, %d rows", err, rows(t, d))
		}
		time0.add(2 * time.Second)
		for _, node := range []*Refusals{a, b} {
			if err := node.check(t.Context(), "k"); err != nil {
				t.Errorf("after the hour: %v", err)
			}
		}
		if err := a.Sweep(t.Context()); err != nil || rows(t, d) != 0 {
			t.Errorf("sweep after the hour: %v, %d rows", err, rows(t, d))
		}
		// A row of a clock that was ahead by more than nodes may be refuses nothing.
		if err := a.add("k", "draw"); !errors.Is(err, ErrHung) {
			t.Error(err)
		}
		time0.add(-time.Minute)
		if err := b.check(t.Context(), "k"); err != nil {
			t.Errorf("with a clock that went back: %v", err)
		}
	})
}

func rows(t *testing.T, d *db.DB) (n int) {
	t.Helper()
	if err := d.Get(t.Context(), &n, `SELECT COUNT(*) FROM hung_work`); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestRefusals_databaseAway_nodeRefusesByItself loses the database before work hangs.
func TestRefusals_databaseAway_nodeRefusesByItself(t *testing.T) {
	d := dbtest.SQLite(t)
	r := NewRefusals(d)
	if _, err := d.Exec(t.Context(), `DROP TABLE hung_work`); err != nil {
		t.Fatal(err)
	}
	if err := r.add("k", "draw"); !errors.Is(err, ErrHung) {
		t.Errorf("got %v, want that it hung", err)
	}
	if err := r.check(t.Context(), "k"); !errors.Is(err, ErrHung) {
		t.Errorf("got %v, want that it hung", err)
	}
}
