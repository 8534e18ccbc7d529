package auth

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
)

// insertLink stores the token of a link that signs in the owner of an account's present address.
func insertLink(ctx context.Context, tx *db.Tx, digest, userID string, expires time.Time) error {
	_, err := tx.Exec(ctx, `INSERT INTO sign_in_links (digest, user_id, email_key, expires_at)
		SELECT CAST(? AS TEXT), id, email_key, CAST(? AS BIGINT) FROM users WHERE id = ?`,
		digest, db.Millis{Time: expires}, userID)
	if err != nil {
		return fmt.Errorf("store the token of a link: %w", err)
	}
	return nil
}

// ownerOfLink returns the account of a link's token, and the errors of useLink.
func (s store) ownerOfLink(ctx context.Context, digest string, now time.Time) (userID string, err error) {
	err = s.db.Get(ctx, &userID, `SELECT user_id FROM sign_in_links l WHERE digest = ? AND expires_at > ? AND EXISTS
		(SELECT 1 FROM users u WHERE u.id = l.user_id AND u.email_key = l.email_key
			AND (NOT u.disabled OR u.deleting_at IS NOT NULL))`,
		digest, db.Millis{Time: now})
	if errors.Is(err, sql.ErrNoRows) {
		return "", badLink()
	}
	if err != nil {
		return "", fmt.Errorf("find the token of a link: %w", err)
	}
	return userID, nil
}

// useLink deletes the token of a link with all others of its account, and returns the account's ID; BAD_REQUEST if the
// token isn't valid, the account is disabled, or it has another address by now.
func useLink(ctx context.Context, tx *db.Tx, digest string, now time.Time) (userID string, err error) {
	err = tx.Get(ctx, &userID, `DELETE FROM sign_in_links WHERE digest = ? AND expires_at > ? AND EXISTS (SELECT 1
		FROM users WHERE users.id = sign_in_links.user_id AND users.email_key = sign_in_links.email_key
			AND (NOT users.disabled OR users.deleting_at IS NOT NULL)) RETURNING user_id`, digest, db.Millis{Time: now})
	if errors.Is(err, sql.ErrNoRows) {
		return "", badLink()
	}
	if err == nil {
		_, err = tx.Exec(ctx, `DELETE FROM sign_in_links WHERE user_id = ?`, userID)
	}
	if err != nil {
		return "", fmt.Errorf("use the token of a link: %w", err)
	}
	return userID, nil
}

// sweepLinks deletes expired tokens of links.
func (s store) sweepLinks(ctx context.Context, now time.Time) error {
	if _, err := s.db.Exec(ctx, `DELETE FROM sign_in_links WHERE expires_at < ?`, db.Millis{Time: now}); err != nil {
		return fmt.Errorf("delete expired tokens of links: %w", err)
	}
	return nil
}
