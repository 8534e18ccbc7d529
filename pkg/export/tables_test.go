package export_test

import (
	"slices"
	"strings"
	"testing"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/export"
)

// TestTables_areAllExportedOrLeftOut compares the list with the database: a table or a column that is added must be in
// it.
func TestTables_areAllExportedOrLeftOut(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		names, columns := `SELECT name FROM sqlite_master WHERE type = 'table'`, `SELECT name FROM pragma_table_info(?)`
		if d.Dialect() != db.SQLite {
			names = `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
			columns = `SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ?`
		}
		listed := export.Listed()
		var tables []string
		if err := d.Select(t.Context(), &tables, names); err != nil || len(tables) < 40 {
			t.Fatalf("got the tables %v (%v)", tables, err)
		}
		for _, table := range tables {
			want, exported := listed[table]
			if !exported {
				t.Errorf("the table %s is neither exported nor left out: list it in pkg/export/tables.go", table)
			}
			if want == nil {
				continue
			}
			var got []string
			if err := d.Select(t.Context(), &got, columns, table); err != nil {
				t.Fatal(err)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s has the columns\n%v, the list\n%v", table, got, want)
			}
			for _, column := range export.Exported(table) {
				if strings.Contains(column, "secret") || strings.Contains(column, "hash") || strings.Contains(column, "token") {
					t.Errorf("%s.%s is exported", table, column)
				}
			}
		}
	})
}
