package billing

import (
	"context"

	"masthead/gen"
	"masthead/pkg/wire"
)

// API has the operations on plans.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListPlans serves GET /billing/plans: it returns the plans and their limits.
func (a *API) ListPlans(context.Context, gen.ListPlansRequestObject) (gen.ListPlansResponseObject, error) {
	return gen.ListPlans200JSONResponse{
		Purchasable: len(a.service.periods) > 0, Items: wire.Items(a.service.Plans(), a.wirePlan),
	}, nil
}

func (a *API) wirePlan(p Plan) gen.Plan {
	return gen.Plan{
		Name: gen.PlanName(p.Name), RequestsPerMinute: int(p.RequestsPerMinute), AiUnits: int(p.AIUnits),
		ProUnits: int(p.ProUnits), Models: wire.Items(p.Models, func(m string) gen.PlanModels { return gen.PlanModels(m) }),
		History: p.History, Webhooks: p.Webhooks, Watches: p.Watches,
		WatchEvery: gen.WatchEvery(p.WatchEvery), SitePages: p.SitePages, AssetBytes: p.AssetBytes,
		BatchRequests: p.BatchRequests, Designs: p.Designs,
		Periods: wire.Items(a.service.periods[p.Name], func(s string) gen.PlanPeriods { return gen.PlanPeriods(s) }),
	}
}
