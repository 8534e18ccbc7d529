package auth

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/mail"
)

// emailChangeWindow is the time in which maxEmailChanges are counted.
const emailChangeWindow = time.Hour

// emailChange is a change of an account's address that isn't confirmed yet.
type emailChange struct {
	ID        string    `db:"id"`
	UserID    string    `db:"user_id"`
	Email     string    `db:"email"` // the new one
	EmailKey  string    `db:"email_key"`
	SessionID string    `db:"session_id"` // which requested it
	OldAt     db.Millis `db:"old_at"`     // when each address confirmed it; zero for not yet
	NewAt     db.Millis `db:"new_at"`
}

// countEmailChanges returns how many changes an account has requested recently. The caller has locked the account.
func countEmailChanges(ctx context.Context, tx *db.Tx, userID string, now time.Time) (n int, err error) {
	err = tx.Get(ctx, &n, `SELECT COUNT(*) FROM mails WHERE user_id = ? AND kind = ? AND created_at > ?`,
		userID, string(mail.NewAddress), db.Millis{Time: now.Add(-emailChangeWindow)})
	if err != nil {
		return 0, fmt.Errorf("count the changes of the address of account %s: %w", userID, err)
	}
	return n, nil
}

// insertEmailChange stores a change in place of the account's previous one, whose links become invalid.
func insertEmailChange(ctx context.Context, tx *db.Tx, c emailChange, now, expires time.Time) error {
	_, err := tx.Exec(ctx, `DELETE FROM email_changes WHERE user_id = ?`, c.UserID)
	if err == nil {
		_, err = tx.Exec(ctx, `INSERT INTO email_changes
				(user_id, id, email, email_key, old_key, session_id, token_version, old_at, created_at, expires_at)
			SELECT id, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), email_key, CAST(? AS TEXT), token_version,
				CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT) FROM users WHERE id = ?`,
			c.ID, c.Email, c.EmailKey, c.SessionID, c.OldAt, db.Millis{Time: now},
			db.Millis{Time: expires}, c.UserID)
	}
	if err != nil {
		return fmt.Errorf("store a change of the address of account %s: %w", c.UserID, err)
	}
	return nil
}

// validChange is the condition for a change, email_changes c, that can still be confirmed; its parameter is the time.
const validChange = `c.expires_at > ? AND EXISTS (SELECT 1 FROM users u WHERE u.id = c.user_id AND NOT u.disabled
	AND u.email_key = c.old_key AND u.token_version = c.token_version)`

// insertChangeLink stores the token of a link for a change, and returns when it expires. It returns [mail.ErrMoved] if
// the change can't be confirmed any more, and [mail.ErrTaken] if another account has the new address.
func insertChangeLink(
	ctx context.Context, tx *db.Tx, digest, changeID string, isNew bool, now time.Time,
) (expires time.Time, err error) {
	var found struct {
		Expires db.Millis `db:"expires_at"`
		Taken   bool      `db:"taken"`
	}
	err = tx.Get(ctx, &found, `SELECT c.expires_at, EXISTS (SELECT 1 FROM users o WHERE o.email_key = c.email_key
			AND o.id <> c.user_id) AS taken FROM email_changes c WHERE c.id = ? AND `+validChange,
		changeID, db.Millis{Time: now})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return time.Time{}, mail.ErrMoved
	case err == nil && isNew && found.Taken:
		return time.Time{}, mail.ErrTaken
	case err == nil:
		_, err = tx.Exec(ctx, `INSERT INTO email_change_links (digest, change_id, is_new) VALUES (?, ?, ?)`,
			digest, changeID, isNew)
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("store the token of a link: %w", err)
	}
	return found.Expires.Time, nil
}

// ownerOfChange returns the account of a link's token, and the errors of useChangeLink.
func (s store) ownerOfChange(ctx context.Context, digest string, now time.Time) (userID string, err error) {
	err = s.db.Get(ctx, &userID, `SELECT c.user_id FROM email_change_links l JOIN email_changes c ON c.id = l.change_id
		WHERE l.digest = ? AND `+validChange, digest, db.Millis{Time: now})
	if errors.Is(err, sql.ErrNoRows) {
		return "", badLink()
	}
	if err != nil {
		return "", fmt.Errorf("find the token of a link: %w", err)
	}
	return userID, nil
}

// useChangeLink deletes the token of a link with those that were sent to the same address, and returns the change,
// which that address has confirmed; BAD_REQUEST if the token isn't valid. The caller has locked the account.
func useChangeLink(ctx context.Context, tx *db.Tx, digest string, now time.Time) (c emailChange, err error) {
	var used struct {
		ChangeID string `db:"change_id"`
		IsNew    bool   `db:"is_new"`
	}
	err = tx.Get(ctx, &used, `DELETE FROM email_change_links WHERE digest = ? AND EXISTS (SELECT 1 FROM email_changes c
		WHERE c.id = email_change_links.change_id AND `+validChange+`) RETURNING change_id, is_new`,
		digest, db.Millis{Time: now})
	if errors.Is(err, sql.ErrNoRows) {
		return emailChange{}, badLink()
	}
	if err == nil {
		_, err = tx.Exec(ctx, `DELETE FROM email_change_links WHERE change_id = ? AND is_new = ?`, used.ChangeID, used.IsNew)
	}
	side := `old_at`
	if used.IsNew {
		side = `new_at`
	}
	if err == nil {
		err = tx.Get(ctx, &c, `UPDATE email_changes SET `+side+` = ? WHERE id = ?
			RETURNING id, user_id, email, email_key, session_id, old_at, new_at`, db.Millis{Time: now}, used.ChangeID)
	}
	if err != nil {
		return emailChange{}, fmt.Errorf("use the token of a link: %w", err)
	}
	return c, nil
}

// endEmailChange deletes a change that was made, with the account's sessions but the one that requested it.
func endEmailChange(ctx context.Context, tx *db.Tx, c emailChange) error {
	_, err1 := tx.Exec(ctx, `DELETE FROM sessions WHERE user_id = ? AND id <> ?`, c.UserID, c.SessionID)
	_, err2 := tx.Exec(ctx, `DELETE FROM email_changes WHERE id = ?`, c.ID)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("end a change of the address of account %s: %w", c.UserID, err)
	}
	return nil
}

// sweepEmailChanges deletes expired changes of addresses.
func (s store) sweepEmailChanges(ctx context.Context, now time.Time) error {
	if _, err := s.db.Exec(ctx, `DELETE FROM email_changes WHERE expires_at < ?`, db.Millis{Time: now}); err != nil {
		return fmt.Errorf("delete expired changes of addresses: %w", err)
	}
	return nil
}

// deleteLinks deletes the tokens of all links that sign in or reset the password of an account.
func deleteLinks(ctx context.Context, tx *db.Tx, userID string) error {
	_, err1 := tx.Exec(ctx, `DELETE FROM sign_in_links WHERE user_id = ?`, userID)
	_, err2 := tx.Exec(ctx, `DELETE FROM password_resets WHERE user_id = ?`, userID)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("delete the links of account %s: %w", userID, err)
	}
	return nil
}
