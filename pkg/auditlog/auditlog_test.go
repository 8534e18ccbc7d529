package auditlog_test

import (
	"net/netip"
	"testing"

	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
)

func TestRecord_keepsWhoWhatAndWhere(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		ctx := identity.WithRequestID(identity.WithCaller(t.Context(), identity.Caller{
			UserID: "u1", Address: netip.MustParseAddr("192.0.2.7"),
		}), "req-1")
		log := auditlog.New(d)
		log.Record(ctx, auditlog.KeyCreated, "", "og_live_ab12")
		log.Record(ctx, auditlog.LoginFailed, "u2", "ada@example.com")
		var got []struct {
			Action, Subject, Address string
			ActorID                  string `db:"actor_id"`
			RequestID                string `db:"request_id"`
		}
		if err := d.Select(ctx, &got,
			`SELECT action, actor_id, subject, address, request_id FROM audit_events ORDER BY id`); err != nil {
			t.Fatal(err)
		}
		if len(got) != 2 {
			t.Fatalf("got %d events, want 2", len(got))
		}
		if e := got[0]; e.Action != "key_create" || e.ActorID != "u1" || e.Subject != "og_live_ab12" ||
			e.Address != "192.0.2.7" || e.RequestID != "req-1" {
			t.Errorf("got %+v", e)
		}
		if e := got[1]; e.ActorID != "u2" {
			t.Errorf("got actor %q, want the one that was named", e.ActorID)
		}
		if err := log.Sweep(ctx); err != nil {
			t.Error(err)
		}
	})
}

// TestRecord_takesWhateverStrangersWrite holds that no subject keeps its event out of the log.
func TestRecord_takesWhateverStrangersWrite(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		log := auditlog.New(d)
		for given, want := range map[string]string{"1２7.1\xef\xbc": "1２7.1\uFFFD", "a\x00b": "a\uFFFDb",
			"\xff": "\uFFFD", "": ""} {
			log.Record(t.Context(), auditlog.TargetRefused, "", given)
			var got string
			if err := d.Get(t.Context(), &got,
				`SELECT subject FROM audit_events ORDER BY id DESC LIMIT 1`); err != nil || got != want {
				t.Errorf("%q: got %q, %v, want %q", given, got, err, want)
			}
			if _, err := d.Exec(t.Context(), `DELETE FROM audit_events`); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestMigration_tableThatIsRenamedKeepsItsEvents opens a database of the time when the table had another name.
func TestMigration_tableThatIsRenamedKeepsItsEvents(t *testing.T) {
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		if cfg.URL == "" {
			cfg.Dir = t.TempDir()
		}
		dbtest.OldSchema(t, cfg, 7).MustExec(`INSERT INTO trail_events
			(id, at, action, actor_id, subject, address, request_id) VALUES ('1', 1, 'login_ok', 'u1', 's', 'a', 'r')`)
		d, err := db.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		count := func() (n int) {
			t.Helper()
			if err := d.Get(t.Context(), &n, `SELECT count(*) FROM audit_events`); err != nil {
				t.Fatal(err)
			}
			return n
		}
		log := auditlog.New(d)
		log.Record(t.Context(), auditlog.LoginOK, "u2", "")
		if got := count(); got != 2 {
			t.Errorf("got %d events, want the old one and the new one", got)
		}
		if err := log.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := count(); got != 1 {
			t.Errorf("after a sweep: got %d events, want the new one alone", got)
		}
	})
}
