package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

const insertUser = `INSERT INTO users (id, email, email_key, name, password_hash, role, plan, created_at, updated_at)
	VALUES (?, ?, ?, '', '', 'user', 'free', ?, ?)`

func TestInTx_commitsOrRollsBack(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), db.Millis{Time: time.UnixMilli(1_700_000_000_123).UTC()}
		insert := func(tx *db.Tx, id string) error {
			_, err := tx.Exec(ctx, insertUser, id, id, id, now, now)
			return err
		}
		if err := d.InTx(ctx, func(tx *db.Tx) error { return insert(tx, "kept") }); err != nil {
			t.Fatal(err)
		}
		fault := errors.New("fault")
		err := d.InTx(ctx, func(tx *db.Tx) error { return errors.Join(insert(tx, "lost"), fault) })
		if !errors.Is(err, fault) {
			t.Errorf("got %v, want the function's own error", err)
		}
		var ids []string
		if err := d.Select(ctx, &ids, `SELECT id FROM users`); err != nil {
			t.Fatal(err)
		}
		if len(ids) != 1 || ids[0] != "kept" {
			t.Errorf("got %v, want only the committed row", ids)
		}
		var at db.Millis
		if err := d.Get(ctx, &at, `SELECT created_at FROM users WHERE id = ?`, "kept"); err != nil ||
			!at.Equal(now.Time) {
			t.Errorf("got %v, %v, want %v", at, err, now)
		}
	})
}

func TestIsUnique_constraintFaultsAreTold(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), db.Millis{Time: time.Now()}
		for _, id := range []string{"a", "b"} {
			if _, err := d.Exec(ctx, insertUser, id, id, id, now, now); err != nil {
				t.Fatal(err)
			}
		}
		_, err := d.Exec(ctx, insertUser, "c", "a", "a", now, now)
		if !db.IsUnique(err) || db.IsForeignKey(err) {
			t.Errorf("got %v, want a unique violation", err)
		}
		_, err = d.Exec(ctx,
			`INSERT INTO sessions (id, user_id, created_at, last_used_at) VALUES ('s', 'nobody', ?, ?)`, now, now)
		if !db.IsForeignKey(err) || db.IsUnique(err) {
			t.Errorf("got %v, want a foreign key violation", err)
		}
		if err := d.Get(ctx, new(string), `SELECT id FROM users WHERE id = 'nobody'`); !errors.Is(err, sql.ErrNoRows) {
			t.Errorf("got %v, want no rows", err)
		}
	})
}

func TestMissing_noRowIs404(t *testing.T) {
	const sentence = "There is no user with this id."
	if err := db.Missing(nil, sentence, "find user 7"); err != nil {
		t.Errorf("got %v for no error", err)
	}
	if err := db.Missing(sql.ErrNoRows, sentence, "find user 7"); apperr.CodeOf(err) != apperr.NotFound ||
		err.Error() != sentence {
		t.Errorf("no row: got %v, want not found with the sentence", err)
	}
	fault := errors.New("fault")
	err := db.Missing(fault, sentence, "find user 7")
	if apperr.CodeOf(err) != apperr.Internal || !errors.Is(err, fault) || err.Error() != "find user 7: fault" {
		t.Errorf("another fault: got %v, want it with what was being done", err)
	}
}

func TestLock_makesTransactionsWait(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		held, second := make(chan struct{}), make(chan error, 1)
		var firstDone bool
		err := d.InTx(ctx, func(tx *db.Tx) error {
			if err := tx.Lock(ctx, "name"); err != nil {
				return err
			}
			go func() {
				close(held)
				second <- d.InTx(ctx, func(tx *db.Tx) error {
					if err := tx.Lock(ctx, "name"); err != nil {
						return err
					}
					if !firstDone {
						return errors.New("the second transaction did not wait")
					}
					return nil
				})
			}()
			<-held
			firstDone = true
			return nil
		})
		if err := errors.Join(err, <-second); err != nil {
			t.Error(err)
		}
	})
}

func TestOpen_newerSchemaIsRefused(t *testing.T) {
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		if cfg.URL == "" {
			cfg.Dir = t.TempDir()
		}
		d, err := db.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Exec(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (?, ?)`, 9999, true)
		if err := errors.Join(err, d.Close()); err != nil {
			t.Fatal(err)
		}
		known, err := db.Known(cfg.Dialect())
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("the database has schema 9999 and this program knows %d: run a newer version of masthead",
			slices.Max(known))
		if _, err = db.Open(t.Context(), cfg); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got %v, want it to end with %q", err, want)
		}
	})
}

func TestOpen_nodesTogetherMigrateOnce(t *testing.T) {
	dbtest.Empty(t, func(t *testing.T, url string) {
		faults := make(chan error, 4)
		for range cap(faults) {
			go func() {
				d, err := db.Open(context.WithoutCancel(t.Context()), db.Config{URL: url})
				if err == nil {
					err = d.Close()
				}
				faults <- err
			}()
		}
		for range cap(faults) {
			if err := <-faults; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestConfig_faultNamesTheVariable(t *testing.T) {
	for _, url := range []string{"mysql://h/d", "postgres://", "nonsense", "postgres://%zz"} {
		if err := (db.Config{URL: url}).Validate(); err == nil ||
			!strings.Contains(err.Error(), "MASTHEAD_DATABASE_URL") {
			t.Errorf("%q: got %v, want an error that names the variable", url, err)
		}
	}
	for _, url := range []string{"", "postgres://u:p@localhost:5432/d"} {
		if err := (db.Config{URL: url}).Validate(); err != nil {
			t.Errorf("%q: got %v, want none", url, err)
		}
	}
}

func TestOpen_filesAreTheirOwnersAlone(t *testing.T) {
	dir := t.TempDir()
	d, err := db.Open(t.Context(), db.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	files, err := filepath.Glob(filepath.Join(dir, "masthead.db*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("got %v, %v", files, err)
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: got %v, %v, want mode 0600", file, info.Mode(), err)
		}
	}
}

// TestOpen_silentServerIsNotWaitedFor asks a server that takes connections and says nothing.
func TestOpen_silentServerIsNotWaitedFor(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = db.Open(ctx,
		db.Config{URL: "postgres://masthead:the-password@" + listener.Addr().String() + "/masthead?sslmode=disable"})
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "MASTHEAD_DATABASE_URL") ||
		strings.Contains(err.Error(), "the-password") {
		t.Errorf("got %v, want the end of the time and the name of the variable", err)
	}
}
