// Package auth implements passwords, tokens and sessions: registering, signing in and out, the cookie, and
// authenticating requests.
//
// A session is a row in the database. Every access token (a JWT that is valid for an hour, sent as a bearer token or
// in the cookie) contains the session's ID and the user's token version, so ending the session or incrementing the
// version invalidates the token immediately. Refresh tokens extend a session.
package auth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/clock"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/identity"
	"masthead/pkg/mail"
	"masthead/pkg/mfa"
	"masthead/pkg/oidc"
	"masthead/pkg/users"
)

// Service manages passwords and sessions. It is safe for concurrent use.
type Service struct {
	cfg           Config
	store         store
	users         *users.Service
	factors       *mfa.Service
	auditlog      *auditlog.Log
	events        *events.Bus
	mail          *mail.Service
	subscriptions Subscriptions
	provider      *oidc.Provider // nil without one
	writable      func(ctx context.Context) error
	hasher        *hasher
	keys          keyring
	clock         clock.Clock
}

// Deps are the service's dependencies.
type Deps struct {
	DB       *db.DB
	Users    *users.Service
	AuditLog *auditlog.Log
	Events   *events.Bus // for [events.NewPlace]; may be nil
	// Mail sends links and notices. If it is nil, nothing is sent, and every address counts as confirmed.
	Mail *mail.Service
	// Subscriptions is nil if accounts have none.
	Subscriptions Subscriptions
	// Provider is nil if there is none to sign in with.
	Provider *oidc.Provider
	// Writable returns why no account can be created at the moment, if that isn't nil: maintenance. It is for operations
	// that do so without being known as writes.
	Writable func(ctx context.Context) error
}

// Subscriptions are what accounts pay for. Package payments implements it.
type Subscriptions interface {
	// Cancel cancels the subscription of an account that is about to be deleted. Its error prevents the deletion. It is
	// called before the transaction that deletes the account, since it sends requests.
	Cancel(ctx context.Context, accountID string) error
}

// New returns a service for the sessions in deps.DB. It fails if cfg is invalid or has no secret.
func New(cfg Config, deps Deps) (*Service, error) {
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
	hashing := standardCost
	if cfg.CheapHashes {
		hashing = cheapCost
	}
	s := &Service{
		cfg: cfg, store: store{deps.DB}, users: deps.Users, auditlog: deps.AuditLog, events: deps.Events,
		mail: deps.Mail, subscriptions: deps.Subscriptions, provider: deps.Provider, writable: deps.Writable,
		hasher: newHasher(hashing), keys: keys,
	}
	challenges := keys.each(func(k key) []byte { return k.challenge })
	s.factors = mfa.New(deps.DB, cfg.BaseURL, challenges, s.now)
	return s, nil
}

// SetNow replaces the clock, for tests.
func (s *Service) SetNow(now func() time.Time) { s.clock.Set(now) }

func (s *Service) now() time.Time { return s.clock.Now() }

// RepeatKeys returns 32-byte keys for request digests: that of the current secret and, during a change of secrets,
// that of the previous one. Keyed digests can cover passwords, since they can't be guessed from them.
func (s *Service) RepeatKeys() (keys [][]byte) {
	return s.keys.each(func(k key) []byte { return k.repeats })
}

// NewAccount is the input of a registration.
type NewAccount struct {
	Email, Password, Name string
	SetupToken            string
}

// Register creates an account and signs it in, atomically. It returns Conflict if the address is taken, and Forbidden
// if registration is closed or the setup token is wrong.
func (s *Service) Register(ctx context.Context, caller identity.Caller, n NewAccount) (Session, error) {
	registration, err := s.registration(n.SetupToken)
	if err != nil {
		return Session{}, err
	}
	var first session
	token := newRefreshToken()
	user, err := s.createAccount(ctx, n.Password, users.NewUser{
		Email: n.Email, Name: n.Name, Registration: registration, AdminOnly: s.cfg.Registration == registrationClosed,
		Unconfirmed: s.sendsMail(),
		Along: func(ctx context.Context, tx *db.Tx, made users.User) error {
			first = s.newSession(caller, made, time.Time{})
			if err := insertSession(ctx, tx, first, digest(token)); err != nil {
				return err
			}
			if err := s.notePlace(ctx, tx, caller, first); err != nil {
				return err
			}
			return s.askToConfirm(ctx, tx, made)
		},
	})
	if err != nil {
		return Session{}, err
	}
	return s.issue(first, user, token)
}

