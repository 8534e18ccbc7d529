package dbtest

import (
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"

	"masthead/migrations"
	"masthead/pkg/db"
)

// OldSchema creates the database of cfg with the migrations up to version, to test later ones, and returns it open; it
// is closed at the end of the test.
func OldSchema(t testing.TB, cfg db.Config, version int) *sqlx.DB {
	t.Helper()
	driver, dialect, source := "postgres", goose.DialectPostgres, cfg.URL
	foreign := ".sqlite.sql"
	if cfg.URL == "" {
		driver, dialect, source = "sqlite", goose.DialectSQLite3, filepath.Join(cfg.Dir, "masthead.db")
		foreign = ".postgres.sql"
	}
	raw, err := sqlx.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = raw.Close() })
	if cfg.URL != "" { // it is a copy of the fully migrated database
		raw.MustExec("DROP SCHEMA public CASCADE")
		raw.MustExec("CREATE SCHEMA public")
	}
	provider, err := goose.NewProvider(dialect, raw.DB, oldFiles(t, version, foreign))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.Up(t.Context()); err != nil {
		t.Fatalf("migrate to schema %d: %v", version, err)
	}
	return raw
}

// oldFiles are the migrations up to version, without those that end in foreign.
func oldFiles(t testing.TB, version int, foreign string) fs.FS {
	t.Helper()
	old := fstest.MapFS{}
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		if n, err := strconv.Atoi(number); err != nil || n > version || strings.HasSuffix(name, foreign) {
			continue
		}
		data, err := migrations.FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		old[name] = &fstest.MapFile{Data: data}
	}
	return old
}
