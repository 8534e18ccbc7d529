package export

import "strings"

// Listed returns all columns of the tables that are exported, and nil for those that are left out.
func Listed() map[string][]string {
	listed := map[string][]string{}
	for _, name := range withoutOwner {
		listed[name] = nil
	}
	for _, t := range tables {
		listed[t.name] = append(Exported(t.name), strings.Fields(t.omitted)...)
	}
	return listed
}

// Exported returns the columns of a table that are exported.
func Exported(table string) (columns []string) {
	for _, t := range tables {
		if t.name == table {
			for _, column := range strings.Fields(t.columns) {
				columns = append(columns, strings.TrimRight(column, "@?{}"))
			}
		}
	}
	return columns
}