// Registration is who can register.
type Registration struct {
	// Closed means that only an admin makes accounts.
	Closed bool
	// First means that there is no admin yet. NeedsToken means that becoming the first one takes the set-up token.
	First, NeedsToken bool
}

// Registration reports who can register now.
func (s *Service) Registration(ctx context.Context) (Registration, error) {
	begun, err := s.users.HasAdmin(ctx)
	return Registration{
		Closed: begun && s.cfg.Registration == registrationClosed, First: !begun, NeedsToken: !begun && !s.cfg.Loopback,
	}, err
}

// registration returns the kind of registration for a setup token, which may be empty.
func (s *Service) registration(token string) (users.Registration, error) {
	switch {
	case token != "":
		return users.RegisteredWithToken, s.checkSetup(token)
	case s.cfg.Loopback:
		return users.RegisteredLocally, nil
	default:
		return users.Registered, nil
	}
}

// CreateAccount creates an account without signing it in, for the program itself and its command line: registration
// is [users.Seeded] or [users.MadeByOperator]. It works even if registration is closed.
func (s *Service) CreateAccount(
	ctx context.Context, email, password, name string, registration users.Registration,
) (users.User, error) {
	return s.createAccount(ctx, password, users.NewUser{Email: email, Name: name, Registration: registration})
}

// CreateOrdinary is like [Service.CreateAccount] for an ordinary account with the given ID. An existing account with
// this ID was created by an earlier attempt at the same request. "" generates an ID.
func (s *Service) CreateOrdinary(ctx context.Context, id, email, password, name string) (users.User, error) {
	return s.createAccount(ctx, password, users.NewUser{ID: id, Email: email, Name: name, Registration: users.Registered})
}

func (s *Service) createAccount(ctx context.Context, password string, u users.NewUser) (users.User, error) {
	if err := checkPassword("/password", password); err != nil {
		return users.User{}, err
	}
	// Hash before looking at the address, so that response times don't reveal whether it is taken.
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return users.User{}, err
	}
	u.PasswordHash = hash
	return s.users.Create(ctx, u)
}

// Login signs a user in. Any wrong address or password returns the same Unauthorized after the same time; repeated
// failures return RateLimited for a while. The caller is anonymous, and failures are counted by its network address.
// code is that of the second factor, if the account has one: without it the right password returns Unauthorized about
// /code.
func (s *Service) Login(ctx context.Context, caller identity.Caller, email, password, code string) (Session, error) {
	user, err := s.checkPassword(ctx, caller, email, password)
	if err != nil {
		return Session{}, err
	}
	factorAt, err := s.secondFactor(ctx, user, code)
	if err != nil {
		return Session{}, err
	}
	opened, err := s.open(ctx, caller, user, factorAt)
	if err != nil {
		return Session{}, err
	}
	s.auditlog.Record(ctx, auditlog.LoginOK, user.ID, user.Email)
	return opened, nil
}

// checkPassword returns the account with an address and a password, and the errors of [Service.Login].
func (s *Service) checkPassword(
	ctx context.Context, caller identity.Caller, email, password string,
) (users.User, error) {
	key, addressErr := users.EmailKey(email)
	if addressErr != nil {
		key = email // matches no account, but is counted and takes as long as any other
	}
	try, err := s.try(ctx, loginBuckets(key, caller.Network()))
	if err != nil {
		return users.User{}, err
	}
	var user users.User
	var hash string
	if addressErr == nil {
		user, hash, err = s.users.Credentials(ctx, key)
		if err != nil && apperr.CodeOf(err) != apperr.NotFound {
			return users.User{}, errors.Join(err, try.undo(db.Detached(ctx)))
		}
	}
	ok, weak, err := s.hasher.verify(ctx, hash, password)
	if err != nil {
		return users.User{}, errors.Join(err, try.undo(db.Detached(ctx)))
	}
	if !ok || user.Blocked() {
		subject := email
		if addressErr != nil {
			subject = "" // not an address, so it may contain anything
		}
		s.auditlog.Record(ctx, auditlog.LoginFailed, "", subject)
		return users.User{}, apperr.New(apperr.Unauthorized, "The email or the password is wrong.")
	}
	if err := try.succeed(ctx); err != nil {
		return users.User{}, err
	}
	if weak {
		s.rehash(ctx, user.ID, hash, password)
	}
	return user, nil
}

