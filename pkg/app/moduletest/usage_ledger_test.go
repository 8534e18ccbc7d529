package moduletest_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"masthead/pkg/auditlog"
	"masthead/pkg/billing"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/events"
	"masthead/pkg/usage"
	"masthead/pkg/users"
)

// ledger is a service on d, with one account on a plan and a clock that tests set.
type ledger struct {
	*usage.Service
	d        *db.DB
	plans    *billing.Service
	auditlog *auditlog.Log
	bus      *events.Bus
	owner    string
	clock    time.Time
}

func newLedger(t *testing.T, d *db.DB, plan string) *ledger {
	t.Helper()
	l := auditlog.New(d)
	people := users.New(d, l, nil)
	plans := billing.New(billing.Config{}, people, nil)
	user, err := people.Create(t.Context(), users.NewUser{Email: "a@example.com", PasswordHash: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := people.SetPlan(t.Context(), user.ID, plan); err != nil {
		t.Fatal(err)
	}
	bus := events.NewBus()
	made := &ledger{Service: usage.New(usage.Config{}, d, plans, l, bus), d: d, plans: plans, auditlog: l,
		bus: bus, owner: user.ID, clock: time.Date(2026, 11, 30, 23, 50, 0, 0, time.UTC)}
	made.SetNow(func() time.Time { return made.clock })
	return made
}

func (l *ledger) reserve(t *testing.T, job string) *usage.Reservation {
	t.Helper()
	r, err := l.Reserve(t.Context(), l.owner, job, false)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (l *ledger) commit(t *testing.T, r *usage.Reservation) {
	t.Helper()
	if err := l.d.InTx(t.Context(), func(tx *db.Tx) error { return r.Commit(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
}

func (l *ledger) release(t *testing.T, r *usage.Reservation) {
	t.Helper()
	if err := r.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (l *ledger) reap(t *testing.T) {
	t.Helper()
	if err := l.Reap(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// want compares what a month counts with what it should, and both with the rows of its units.
func (l *ledger) want(t *testing.T, month string, units, kept int) {
	t.Helper()
	count := func(query string) (n int) {
		if err := l.d.Get(t.Context(), &n, query, l.owner, month); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if got := count(`SELECT COALESCE(SUM(units), 0) FROM usage_months WHERE owner_id = ? AND month = ?`); got != units {
		t.Errorf("%s: got %d units counted, want %d", month, got, units)
	}
	of := `SELECT COUNT(*) FROM usage_units WHERE owner_id = ? AND month = ? AND state `
	if got := count(of + `<> 'released'`); got != units {
		t.Errorf("%s: got %d rows of units, want %d", month, got, units)
	}
	if got := count(of + `= 'kept'`); got != kept {
		t.Errorf("%s: got %d units kept, want %d", month, got, kept)
	}
}

const november, december = "2026-11", "2026-12"

// run calls test with a ledger of the plan Free, which has three units, on each database.
func run(t *testing.T, test func(t *testing.T, l *ledger)) {
	t.Helper()
	dbtest.Run(t, func(t *testing.T, d *db.DB) { test(t, newLedger(t, d, billing.Free)) })
}

func TestLedger_unitIsKeptOrGivenBack(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		l.commit(t, l.reserve(t, "a"))
		l.want(t, november, 1, 1)
		b := l.reserve(t, "b")
		l.want(t, november, 2, 1)
		l.release(t, b)
		l.release(t, b)
		l.want(t, november, 1, 1)
	})
}

func TestReserve_noneIsLeft(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		for i := range 3 {
			l.reserve(t, fmt.Sprint("job ", i))
		}
		if _, err := l.Reserve(t.Context(), l.owner, "one more", false); !errors.Is(err, usage.ErrQuota) {
			t.Errorf("the fourth of three: got %v, want ErrQuota", err)
		}
		l.want(t, november, 3, 0)
		if _, err := l.Reserve(t.Context(), l.owner, "pro", true); !errors.Is(err, usage.ErrQuota) {
			t.Errorf("the pro model on Free: got %v, want ErrQuota", err)
		}
	})
}

// Pro includes at most 300 pictures of the pro model.
func TestReserve_proModelHasItsOwnCap(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		l := newLedger(t, d, billing.Pro)
		l.reserve(t, "standard")
		_, err := d.Exec(t.Context(), `UPDATE usage_months SET units = 300, pro_units = 299 WHERE owner_id = ?`,
			l.owner)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Reserve(t.Context(), l.owner, "the 300th", true); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Reserve(t.Context(), l.owner, "the 301st", true); !errors.Is(err, usage.ErrQuota) {
			t.Errorf("the 301st of the pro model: got %v, want ErrQuota", err)
		}
		if _, err := l.Reserve(t.Context(), l.owner, "another standard", false); err != nil {
			t.Errorf("the standard model after that: got %v, want a unit", err)
		}
	})
}

func TestReserve_jobHasOneUnitHoweverOftenItIsTried(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		first, again := l.reserve(t, "a"), l.reserve(t, "a")
		l.want(t, november, 1, 0)
		l.commit(t, first)
		l.commit(t, again)
		l.release(t, again)
		l.want(t, november, 1, 1)
		l.clock = l.clock.Add(time.Hour) // December
		l.commit(t, l.reserve(t, "a"))
		l.want(t, november, 1, 1)
		l.want(t, december, 0, 0)
	})
}

func TestReserve_manyAtOnceShareWhatIsLeft(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		// Another node has its own memory and the same database.
		other := usage.New(usage.Config{}, l.d, l.plans, l.auditlog, nil)
		other.SetNow(func() time.Time { return l.clock })
		var mu sync.Mutex
		var got, refused int
		var wg sync.WaitGroup
		for i := range 60 {
			s := []*usage.Service{l.Service, other}[i%2]
			wg.Go(func() {
				r, err := s.Reserve(t.Context(), l.owner, fmt.Sprint("job ", i), false)
				if err == nil {
					err = l.d.InTx(t.Context(), func(tx *db.Tx) error { return r.Commit(t.Context(), tx) })
				}
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					got++
				case errors.Is(err, usage.ErrQuota):
					refused++
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got != 3 || refused != 57 {
			t.Errorf("got %d units and %d refusals, want 3 and 57", got, refused)
		}
		l.want(t, november, 3, 3)
	})
}

func TestReserve_manyTriesOfOneJobAreOneUnit(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		var wg sync.WaitGroup
		for i := range 30 {
			wg.Go(func() {
				r, err := l.Reserve(t.Context(), l.owner, "the one", false)
				switch {
				case err != nil:
				case i%3 == 0:
					err = r.Release(t.Context())
				default:
					err = l.d.InTx(t.Context(), func(tx *db.Tx) error { return r.Commit(t.Context(), tx) })
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		l.want(t, november, 1, 1)
	})
}

// TestReserve_besideALateCommit_isOneUnit holds that a unit is counted once when its lease had ended, and the
// transaction that takes it again is not yet over while another try of its job reserves one.
func TestReserve_besideALateCommit_isOneUnit(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		r, err := l.Reserve(t.Context(), l.owner, "the one", false)
		if err == nil {
			err = r.Release(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		again := make(chan error, 1)
		err = l.d.InTx(t.Context(), func(tx *db.Tx) error {
			defer func() {
				go func() {
					_, err := l.Reserve(t.Context(), l.owner, "the one", false)
					again <- err
				}()
				time.Sleep(100 * time.Millisecond) // in which it comes to wait for this transaction
			}()
			return r.Commit(t.Context(), tx)
		})
		if err := errors.Join(err, <-again); err != nil {
			t.Fatal(err)
		}
		l.want(t, november, 1, 1)
	})
}

func TestCommit_rolledBackWithTheImage(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		r, fault := l.reserve(t, "a"), errors.New("the image cannot be stored")
		err := l.d.InTx(t.Context(), func(tx *db.Tx) error { return errors.Join(r.Commit(t.Context(), tx), fault) })
		if !errors.Is(err, fault) {
			t.Fatal(err)
		}
		l.want(t, november, 1, 0)
		l.release(t, r)
		l.want(t, november, 0, 0)
	})
}

// A unit is of the month in which it was reserved.
func TestLedger_changeOfMonth(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		kept, failed, lost := l.reserve(t, "kept"), l.reserve(t, "failed"), l.reserve(t, "lost")
		l.clock = l.clock.Add(12 * time.Minute)
		l.commit(t, kept)
		l.release(t, failed)
		l.want(t, november, 2, 1)
		l.commit(t, l.reserve(t, "of December"))
		l.want(t, december, 1, 1)
		l.clock = l.clock.Add(4 * time.Minute)
		l.reap(t)
		l.want(t, november, 1, 1)
		l.want(t, december, 1, 1)
		// What comes after all is counted where it was reserved.
		l.commit(t, lost)
		l.want(t, november, 2, 2)
		l.want(t, december, 1, 1)
	})
}

// The process that reserved is gone: kill -9.
func TestReap_unitsOfTheDeadAreGivenBack(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		l.commit(t, l.reserve(t, "stored"))
		l.reserve(t, "killed before storing")
		l.clock = l.clock.Add(14 * time.Minute)
		living := l.reserve(t, "another")
		l.reap(t)
		if l.want(t, november, 2, 1); t.Failed() {
			t.Fatal("before the lease's end")
		}
		l.want(t, december, 1, 0)
		l.clock = l.clock.Add(2 * time.Minute)
		l.reap(t)
		l.reap(t)
		l.want(t, november, 1, 1)
		l.commit(t, living)
		l.want(t, december, 1, 1)
	})
}

