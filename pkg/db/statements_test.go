package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// numbers is a text that returns the number of its argument's name, of which there are many.
func numbers(i int) string { return fmt.Sprintf(`SELECT CAST(? AS BIGINT) + %d AS n`, i) }

func TestStatements_pushedOutWhileHeld_goOn(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		d.KeepStatements(2)
		var wg sync.WaitGroup
		for worker := range 8 {
			wg.Go(func() {
				for i := range 60 {
					text := (worker + i) % 7
					var got int
					err := d.Get(t.Context(), &got, numbers(text), 100)
					if worker%2 == 0 {
						err = d.InTx(t.Context(),
							func(tx *db.Tx) error { return tx.Get(t.Context(), &got, numbers(text), 100) })
					}
					if err != nil || got != 100+text {
						t.Errorf("got %d, %v, want %d", got, err, 100+text)
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestStatements_sameText_isPreparedOnceForAConnection(t *testing.T) {
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		d := open(t, db.Config{URL: url})
		prepared := func() (n int) {
			t.Helper()
			err := d.Get(t.Context(), &n,
				`SELECT COUNT(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT CAST($1 AS BIGINT)%'`)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		for range 5 { // one after the other, on one connection
			if err := d.Get(t.Context(), new(int), numbers(0), 1); err != nil {
				t.Fatal(err)
			}
		}
		if got := prepared(); got != 1 {
			t.Errorf("got %d prepared statements of one text, want 1", got)
		}
		d.KeepStatements(2)
		for i := range 10 {
			if err := d.Get(t.Context(), new(int), numbers(i), 1); err != nil {
				t.Fatal(err)
			}
		}
		if got := prepared(); got > 3 {
			t.Errorf("got %d prepared statements, want the first and those that are kept", got)
		}
	})
}

func TestStatements_brokenConnections_arePreparedForAnew(t *testing.T) {
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		d, other := open(t, db.Config{URL: url}), open(t, db.Config{URL: url})
		for i := range 3 {
			if err := d.Get(t.Context(), new(int), numbers(0), i); err != nil {
				t.Fatal(err)
			}
		}
		var ended []bool
		err := other.Select(t.Context(), &ended,
			`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		if err != nil || len(ended) == 0 {
			t.Fatalf("end the connections: got %v, %v", ended, err)
		}
		var got int
		for range 20 { // those that notice their end only now
			if err = d.Get(t.Context(), &got, numbers(0), 1); err == nil {
				break
			}
			if !db.IsUnavailable(err) {
				t.Fatalf("got %v, want a fault of the moment", err)
			}
		}
		if err != nil || got != 1 {
			t.Errorf("got %d, %v, want the statement to work on a new connection", got, err)
		}
	})
}

func TestInTx_unknownTextsInAFullPool_doNotWait(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		var wg sync.WaitGroup
		for i := range 64 { // more than a pool has connections
			wg.Go(func() {
				var got int
				err := d.InTx(ctx, func(tx *db.Tx) error { return tx.Get(ctx, &got, numbers(i), 1) })
				if err != nil || got != 1+i {
					t.Errorf("got %d, %v, want %d", got, err, 1+i)
				}
			})
		}
		wg.Wait()
	})
}

func TestInTx_preparedTexts_workToo(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), db.Millis{Time: time.Now()}
		for i := range 3 { // the first one runs the texts as they are
			id := fmt.Sprint(i)
			err := d.InTx(ctx, func(tx *db.Tx) error {
				if rows, err := tx.Exec(ctx, insertUser, id, id, id, now, now); err != nil || rows != 1 {
					return fmt.Errorf("got %d rows, %w", rows, err)
				}
				var ids []string
				if err := tx.Select(ctx, &ids, `SELECT id FROM users WHERE id <= ? ORDER BY id`, id); err != nil ||
					len(ids) != i+1 {
					return fmt.Errorf("got %v, %w", ids, err)
				}
				if err := tx.Get(ctx, new(string), `SELECT id FROM users WHERE id = ?`, "nobody"); !errors.Is(err,
					sql.ErrNoRows) {
					return fmt.Errorf("got %w, want no rows", err)
				}
				return nil
			})
			if err != nil {
				t.Errorf("transaction %d: %v", i, err)
			}
			if err := d.InTx(ctx, func(tx *db.Tx) error {
				_,
					err := tx.Exec(ctx, insertUser, id, id, id, now, now)
				return err
			}); !db.IsUnique(err) {
				t.Errorf("transaction %d: got %v, want a unique violation", i, err)
			}
		}
	})
}

// TestGet_preparedReader_holdsNoLock holds that a reader whose statement stays prepared has left the database: a
// checkpoint, which waits for every reader of the log, finds none.
func TestGet_preparedReader_holdsNoLock(t *testing.T) {
	d := dbtest.SQLite(t)
	ctx, now := t.Context(), db.Millis{Time: time.Now()}
	for i := range 100 {
		id := fmt.Sprint(i)
		if _, err := d.Exec(ctx, insertUser, id, id, id, now, now); err != nil {
			t.Fatal(err)
		}
		if err := d.Get(ctx, new(string), `SELECT id FROM users`); err != nil { // the first of many rows
			t.Fatal(err)
		}
	}
	var checkpoint struct{ Busy, Log, Checkpointed int }
	if err := d.GetWrite(ctx, &checkpoint, `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil || checkpoint.Busy != 0 ||
		checkpoint.Log != 0 {
		t.Errorf("got %+v, %v, want the whole log written back", checkpoint, err)
	}
}

func open(t *testing.T, cfg db.Config) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}
