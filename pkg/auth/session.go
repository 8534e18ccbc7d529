package auth

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/users"
)

// Source: docs/security.md#accounts-sessions-and-keys.
const (
	// sessionIdle is how long a session may be unused; sessionLife is its maximum duration.
	sessionIdle = 14 * 24 * time.Hour
	sessionLife = 90 * 24 * time.Hour
)

// maxSessions is the maximum number of sessions per account. Another one ends the oldest.
const maxSessions = 50

// Session is the result of signing in.
type Session struct {
	AccessToken, RefreshToken string
	// ExpiresIn is how long the access token is valid.
	ExpiresIn time.Duration
	User      users.User
	// Restored means that the account was deleted, and is there again by this sign-in.
	Restored bool
	// Cookie contains the access token too.
	Cookie *http.Cookie
}

// open starts a session for a user, whose account it restores if it was deleted, and whose second factor was given at
// factorAt; zero for none.
func (s *Service) open(
	ctx context.Context, caller identity.Caller, user users.User, factorAt time.Time,
) (Session, error) {
	return s.openWith(ctx, caller, user, factorAt, func(_ context.Context, _ *db.Tx, user users.User) (users.User, error) {
		return user, nil
	})
}

// openWith is open with more in its transaction: also is called with the account, once it is restored, and returns it.
func (s *Service) openWith(
	ctx context.Context, caller identity.Caller, user users.User, factorAt time.Time,
	also func(ctx context.Context, tx *db.Tx, user users.User) (users.User, error),
) (Session, error) {
	row, token := s.newSession(caller, user, factorAt), newRefreshToken()
	var open users.User
	err := s.store.db.InTx(ctx, func(tx *db.Tx) (err error) {
		// The account first, then its sessions, as in UseLink: otherwise the two could wait for each other.
		if open, err = s.users.Restore(ctx, tx, user); err != nil {
			return err
		}
		if open, err = also(ctx, tx, open); err != nil {
			return err
		}
		if err := insertSession(ctx, tx, row, digest(token)); err != nil {
			return err
		}
		return s.notePlace(ctx, tx, caller, row)
	})
	if db.IsForeignKey(err) || apperr.CodeOf(err) == apperr.NotFound {
		return Session{}, signInAgain(err) // the account was deleted concurrently
	}
	if err != nil {
		return Session{}, err
	}
	opened, err := s.issue(row, open, token)
	opened.Restored = !user.DeletingAt.IsZero()
	return opened, err
}

func (s *Service) newSession(caller identity.Caller, user users.User, factorAt time.Time) session {
	now := db.Moment(s.now())
	n := session{
		ID: db.NewID(), UserID: user.ID, TokenVersion: user.TokenVersion, CreatedAt: now, LastUsedAt: now,
		FactorAt: factorAt, Device: deviceOf(caller.Agent),
	}
	if caller.Address.IsValid() {
		n.Address = caller.Address.Unmap().WithZone("").String()
	}
	return n
}

// issue returns a session's tokens for its owner.
func (s *Service) issue(row session, user users.User, refreshToken []byte) (Session, error) {
	access, err := s.keys.sign(row.UserID, row.ID, row.TokenVersion, s.now())
	if err != nil {
		return Session{}, err
	}
	return Session{
		AccessToken: access, RefreshToken: encodeRefreshToken(refreshToken), ExpiresIn: accessLife, User: user,
		Cookie: s.cookie(access, row),
	}, nil
}

// alive returns why a session is no longer valid at now, or nil if it is.
func (n session) alive(now time.Time) error {
	switch {
	case n.TokenVersion != n.User.TokenVersion:
		return errors.New("the session was ended with all others")
	case n.User.Disabled:
		return errors.New("the account is disabled")
	case now.Sub(n.LastUsedAt) >= sessionIdle:
		return errors.New("the session was idle for too long")
	case now.Sub(n.CreatedAt) >= sessionLife:
		return errors.New("the session is too old")
	}
	return nil
}

