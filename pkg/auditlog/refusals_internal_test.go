package auditlog

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
)

// written returns the refusals in the log as "owner host times", the oldest first.
func written(t *testing.T, d *db.DB) (rows []string) {
	t.Helper()
	var got []struct {
		Actor   string `db:"actor_id"`
		Subject string
		Times   int
		Address string
	}
	if err := d.Select(t.Context(), &got, `SELECT actor_id, subject, times, address FROM audit_events
		WHERE action = 'target_refused' ORDER BY id`); err != nil {
		t.Fatal(err)
	}
	for _, r := range got {
		rows = append(rows, fmt.Sprint(r.Actor, " ", r.Subject, " ", r.Times))
		if r.Address != "192.0.2.7" {
			t.Errorf("got address %q, want the caller's", r.Address)
		}
	}
	return rows
}

func TestRecordRefused_onceAMinuteWithACount(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		l, at := New(d), time.Now()
		l.now = func() time.Time { return at }
		refuse := func(owner, host string) {
			l.RecordRefused(identity.WithCaller(t.Context(), identity.Caller{
				UserID: owner, Address: netip.MustParseAddr("192.0.2.7"),
			}), host)
		}
		want := func(when string, rows ...string) {
			t.Helper()
			if got := written(t, d); fmt.Sprint(got) != fmt.Sprint(rows) {
				t.Errorf("%s: got %q, want %q", when, got, rows)
			}
		}
		for range 100 {
			refuse("ada", "a.internal")
		}
		refuse("bob", "a.internal")
		refuse("ada", "b.internal")
		l.flush(t.Context(), false)
		rows := []string{"ada a.internal 1", "bob a.internal 1", "ada b.internal 1"}
		want("within the minute", rows...)
		at = at.Add(refusalEvery)
		l.flush(t.Context(), false)
		rows = append(rows, "ada a.internal 99")
		want("after a minute", rows...)
		refuse("ada", "a.internal") // its count was written just now
		refuse("bob", "a.internal")
		rows = append(rows, "bob a.internal 1")
		want("in the next minute", rows...)
		l.flush(t.Context(), true)
		rows = append(rows, "ada a.internal 1")
		want("at the end", rows...)
		at = at.Add(refusalEvery)
		l.flush(t.Context(), false)
		if n := l.refusals.counted.Len(); n != 0 {
			t.Errorf("%d are remembered, want none", n)
		}
		want("of those that ended", rows...)
	})
}

// TestRecordRefused_manyHosts_areBoundedAndNoCountIsLost has more hosts refused than are remembered.
func TestRecordRefused_manyHosts_areBoundedAndNoCountIsLost(t *testing.T) {
	l := New(dbtest.SQLite(t))
	ctx := identity.WithCaller(t.Context(), identity.Caller{UserID: "ada", Address: netip.MustParseAddr("192.0.2.7")})
	l.RecordRefused(ctx, "first.internal")
	l.RecordRefused(ctx, "first.internal")
	for i := range maxRefusals {
		l.refusals.counted.Add(refusal{"ada", fmt.Sprint(i)}, &refusalCount{written: time.Now()})
		if l.refusals.counted.Len() >= maxRefusals {
			break
		}
	}
	l.RecordRefused(ctx, "last.internal")
	if n := l.refusals.counted.Len(); n != maxRefusals {
		t.Errorf("%d are remembered, want %d", n, maxRefusals)
	}
	got := written(t, l.db)
	if fmt.Sprint(got) != "[ada first.internal 1 ada last.internal 1 ada first.internal 1]" {
		t.Errorf("got %q, want the count of the one that was forgotten", got)
	}
}
