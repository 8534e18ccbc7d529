package auth

import (
	"context"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/identity"
)

// This file lists and ends the sessions of an account.

// SessionInfo is a session that is signed in, as its owner sees it.
type SessionInfo struct {
	ID string
	// Device is the browser and the system, such as "Firefox on Windows"; "" if they are unknown.
	Device string
	// Address is the network address that the session was opened from; "" if it is unknown.
	Address string
	// CreatedAt is when it was opened; LastUsedAt is when its tokens were last renewed, about once an hour.
	CreatedAt, LastUsedAt time.Time
	// Current says that it is the session of the request.
	Current bool
}

// Sessions returns the sessions of the caller's account, the last used first; at most [maxSessions].
func (s *Service) Sessions(ctx context.Context, caller identity.Caller) ([]SessionInfo, error) {
	now := s.now()
	rows, err := s.store.sessions(ctx, caller.UserID, now.Add(-sessionIdle), now.Add(-sessionLife))
	if err != nil {
		return nil, err
	}
	list := make([]SessionInfo, 0, len(rows))
	for _, r := range rows {
		list = append(list, SessionInfo{
			ID: r.ID, Device: r.Device, Address: r.Address, CreatedAt: r.CreatedAt.Time, LastUsedAt: r.LastUsedAt.Time,
			Current: r.ID == caller.SessionID,
		})
	}
	return list, nil
}

// EndSession ends a session of the caller's account, which may be the caller's own. It returns NotFound if there is
// none.
func (s *Service) EndSession(ctx context.Context, caller identity.Caller, id string) error {
	ended, err := s.store.deleteSession(ctx, id, caller.UserID)
	if err != nil {
		return err
	}
	if !ended {
		return apperr.New(apperr.NotFound, "There is no session with this ID.")
	}
	s.auditlog.Record(ctx, auditlog.SessionsEnded, caller.UserID, id)
	return nil
}

// EndOtherSessions ends all sessions of the caller's account but the caller's own.
func (s *Service) EndOtherSessions(ctx context.Context, caller identity.Caller) error {
	if err := s.store.deleteOtherSessions(ctx, caller.SessionID, caller.UserID); err != nil {
		return err
	}
	s.auditlog.Record(ctx, auditlog.SessionsEnded, caller.UserID, "all others")
	return nil
}

// openedRow is a session as its owner sees it.
type openedRow struct {
	ID         string    `db:"id"`
	Device     string    `db:"device"`
	Address    string    `db:"address"`
	CreatedAt  db.Millis `db:"created_at"`
	LastUsedAt db.Millis `db:"last_used_at"`
}

// sessions returns the sessions of a user that were used after usedSince and created after bornSince.
func (s store) sessions(
	ctx context.Context, userID string, usedSince, bornSince time.Time,
) (rows []openedRow, err error) {
	err = s.db.Select(ctx, &rows, `SELECT s.id, s.device, s.address, s.created_at, s.last_used_at FROM `+sessionTables+`
		WHERE s.user_id = ? AND s.token_version = u.token_version AND s.last_used_at > ? AND s.created_at > ?
		ORDER BY s.last_used_at DESC, s.id DESC LIMIT ?`,
		userID, db.Millis{Time: usedSince}, db.Millis{Time: bornSince}, maxSessions)
	if err != nil {
		return nil, fmt.Errorf("list the sessions of account %s: %w", userID, err)
	}
	return rows, nil
}

// deleteOtherSessions ends all sessions of a user but one.
func (s store) deleteOtherSessions(ctx context.Context, keptID, userID string) error {
	if _, err := s.db.Exec(ctx, `DELETE FROM sessions WHERE user_id = ? AND id <> ?`, userID, keptID); err != nil {
		return fmt.Errorf("end the sessions of account %s but %s: %w", userID, keptID, err)
	}
	return nil
}
