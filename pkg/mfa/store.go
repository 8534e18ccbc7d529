package mfa

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
)

type store struct{ db *db.DB }

// getter is a database or a transaction.
type getter interface {
	Get(ctx context.Context, dest any, query string, args ...any) error
}

func (s store) factors(ctx context.Context, userID string) (Factors, error) {
	return factorsOf(ctx, s.db, userID)
}

func factorsOf(ctx context.Context, d getter, userID string) (Factors, error) {
	var row struct {
		Since    int64 `db:"since"`
		Passkeys int   `db:"passkeys"`
		Codes    int   `db:"codes"`
	}
	err := d.Get(ctx, &row, `SELECT
		COALESCE((SELECT active_at FROM totp WHERE user_id = ?), 0) AS since,
		(SELECT COUNT(*) FROM passkeys WHERE user_id = ?) AS passkeys,
		(SELECT COUNT(*) FROM recovery_codes WHERE user_id = ?) AS codes`, userID, userID, userID)
	if err != nil {
		return Factors{}, fmt.Errorf("find the second factors of account %s: %w", userID, err)
	}
	f := Factors{Passkeys: row.Passkeys, RecoveryCodes: row.Codes}
	if row.Since > 0 {
		f.AppSince = time.UnixMilli(row.Since).UTC()
	}
	return f, nil
}

// insertSecret stores a secret that waits for its first code; false if the account has an app.
func (s store) insertSecret(ctx context.Context, userID, secret string, now time.Time) (stored bool, err error) {
	rows, err := s.db.Exec(ctx, `INSERT INTO totp (user_id, secret, created_at) VALUES (?, ?, ?)
		ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
		WHERE totp.active_at IS NULL`, userID, secret, db.Millis{Time: now})
	if err != nil {
		return false, fmt.Errorf("store an authenticator app of account %s: %w", userID, err)
	}
	return rows == 1, nil
}

// secret returns the secret of an account's app, or of one that is being set up; "" for none.
func (s store) secret(ctx context.Context, userID string, active bool) (secret string, err error) {
	err = s.db.Get(ctx, &secret,
		`SELECT secret FROM totp WHERE user_id = ? AND (active_at IS NOT NULL) = CAST(? AS BOOLEAN)`, userID, active)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("find the authenticator app of account %s: %w", userID, err)
	}
	return secret, nil
}

// activate makes an app required whose secret waits for its first code; false if it doesn't any longer.
func activate(ctx context.Context, tx *db.Tx, userID, secret string, step int64, now time.Time) (bool, error) {
	rows, err := tx.Exec(ctx, `UPDATE totp SET active_at = ?, last_step = ?
		WHERE user_id = ? AND secret = ? AND active_at IS NULL AND created_at > ?`,
		db.Millis{Time: now}, step, userID, secret, db.Millis{Time: now.Add(-setUpFor)})
	if err != nil {
		return false, fmt.Errorf("require the authenticator app of account %s: %w", userID, err)
	}
	return rows == 1, nil
}

// useStep uses up the code of a time step with all earlier ones; false if it was used before.
func (s store) useStep(ctx context.Context, userID string, step int64) (bool, error) {
	rows, err := s.db.Exec(ctx, `UPDATE totp SET last_step = ? WHERE user_id = ? AND active_at IS NOT NULL
		AND last_step < ?`, step, userID, step)
	if err != nil {
		return false, fmt.Errorf("use a code of account %s: %w", userID, err)
	}
	return rows == 1, nil
}

// useRecovery deletes a recovery code; false if there is none.
func (s store) useRecovery(ctx context.Context, userID, digest string) (bool, error) {
	rows, err := s.db.Exec(ctx, `DELETE FROM recovery_codes WHERE digest = ? AND user_id = ?`, digest, userID)
	if err != nil {
		return false, fmt.Errorf("use a recovery code of account %s: %w", userID, err)
	}
	return rows == 1, nil
}

func replaceRecovery(ctx context.Context, tx *db.Tx, userID string, codes []string, now time.Time) error {
	if err := removeRecovery(ctx, tx, userID); err != nil {
		return err
	}
	for _, code := range codes {
		_, err := tx.Exec(ctx, `INSERT INTO recovery_codes (digest, user_id, created_at) VALUES (?, ?, ?)`,
			digest(plain(code)), userID, db.Millis{Time: now})
		if err != nil {
			return fmt.Errorf("store the recovery codes of account %s: %w", userID, err)
		}
	}
	return nil
}

func removeRecovery(ctx context.Context, tx *db.Tx, userID string) error {
	if _, err := tx.Exec(ctx, `DELETE FROM recovery_codes WHERE user_id = ?`, userID); err != nil {
		return fmt.Errorf("remove the recovery codes of account %s: %w", userID, err)
	}
	return nil
}

func removeApp(ctx context.Context, tx *db.Tx, userID string) error {
	if _, err := tx.Exec(ctx, `DELETE FROM totp WHERE user_id = ?`, userID); err != nil {
		return fmt.Errorf("remove the authenticator app of account %s: %w", userID, err)
	}
	return nil
}
