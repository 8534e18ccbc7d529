package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Change says that an image or a project was changed or deleted.
type Change struct {
	Seq      int64
	PublicID string
}

// Changes returns what was changed by transactions that were not known to be over when since was returned, and what to
// ask for next; "" asks for all. Postgres numbers transactions when they begin to write and commits them in any order:
// what is returned as next is the oldest that was still under way, so that none is missed, however late it commits,
// and some are told more than once.
func (s Store) Changes(ctx context.Context, since string) (list []Change, next string, err error) {
	var rows []struct {
		Horizon  string         `db:"horizon"`
		Seq      sql.NullInt64  `db:"seq"`
		PublicID sql.NullString `db:"public_id"`
	}
	err = s.db.Select(ctx, &rows, `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon, seq, public_id
		FROM (SELECT 1) AS once LEFT JOIN image_changes ON xid >= ?::xid8 ORDER BY seq`, cmp.Or(since, "0"))
	if err != nil {
		return nil, "", fmt.Errorf("look for changed images: %w", err)
	}
	for _, r := range rows {
		next = r.Horizon
		if r.Seq.Valid {
			list = append(list, Change{r.Seq.Int64, r.PublicID.String})
		}
	}
	return list, next, nil
}

// TrimChanges forgets the changes that are older than the given time.
func (s Store) TrimChanges(ctx context.Context, older time.Duration) error {
	_, err := s.db.Exec(ctx, `DELETE FROM image_changes WHERE at < now() - make_interval(secs => ?)`, older.Seconds())
	if err != nil {
		return fmt.Errorf("forget old changes of images: %w", err)
	}
	return nil
}
