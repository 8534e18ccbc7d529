package notifications_test

import (
	"testing"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// Accounts that unsubscribed before there were preferences stay unsubscribed.
func TestUpgrade_keepsWhatAccountsUnsubscribedFrom(t *testing.T) {
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		if cfg.URL == "" {
			cfg.Dir = t.TempDir()
		}
		old := dbtest.OldSchema(t, cfg, 44)
		old.MustExec(`INSERT INTO users (id, email, email_key, name, password_hash, role, plan, created_at, updated_at)
			VALUES ('ada', 'ada@example.com', 'ada@example.com', '', '', 'user', 'free', 0, 0)`)
		old.MustExec(`INSERT INTO mail_unsubscribes (user_id, kind) VALUES ('ada', 'quota_reached')`)
		d, err := db.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		var kept []struct {
			Kind    string `db:"kind"`
			Channel string `db:"channel"`
			Wanted  bool   `db:"wanted"`
		}
		err = d.Select(t.Context(), &kept, `SELECT kind, channel, wanted FROM notification_preferences WHERE user_id = 'ada'`)
		if err != nil || len(kept) != 1 || kept[0].Kind != "quota_reached" || kept[0].Channel != "mail" || kept[0].Wanted {
			t.Errorf("got %+v, %v, want no mails about quotas", kept, err)
		}
	})
}
