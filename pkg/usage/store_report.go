package usage

import (
	"context"
	"fmt"
	"time"

	"masthead/pkg/db"
)

// This file has the queries for reports and for counts that no plan limits.

// addTraffic adds counts to the stored ones. Deleted accounts are skipped.
func (s store) addTraffic(ctx context.Context, places []place, taken map[place]*counts) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		for _, at := range places {
			n := taken[at]
			_, err := tx.Exec(ctx, `INSERT INTO usage_traffic (owner_id, day, kind, drawn, generate_hits, public_hits)
				SELECT id, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT)
				FROM users WHERE id = ?
				ON CONFLICT (owner_id, day, kind) DO UPDATE SET drawn = usage_traffic.drawn + excluded.drawn,
					generate_hits = usage_traffic.generate_hits + excluded.generate_hits,
					public_hits = usage_traffic.public_hits + excluded.public_hits`,
				at.day, at.kind, n[Drawn], n[GenerateHit], n[PublicHit], at.ownerID)
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

// usedRow is the usage of a kind on a day. Kind is "" for AI pictures of unknown kind.
type usedRow struct {
	Day          string
	Kind         string
	AI           int64
	Drawn        int64 `db:"drawn"`
	GenerateHits int64 `db:"generate_hits"`
	PublicHits   int64 `db:"public_hits"`
}

// used returns the usage of a month by day and kind. A day and kind may appear twice.
func (s store) used(ctx context.Context, ownerID, month string) ([]usedRow, error) {
	from, to, err := monthBounds(month)
	if err != nil {
		return nil, err
	}
	var rows []usedRow
	err = s.db.Select(ctx, &rows, `SELECT day, kind, drawn, generate_hits, public_hits FROM usage_traffic
		WHERE owner_id = ? AND day >= ? AND day < ?`, ownerID, dayOf(from), dayOf(to))
	if err != nil {
		return nil, fmt.Errorf("read the traffic of account %s: %w", ownerID, err)
	}
	const dayMillis = int64(24 * time.Hour / time.Millisecond)
	var kept []struct {
		Kind string `db:"kind"`
		Day  int64  `db:"day"` // days since 1970-01-01
		AI   int64  `db:"ai"`
	}
	err = s.db.Select(ctx, &kept, `SELECT kind, reserved_at / ? AS day, COUNT(*) AS ai FROM usage_units
		WHERE owner_id = ? AND month = ? AND state = 'kept' GROUP BY 1, 2`, dayMillis, ownerID, month)
	if err != nil {
		return nil, fmt.Errorf("read the units of account %s: %w", ownerID, err)
	}
	for _, k := range kept {
		rows = append(rows, usedRow{Day: dayOf(time.UnixMilli(k.Day * dayMillis)), Kind: k.Kind, AI: k.AI})
	}
	return rows, nil
}
