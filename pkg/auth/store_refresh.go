package auth

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
)

// rotate exchanges token and returns its session and the next token: a new successor for an unused token, and the
// existing successor for one that was just exchanged. Errors that end the session don't roll back the transaction.
func (s store) rotate(
	ctx context.Context, token []byte, successors [][]byte, now time.Time,
) (row session, next []byte, err error) {
	var refused error
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		next, refused = nil, nil
		// Updating the session's row first serializes the exchanges of a session, and its end.
		_, err := tx.Exec(ctx,
			`UPDATE sessions SET last_used_at = last_used_at
			WHERE id = (SELECT session_id FROM refresh_tokens WHERE digest = ?)`,
			digest(token))
		if err != nil {
			return err
		}
		var found struct {
			sessionRow
			UsedAt db.Millis `db:"used_at"`
		}
		err = tx.Get(ctx, &found, `SELECT `+sessionColumns+`, t.used_at FROM `+sessionTables+
			` JOIN refresh_tokens t ON t.session_id = s.id WHERE t.digest = ?`, digest(token))
		if errors.Is(err, sql.ErrNoRows) {
			refused = notRefreshed(errors.New("no such refresh token"))
			return nil
		}
		if err != nil {
			return err
		}
		row = found.session()
		if dead := row.alive(now); dead != nil {
			refused = notRefreshed(dead)
			return endSession(ctx, tx, row.ID)
		}
		if found.UsedAt.IsZero() {
			next = successors[0]
			return succeedToken(ctx, tx, row.ID, token, next, now)
		}
		if now.Sub(found.UsedAt.Time) >= refreshGrace {
			refused = notRefreshed(&reuseError{row.ID, row.UserID})
			return endSession(ctx, tx, row.ID)
		}
		next, err = givenSuccessor(ctx, tx, row.ID, successors)
		if err == nil && next == nil {
			refused = notRefreshed(errors.New("the successor was derived from a secret that is no longer configured"))
		}
		return err
	})
	if err != nil {
		return session{}, nil, fmt.Errorf("exchange a refresh token: %w", err)
	}
	return row, next, refused
}

// succeedToken exchanges token for next, records the use of the session, and deletes its oldest tokens.
func succeedToken(ctx context.Context, tx *db.Tx, sessionID string, token, next []byte, now time.Time) error {
	at := db.Millis{Time: now}
	if _, err := tx.Exec(ctx, `UPDATE refresh_tokens SET used_at = ? WHERE digest = ?`, at, digest(token)); err != nil {
		return err
	}
	if err := insertToken(ctx, tx, digest(next), sessionID, now); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE sessions SET last_used_at = ? WHERE id = ?`, at, sessionID); err != nil {
		return err
	}
	_, err := tx.Exec(ctx,
		`DELETE FROM refresh_tokens WHERE digest IN
		(SELECT digest FROM refresh_tokens WHERE session_id = ? AND used_at IS NOT NULL
		ORDER BY used_at DESC LIMIT 1000 OFFSET ?)`, sessionID, keptTokens)
	return err
}

// givenSuccessor returns the one of successors that was issued, or nil.
func givenSuccessor(ctx context.Context, tx *db.Tx, sessionID string, successors [][]byte) ([]byte, error) {
	for _, next := range successors {
		var known int
		err := tx.Get(ctx, &known, `SELECT COUNT(*) FROM refresh_tokens WHERE digest = ? AND session_id = ?`,
			digest(next), sessionID)
		if err != nil {
			return nil, err
		}
		if known == 1 {
			return next, nil
		}
	}
	return nil, nil
}

func endSession(ctx context.Context, tx *db.Tx, id string) error {
	_, err := tx.Exec(ctx, `DELETE FROM sessions WHERE id = ?`, id)
	return err
}

func insertToken(ctx context.Context, tx *db.Tx, digest, sessionID string, now time.Time) error {
	_, err := tx.Exec(ctx, `INSERT INTO refresh_tokens (digest, session_id, created_at) VALUES (?, ?, ?)`,
		digest, sessionID, db.Millis{Time: now})
	if err != nil {
		return fmt.Errorf("store a refresh token of session %s: %w", sessionID, err)
	}
	return nil
}
