package migrations_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"masthead/migrations"
)

// TestIndexes_areBuiltWhileNodesServe: an index of a table with rows is built without a lock on it on Postgres. Earlier
// migrations lock images for some seconds for each million.
func TestIndexes_areBuiltWhileNodesServe(t *testing.T) {
	const since = "0223"
	index := regexp.MustCompile(`(?i)CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?\w+ ON (\w+)`)
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		if name < since || strings.HasSuffix(name, ".sqlite.sql") {
			continue
		}
		text, err := migrations.FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range index.FindAllStringSubmatch(string(text), -1) {
			found++
			if isNew := strings.Contains(string(text), "CREATE TABLE "+m[2]+" "); m[1] == "" && !isNew {
				t.Errorf("%s: %q locks a table that may be large: build it CONCURRENTLY, in a file of its own with "+
					"“-- +goose NO TRANSACTION”", name, m[0])
			}
			if m[1] != "" && (!strings.Contains(string(text), "\nSET lock_timeout = 0;\n") ||
				!strings.HasSuffix(string(text), "\nRESET lock_timeout;\n")) {
				t.Errorf("%s: %q is begun again whenever it waits, unless it follows SET lock_timeout = 0, and RESET "+
					"lock_timeout ends the file", name, m[0])
			}
		}
	}
	if found == 0 {
		t.Error("no index was found")
	}
}