// rehash replaces a hash that is weaker than new ones. It can wait for the next login, so errors are only logged.
func (s *Service) rehash(ctx context.Context, userID, old, password string) {
	hash, err := s.hasher.hash(ctx, password)
	if err == nil {
		err = s.users.Rehash(ctx, userID, old, hash)
	}
	if err != nil {
		slog.WarnContext(ctx, "password not rehashed", "user_id", userID, "err", err)
	}
}

// confirm returns the caller's password hash if password, which is at pointer in the request, is correct, and Forbidden
// otherwise.
func (s *Service) confirm(
	ctx context.Context, caller identity.Caller, pointer, password string,
) (hash string, err error) {
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
		return "", wrongPassword(pointer)
	}
	return hash, try.succeed(ctx)
}

func wrongPassword(pointer string) error {
	err := apperr.Invalid(pointer, "The current password is wrong.")
	err.Code = apperr.Forbidden
	return err
}

// AccountUpdate is a change of the caller's account; nil fields stay unchanged.
type AccountUpdate struct {
	Name, Email, CurrentPassword, Snippet *string
}

// UpdateAccount changes the caller's account. Changing the email requires the current password. If mail is sent, a
// confirmed one is only changed by [Service.ChangeEmail].
func (s *Service) UpdateAccount(ctx context.Context, caller identity.Caller, u AccountUpdate) (users.User, error) {
	if u.Email != nil {
		if u.CurrentPassword == nil {
			return users.User{}, apperr.Invalid("/currentPassword",
				"Changing the email requires the current password: send currentPassword.")
		}
		if err := s.confirmChange(ctx, caller, "/currentPassword", *u.CurrentPassword); err != nil {
			return users.User{}, err
		}
	}
	return s.users.Update(ctx, caller, users.Update{
		Snippet: u.Snippet,
		Name:    u.Name, Email: u.Email, Unconfirmed: s.sendsMail(),
		Changed: func(ctx context.Context, tx *db.Tx, before, after users.User) error {
			if s.sendsMail() && !before.ConfirmedAt.IsZero() {
				return apperr.Invalid("/email", "Change the address with POST /users/me/email: both addresses confirm it.")
			}
			if err := s.emailChanged(ctx, tx, before, after); err != nil {
				return err
			}
			return s.askToConfirm(ctx, tx, after)
		},
	})
}

// DeleteAccount deletes the caller's account: see [users.Service.Close]. It returns Forbidden if the session gave
// password and second factor more than confirmFor ago, and Conflict for the last admin.
func (s *Service) DeleteAccount(ctx context.Context, caller identity.Caller) error {
	if _, err := s.confirmed(ctx, caller, "Deleting an account"); err != nil {
		return err
	}
	if s.subscriptions != nil {
		if err := s.users.MayDelete(ctx, caller); err != nil {
			return err
		}
		if err := s.subscriptions.Cancel(ctx, caller.UserID); err != nil {
			return err
		}
	}
	return s.users.Close(ctx, caller, func(ctx context.Context, tx *db.Tx, deleted users.User) error {
		if s.mail == nil || deleted.ConfirmedAt.IsZero() {
			return nil
		}
		return s.mail.SendTo(ctx, tx, mail.AccountDeleted, deleted.Email, caller.UserID, mail.Data{
			At: s.now(), Until: s.now().Add(users.Grace),
		})
	})
}

// Sweep deletes expired sessions, failure counts, tokens of links, places and challenges of passkeys.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.now()
	return errors.Join(
		s.store.sweep(ctx, now.Add(-sessionIdle), now.Add(-sessionLife), now.Add(-failureWindow)),
		s.store.sweepResets(ctx, now), s.store.sweepLinks(ctx, now), s.store.sweepEmailChanges(ctx, now),
		s.store.sweepPlaces(ctx, now.Add(-placeLife)),
		s.factors.Sweep(ctx))
}

// signInAgain returns the error for an invalid or expired credential. The cause is only logged.
func signInAgain(cause error) error {
	return apperr.Wrap(apperr.Unauthorized, "The access token is not valid or has expired. Sign in again.",
		fmt.Errorf("authenticate: %w", cause))
}
