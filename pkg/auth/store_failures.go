package auth

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
)

// countFailure adds a failure to every bucket and returns 0. If a bucket has a pause, it adds none and returns the
// rest of the pause.
func (s store) countFailure(ctx context.Context, buckets []bucket, now time.Time) (wait time.Duration, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		// The first bucket is the widest: its lock also protects the others.
		if err := tx.Lock(ctx, "login_failures "+buckets[0].key); err != nil {
			return err
		}
		held := make([]failures, len(buckets))
		for i, b := range buckets {
			err := tx.Get(ctx, &held[i],
				`SELECT bucket, failures, window_start, blocked_until FROM login_failures WHERE bucket = ?`, b.key)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
			left, shortened, wentBack := held[i].left(b, now)
			if wentBack {
				if err := keepFailures(ctx, tx, b, shortened); err != nil {
					return err
				}
			}
			wait = max(wait, left)
		}
		if wait > 0 {
			return nil
		}
		for i, b := range buckets {
			if err := keepFailures(ctx, tx, b, held[i].add(b, now)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("count a login attempt: %w", err)
	}
	return max(wait, 0), nil
}

func keepFailures(ctx context.Context, tx *db.Tx, b bucket, f failures) error {
	_, err := tx.Exec(ctx,
		`INSERT INTO login_failures (bucket, failures, window_start, blocked_until) VALUES (?, ?, ?, ?)
		ON CONFLICT (bucket) DO UPDATE SET failures = excluded.failures,
			window_start = excluded.window_start, blocked_until = excluded.blocked_until`,
		b.key, f.Count, f.WindowStart, max(0, f.BlockedUntil.UnixMilli()))
	return err
}

// forgiveFailures removes one failure and the pause it caused from each bucket in once, and all failures from each
// bucket in wholly.
func (s store) forgiveFailures(ctx context.Context, once, wholly []bucket) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		for _, b := range once {
			_, err := tx.Exec(ctx, `DELETE FROM login_failures WHERE bucket = ? AND failures <= 1`, b.key)
			if err != nil {
				return err
			}
			_, err = tx.Exec(ctx,
				`UPDATE login_failures SET failures = failures - 1, blocked_until = 0 WHERE bucket = ?`, b.key)
			if err != nil {
				return err
			}
		}
		for _, b := range wholly {
			if _, err := tx.Exec(ctx, `DELETE FROM login_failures WHERE bucket = ?`, b.key); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("undo a failed login attempt: %w", err)
	}
	return nil
}
