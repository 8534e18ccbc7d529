// Package dbtest opens databases for tests: always the embedded one, and Postgres if there is a server (see package
// testenv).
package dbtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"masthead/pkg/db"
	"masthead/pkg/testenv"
)

// Run calls test once with each available kind of database, each new and migrated.
func Run(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	RunConfig(t, func(t *testing.T, cfg db.Config) {
		if cfg.URL == "" {
			cfg.Dir = t.TempDir()
		}
		test(t, open(t, cfg))
	})
}

// RunConfig calls test once with the configuration of each available kind of database. That of the embedded one has no
// folder. Under -short, which is how the race detector runs, it is only Postgres where there is one: what the detector
// finds is the same with both, and the embedded database, which is Go, takes it ten times as long.
func RunConfig(t *testing.T, test func(t *testing.T, cfg db.Config)) {
	t.Helper()
	if _, ok := testenv.Postgres(t); !ok || !testing.Short() {
		t.Run("sqlite", func(t *testing.T) { test(t, db.Config{}) })
	}
	RunPostgres(t, func(t *testing.T, url string) { test(t, db.Config{URL: url}) })
}

// RunPostgres calls test with the address of a new, migrated database on the server of MASTHEAD_TEST_DATABASE_URL.
// Without a server it does nothing, which package testenv reports once for all tests, or fails if MASTHEAD_TEST_REQUIRE
// is 1.
func RunPostgres(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	if server, ok := testenv.Postgres(t); ok {
		t.Run("postgres", func(t *testing.T) { test(t, newDatabase(t, server, template)) })
	}
}

// SQLite opens a new embedded database.
func SQLite(t testing.TB) *db.DB {
	t.Helper()
	return open(t, db.Config{Dir: t.TempDir()})
}

// Empty calls test with the address of an unmigrated database if there is a Postgres server.
func Empty(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	if server, ok := testenv.Postgres(t); ok {
		t.Run("postgres", func(t *testing.T) { test(t, newDatabase(t, server, template0)) })
	}
}

// template0 is the server's built-in empty template.
func template0(*sqlx.DB, *url.URL) (string, error) { return "template0", nil }

// newDatabase creates a copy of the database that of names on a Postgres server and returns its address.
func newDatabase(t testing.TB, server string, of func(*sqlx.DB, *url.URL) (string, error)) string {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatalf("MASTHEAD_TEST_DATABASE_URL: %v", err)
	}
	admin, err := connect(server)
	if err != nil {
		t.Fatalf("reach the test server: %v", err)
	}
	name := "masthead_test_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	original, err := of(admin.DB, u)
	if err != nil {
		t.Fatalf("create the template database: %v", err)
	}
	if _, err := admin.Exec("CREATE DATABASE " + name + " TEMPLATE " + original + admin.strategy); err != nil {
		t.Fatalf("create a test database: %v", err)
	}
	t.Cleanup(func() {
		if _, err := admin.Exec(fmt.Sprintf("DROP DATABASE %s WITH (FORCE)", name)); err != nil {
			t.Errorf("drop the test database: %v", err)
		}
	})
	u.Path = "/" + name
	return u.String()
}

// testServer is the connection to a Postgres server for creating databases. All tests of a program share it, since each
// connection is a process there. It isn't closed.
type testServer struct {
	*sqlx.DB
	strategy string // of CREATE DATABASE
}

var (
	connecting sync.Mutex
	servers    = map[string]*testServer{} // by address
)

// connect returns the connection to a server.
//
// A server without fsync, as that of .ci/run, copies the template's files as they are: that takes it 25 ms of processor
// time with dropping the copy, instead of 40 ms through its log, which is the default. With fsync it would wait for
// each of 400 files. Source: https://www.postgresql.org/docs/15/sql-createdatabase.html.
func connect(address string) (*testServer, error) {
	connecting.Lock()
	defer connecting.Unlock()
	if s := servers[address]; s != nil {
		return s, nil
	}
	admin, err := sqlx.Connect("postgres", address)
	if err != nil {
		return nil, err
	}
	s := &testServer{DB: admin}
	var files bool
	if err := admin.Get(&files, `SELECT current_setting('fsync') = 'off'
		AND current_setting('server_version_num')::int >= 150000`); err != nil {
		return nil, errors.Join(err, admin.Close())
	}
	if files {
		s.strategy = " STRATEGY FILE_COPY"
	}
	servers[address] = s
	return s, nil
}

func open(t testing.TB, cfg db.Config) *db.DB {
	t.Helper()
	if cfg.URL == "" {
		Migrate(t, cfg.Dir)
	}
	d, err := db.Open(context.Background(), cfg)
	if err != nil {
		t.Fatalf("open the database: %v", err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("close the database: %v", err)
		}
	})
	return d
}

// Bench is Run for benchmarks.
func Bench(b *testing.B, bench func(b *testing.B, d *db.DB)) {
	b.Helper()
	b.Run("sqlite", func(b *testing.B) { bench(b, SQLite(b)) })
	if server, ok := testenv.Postgres(b); ok {
		b.Run("postgres", func(b *testing.B) { bench(b, open(b, db.Config{URL: newDatabase(b, server, template)})) })
	}
}
