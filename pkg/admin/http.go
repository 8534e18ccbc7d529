package admin

import (
	"context"
	"time"

	"masthead/gen"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/users"
	"masthead/pkg/wire"
)

// API has the operations for operators.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListUsers serves GET /admin/users: it returns a page of accounts.
func (a *API) ListUsers(ctx context.Context, r gen.ListUsersRequestObject) (gen.ListUsersResponseObject, error) {
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, next, err := a.service.Find(ctx, identity.CallerOf(ctx), wire.Value(r.Params.Query), page)
	if err != nil {
		return nil, err
	}
	return gen.ListUsers200JSONResponse{Items: wire.Items(found, wireUser), NextCursor: wire.OrNull(next)}, nil
}

// CreateUser serves POST /admin/users: it creates an ordinary account.
func (a *API) CreateUser(ctx context.Context, r gen.CreateUserRequestObject) (gen.CreateUserResponseObject, error) {
	made, err := a.service.Create(ctx, identity.CallerOf(ctx), string(r.Body.Email), r.Body.Password,
		wire.Value(r.Body.Name))
	if err != nil {
		return nil, err
	}
	return gen.CreateUser201JSONResponse(wireUser(made)), nil
}

// UpdateUser serves PATCH /admin/users/{userId}: it changes plan, role or the disabled flag.
func (a *API) UpdateUser(ctx context.Context, r gen.UpdateUserRequestObject) (gen.UpdateUserResponseObject, error) {
	changed, err := a.service.Update(ctx, identity.CallerOf(ctx), r.UserId.String(), users.Administration{
		Plan: (*string)(r.Body.Plan), PlanUntil: time.Time(wire.Value(r.Body.PlanUntil)),
		Role: (*users.Role)(r.Body.Role), Disabled: r.Body.Disabled, PaymentsReviewed: r.Body.PaymentsReviewed != nil,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateUser200JSONResponse(wireUser(changed)), nil
}

func wireUser(u users.User) gen.AdminUser {
	source, until := u.PlanSource()
	return gen.AdminUser{
		Id: wire.UUID(u.ID), Email: u.Email, Name: u.Name, Role: gen.RoleName(u.Role), Plan: gen.PlanName(u.Plan),
		PlanSource: gen.PlanSource(source), PlanUntil: wire.MomentOrNull(until),
		PaymentDisputedAt: wire.MomentOrNull(u.DisputedAt), PaymentRefundedAt: wire.MomentOrNull(u.RefundedAt),
		EmailRefused: !u.RefusedAt.IsZero(), Disabled: u.Disabled,
		CreatedAt: wire.Moment(u.CreatedAt), UpdatedAt: wire.Moment(u.UpdatedAt),
	}
}
