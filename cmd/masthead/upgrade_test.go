package main

import (
	"database/sql"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"masthead/migrations"
	"masthead/pkg/testenv"
)

// upgrade --check says which migrations the first start would apply, refuses the data of a newer version, and changes
// nothing.
func TestUpgradeCheck_saysWhatTheFirstStartWouldDo(t *testing.T) {
	testenv.ManyStarts(t)
	t.Parallel()
	dir := t.TempDir()
	check := func() runResult { return masthead(t, dir, "", nil, "upgrade", "--check") }
	masthead(t, dir, "", nil, "upgrade").want(t, exitUsage, "upgrade --check")
	check().want(t, exitDone, "This is masthead ", "There is no data yet")
	masthead(t, dir, "", nil, "admin", "create", "a@example.com").want(t, exitDone)
	check().want(t, exitDone, "The data is up to date")
	d, err := sql.Open("sqlite", filepath.Join(dir, "data", "masthead.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	change := func(statement string) {
		if _, err := d.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	newest := newestMigration(t)
	version, _, _ := strings.Cut(newest, "_")
	change(`DELETE FROM goose_db_version WHERE version_id = ` + version)
	for range 2 { // the first one didn't apply it
		check().want(t, exitDone, "The first start applies 1 migration:\n\n  "+newest+"\n", "masthead backup FILE")
	}
	change(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)`)
	check().want(t, exitFailed, "by a newer version of masthead", "Nothing was changed")
}

// newestMigration is the name of the last migration of the embedded database.
func newestMigration(t *testing.T) (name string) {
	t.Helper()
	files, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files { // in order
		if !strings.HasSuffix(file, ".postgres.sql") {
			name, _, _ = strings.Cut(file, ".")
		}
	}
	return name
}
