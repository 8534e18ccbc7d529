package crawlers

import (
	"context"

	"masthead/gen"
	"masthead/pkg/audit"
	"masthead/pkg/identity"
	"masthead/pkg/platform"
	"masthead/pkg/wire"
)

// API has the operations on readings.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ReadAsCrawlers serves POST /audits/{auditId}/crawlers: it begins to read the page of a report by all names.
func (a *API) ReadAsCrawlers(
	ctx context.Context, r gen.ReadAsCrawlersRequestObject,
) (gen.ReadAsCrawlersResponseObject, error) {
	made, err := a.service.Create(ctx, identity.CallerOf(ctx), r.AuditId)
	if err != nil {
		return nil, err
	}
	return gen.ReadAsCrawlers202JSONResponse{
		Body: wireReading(made), Headers: gen.ReadAsCrawlers202ResponseHeaders{Location: "/audits/" + r.AuditId + "/crawlers"},
	}, nil
}

// GetCrawlers serves GET /audits/{auditId}/crawlers: how crawlers receive the page of a report.
func (a *API) GetCrawlers(ctx context.Context, r gen.GetCrawlersRequestObject) (gen.GetCrawlersResponseObject, error) {
	found, err := a.service.Get(ctx, identity.CallerOf(ctx), r.AuditId)
	if err != nil {
		return nil, err
	}
	return gen.GetCrawlers200JSONResponse(wireReading(found)), nil
}

// accesses are the kinds of access on the wire.
var accesses = map[audit.Access]gen.CrawlerAccess{
	audit.Received: gen.CrawlerAccessRECEIVED, audit.Differs: gen.CrawlerAccessDIFFERS,
	audit.MayDiffer: gen.CrawlerAccessMAYDIFFER, audit.Refused: gen.CrawlerAccessBLOCKED,
}

func wireReading(r Reading) gen.AuditCrawlers {
	v := gen.AuditCrawlers{
		State: gen.CrawlersState(r.State), Error: wire.OrNull(r.Error), Url: r.URL, Total: len(platform.Visitors()),
		CreatedAt: wire.MomentOrNull(r.CreatedAt), FinishedAt: wire.MomentOrNull(r.FinishedAt), Crawlers: []gen.CrawlerView{},
	}
	if r.Lens == nil {
		return v
	}
	v.Derived = r.Lens.Derived
	v.Crawlers = wire.Items(r.Lens.Views, func(l audit.LensView) gen.CrawlerView {
		out := gen.CrawlerView{
			Id: l.ID, Name: l.Name, Agent: l.Agent, Access: accesses[l.Access], Why: wire.Items(l.Why, same),
			Fix: l.Fix, Title: wire.OrNull(l.Title), Image: wire.OrNull(l.Image),
		}
		if l.Status != 0 {
			out.Status = &l.Status
		}
		return out
	})
	return v
}

func same(s string) string { return s }