// An image that is being stored just when its lease ends: the reaper waits for its transaction, and finds the unit
// kept.
func TestReap_waitsForTheTransactionThatStores(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		r := l.reserve(t, "slow")
		l.clock = l.clock.Add(20 * time.Minute)
		reaped := make(chan error, 1)
		err := l.d.InTx(t.Context(), func(tx *db.Tx) error {
			if err := r.Commit(t.Context(), tx); err != nil {
				return err
			}
			go func() { reaped <- l.Reap(context.WithoutCancel(t.Context())) }()
			select {
			case err := <-reaped:
				t.Errorf("it did not wait: %v", err)
				reaped <- err
			case <-time.After(50 * time.Millisecond): // as long as it waits it does no harm; less only finds less
			}
			return nil
		})
		if err := errors.Join(err, <-reaped); err != nil {
			t.Fatal(err)
		}
		l.want(t, november, 1, 1)
	})
}

// A lease that ended too early: the image comes all the same, and takes a unit only if there still is one.
func TestCommit_afterTheLease(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		late, later := l.reserve(t, "late"), l.reserve(t, "later")
		l.clock = l.clock.Add(20 * time.Minute)
		l.reap(t)
		l.want(t, november, 0, 0)
		l.clock = l.clock.Add(-20 * time.Minute)
		l.commit(t, late)
		l.want(t, november, 1, 1)
		l.commit(t, l.reserve(t, "x"))
		l.commit(t, l.reserve(t, "y"))
		err := l.d.InTx(t.Context(), func(tx *db.Tx) error { return later.Commit(t.Context(), tx) })
		if !errors.Is(err, usage.ErrQuota) {
			t.Errorf("with none left: got %v, want ErrQuota", err)
		}
		l.want(t, november, 3, 3)
	})
}

