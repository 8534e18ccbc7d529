package db_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lib/pq"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// TestInTx_deadlockIsTriedAgain lets two transactions wait for each other's row: Postgres ends one of them.
func TestInTx_deadlockIsTriedAgain(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		if d.Dialect() != db.Postgres {
			return // SQLite has one writer
		}
		if _, err := d.Exec(t.Context(), `CREATE TABLE pairs (id INTEGER PRIMARY KEY, n INTEGER)`); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Exec(t.Context(), `INSERT INTO pairs VALUES (1, 0), (2, 0)`); err != nil {
			t.Fatal(err)
		}
		var tries atomic.Int32
		var met, done sync.WaitGroup
		met.Add(2)
		for _, order := range [][2]int{{1, 2}, {2, 1}} {
			done.Go(func() {
				meet := sync.OnceFunc(func() { met.Done(); met.Wait() })
				err := d.InTx(t.Context(), func(tx *db.Tx) error {
					tries.Add(1)
					if _, err := tx.Exec(t.Context(), `UPDATE pairs SET n = n + 1 WHERE id = ?`, order[0]); err != nil {
						return err
					}
					meet()
					_, err := tx.Exec(t.Context(), `UPDATE pairs SET n = n + 1 WHERE id = ?`, order[1])
					return err
				})
				if err != nil {
					t.Errorf("got %v, want the second try to succeed", err)
				}
			})
		}
		done.Wait()
		var n []int
		if err := d.Select(t.Context(), &n, `SELECT n FROM pairs`); err != nil || len(n) != 2 || n[0] != 2 || n[1] != 2 {
			t.Errorf("got %v, %v, want each row counted by both", n, err)
		}
		if tries.Load() != 3 {
			t.Errorf("got %d tries, want 3", tries.Load())
		}
	})
}

// TestInTx_endsWithTheFourthConflict also holds that no other fault is tried again.
func TestInTx_endsWithTheFourthConflict(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		if d.Dialect() != db.Postgres {
			return // SQLite has one writer
		}
		for cause, want := range map[error]int{
			&pq.Error{Code: "40P01"}: 4, &pq.Error{Code: "40001"}: 4, &pq.Error{Code: "23505"}: 1, errors.New("a fault"): 1,
		} {
			tries := 0
			err := d.InTx(t.Context(), func(*db.Tx) error { tries++; return cause })
			if tries != want || !errors.Is(err, cause) {
				t.Errorf("%v: got %d tries and %v, want %d", cause, tries, err, want)
			}
		}
	})
}

// TestOpen_migrationGivesWay lets a migration, which locks audits and then watches, wait for a transaction of an older
// node that has a lock on watches and reads audits.
func TestOpen_migrationGivesWay(t *testing.T) {
	t.Parallel()
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		cfg := db.Config{URL: url}
		raw := dbtest.OldSchema(t, cfg, 119)
		older, err := raw.Beginx()
		if err != nil {
			t.Fatal(err)
		}
		// It waits from before the migration does, so that Postgres would end it first.
		older.MustExec(`SET LOCAL deadlock_timeout = '500ms'`)
		older.MustExec(`LOCK TABLE watches IN ROW EXCLUSIVE MODE`)
		opened := make(chan error, 1)
		go func() {
			d, err := db.Open(t.Context(), cfg)
			if err == nil {
				err = d.Close()
			}
			opened <- err
		}()
		waits := false
		for !waits {
			select {
			case err := <-opened:
				t.Fatalf("got %v before the older transaction ended, want the migration to wait for it", err)
			case <-time.After(10 * time.Millisecond):
			}
			err := raw.Get(&waits, `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted
				AND relation = 'watches'::regclass AND mode = 'AccessExclusiveLock')`)
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := older.Exec(`SELECT COUNT(*) FROM audits`); err != nil {
			t.Errorf("the older node got %v, want the migration to give way", err)
		}
		if err := older.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := <-opened; err != nil {
			t.Errorf("got %v, want the migration to be applied later", err)
		}
	})
}

// TestOpen_saysWhatIsInUse migrates while a copy of the database reads a table, which others can use all the time.
func TestOpen_saysWhatIsInUse(t *testing.T) {
	t.Parallel()
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		cfg := db.Config{URL: url}
		raw := dbtest.OldSchema(t, cfg, 119)
		dump, err := raw.Beginx()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = dump.Rollback() }()
		dump.MustExec(`LOCK TABLE watches IN ACCESS SHARE MODE`)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		_, err = db.Open(ctx, cfg)
		if err == nil || !strings.Contains(err.Error(), "a table was in use all the time") ||
			!strings.Contains(err.Error(), "pg_stat_activity") {
			t.Fatalf("got %v, want what is in use", err)
		}
		if err := dump.Rollback(); err != nil {
			t.Fatal(err)
		}
		d, err := db.Open(t.Context(), cfg)
		if err != nil {
			t.Fatalf("got %v once the copy has ended", err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
}
