package db_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// refusedAtOnce is how soon callers are told while a breaker is open, which is 50 ms, with room for a slow machine;
// without a breaker it takes 2 s or more.
const refusedAtOnce = time.Second

// told fails the test unless err is one that callers are told to try again after.
func told(t *testing.T, err error) {
	t.Helper()
	if !db.IsUnavailable(err) && apperr.CodeOf(err) != apperr.Unavailable {
		t.Errorf("got %v, want UNAVAILABLE", err)
	}
}

// soon runs ask until it works, and fails the test after ten seconds.
func soon(t *testing.T, ask func() error) {
	t.Helper()
	var err error
	for began := time.Now(); time.Since(began) < 10*time.Second; time.Sleep(50 * time.Millisecond) {
		if err = ask(); err == nil {
			return
		}
	}
	t.Errorf("ten seconds after healing: %v", err)
}

// TestDB_postgresFaultsAreBoundedAndHeal harms the connection to a real server in every way, with callers who read,
// write and have transactions under way.
func TestDB_postgresFaultsAreBoundedAndHeal(t *testing.T) {
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		for name, harm := range map[string]func(*dbtest.Proxy){
			"silent":   (*dbtest.Proxy).Silence,
			"refusing": (*dbtest.Proxy).Refuse,
			"too slow": func(p *dbtest.Proxy) { p.Slow(5 * time.Second) },
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				proxy, err := dbtest.NewProxy(url)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(proxy.Close)
				d, err := db.Open(t.Context(), db.Config{URL: proxy.Through(url)})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = d.Close() })
				ask := func() error { return d.Get(db.ForRequest(t.Context()), new(int), `SELECT 1`) }
				if err := ask(); err != nil {
					t.Fatal(err)
				}
				harm(proxy)
				began := time.Now()
				var callers sync.WaitGroup
				for range 30 {
					callers.Go(func() { told(t, ask()) })
					callers.Go(func() {
						_, err := d.Exec(db.ForRequest(t.Context()), `DELETE FROM leases`)
						told(t, err)
					})
					callers.Go(func() {
						told(t, d.InTx(db.ForRequest(t.Context()),
							func(tx *db.Tx) error { return tx.Get(t.Context(), new(int), `SELECT 1`) }))
					})
				}
				callers.Wait()
				if got := time.Since(began); got > 15*time.Second {
					t.Errorf("callers waited %v, want some 3 s", got)
				}
				began = time.Now()
				told(t, ask())
				if got := time.Since(began); got > refusedAtOnce {
					t.Errorf("then callers waited %v, want %v", got, refusedAtOnce)
				}
				if err := proxy.Heal(); err != nil {
					t.Fatal(err)
				}
				soon(t, ask)
				soon(t, func() error { return d.Ping(t.Context()) })
			})
		}
		t.Run("cut", func(t *testing.T) {
			proxy, err := dbtest.NewProxy(url)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(proxy.Close)
			d, err := db.Open(t.Context(), db.Config{URL: proxy.Through(url)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = d.Close() })
			err = d.InTx(db.ForRequest(t.Context()), func(tx *db.Tx) error {
				proxy.Cut()
				_, err := tx.Exec(t.Context(), `DELETE FROM leases`)
				return err
			})
			told(t, err)
			soon(t, func() error { return d.Get(db.ForRequest(t.Context()), new(int), `SELECT 1`) })
		})
	})
}

// TestDB_postgresGivesUpLongStatements holds that the server does not go on with what nobody waits for any more.
func TestDB_postgresGivesUpLongStatements(t *testing.T) {
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		d, err := db.Open(t.Context(), db.Config{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		var limit string
		if err := d.Get(db.ForRequest(t.Context()), &limit, `SHOW statement_timeout`); err != nil || limit != "5s" {
			t.Errorf("statement_timeout: got %q, %v, want 5s", limit, err)
		}
		began := time.Now()
		told(t, d.Get(db.ForRequest(t.Context()), new(string), `SELECT pg_sleep(60)::text`))
		if got := time.Since(began); got > 15*time.Second {
			t.Errorf("a long statement took %v, want 3 s", got)
		}
	})
}

