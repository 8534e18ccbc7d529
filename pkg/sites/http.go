package sites

import (
	"context"

	"masthead/gen"
	"masthead/pkg/audit/site"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/wire"
)

// API has the operations on audits of sites.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListSites serves GET /sites: a page of the caller's audits of sites.
func (a *API) ListSites(ctx context.Context, r gen.ListSitesRequestObject) (gen.ListSitesResponseObject, error) {
	p := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, next, err := a.service.List(ctx, identity.CallerOf(ctx), p)
	if err != nil {
		return nil, err
	}
	return gen.ListSites200JSONResponse{Items: wire.Items(found, wireSummary), NextCursor: wire.OrNull(next)}, nil
}

// CreateSite serves POST /sites: it begins to audit the pages of a sitemap.
func (a *API) CreateSite(ctx context.Context, r gen.CreateSiteRequestObject) (gen.CreateSiteResponseObject, error) {
	made, err := a.service.Create(ctx, identity.CallerOf(ctx), r.Body.Url, wire.Value(r.Body.Limit))
	if err != nil {
		return nil, err
	}
	return gen.CreateSite202JSONResponse{
		Body: wireSite(made, nil, ""), Headers: gen.CreateSite202ResponseHeaders{Location: "/sites/" + made.ID},
	}, nil
}

// GetSite serves GET /sites/{siteId}: an audit of a site with a page of its pages.
func (a *API) GetSite(ctx context.Context, r gen.GetSiteRequestObject) (gen.GetSiteResponseObject, error) {
	p := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, pages, next, err := a.service.Get(ctx, identity.CallerOf(ctx), r.SiteId.String(), p)
	if err != nil {
		return nil, err
	}
	return gen.GetSite200JSONResponse(wireSite(found, pages, next)), nil
}

// DeleteSite serves DELETE /sites/{siteId}: it deletes an audit of a site, which stops one that runs.
func (a *API) DeleteSite(ctx context.Context, r gen.DeleteSiteRequestObject) (gen.DeleteSiteResponseObject, error) {
	if err := a.service.Delete(ctx, identity.CallerOf(ctx), r.SiteId.String()); err != nil {
		return nil, err
	}
	return gen.DeleteSite204Response{}, nil
}

func wireCounts(s Audit) gen.SiteCounts {
	return gen.SiteCounts{Limit: s.Limit, Listed: s.Listed, Read: s.Read, Unread: s.Unread, Note: wire.OrNull(s.Note)}
}

func wireSummary(s Audit) gen.SiteSummary {
	v := gen.SiteSummary{
		Id: wire.UUID(s.ID), Url: s.URL, State: gen.SiteState(s.State), Error: wire.OrNull(s.Error), Pages: wireCounts(s),
		CreatedAt: wire.Moment(s.CreatedAt), FinishedAt: wire.MomentOrNull(s.FinishedAt),
	}
	if s.Report != nil && s.Report.Read > 0 {
		v.OverallScore, v.LetterGrade = &s.Report.Overall.Score, &s.Report.Overall.Letter
	}
	return v
}

func wireSite(s Audit, pages []site.Page, next string) gen.Site {
	v := gen.Site{
		Id: wire.UUID(s.ID), Url: s.URL, State: gen.SiteState(s.State), Error: wire.OrNull(s.Error), Pages: wireCounts(s),
		Grades: map[string]int{}, Findings: []gen.SiteFinding{}, Faults: []gen.SiteFault{},
		Items: wire.Items(pages, wirePage), NextCursor: wire.OrNull(next),
		CreatedAt: wire.Moment(s.CreatedAt), FinishedAt: wire.MomentOrNull(s.FinishedAt),
	}
	r := s.Report
	if r == nil {
		return v
	}
	if r.Read > 0 {
		c := &r.Categories
		v.OverallScore, v.LetterGrade = &r.Overall.Score, &r.Overall.Letter
		v.CategoryScores = &gen.CategoryScores{Og: c.OG.Score, Twitter: c.Twitter.Score, Seo: c.SEO.Score}
	}
	for _, l := range r.Letters {
		v.Grades[l.Letter] = l.Pages
	}
	v.Findings, v.Faults = wire.Items(r.Findings, wireFinding), wire.Items(r.Faults, wireFault)
	return v
}

func wireFinding(f site.Finding) gen.SiteFinding {
	return gen.SiteFinding{
		Id: f.ID, Title: f.Title, Severity: f.Severity, Pass: f.Pass, Message: f.Message, Fix: f.Fix,
		Groups: wire.Items(f.Groups, func(g site.Group) gen.SiteGroup {
			return gen.SiteGroup{Value: g.Value, Count: g.Count, Urls: g.URLs}
		}),
	}
}

func wireFault(f site.Fault) gen.SiteFault {
	return gen.SiteFault{
		Id: f.ID, Category: f.Category, Title: f.Title, Severity: f.Severity, Pages: f.Pages, Gain: float32(f.Gain),
		Fix: f.Fix, Examples: wire.Items(f.Examples, func(e site.Example) gen.SiteExample {
			return gen.SiteExample{Url: e.URL, Message: e.Message}
		}),
	}
}

func wirePage(p site.Page) gen.SitePage {
	v := gen.SitePage{
		Url: p.URL, FinalUrl: wire.OrNull(p.FinalURL), Error: wire.OrNull(p.Error), Title: wire.OrNull(p.Title),
		Description: wire.OrNull(p.Description), Image: wire.OrNull(p.Image), Thumbnail: p.Thumb != "",
		Issues: wire.Items(p.Issues, func(i site.Issue) gen.SiteIssue {
			return gen.SiteIssue{Id: i.ID, Severity: i.Severity, Message: i.Message}
		}),
		Previews: wire.Items(p.Views, func(v site.View) gen.SiteView {
			return gen.SiteView{Platform: v.Platform, Verdict: string(v.Verdict)}
		}),
	}
	if p.Error == "" {
		v.OverallScore, v.LetterGrade = &p.Overall.Score, &p.Overall.Letter
	}
	return v
}
