package auth

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
)

// insertReset stores a reset token and returns its user ID, or "" if no account has the address, the account is
// disabled, or it already has the maximum number of tokens.
func (s store) insertReset(ctx context.Context, digest, emailKey string, now, expires time.Time) (string, error) {
	var userID sql.NullString
	err := s.db.GetWrite(ctx, &userID, `INSERT INTO password_resets (digest, user_id, expires_at) VALUES (?, (
			SELECT id FROM users WHERE email_key = ? AND NOT disabled AND
				(SELECT COUNT(*) FROM password_resets WHERE user_id = users.id AND expires_at > ?) < ?
		), ?) RETURNING user_id`, digest, emailKey, db.Millis{Time: now}, maxResets, db.Millis{Time: expires})
	if err != nil {
		return "", fmt.Errorf("store a reset token: %w", err)
	}
	return userID.String, nil
}

// reset returns the user ID of a reset token, or BAD_REQUEST if it is invalid or expired.
func (s store) reset(ctx context.Context, digest string, now time.Time) (userID string, err error) {
	err = s.db.Get(ctx, &userID, `SELECT user_id FROM password_resets
		WHERE digest = ? AND expires_at > ? AND user_id IS NOT NULL`, digest, db.Millis{Time: now})
	if errors.Is(err, sql.ErrNoRows) {
		return "", badReset()
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
		return badReset()
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