// TestDB_lockOfAnotherIsBoundedAndHeals holds SQLite's lock from outside: writers are told, readers go on.
func TestDB_lockOfAnotherIsBoundedAndHeals(t *testing.T) {
	dir := t.TempDir()
	d, err := db.Open(t.Context(), db.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	other := sqlx.MustOpen("sqlite", filepath.Join(dir, "masthead.db"))
	t.Cleanup(func() { _ = other.Close() })
	other.SetMaxOpenConns(1)
	other.MustExec(`BEGIN IMMEDIATE`)
	write := func() error {
		_, err := d.Exec(db.ForRequest(t.Context()), `DELETE FROM leases`)
		return err
	}
	began := time.Now()
	var callers sync.WaitGroup
	for range 20 {
		callers.Go(func() { told(t, write()) })
	}
	callers.Wait()
	if got := time.Since(began); got > 15*time.Second {
		t.Errorf("writers waited %v, want some 2 s", got)
	}
	began = time.Now()
	told(t, write())
	if got := time.Since(began); got > refusedAtOnce {
		t.Errorf("then writers waited %v, want %v", got, refusedAtOnce)
	}
	if err := d.Get(db.ForRequest(t.Context()), new(int), `SELECT 1`); err != nil {
		t.Errorf("readers: got %v, want none", err)
	}
	other.MustExec(`ROLLBACK`)
	soon(t, write)
}

func TestIsUnavailable_onlyFaultsOfTheMoment(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"nothing":          {nil, false},
		"a fault of ours":  {errors.New("fault"), false},
		"no rows":          {sql.ErrNoRows, false},
		"refused":          {fmt.Errorf("find: %w", &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}), true},
		"leaving":          {&pq.Error{Code: "57P01"}, true},
		"too many":         {&pq.Error{Code: "53300"}, true},
		"a full server":    {&pq.Error{Code: "53100"}, true},
		"a standby":        {&pq.Error{Code: "25006"}, true},
		"a deadlock":       {&pq.Error{Code: "40P01"}, true},
		"a new password":   {&pq.Error{Code: "28P01"}, true},
		"a wrong column":   {&pq.Error{Code: "42703"}, false},
		"a unique breach":  {&pq.Error{Code: "23505"}, false},
		"a full disk":      {fmt.Errorf("write picture: %w", &os.PathError{Op: "write", Err: syscall.ENOSPC}), true},
		"a read-only disk": {fmt.Errorf("write picture: %w", &os.PathError{Op: "open", Err: syscall.EROFS}), true},
		"no descriptors":   {fmt.Errorf("read picture: %w", &os.PathError{Op: "open", Err: syscall.EMFILE}), true},
		"a lost file":      {&os.PathError{Op: "open", Err: syscall.ENOENT}, false},
		"a bad connection": {driver.ErrBadConn, true},
		"out of time":      {fmt.Errorf("wait for a worker: %w", context.DeadlineExceeded), false},
		"canceled":         {fmt.Errorf("find: %w", context.Canceled), false},
		"a dead peer":      {fmt.Errorf("find: %w", &net.OpError{Op: "dial", Err: context.DeadlineExceeded}), true},
	} {
		if got := db.IsUnavailable(c.err); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

// TestIsUnavailable_sqlite has SQLite itself fail: without room, read-only, and where it cannot open its file, as
// without descriptors (error 14).
func TestIsUnavailable_sqlite(t *testing.T) {
	open := func(dsn string) *sqlx.DB {
		inner := sqlx.MustOpen("sqlite", dsn)
		inner.SetMaxOpenConns(1)
		t.Cleanup(func() { _ = inner.Close() })
		return inner
	}
	dir := t.TempDir()
	full := open(filepath.Join(dir, "full.db"))
	full.MustExec(`CREATE TABLE t (x BLOB)`)
	full.MustExec(`PRAGMA max_page_count = 1`)
	for name, err := range map[string]error{
		"full":      second(full.Exec(`INSERT INTO t VALUES (zeroblob(100000))`)),
		"read-only": second(open("file:" + filepath.Join(dir, "full.db") + "?mode=ro").Exec(`DELETE FROM t`)),
		"error 14":  second(open(filepath.Join(dir, "nowhere", "a.db")).Exec(`SELECT 1`)),
	} {
		if !db.IsUnavailable(err) {
			t.Errorf("%s: %v is no fault of the moment", name, err)
		}
	}
	if err := second(full.Exec(`SELECT y FROM t`)); err == nil || db.IsUnavailable(err) {
		t.Errorf("a wrong column: %v is a fault of the moment", err)
	}
}

func second[T any](_ T, err error) error { return err }
