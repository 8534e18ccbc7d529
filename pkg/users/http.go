package users

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/identity"
)

// API has the operations of the signed-in account that need no password and touch no session; package auth has the others.
type API struct{ service *Service }

// NewAPI returns the operations over s.
func NewAPI(s *Service) *API { return &API{service: s} }

// GetMe implements gen.StrictServerInterface.
func (a *API) GetMe(ctx context.Context, _ gen.GetMeRequestObject) (gen.GetMeResponseObject, error) {
	user, err := a.service.ByID(ctx, identity.CallerOf(ctx).UserID)
	if apperr.CodeOf(err) == apperr.NotFound {
		return nil, apperr.New(apperr.Unauthorized, "The account is gone. Sign in again.")
	}
	if err != nil {
		return nil, err
	}
	body, err := Body(user)
	if err != nil {
		return nil, err
	}
	return gen.GetMe200JSONResponse(body), nil
}

// Body returns u as answers show it.
func Body(u User) (gen.User, error) {
	id, err := uuid.Parse(u.ID)
	if err != nil {
		return gen.User{}, fmt.Errorf("read the id of account %s: %w", u.ID, err)
	}
	return gen.User{
		Id: id, Email: u.Email, Name: u.Name, Role: gen.UserRole(u.Role), Plan: gen.UserPlan(u.Plan),
		CreatedAt: u.CreatedAt, UpdatedAt: u.UpdatedAt,
	}, nil
}
