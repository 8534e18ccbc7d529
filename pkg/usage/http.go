package usage

import (
	"context"
	"strconv"
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
	caller, month := identity.CallerOf(ctx), wire.Value(r.Params.Month)
	if identity.MediaTypeOf(ctx) == wire.MediaTypeCSV {
		rows, err := a.service.Rows(ctx, caller, month)
		if err != nil {
			return nil, err
		}
		table, size := wire.CSV(columns, rows, wireRow)
		return gen.GetUsage200TextcsvResponse{Body: table, ContentLength: size}, nil
	}
	report, err := a.service.Report(ctx, caller, month)
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
		Projects: wire.Items(r.Projects, wireProject), Keys: wire.Items(r.Keys, wireKey),
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

func wireProject(p OfProject) gen.UsageProject {
	return gen.UsageProject{
		ProjectId: wire.UUIDOrNull(p.ID), Name: wire.OrNull(p.Name), Ai: int(p.AI), Drawn: int(p.Drawn),
		GenerateHits: int(p.GenerateHits), PublicHits: int(p.PublicHits),
	}
}

func wireKey(k OfKey) gen.UsageKey {
	return gen.UsageKey{
		KeyId: wire.UUIDOrNull(k.ID), Name: wire.OrNull(k.Name), Ai: int(k.AI), Drawn: int(k.Drawn),
		GenerateHits: int(k.GenerateHits), PublicHits: int(k.PublicHits),
	}
}

// columns are the names of the cells of wireRow.
var columns = []string{
	"date", "projectId", "project", "keyId", "key", "kind", "ai", "drawn", "generateHits", "publicHits",
}

func wireRow(r Row) []string {
	cells := []string{r.Day, r.ProjectID, r.Project, r.KeyID, r.Key, r.Kind}
	for _, n := range []int64{r.AI, r.Drawn, r.GenerateHits, r.PublicHits} {
		cells = append(cells, strconv.FormatInt(n, 10))
	}
	return cells
}

// GetContents serves GET /usage/contents: it counts what is stored.
func (a *API) GetContents(ctx context.Context, r gen.GetContentsRequestObject) (gen.GetContentsResponseObject, error) {
	of := ContentsQuery{ProjectID: wire.ID(r.Params.ProjectId), Max: wire.Value(r.Params.Max)}
	for _, kind := range wire.Value(r.Params.Only) {
		of.Only = append(of.Only, string(kind))
	}
	c, err := a.service.Contents(ctx, identity.CallerOf(ctx), of)
	if err != nil {
		return nil, err
	}
	return gen.GetContents200JSONResponse{
		Projects: c.Projects, Images: c.Images, Files: c.Files, Designs: c.Designs, Keys: c.Keys, Webhooks: c.Webhooks,
		Watches: c.Watches, Sitemaps: c.Sitemaps, Reports: c.Reports, Sites: c.Sites,
	}, nil
}
