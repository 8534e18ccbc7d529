// Package admin provides the operator's operations on an installation: its accounts, figures, jobs,
// audit log and maintenance mode.
package admin

import (
	"context"

	"masthead/pkg/ai"
	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/auth"
	"masthead/pkg/clock"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/maintenance"
	"masthead/pkg/users"
)

// Service runs operations for admins and returns FORBIDDEN for everyone else. It is safe for concurrent use.
type Service struct {
	deps    Deps
	clock   clock.Clock
	counter *counter
}

// Deps are the service's dependencies.
type Deps struct {
	DB       *db.DB
	Users    *users.Service
	Auth     *auth.Service
	Jobs     *jobs.Worker
	AuditLog *auditlog.Log
	Mode     *maintenance.Mode
	AI       *ai.Client
	// Drawn counts the pictures that this node drew, by how long that took.
	Drawn func() Histogram
}

// New returns a service whose jobs deps.Jobs does.
func New(deps Deps) *Service {
	s := &Service{deps: deps}
	s.counter = newCounter(s)
	return s
}

// Find returns a page of the accounts that f selects, newest first, and the cursor of the next page.
func (s *Service) Find(
	ctx context.Context, caller identity.Caller, f users.Filter, p cursor.Page,
) (page []users.User, next string, err error) {
	if err := caller.RequireAdmin(); err != nil {
		return nil, "", err
	}
	return s.deps.Users.Find(ctx, f, p)
}

// Create creates an ordinary account, even if registration is closed. It returns Conflict if the address is taken.
func (s *Service) Create(
	ctx context.Context, caller identity.Caller, email, password, name string,
) (users.User, error) {
	if err := caller.RequireAdmin(); err != nil {
		return users.User{}, err
	}
	return s.deps.Auth.CreateOrdinary(ctx, caller.ResourceID, email, password, name)
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
	return s.deps.Users.Administer(ctx, id, a)
}
