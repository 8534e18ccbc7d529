// Package auth owns passwords, tokens and sessions: registering, signing in and out, the cookie, and whom a request
// comes from.
//
// A session is a row. Its id and the token version of its user stand in each access token (a JWT of an hour, as a
// bearer or in the cookie), so that ending the session or raising the version stops the token at once. Refresh tokens
// carry a session on.
package auth

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/users"
)

// Service knows passwords and sessions. It is safe for concurrent use.
type Service struct {
	cfg      Config
	store    store
	users    *users.Service
	auditlog *auditlog.Log
	hasher   *hasher
	keys     keyring
	now      func() time.Time
}

// New returns the service of the sessions in d. It fails when cfg is not valid or has no secret.
func New(cfg Config, d *db.DB, u *users.Service, l *auditlog.Log) (*Service, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Secret == "" {
		return nil, errors.New("MASTHEAD_JWT_SECRET is missing: set it to at least 32 random bytes")
	}
	keys, err := newKeyring(cfg.Secret, cfg.PreviousSecret)
	if err != nil {
		return nil, err
	}
	return &Service{
		cfg: cfg, store: store{d}, users: u, auditlog: l, hasher: newHasher(), keys: keys, now: time.Now,
	}, nil
}

// RepeatKeys returns keys for digests of requests, of 32 bytes: that of the present secret and, while secrets change,
// that of the one before. With them a digest may tell passwords apart that nobody can guess by it.
func (s *Service) RepeatKeys() (keys [][]byte) {
	for _, k := range s.keys {
		keys = append(keys, k.repeats)
	}
	return keys
}

// NewAccount is what somebody who registers gives.
type NewAccount struct {
	Email, Password, Name string
	SetupToken            string
}

// Register makes an account and signs it in, both or neither. Conflict when the address has one, Forbidden when
// registration is closed or the set-up token is wrong.
func (s *Service) Register(ctx context.Context, n NewAccount) (Session, error) {
	registration, err := s.registration(n.SetupToken)
	if err != nil {
		return Session{}, err
	}
	var first session
	token := newRefreshToken()
	user, err := s.createAccount(ctx, n.Password, users.NewUser{
		Email: n.Email, Name: n.Name, Registration: registration, AdminOnly: s.cfg.Registration == registrationClosed,
		Along: func(ctx context.Context, tx *db.Tx, made users.User) error {
			first = s.newSession(made)
			return insertSession(ctx, tx, first, digest(token))
		},
	})
	if err != nil {
		return Session{}, err
	}
	return s.issue(first, user, token)
}

// registration returns how somebody registers who shows this set-up token, or none.
func (s *Service) registration(token string) (users.Registration, error) {
	switch {
	case s.cfg.Loopback && (token == "" || s.cfg.SetupToken == ""):
		return users.RegisteredLocally, nil // there is no token to be shown
	case token == "":
		return users.Registered, nil
	case s.cfg.SetupToken != "" && subtle.ConstantTimeCompare([]byte(token), []byte(s.cfg.SetupToken)) == 1:
		return users.RegisteredWithToken, nil
	default:
		err := apperr.Invalid("/setupToken", "This is not the set-up token that the program printed at its last start.")
		err.Code = apperr.Forbidden
		return 0, err
	}
}

// CreateAccount makes an account without signing it in, for the program itself and its command line: registration is
// [users.Seeded] or [users.MadeByOperator]. Setting registration to closed does not stop it.
func (s *Service) CreateAccount(
	ctx context.Context, email, password, name string, registration users.Registration,
) (users.User, error) {
	return s.createAccount(ctx, password, users.NewUser{Email: email, Name: name, Registration: registration})
}

// CreateOrdinary is [Service.CreateAccount] for an ordinary account with the given id, which is also the one that an
// earlier attempt at the same request has made; "" is a fresh one.
func (s *Service) CreateOrdinary(ctx context.Context, id, email, password, name string) (users.User, error) {
	return s.createAccount(ctx, password, users.NewUser{ID: id, Email: email, Name: name, Registration: users.Registered})
}

func (s *Service) createAccount(ctx context.Context, password string, u users.NewUser) (users.User, error) {
	if err := checkPassword("/password", password); err != nil {
		return users.User{}, err
	}
	// Before the address is looked at: a taken one answers no sooner than a free one.
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return users.User{}, err
	}
	u.PasswordHash = hash
	return s.users.Create(ctx, u)
}

