package usage

import (
	"context"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"masthead/gen"
	"masthead/pkg/identity"
	"masthead/pkg/wire"
)

// API has the operations on usage.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// GetUsage serves GET /usage: it returns the account's usage in a month.
func (a *API) GetUsage(ctx context.Context, r gen.GetUsageRequestObject) (gen.GetUsageResponseObject, error) {
	report, err := a.service.Report(ctx, identity.CallerOf(ctx), wire.Value(r.Params.Month))
	if err != nil {
		return nil, err
	}
	return gen.GetUsage200JSONResponse(wireReport(report)), nil
}

func wireReport(r Report) gen.Usage {
	return gen.Usage{
		Month: r.Month, Plan: gen.PlanName(r.Plan.Name), Ai: wireUnits(r.AI), AiPro: wireUnits(r.Pro),
		Analyses: gen.UsageAnalyses{
			Limit: int(r.Analyses.Limit), Used: int(r.Analyses.Used), Left: int(r.Analyses.Left),
		},
		Total: gen.UsageCounts{
			Ai: int(r.Total.AI), Drawn: int(r.Total.Drawn), GenerateHits: int(r.Total.GenerateHits),
			PublicHits: int(r.Total.PublicHits),
		},
		Days: wire.Items(r.Days, wireDay), Kinds: wire.Items(r.Kinds, wireKind),
	}
}

func wireUnits(u Units) gen.UsageUnits {
	return gen.UsageUnits{Limit: int(u.Limit), Used: int(u.Used), Kept: int(u.Kept), Left: int(u.Left)}
}

func wireDay(d Day) gen.UsageDay {
	date, _ := time.Parse(time.DateOnly, d.Date) // stored in this format
	return gen.UsageDay{
		Date: openapi_types.Date{Time: date}, Ai: int(d.AI), Drawn: int(d.Drawn), GenerateHits: int(d.GenerateHits),
		PublicHits: int(d.PublicHits),
	}
}

func wireKind(k OfKind) gen.UsageKind {
	return gen.UsageKind{
		Kind: gen.ImageKind(k.Kind), Ai: int(k.AI), Drawn: int(k.Drawn), GenerateHits: int(k.GenerateHits),
		PublicHits: int(k.PublicHits),
	}
}
