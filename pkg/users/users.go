// Package users owns the accounts: their email addresses, names, roles and plans, who becomes the admin of an
// installation, and their deletion. What a password or a session is, package auth knows; here a password hash is text.
package users

import (
	"context"
	"fmt"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/cleantext"
	"masthead/pkg/db"
	"masthead/pkg/identity"
)

// Role is what an account may do.
type Role string

// The roles.
const (
	RoleUser  Role = "user"
	RoleAdmin Role = "admin"
)

// planFree is the plan of a new account.
const planFree = "free"

// planNames are the plans that an account may have. What they allow, package billing knows.
var planNames = []string{planFree, "plus", "pro"}

// User is an account.
type User struct {
	ID    string
	Email string // as its owner wrote it
	Name  string // may be empty
	Role  Role
	Plan  string // free, plus or pro
	// Disabled accounts cannot sign in; their sessions and keys stop.
	Disabled bool
	// TokenVersion stands in every token and session of the account: raising it ends them all.
	TokenVersion         int64
	CreatedAt, UpdatedAt time.Time
}

// Caller returns the account as a caller, for what the program itself does in its name.
func (u User) Caller() identity.Caller {
	return identity.Caller{UserID: u.ID, Admin: u.Role == RoleAdmin, Plan: u.Plan}
}

// Registration is how an account comes to be, which decides whether it is an admin. The first registered account of an
// installation is its admin; from where anybody can register, that takes the set-up token.
type Registration int

// The kinds of registration.
const (
	// Seeded accounts are made by the program itself. They are ordinary and do not count as the first.
	Seeded Registration = iota
	// Registered accounts are ordinary.
	Registered
	// RegisteredLocally makes the first registered account the admin, unless there is one.
	RegisteredLocally
	// RegisteredWithToken makes the account the admin, unless there is one: then it is refused, for whoever shows the
	// token means to be admin.
	RegisteredWithToken
	// MadeByOperator makes the account an admin in any case.
	MadeByOperator
)

// NewUser is an account to be made.
type NewUser struct {
	// ID is a UUID, or "" for a fresh one. An account that is there with it is the one that an earlier attempt at the same
	// request has made.
	ID           string
	Email, Name  string
	PasswordHash string
	Registration Registration
	// AdminOnly refuses the account when it would be an ordinary one: registration is closed.
	AdminOnly bool
	// Along, unless it is nil, is done in the transaction that makes the account: they come to be together, or not at all.
	Along func(ctx context.Context, tx *db.Tx, made User) error
}

// Update is a change of an account; nil leaves a field as it is.
type Update struct {
	Name, Email *string
}

// Service keeps the accounts. It is safe for concurrent use.
type Service struct {
	store    store
	auditlog *auditlog.Log
	now      func() time.Time

	// Deleted, which is set before the service is used, is told of every account that was deleted, by its id.
	Deleted func(userID string)
	// Changed, likewise, is told of every account whose plan or role was changed, or that was disabled or enabled.
	Changed func(userID string)
}

// New returns the service of the accounts in d.
func New(d *db.DB, l *auditlog.Log) *Service {
	nothing := func(string) {}
	return &Service{store: store{d}, auditlog: l, now: time.Now, Deleted: nothing, Changed: nothing}
}

// Create makes an account. It returns Conflict when the address has one, BadRequest for an address or a name that
// cannot be, and Forbidden when u.AdminOnly or its registration demands an admin and there is one already.
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
		ID: u.ID, Email: u.Email, Name: name, Plan: planFree, TokenVersion: 1,
		CreatedAt: now, UpdatedAt: now,
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
		return User{}, fmt.Errorf("make an account: %w", err)
	}
	return user, nil
}

// role decides what the new account may do, or that it may not be. isFirst makes it the one of a milestone and says
// whether nobody was before.
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

// ByID returns an account; NotFound when there is none.
func (s *Service) ByID(ctx context.Context, id string) (User, error) {
	return s.store.byID(ctx, id)
}

// ByEmail returns the account of an address, however it is written; NotFound when there is none.
func (s *Service) ByEmail(ctx context.Context, email string) (User, error) {
	key, err := EmailKey(email)
	if err != nil {
		return User{}, err
	}
	user, _, err := s.store.byEmailKey(ctx, key)
	return user, err
}

// FirstAdmin returns the oldest admin that is not disabled; NotFound when there is none.
func (s *Service) FirstAdmin(ctx context.Context) (User, error) {
	return s.store.firstAdmin(ctx)
}

// Credentials returns the account of an address key (see [EmailKey]) and its password hash; NotFound when there is
// none.
func (s *Service) Credentials(ctx context.Context, emailKey string) (User, string, error) {
	return s.store.byEmailKey(ctx, emailKey)
}

// PasswordHash returns the password hash of the caller's account.
func (s *Service) PasswordHash(ctx context.Context, caller identity.Caller) (string, error) {
	hash, err := s.store.passwordHash(ctx, caller.UserID)
	return hash, gone(err)
}

// Update changes name and email of the caller's account. It returns Conflict when the address has an account.
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

// ChangePassword replaces the password hash of the caller's account and raises the token version in one step, which
// ends every session. It returns the account as it is then; Conflict when the hash is not from (any more).
func (s *Service) ChangePassword(ctx context.Context, caller identity.Caller, from, to string) (User, error) {
	return s.store.changePassword(ctx, caller.UserID, from, to, s.now())
}

// Rehash replaces the password hash from by another hash of the same password. It does nothing when the hash is another
// by now.
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

// Delete removes the caller's account with everything that it owns. Conflict for the last admin.
func (s *Service) Delete(ctx context.Context, caller identity.Caller) error {
	email, err := s.store.delete(ctx, caller.UserID)
	if err != nil {
		return gone(err)
	}
	s.Deleted(caller.UserID)
	s.auditlog.Record(ctx, auditlog.AccountDeleted, caller.UserID, email)
	return nil
}

// gone turns the response that there is no such account into the one for a caller, whose account was there a moment
// ago.
func gone(err error) error {
	if apperr.CodeOf(err) == apperr.NotFound {
		return identity.Gone(err)
	}
	return err
}

func taken() error {
	return apperr.New(apperr.Conflict, "An account with this email already exists. Sign in instead.")
}

// cleanName returns a person's name as it is kept; it may be empty.
func cleanName(name string) (string, error) {
	if strings.TrimSpace(name) == "" {
		return "", nil
	}
	return cleantext.Name(name)
}
