package db_test

import (
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// BenchmarkGet reads what every request of a signed-in caller reads.
func BenchmarkGet(b *testing.B) {
	benchmark(b, func(d *db.DB) error {
		var row struct {
			ID         string    `db:"id"`
			UserID     string    `db:"user_id"`
			CreatedAt  db.Millis `db:"created_at"`
			LastUsedAt db.Millis `db:"last_used_at"`
			Role       string    `db:"role"`
			Plan       string    `db:"plan"`
			Disabled   bool      `db:"disabled"`
		}
		return d.Get(b.Context(), &row, `
			SELECT s.id, s.user_id, s.created_at, s.last_used_at, u.role, u.plan, u.disabled
			FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = ?`, "session")
	})
}

// BenchmarkExec writes what stands there already, so that it measures the statement and not the disk.
func BenchmarkExec(b *testing.B) {
	at := db.Millis{Time: time.Now()}
	benchmark(b, func(d *db.DB) error {
		_, err := d.Exec(b.Context(), `UPDATE users SET updated_at = ? WHERE id = ?`, at, "ada")
		return err
	})
}

// BenchmarkInTx is one statement of each kind between BEGIN and COMMIT.
func BenchmarkInTx(b *testing.B) {
	at := db.Millis{Time: time.Now()}
	benchmark(b, func(d *db.DB) error {
		return d.InTx(b.Context(), func(tx *db.Tx) error {
			var id string
			if err := tx.Get(b.Context(), &id, `SELECT user_id FROM sessions WHERE id = ?`, "session"); err != nil {
				return err
			}
			_, err := tx.Exec(b.Context(), `UPDATE users SET updated_at = ? WHERE id = ?`, at, id)
			return err
		})
	})
}

// BenchmarkSelect_limit reads a list with a limit: its statement is planned once.
func BenchmarkSelect_limit(b *testing.B) {
	benchmark(b, func(d *db.DB) error {
		var ids []string
		return d.Select(b.Context(), &ids, `SELECT id FROM sessions WHERE user_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
			"ada", "t", 20)
	})
}

func benchmark(b *testing.B, one func(d *db.DB) error) {
	dbtest.Bench(b, func(b *testing.B, d *db.DB) {
		now := db.Millis{Time: time.Now()}
		if _, err := d.Exec(b.Context(), insertUser, "ada", "ada", "ada", now, now); err != nil {
			b.Fatal(err)
		}
		_, err := d.Exec(b.Context(),
			`INSERT INTO sessions (id, user_id, created_at, last_used_at) VALUES ('session', 'ada', ?, ?)`, now, now)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if err := one(d); err != nil {
				b.Fatal(err)
			}
		}
	})
}
