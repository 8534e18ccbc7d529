// Package users manages accounts: email addresses, names, roles and plans, the first admin of an installation, and
// deletion. Passwords and sessions belong to package auth; here, a password hash is plain text.
package users

import (
	"context"
	"fmt"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/cleantext"
	"masthead/pkg/clock"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/identity"
)

// Role determines what an account may do.
type Role string

// Roles of accounts.
const (
	RoleUser  Role = "user"
	RoleAdmin Role = "admin"
)

// planFree is the plan of a new account.
const planFree = "free"

// planNames are the plans an account can have, smallest first. Package billing defines what they allow.
var planNames = []string{planFree, "plus", "pro"}

// User is an account.
type User struct {
	ID    string
	Email string // as entered by its owner
	Name  string // may be empty
	// Snippet is the framework or program whose code the account used last, or "".
	Snippet string
	Role    Role
	// Plan is free, plus or pro: the larger of Gift, which is the operator's, and Paid, which is the subscription's.
	Plan       string
	Gift, Paid Grant
	GiftReason string // an operator's, for others
	// ConfirmedAt is when the owner confirmed the address, zero if they haven't. RefusedAt is when a mail server last
	// refused the address for good, zero if none did.
	ConfirmedAt, RefusedAt time.Time
	// DisputedAt and RefundedAt are when a disputed payment and a refund were first seen, zero if there was none.
	DisputedAt, RefundedAt time.Time
	// Disabled accounts can't sign in, and their sessions and keys don't work.
	Disabled bool
	// DeletingAt is when the owner deleted the account, which is disabled since; zero for all others. See [Service.Close].
	DeletingAt time.Time
	// TokenVersion is part of every token and session of the account; incrementing it invalidates all of them.
	TokenVersion         int64
	CreatedAt, UpdatedAt time.Time
}

// Caller returns the account as a caller, for operations that the program runs on the account's behalf.
func (u User) Caller() identity.Caller {
	return identity.Caller{UserID: u.ID, Admin: u.Role == RoleAdmin, Plan: u.Plan}
}

// Registration is how an account is created, which decides whether it is an admin. The first registered account of an
// installation becomes its admin. If others than this machine can register, that requires the setup token.
type Registration int

// Kinds of registration.
const (
	// Seeded accounts are created by the program itself. They are ordinary accounts and don't count as the first.
	Seeded Registration = iota
	// Registered accounts are ordinary.
	Registered
	// RegisteredLocally makes the first registered account the admin, unless there is already one.
	RegisteredLocally
	// RegisteredWithToken makes the account the admin. If there already is one, registration fails, because a user
	// with the token expects to become the admin.
	RegisteredWithToken
	// MadeByOperator always makes the account an admin.
	MadeByOperator
)

// NewUser describes an account to create.
type NewUser struct {
	// ID is a UUID, or "" to generate one. An existing account with this ID was created by an earlier attempt at the
	// same request.
	ID           string
	Email, Name  string
	PasswordHash string
	Registration Registration
	// AdminOnly rejects the account unless it would be an admin: registration is closed.
	AdminOnly bool
	// Unconfirmed means that the owner is asked to confirm the address. Others count as confirmed.
	Unconfirmed bool
	// Along, if not nil, runs in the transaction that creates the account, so that both succeed or neither.
	Along func(ctx context.Context, tx *db.Tx, made User) error
}

// Update is a change of an account; nil fields stay unchanged.
type Update struct {
	Name, Email, Snippet *string
	// Unconfirmed means that the owner is asked to confirm another address.
	Unconfirmed bool
	// Changed, if not nil, runs in the transaction that changes the address.
	Changed func(ctx context.Context, tx *db.Tx, before, after User) error
}

// Service manages accounts. It is safe for concurrent use.
type Service struct {
	store    store
	auditlog *auditlog.Log
	events   *events.Bus
	limits   []Limit
	clock    clock.Clock
}

// New returns a service for the accounts in d, which publishes [events.AccountChanged], [events.AccountDeleted] and
// [events.SubscriptionChanged].
func New(d *db.DB, l *auditlog.Log, b *events.Bus) *Service {
	return &Service{store: store{d}, auditlog: l, events: b}
}

// SetNow replaces the clock, for tests.
func (s *Service) SetNow(now func() time.Time) { s.clock.Set(now) }

func (s *Service) now() time.Time { return s.clock.Now() }

// Create creates an account. It returns Conflict if the address is taken, BadRequest for an invalid address or name,
// and Forbidden if u.AdminOnly or the kind of registration requires an admin and there already is one.
func (s *Service) Create(ctx context.Context, u NewUser) (User, error) {
	key, err := EmailKey(u.Email)
	if err != nil {
		return User{}, err
	}
	name, err := cleanName(u.Name)
	if err != nil {
		return User{}, err
	}
	now := db.Moment(s.now())
	if u.ID == "" {
		u.ID = db.NewID()
	}
	user := User{
		ID: u.ID, Email: u.Email, Name: name, Plan: planFree, Gift: Grant{Plan: planFree}, Paid: Grant{Plan: planFree},
		TokenVersion: 1,
		CreatedAt:    now, UpdatedAt: now,
	}
	if !u.Unconfirmed {
		user.ConfirmedAt = now
	}
	user, err = s.store.insert(ctx, user, key, u.PasswordHash, u.role, func(tx *db.Tx, made User) error {
		if err := s.auditlog.RecordIn(ctx, tx, auditlog.Registered, made.ID, made.Email); err != nil || u.Along == nil {
			return err
		}
		return u.Along(ctx, tx, made)
	})
	if db.IsUnique(err) {
		if made, missing := s.store.byID(ctx, u.ID); missing == nil {
			return made, nil
		}
		return User{}, taken()
	}
	if err != nil {
		return User{}, fmt.Errorf("create an account: %w", err)
	}
	return user, nil
}

