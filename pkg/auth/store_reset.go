package auth

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
)

// insertReset stores a reset token of a user.
func insertReset(ctx context.Context, tx *db.Tx, digest, userID string, expires time.Time) error {
	_, err := tx.Exec(ctx, `INSERT INTO password_resets (digest, user_id, expires_at) VALUES (?, ?, ?)`,
		digest, userID, db.Millis{Time: expires})
	if err != nil {
		return fmt.Errorf("store a reset token: %w", err)
	}
	return nil
}

// reset returns the user ID of a reset token, or BAD_REQUEST if it is invalid or expired.
func (s store) reset(ctx context.Context, digest string, now time.Time) (userID string, err error) {
	err = s.db.Get(ctx, &userID, `SELECT user_id FROM password_resets
		WHERE digest = ? AND expires_at > ? AND user_id IS NOT NULL`, digest, db.Millis{Time: now})
	if errors.Is(err, sql.ErrNoRows) {
		return "", badLink()
	}
	if err != nil {
		return "", fmt.Errorf("find a reset token: %w", err)
	}
	return userID, nil
}

// useReset deletes a reset token of a user and all others, or returns BAD_REQUEST if it is no longer valid.
func useReset(ctx context.Context, tx *db.Tx, digest, userID string, now time.Time) error {
	rows, err := tx.Exec(ctx, `DELETE FROM password_resets WHERE digest = ? AND user_id = ? AND expires_at > ?`,
		digest, userID, db.Millis{Time: now})
	if err != nil {
		return fmt.Errorf("use a reset token: %w", err)
	}
	if rows == 0 {
		return badLink()
	}
	if _, err := tx.Exec(ctx, `DELETE FROM password_resets WHERE user_id = ?`, userID); err != nil {
		return fmt.Errorf("delete the other reset tokens: %w", err)
	}
	return nil
}

// sweepResets deletes expired reset tokens.
func (s store) sweepResets(ctx context.Context, now time.Time) error {
	if _, err := s.db.Exec(ctx, `DELETE FROM password_resets WHERE expires_at < ?`, db.Millis{Time: now}); err != nil {
		return fmt.Errorf("delete expired reset tokens: %w", err)
	}
	return nil
}
