package export

import (
	"context"
	"errors"
	"strings"

	"masthead/pkg/db"
	"masthead/pkg/jobs"
)

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

// SetPartBytes makes the parts of zips smaller.
func (s *Service) SetPartBytes(n int) { s.partBytes = n }

// GiveUp ends an export as after its last attempt.
func (s *Service) GiveUp(ctx context.Context, id string) error {
	end := s.fail(ctx, &jobs.Job{Key: id}, errors.New("no room"))
	return s.deps.DB.InTx(ctx, func(tx *db.Tx) error { return end(ctx, tx) })
}
