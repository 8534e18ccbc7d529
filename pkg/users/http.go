package users

import (
	"context"

	"masthead/gen"
	"masthead/pkg/identity"
	"masthead/pkg/wire"
)

// API has the account operations that need no password and don't change a session. The others are in package auth.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// GetMe serves GET /users/me: it returns the caller's account.
func (a *API) GetMe(ctx context.Context, _ gen.GetMeRequestObject) (gen.GetMeResponseObject, error) {
	found, err := a.service.Get(ctx, identity.CallerOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.GetMe200JSONResponse(WireUser(found)), nil
}

// WireUser converts u for a response.
func WireUser(u User) gen.User {
	return gen.User{
		Id: wire.UUID(u.ID), Email: u.Email, Name: u.Name, Role: gen.RoleName(u.Role), Plan: gen.PlanName(u.Plan),
		Snippet:        wire.OrNull(u.Snippet),
		EmailConfirmed: !u.ConfirmedAt.IsZero(), EmailRefused: !u.RefusedAt.IsZero(),
		CreatedAt: wire.Moment(u.CreatedAt), UpdatedAt: wire.Moment(u.UpdatedAt),
	}
}
