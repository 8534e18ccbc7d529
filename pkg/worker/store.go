package worker

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
)

type store struct{ db *db.DB }

// find returns the refusal of a key.
func (s *store) find(ctx context.Context, key string) (found refusal, ok bool, err error) {
	var row struct {
		Stage     string
		ExpiresAt db.Millis `db:"expires_at"`
	}
	err = s.db.Brief().Get(ctx, &row, `SELECT stage, expires_at FROM hung_work WHERE work_key = ?`, key)
	if errors.Is(err, sql.ErrNoRows) {
		return refusal{}, false, nil
	}
	if err != nil {
		return refusal{}, false, fmt.Errorf("find work that hung: %w", err)
	}
	return refusal{row.Stage, row.ExpiresAt.Time}, true, nil
}

func (s *store) put(ctx context.Context, key, node string, r refusal) error {
	_, err := s.db.Exec(ctx, `INSERT INTO hung_work (work_key, stage, node, expires_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (work_key) DO UPDATE SET stage = excluded.stage, node = excluded.node, expires_at = excluded.expires_at`,
		key, r.stage, node, db.Millis{Time: r.until})
	return err
}

func (s *store) sweep(ctx context.Context, now time.Time) error {
	_, err := s.db.Exec(ctx, `DELETE FROM hung_work WHERE expires_at < ?`, db.Millis{Time: now})
	return err
}
