package auth

import (
	"context"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/users"
)

type store struct{ db *db.DB }

// session is a session with its account.
type session struct {
	ID           string
	UserID       string
	TokenVersion int64
	CreatedAt    time.Time
	ConfirmedAt  time.Time // when the password was last given
	FactorAt     time.Time // when the second factor was given; zero for never
	LastUsedAt   time.Time
	// Device and Address are set when a session is opened, and read for its owner alone.
	Device, Address string
	User            account
}

// account has the properties of a user that a session needs.
type account struct {
	TokenVersion int64
	Role         users.Role
	Plan         string
	Disabled     bool
}

// sessionRow is the result of joining a session with its user.
type sessionRow struct {
	ID           string     `db:"id"`
	UserID       string     `db:"user_id"`
	TokenVersion int64      `db:"token_version"`
	CreatedAt    db.Millis  `db:"created_at"`
	ConfirmedAt  db.Millis  `db:"confirmed_at"`
	FactorAt     int64      `db:"factor_at"`
	LastUsedAt   db.Millis  `db:"last_used_at"`
	UserVersion  int64      `db:"user_version"`
	Role         users.Role `db:"role"`
	Plan         string     `db:"plan"`
	Disabled     bool       `db:"disabled"`
}

const (
	sessionColumns = `s.id, s.user_id, s.token_version, s.created_at, s.last_used_at,
		COALESCE(s.confirmed_at, s.created_at) AS confirmed_at, COALESCE(s.factor_at, 0) AS factor_at,
		u.token_version AS user_version, u.role, u.plan, u.disabled`
	// Every request reads a session, so the query includes its account.
	sessionTables = `sessions s JOIN users u ON u.id = s.user_id`
)

func (r sessionRow) session() session {
	n := session{
		ID: r.ID, UserID: r.UserID, TokenVersion: r.TokenVersion, CreatedAt: r.CreatedAt.Time,
		ConfirmedAt: r.ConfirmedAt.Time, LastUsedAt: r.LastUsedAt.Time,
		User: account{TokenVersion: r.UserVersion, Role: r.Role, Plan: r.Plan, Disabled: r.Disabled},
	}
	if r.FactorAt > 0 {
		n.FactorAt = time.UnixMilli(r.FactorAt).UTC()
	}
	return n
}

// session returns a session, or sql.ErrNoRows.
func (s store) session(ctx context.Context, id string) (session, error) {
	var r sessionRow
	err := s.db.Brief().Get(ctx, &r, `SELECT `+sessionColumns+` FROM `+sessionTables+` WHERE s.id = ?`, id)
	if err != nil {
		return session{}, fmt.Errorf("find session %s: %w", id, err)
	}
	return r.session(), nil
}

// insertSession stores a session with its first refresh token, and ends the user's oldest ones beyond [maxSessions].
func insertSession(ctx context.Context, tx *db.Tx, n session, tokenDigest string) error {
	// Concurrent inserts wouldn't count each other.
	if err := tx.Lock(ctx, "sessions of "+n.UserID); err != nil {
		return err
	}
	_, err := tx.Exec(ctx,
		`INSERT INTO sessions (id, user_id, token_version, created_at, last_used_at, factor_at, device, address)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		n.ID, n.UserID, n.TokenVersion, db.Millis{Time: n.CreatedAt}, db.Millis{Time: n.LastUsedAt},
		db.MillisOrNull(n.FactorAt), n.Device, n.Address)
	if err != nil {
		return fmt.Errorf("store a session of account %s: %w", n.UserID, err)
	}
	if err := insertToken(ctx, tx, tokenDigest, n.ID, n.CreatedAt); err != nil {
		return err
	}
	_, err = tx.Exec(ctx,
		`DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE user_id = ?
		ORDER BY created_at DESC, id DESC LIMIT 1000 OFFSET ?)`,
		n.UserID, maxSessions)
	if err != nil {
		return fmt.Errorf("end the oldest sessions of account %s: %w", n.UserID, err)
	}
	return nil
}

// touchSession records that a session was used, and reports whether it still exists.
func (s store) touchSession(ctx context.Context, id string, now time.Time) (bool, error) {
	rows, err := s.db.Exec(ctx, `UPDATE sessions SET last_used_at = ? WHERE id = ?`, db.Millis{Time: now}, id)
	if err != nil {
		return false, fmt.Errorf("touch session %s: %w", id, err)
	}
	return rows == 1, nil
}

// deleteSession ends a session of a user, and reports whether it existed.
func (s store) deleteSession(ctx context.Context, id, userID string) (bool, error) {
	rows, err := s.db.Exec(ctx, `DELETE FROM sessions WHERE id = ? AND user_id = ?`, id, userID)
	if err != nil {
		return false, fmt.Errorf("end session %s: %w", id, err)
	}
	return rows == 1, nil
}

// keepSession updates one session to a new token version, with its password confirmed at now, ends those with an older
// one, and returns the session, or sql.ErrNoRows if it no longer exists.
func (s store) keepSession(
	ctx context.Context, id, userID string, tokenVersion int64, now time.Time,
) (session, error) {
	var r sessionRow
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		// Delete first: the other sessions end even if the kept one no longer exists.
		_, err := tx.Exec(ctx, `DELETE FROM sessions WHERE user_id = ? AND id <> ? AND token_version < ?`,
			userID, id, tokenVersion)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE sessions SET token_version = ?, confirmed_at = ? WHERE id = ? AND user_id = ?`,
			tokenVersion, db.Millis{Time: now}, id, userID)
		return err
	})
	if err == nil {
		err = s.db.Brief().Get(ctx, &r, `SELECT `+sessionColumns+` FROM `+sessionTables+` WHERE s.id = ?`, id)
	}
	if err != nil {
		return session{}, fmt.Errorf("keep session %s alone: %w", id, err)
	}
	return r.session(), nil
}

// factorGiven records that the second factor was given in a session, and ends the account's other sessions.
func factorGiven(ctx context.Context, tx *db.Tx, id, userID string, now time.Time) error {
	_, err1 := tx.Exec(ctx, `DELETE FROM sessions WHERE user_id = ? AND id <> ?`, userID, id)
	_, err2 := tx.Exec(ctx, `UPDATE sessions SET factor_at = ? WHERE id = ? AND user_id = ?`,
		db.Millis{Time: now}, id, userID)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("keep session %s alone: %w", id, err)
	}
	return nil
}

// sweep deletes sessions last used before idleSince or created before bornBefore, and expired failure counts.
func (s store) sweep(ctx context.Context, idleSince, bornBefore, failedBefore time.Time) error {
	_, err1 := s.db.Exec(ctx, `DELETE FROM sessions WHERE last_used_at < ? OR created_at < ?`,
		db.Millis{Time: idleSince}, db.Millis{Time: bornBefore})
	_, err2 := s.db.Exec(ctx, `DELETE FROM login_failures WHERE window_start < ?`, db.Millis{Time: failedBefore})
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("delete expired sessions and failed logins: %w", err)
	}
	return nil
}
