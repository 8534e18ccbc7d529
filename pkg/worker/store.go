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

// find returns when the refusal of a key expires.
func (s *store) find(ctx context.Context, key string) (until time.Time, found bool, err error) {
	var expires db.Millis
	err = s.db.Brief().Get(ctx, &expires, `SELECT expires_at FROM hung_work WHERE work_key = ?`, key)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, false, nil
	}
	if err != nil {
		return time.Time{}, false, fmt.Errorf("find work that hung: %w", err)
	}
	return expires.Time, true, nil
}

func (s *store) put(ctx context.Context, key, stage, node string, until time.Time) error {
	_, err := s.db.Exec(ctx, `INSERT INTO hung_work (work_key, stage, node, expires_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (work_key) DO UPDATE SET stage = excluded.stage, node = excluded.node, expires_at = excluded.expires_at`,
		key, stage, node, db.Millis{Time: until})
	return err
}

func (s *store) sweep(ctx context.Context, now time.Time) error {
	_, err := s.db.Exec(ctx, `DELETE FROM hung_work WHERE expires_at < ?`, db.Millis{Time: now})
	return err
}