// role returns the role of the new account, or an error if it may not be created. isFirst claims a milestone for the
// account and reports whether it was the first.
func (u NewUser) role(isFirst func(milestone string) (bool, error)) (Role, error) {
	admin, err := u.isAdmin(isFirst)
	switch {
	case err != nil:
		return "", err
	case admin:
		return RoleAdmin, nil
	case u.Registration == RegisteredWithToken:
		return "", apperr.New(apperr.Forbidden,
			"This installation already has an admin. Register without the set-up token.")
	case u.AdminOnly:
		return "", apperr.New(apperr.Forbidden,
			"Registration is closed. Ask the admin of this installation for an account.")
	}
	return RoleUser, nil
}

func (u NewUser) isAdmin(isFirst func(milestone string) (bool, error)) (bool, error) {
	if u.Registration == Seeded {
		return false, nil
	}
	first, err := isFirst(firstAccount)
	if err != nil || u.Registration == Registered || u.Registration == RegisteredLocally && !first {
		return false, err
	}
	alone, err := isFirst(firstAdmin)
	return alone || u.Registration == MadeByOperator, err
}

// Get returns the caller's account.
func (s *Service) Get(ctx context.Context, caller identity.Caller) (User, error) {
	user, err := s.store.byID(ctx, caller.UserID)
	return user, gone(err)
}

// ByID returns an account, or NotFound.
func (s *Service) ByID(ctx context.Context, id string) (User, error) {
	return s.store.byID(ctx, id)
}

// ByEmail returns the account with an address in any spelling, or NotFound.
func (s *Service) ByEmail(ctx context.Context, email string) (User, error) {
	key, err := EmailKey(email)
	if err != nil {
		return User{}, err
	}
	user, _, err := s.store.byEmailKey(ctx, key)
	return user, err
}

// FirstAdmin returns the oldest admin that isn't disabled, or NotFound.
func (s *Service) FirstAdmin(ctx context.Context) (User, error) {
	return s.store.firstAdmin(ctx)
}

// HasAdmin reports whether the installation has had an admin.
func (s *Service) HasAdmin(ctx context.Context) (bool, error) {
	return s.store.reached(ctx, firstAdmin)
}

// Credentials returns the account with a normalized address (see [EmailKey]) and its password hash, or NotFound.
func (s *Service) Credentials(ctx context.Context, emailKey string) (User, string, error) {
	return s.store.byEmailKey(ctx, emailKey)
}

// PasswordHash returns the password hash of the caller's account.
func (s *Service) PasswordHash(ctx context.Context, caller identity.Caller) (string, error) {
	hash, err := s.store.passwordHash(ctx, caller.UserID)
	return hash, gone(err)
}

// Update changes the name and email address of the caller's account. It returns Conflict if the address is taken.
func (s *Service) Update(ctx context.Context, caller identity.Caller, u Update) (User, error) {
	var key *string
	if u.Name != nil {
		name, err := cleanName(*u.Name)
		if err != nil {
			return User{}, err
		}
		u.Name = &name
	}
	if u.Email != nil {
		k, err := EmailKey(*u.Email)
		if err != nil {
			return User{}, err
		}
		key = &k
	}
	before, after, err := s.store.update(ctx, caller.UserID, u, key, s.now())
	if db.IsUnique(err) {
		return User{}, taken()
	}
	if err != nil {
		return User{}, gone(err)
	}
	if before.Email != after.Email {
		s.auditlog.Record(ctx, auditlog.EmailChanged, after.ID, before.Email+" -> "+after.Email)
	}
	return after, nil
}

// ChangePassword replaces the password hash of the caller's account and increments the token version atomically,
// which ends all sessions. It returns the updated account, or Conflict if the stored hash is no longer from.
func (s *Service) ChangePassword(ctx context.Context, caller identity.Caller, from, to string) (User, error) {
	return s.store.changePassword(ctx, caller.UserID, from, to, s.now())
}

// Rehash replaces the password hash from with another hash of the same password. It does nothing if the stored hash
// has changed.
func (s *Service) Rehash(ctx context.Context, id, from, to string) error {
	return s.store.rehash(ctx, id, from, to)
}

// Promote makes an account an admin.
func (s *Service) Promote(ctx context.Context, id string) (User, error) {
	user, err := s.store.promote(ctx, id, s.now())
	if err != nil {
		return User{}, err
	}
	s.auditlog.Record(ctx, auditlog.AdminActed, "", "made admin: "+id)
	return user, nil
}

// MayDelete returns Conflict if the caller is the last admin, whose account can't be deleted.
func (s *Service) MayDelete(ctx context.Context, caller identity.Caller) error {
	return gone(s.store.mayDelete(ctx, caller.UserID))
}

// gone converts the error for a missing account into the one for a caller whose account has just been deleted.
func gone(err error) error {
	if apperr.CodeOf(err) == apperr.NotFound {
		return identity.Gone(err)
	}
	return err
}

func taken() error {
	return apperr.New(apperr.Conflict, "An account with this email already exists. Sign in instead.")
}

// cleanName normalizes a person's name, which may be empty.
func cleanName(name string) (string, error) {
	if strings.TrimSpace(name) == "" {
		return "", nil
	}
	return cleantext.Name(name)
}
