package auth

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/oidc"
)

// identityOwner returns the ID of an identity's account, "" if it has none.
func (s store) identityOwner(ctx context.Context, who oidc.Identity) (userID string, err error) {
	err = s.db.Get(ctx, &userID, `SELECT user_id FROM identities WHERE issuer = ? AND subject = ?`,
		who.Issuer, who.Subject)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("find the account of an identity: %w", err)
	}
	return userID, nil
}

// useIdentity records that an account was signed in to with an identity, which becomes its own if it is nobody's. It
// returns BAD_REQUEST if it is another account's by now.
func useIdentity(ctx context.Context, tx *db.Tx, who oidc.Identity, userID string, now time.Time) error {
	rows, err := tx.Exec(ctx, `INSERT INTO identities (issuer, subject, user_id, created_at, last_used_at)
		VALUES (?, ?, ?, ?, ?) ON CONFLICT (issuer, subject) DO UPDATE SET last_used_at = excluded.last_used_at
		WHERE identities.user_id = excluded.user_id`, who.Issuer, who.Subject, userID, db.Millis{Time: now},
		db.Millis{Time: now})
	if err != nil {
		return fmt.Errorf("store an identity of account %s: %w", userID, err)
	}
	if rows == 0 {
		return startAgain()
	}
	return nil
}

// holdsAddress returns BAD_REQUEST if an account no longer has an address.
func holdsAddress(ctx context.Context, tx *db.Tx, userID, emailKey string) error {
	err := tx.Get(ctx, new(string), `SELECT id FROM users WHERE id = ? AND email_key = ?`, userID, emailKey)
	if errors.Is(err, sql.ErrNoRows) {
		return startAgain()
	}
	if err != nil {
		return fmt.Errorf("find the address of account %s: %w", userID, err)
	}
	return nil
}
