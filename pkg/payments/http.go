package payments

import (
	"context"
	"io"

	"masthead/gen"
	"masthead/pkg/identity"
	"masthead/pkg/users"
	"masthead/pkg/wire"
)

// API has the operations on subscriptions.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// GetSubscription serves GET /billing/subscription: the caller's plan, where it comes from, and the subscription.
func (a *API) GetSubscription(
	ctx context.Context, _ gen.GetSubscriptionRequestObject,
) (gen.GetSubscriptionResponseObject, error) {
	found, err := a.service.Get(ctx, identity.CallerOf(ctx))
	if err != nil {
		return nil, err
	}
	source, until := found.PlanSource()
	state := gen.GetSubscription200JSONResponse{
		Plan: gen.PlanName(found.User.Plan), Source: gen.PlanSource(source), Until: wire.MomentOrNull(until),
		Downgrades: wire.Items(found.downgrades, wireDowngrade),
	}
	if found.subscription.ID != "" {
		state.Subscription = wireSubscription(found.subscription)
	}
	return state, nil
}

// CreateCheckout serves POST /billing/checkout: it returns the page where the caller pays.
func (a *API) CreateCheckout(
	ctx context.Context, r gen.CreateCheckoutRequestObject,
) (gen.CreateCheckoutResponseObject, error) {
	url, err := a.service.Checkout(ctx, identity.CallerOf(ctx), string(r.Body.Plan), string(r.Body.Period))
	if err != nil {
		return nil, err
	}
	return gen.CreateCheckout200JSONResponse{Url: url}, nil
}

// CreatePortal serves POST /billing/portal: it returns the page where the caller changes the subscription.
func (a *API) CreatePortal(
	ctx context.Context, _ gen.CreatePortalRequestObject,
) (gen.CreatePortalResponseObject, error) {
	url, err := a.service.Portal(ctx, identity.CallerOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.CreatePortal200JSONResponse{Url: url}, nil
}

// ReceiveStripeEvent serves POST /billing/webhook: it takes an event from Stripe.
func (a *API) ReceiveStripeEvent(
	ctx context.Context, r gen.ReceiveStripeEventRequestObject,
) (gen.ReceiveStripeEventResponseObject, error) {
	if err := a.service.require(); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(r.Body) // x-max-body-bytes bounds it
	if err != nil {
		return nil, err
	}
	if err := a.service.Receive(ctx, body, r.Params.StripeSignature); err != nil {
		return nil, err
	}
	return gen.ReceiveStripeEvent204Response{}, nil
}

func wireSubscription(s subscription) *gen.Subscription {
	return &gen.Subscription{
		Status: s.Status, Plan: gen.PlanName(s.Plan), Period: s.Period, PeriodEnd: wire.MomentOrNull(s.PeriodEnd),
		Ending: s.Ending, PaymentFailedAt: wire.MomentOrNull(s.FailedAt), KeptUntil: wire.MomentOrNull(s.grants().Until),
	}
}

func wireDowngrade(d users.Downgrade) gen.Downgrade {
	return gen.Downgrade{Plan: gen.PlanName(d.Plan), Paused: append([]string{}, d.Paused...)}
}