// AuthenticateBearer returns the caller with an access token, or Unauthorized if it is invalid.
func (s *Service) AuthenticateBearer(ctx context.Context, token string) (identity.Caller, error) {
	row, _, err := s.authenticate(ctx, token, false)
	if err != nil {
		return identity.Caller{}, err
	}
	return s.caller(row, identity.Bearer), nil
}

// AuthenticateCookie returns the caller with a cookie, or Unauthorized if it is invalid. If its token has expired but
// the session is still valid, renew is the cookie to set in the response; otherwise it is nil.
func (s *Service) AuthenticateCookie(
	ctx context.Context, value string,
) (caller identity.Caller, renew *http.Cookie, err error) {
	row, expired, err := s.authenticate(ctx, value, true)
	if err != nil {
		return identity.Caller{}, nil, err
	}
	if expired {
		there, err := s.store.touchSession(ctx, row.ID, s.now())
		if err != nil {
			return identity.Caller{}, nil, err
		}
		if !there {
			return identity.Caller{}, nil, signInAgain(errors.New("the session has just ended"))
		}
		token, err := s.keys.sign(row.UserID, row.ID, row.TokenVersion, s.now())
		if err != nil {
			return identity.Caller{}, nil, err
		}
		renew = s.cookie(token, row)
	}
	return s.caller(row, identity.Cookie), renew, nil
}

func (s *Service) authenticate(
	ctx context.Context, token string, orExpired bool,
) (row session, expired bool, err error) {
	now := s.now()
	c, expired, err := s.keys.parse(token, now, orExpired)
	if err != nil {
		return session{}, false, signInAgain(err)
	}
	row, err = s.store.session(ctx, c.SessionID)
	if errors.Is(err, sql.ErrNoRows) {
		return session{}, false, signInAgain(err)
	}
	if err != nil {
		return session{}, false, err
	}
	if row.UserID != c.Subject || row.User.TokenVersion != c.TokenVersion {
		return session{}, false, signInAgain(errors.New("the token doesn't match the session"))
	}
	if err := row.alive(now); err != nil {
		return session{}, false, signInAgain(err)
	}
	return row, expired, nil
}

// caller returns the caller of a session. The server adds the client address.
func (s *Service) caller(n session, via identity.Carrier) identity.Caller {
	admin := n.User.Role == users.RoleAdmin
	lacks := admin && s.cfg.AdminFactor && n.FactorAt.IsZero()
	return identity.Caller{
		UserID: n.UserID, SessionID: n.ID, Admin: admin && !lacks, LacksFactor: lacks, Plan: n.User.Plan, Via: via,
	}
}

// Logout ends the caller's session.
func (s *Service) Logout(ctx context.Context, caller identity.Caller) error {
	_, err := s.store.deleteSession(ctx, caller.SessionID, caller.UserID)
	return err
}

// ChangePassword changes the caller's password and ends all other sessions. This session continues with the returned
// cookie and with its refresh token; earlier access tokens become invalid.
func (s *Service) ChangePassword(
	ctx context.Context, caller identity.Caller, current, next string,
) (*http.Cookie, error) {
	if err := checkPassword("/newPassword", next); err != nil {
		return nil, err
	}
	from, err := s.confirm(ctx, caller, "/currentPassword", current)
	if err != nil {
		return nil, err
	}
	to, err := s.hasher.hash(ctx, next)
	if err != nil {
		return nil, err
	}
	// This ends every session. If the next step fails, the caller's session has ended too.
	user, err := s.users.ChangePassword(ctx, caller, from, to)
	if apperr.CodeOf(err) == apperr.Conflict {
		return nil, wrongPassword("/currentPassword") // changed concurrently
	}
	if err != nil {
		return nil, err
	}
	s.auditlog.Record(ctx, auditlog.PasswordChanged, user.ID, user.Email)
	row, err := s.store.keepSession(ctx, caller.SessionID, user.ID, user.TokenVersion, s.now())
	if errors.Is(err, sql.ErrNoRows) {
		return s.ClearedCookie(), nil // the session was ended concurrently, but the password has changed
	}
	if err != nil {
		return nil, err
	}
	token, err := s.keys.sign(row.UserID, row.ID, row.TokenVersion, s.now())
	if err != nil {
		return nil, err
	}
	return s.cookie(token, row), nil
}