// Login signs somebody in. Whatever is wrong with address or password is the same Unauthorized after the same time;
// after some failures it is RateLimited for a while. Of the caller, who is anonymous, the network address counts.
func (s *Service) Login(ctx context.Context, caller identity.Caller, email, password string) (Session, error) {
	key, addressErr := users.EmailKey(email)
	if addressErr != nil {
		key = email // nobody's, but it counts and takes its time like any other
	}
	try, err := s.try(ctx, loginBuckets(key, caller.Network()))
	if err != nil {
		return Session{}, err
	}
	var user users.User
	var hash string
	if addressErr == nil {
		user, hash, err = s.users.Credentials(ctx, key)
		if err != nil && apperr.CodeOf(err) != apperr.NotFound {
			return Session{}, errors.Join(err, try.undo(db.Detached(ctx)))
		}
	}
	ok, weak, err := s.hasher.verify(ctx, hash, password)
	if err != nil {
		return Session{}, errors.Join(err, try.undo(db.Detached(ctx)))
	}
	if !ok || user.Disabled {
		subject := email
		if addressErr != nil {
			subject = "" // no address, and it may be anything
		}
		s.auditlog.Record(ctx, auditlog.LoginFailed, "", subject)
		return Session{}, apperr.New(apperr.Unauthorized, "The email or the password is wrong.")
	}
	if err := try.succeed(ctx); err != nil {
		return Session{}, err
	}
	if weak {
		s.rehash(ctx, user.ID, hash, password)
	}
	opened, err := s.open(ctx, user)
	if err != nil {
		return Session{}, err
	}
	s.auditlog.Record(ctx, auditlog.LoginOK, user.ID, user.Email)
	return opened, nil
}

// rehash replaces a hash that is cheaper than new ones are. It can wait for the next login, so its faults end nothing.
func (s *Service) rehash(ctx context.Context, userID, old, password string) {
	hash, err := s.hasher.hash(ctx, password)
	if err == nil {
		err = s.users.Rehash(ctx, userID, old, hash)
	}
	if err != nil {
		slog.WarnContext(ctx, "password not rehashed", "user_id", userID, "err", err)
	}
}

// confirm returns the password hash of the caller's account when password is its own; else Forbidden.
func (s *Service) confirm(ctx context.Context, caller identity.Caller, password string) (hash string, err error) {
	try, err := s.try(ctx, confirmBuckets(caller.UserID))
	if err != nil {
		return "", err
	}
	hash, err = s.users.PasswordHash(ctx, caller)
	var ok bool
	if err == nil {
		ok, _, err = s.hasher.verify(ctx, hash, password)
	}
	if err != nil {
		return "", errors.Join(err, try.undo(db.Detached(ctx)))
	}
	if !ok {
		return "", wrongPassword()
	}
	return hash, try.succeed(ctx)
}

func wrongPassword() error {
	err := apperr.Invalid("/currentPassword", "The current password is wrong.")
	err.Code = apperr.Forbidden
	return err
}

// AccountUpdate is a change of the caller's account; nil leaves a field as it is.
type AccountUpdate struct {
	Name, Email, CurrentPassword *string
}

// UpdateAccount changes the caller's account. A new email takes the current password.
func (s *Service) UpdateAccount(ctx context.Context, caller identity.Caller, u AccountUpdate) (users.User, error) {
	if u.Email != nil {
		if u.CurrentPassword == nil {
			return users.User{}, apperr.Invalid("/currentPassword",
				"A new email needs the current password too: send currentPassword.")
		}
		if _, err := s.confirm(ctx, caller, *u.CurrentPassword); err != nil {
			return users.User{}, err
		}
	}
	return s.users.Update(ctx, caller, users.Update{Name: u.Name, Email: u.Email})
}

// confirmFor is how long after a session began, which takes the password, it may do what cannot be undone.
const confirmFor = 10 * time.Minute

// DeleteAccount removes the caller's account with everything that it owns. Forbidden when the caller's session began
// more than confirmFor ago, Conflict for the last admin.
func (s *Service) DeleteAccount(ctx context.Context, caller identity.Caller) error {
	row, err := s.store.session(ctx, caller.SessionID)
	if errors.Is(err, sql.ErrNoRows) {
		return identity.Gone(err)
	}
	if err != nil {
		return err
	}
	// Of a clock that was ahead and is right again, nothing is known.
	if s.now().Sub(row.CreatedAt).Abs() > confirmFor {
		return apperr.New(apperr.Forbidden, "Deleting an account takes a session that signed in with the password within "+
			"the last 10 minutes. Sign in again (POST /auth/login), and send this request with the new access token.")
	}
	return s.users.Delete(ctx, caller)
}

// Sweep removes what has run out: sessions, counts of failed logins, and reset tokens.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.now()
	return errors.Join(
		s.store.sweep(ctx, now.Add(-sessionIdle), now.Add(-sessionLife), now.Add(-failureWindow)),
		s.store.sweepResets(ctx, now))
}

// signInAgain is the response to a credential that is not good (any more). The cause is for the log.
func signInAgain(cause error) error {
	return apperr.Wrap(apperr.Unauthorized, "The access token is not valid or has expired. Sign in again.",
		fmt.Errorf("authenticate: %w", cause))
}
