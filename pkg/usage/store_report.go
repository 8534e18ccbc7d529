package usage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"masthead/pkg/db"
)

// This file has the queries for reports and for counts that no plan limits.

// addTraffic adds counts to the stored ones. Deleted accounts are skipped.
func (s store) addTraffic(ctx context.Context, places []place, taken map[place]*counts) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		for _, at := range places {
			n := taken[at]
			_, err := tx.Exec(ctx, `INSERT INTO usage_counts (owner_id, day, project_id, key_id, kind, drawn,
					generate_hits, public_hits)
				SELECT id, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),
					CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT)
				FROM users WHERE id = ?
				ON CONFLICT (owner_id, day, project_id, key_id, kind) DO UPDATE SET
					drawn = usage_counts.drawn + excluded.drawn,
					generate_hits = usage_counts.generate_hits + excluded.generate_hits,
					public_hits = usage_counts.public_hits + excluded.public_hits`,
				at.day, at.ProjectID, at.KeyID, at.Kind, n[Drawn], n[GenerateHit], n[PublicHit], at.ownerID)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write usage counts: %w", err)
	}
	return nil
}

// units returns a month's units.
func (s store) units(ctx context.Context, ownerID, month string) (ai, pro Units, err error) {
	var r struct {
		Used    int64 `db:"used"`
		ProUsed int64 `db:"pro_used"`
		Kept    int64 `db:"kept"`
		ProKept int64 `db:"pro_kept"`
	}
	err = s.db.Get(ctx, &r, `SELECT COUNT(*) AS used,
			COALESCE(SUM(CASE WHEN pro THEN 1 ELSE 0 END), 0) AS pro_used,
			COALESCE(SUM(CASE WHEN state = 'kept' THEN 1 ELSE 0 END), 0) AS kept,
			COALESCE(SUM(CASE WHEN pro AND state = 'kept' THEN 1 ELSE 0 END), 0) AS pro_kept
		FROM usage_units WHERE owner_id = ? AND month = ? AND state <> 'released'`, ownerID, month)
	if err != nil {
		return Units{}, Units{}, fmt.Errorf("count the units of account %s: %w", ownerID, err)
	}
	return Units{Used: r.Used, Kept: r.Kept}, Units{Used: r.ProUsed, Kept: r.ProKept}, nil
}

// analyses returns the number of analyses taken in a month.
func (s store) analyses(ctx context.Context, ownerID, month string) (used int64, err error) {
	err = s.db.Get(ctx, &used, `SELECT COALESCE(SUM(units), 0) FROM usage_analyses WHERE owner_id = ? AND month = ?`,
		ownerID, month)
	if err != nil {
		return 0, fmt.Errorf("count the analyses of account %s: %w", ownerID, err)
	}
	return used, nil
}

// usedRow is the usage of a group. Columns that it isn't grouped by are "". Kind is "" for AI pictures of unknown kind.
type usedRow struct {
	Day string `db:"day"`
	Source
	Counts
}

// Columns that usage is grouped by.
const (
	byDayAndKind    = "day, kind"
	byProjectAndKey = "project_id, key_id"
	byAll           = "day, project_id, key_id, kind"
)

// maxUsedRows bounds the groups that are read of each table: those of an account with a thousand keys in use every day.
const maxUsedRows = 100_000

// used returns the usage of a month by the given columns, in their order.
func (s store) used(ctx context.Context, ownerID, month, by string) ([]usedRow, error) {
	from, to, err := monthBounds(month)
	if err != nil {
		return nil, err
	}
	var counted []usedRow
	err = s.db.Select(ctx, &counted, `SELECT `+by+`, CAST(SUM(drawn) AS BIGINT) AS drawn,
			CAST(SUM(generate_hits) AS BIGINT) AS generate_hits, CAST(SUM(public_hits) AS BIGINT) AS public_hits
		FROM (SELECT day, project_id, key_id, kind, drawn, generate_hits, public_hits FROM usage_counts
				WHERE owner_id = ? AND day >= ? AND day < ?
			UNION ALL SELECT day, '', '', kind, drawn, generate_hits, public_hits FROM usage_traffic
				WHERE owner_id = ? AND day >= ? AND day < ?) AS counted
		GROUP BY `+by+` ORDER BY `+by+` LIMIT ?`,
		ownerID, dayOf(from), dayOf(to), ownerID, dayOf(from), dayOf(to), maxUsedRows)
	if err != nil {
		return nil, fmt.Errorf("read the traffic of account %s: %w", ownerID, err)
	}
	const dayMillis = int64(24 * time.Hour / time.Millisecond)
	var kept []usedRow // day is the number of days since 1970-01-01
	err = s.db.Select(ctx, &kept, `SELECT `+by+`, COUNT(*) AS ai
		FROM (SELECT CAST(reserved_at / ? AS TEXT) AS day, project_id, key_id, kind FROM usage_units
			WHERE owner_id = ? AND month = ? AND state = 'kept') AS kept
		GROUP BY `+by+` ORDER BY `+by+` LIMIT ?`, dayMillis, ownerID, month, maxUsedRows)
	if err != nil {
		return nil, fmt.Errorf("read the units of account %s: %w", ownerID, err)
	}
	for i := range kept {
		if kept[i].Day == "" {
			continue
		}
		n, err := strconv.ParseInt(kept[i].Day, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read the day of a unit: %w", err)
		}
		kept[i].Day = dayOf(time.UnixMilli(n * dayMillis))
	}
	return merged(append(counted, kept...)), nil
}

// merged returns one row for each group, in order.
func merged(rows []usedRow) []usedRow {
	sums := map[usedRow]Counts{}
	for _, r := range rows {
		group := r
		group.Counts = Counts{}
		sum := sums[group]
		sum.add(r.Counts)
		sums[group] = sum
	}
	one := make([]usedRow, 0, len(sums))
	for r, sum := range sums {
		r.Counts = sum
		one = append(one, r)
	}
	slices.SortFunc(one, func(a, b usedRow) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.ProjectID, b.ProjectID),
			cmp.Compare(a.KeyID, b.KeyID), cmp.Compare(a.Kind, b.Kind))
	})
	return one
}

// names returns the names of an account's projects and keys by ID.
func (s store) names(ctx context.Context, ownerID string) (map[string]string, error) {
	var rows []struct {
		ID   string `db:"id"`
		Name string `db:"name"`
	}
	err := s.db.Select(ctx, &rows, `SELECT id, name FROM projects WHERE owner_id = ?
		UNION ALL SELECT id, name FROM api_keys WHERE owner_id = ?`, ownerID, ownerID)
	if err != nil {
		return nil, fmt.Errorf("read the names of projects and keys of account %s: %w", ownerID, err)
	}
	names := map[string]string{}
	for _, r := range rows {
		names[r.ID] = r.Name
	}
	return names, nil
}
