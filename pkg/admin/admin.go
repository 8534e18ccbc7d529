// Package admin provides the operator's operations on the accounts of an installation.
package admin

import (
	"context"

	"masthead/pkg/apperr"
	"masthead/pkg/auth"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/users"
)

// Service runs operations for admins and returns FORBIDDEN for everyone else. It is safe for concurrent use.
type Service struct {
	users *users.Service
	auth  *auth.Service
}

// New returns a service for the accounts of u.
func New(u *users.Service, a *auth.Service) *Service {
	return &Service{users: u, auth: a}
}

// Find returns a page of the accounts whose email address or name contains query, newest first, and the cursor of the
// next page.
func (s *Service) Find(
	ctx context.Context, caller identity.Caller, query string, p cursor.Page,
) (page []users.User, next string, err error) {
	if err := caller.RequireAdmin(); err != nil {
		return nil, "", err
	}
	return s.users.Find(ctx, query, p)
}

// Create creates an ordinary account, even if registration is closed. It returns Conflict if the address is taken.
func (s *Service) Create(
	ctx context.Context, caller identity.Caller, email, password, name string,
) (users.User, error) {
	if err := caller.RequireAdmin(); err != nil {
		return users.User{}, err
	}
	return s.auth.CreateOrdinary(ctx, caller.ResourceID, email, password, name)
}

// Update changes an account's plan, role or disabled flag. Admins can't demote or disable their own account
// (Conflict), so one always remains.
func (s *Service) Update(
	ctx context.Context, caller identity.Caller, id string, a users.Administration,
) (users.User, error) {
	if err := caller.RequireAdmin(); err != nil {
		return users.User{}, err
	}
	if id == caller.UserID && (a.Role != nil && *a.Role != users.RoleAdmin || a.Disabled != nil && *a.Disabled) {
		return users.User{}, apperr.New(apperr.Conflict,
			"This is your own account: another admin has to change its role or disable it.")
	}
	return s.users.Administer(ctx, id, a)
}