func TestLedger_isInTheAuditLog(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		l.commit(t, l.reserve(t, "a"))
		l.release(t, l.reserve(t, "b"))
		var got []string
		err := l.d.Select(t.Context(), &got, `SELECT action || ' ' || subject FROM audit_events
			WHERE actor_id = ? AND action LIKE 'quota_%' ORDER BY id`, l.owner)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"quota_reserve 2026-11 a", "quota_commit 2026-11 a", "quota_reserve 2026-11 b",
			"quota_release 2026-11 b"}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestConfig_Validate(t *testing.T) {
	for lease, good := range map[time.Duration]bool{
		0: true, 15 * time.Minute: true, 10 * time.Second: true, 24 * time.Hour: true,
		time.Second: false, 25 * time.Hour: false, -time.Minute: false,
	} {
		if err := (usage.Config{Lease: lease}).Validate(); (err == nil) != good {
			t.Errorf("%v: got %v, want good %v", lease, err, good)
		}
	}
}

// Source: docs/security.md#limits-and-quotas: anonymous callers get a tenth of a month's units per day, and half
// of them per month.
func TestLedger_strangersGetATenthADayAndHalfAMonth(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		l := newLedger(t, d, "plus")
		for day, want := range []int{10, 10, 10, 10, 10, 0} {
			l.clock = time.Date(2026, 11, 10+day, 12, 0, 0, 0, time.UTC)
			got := 0
			for i := range 11 {
				left, err := l.LeftPublic(t.Context(), l.owner, false)
				if err != nil {
					t.Fatal(err)
				}
				_, err = l.ReservePublic(t.Context(), l.owner, fmt.Sprint("job ", day, " ", i), false)
				if err != nil && !errors.Is(err, usage.ErrQuota) {
					t.Fatal(err)
				}
				if left != (err == nil) {
					t.Errorf("day %d: with %d units used, left says %v, and a reservation %v", day, got, left, err)
				}
				if err == nil {
					got++
				}
			}
			if got != want {
				t.Errorf("day %d: strangers got %d units, want %d", day, got, want)
			}
		}
	})
}
