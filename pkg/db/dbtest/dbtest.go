// Package dbtest opens databases for tests: the embedded one always, Postgres where MASTHEAD_TEST_DATABASE_URL names a server.
package dbtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"masthead/pkg/db"
)

// Run calls test once with each kind of database, each fresh and migrated.
func Run(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, Postgres(t)) })
}

// SQLite opens a fresh embedded database.
func SQLite(t testing.TB) *db.DB {
	t.Helper()
	return open(t, db.Config{Dir: t.TempDir()})
}

// Postgres opens a fresh database on the server that MASTHEAD_TEST_DATABASE_URL names. Without it the test is skipped, or fails
// where MASTHEAD_TEST_REQUIRE is 1.
func Postgres(t testing.TB) *db.DB {
	t.Helper()
	return open(t, db.Config{URL: PostgresURL(t)})
}

// PostgresURL makes a fresh, empty database on the test server and returns its address; see [Postgres] for when there is none.
func PostgresURL(t testing.TB) string {
	t.Helper()
	server := os.Getenv("MASTHEAD_TEST_DATABASE_URL")
	if server == "" {
		const left = "left out: Postgres; set MASTHEAD_TEST_DATABASE_URL to the address of a server where databases may be made"
		if os.Getenv("MASTHEAD_TEST_REQUIRE") == "1" {
			t.Fatal(left)
		}
		t.Skip(left)
	}
	u, err := url.Parse(server)
	if err != nil {
		t.Fatalf("MASTHEAD_TEST_DATABASE_URL: %v", err)
	}
	admin, err := sqlx.Connect("postgres", server)
	if err != nil {
		t.Fatalf("reach the test server: %v", err)
	}
	name := "masthead_test_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	if _, err := admin.Exec("CREATE DATABASE " + name); err != nil {
		t.Fatalf("make a test database: %v", err)
	}
	t.Cleanup(func() {
		if _, err := admin.Exec(fmt.Sprintf("DROP DATABASE %s WITH (FORCE)", name)); err != nil {
			t.Errorf("drop the test database: %v", err)
		}
		if err := admin.Close(); err != nil {
			t.Errorf("close the test server: %v", err)
		}
	})
	u.Path = "/" + name
	return u.String()
}

func open(t testing.TB, cfg db.Config) *db.DB {
	t.Helper()
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
