package watches

import (
	"bytes"
	"context"
	"time"

	"masthead/gen"
	"masthead/pkg/cursor"
	"masthead/pkg/etag"
	"masthead/pkg/identity"
	"masthead/pkg/wire"
)

// API has the operations on watches.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListWatches serves GET /watches: it returns a page of the caller's watched pages and sitemaps.
func (a *API) ListWatches(
	ctx context.Context, r gen.ListWatchesRequestObject,
) (gen.ListWatchesResponseObject, error) {
	p := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	f := Filter{
		SitemapID: wire.ID(r.Params.SitemapId), Kind: Kind(wire.Value(r.Params.Kind)), Scores: wire.Value(r.Params.Scores),
		WorstFirst: wire.Value(r.Params.Order) == gen.WatchOrderWorst,
		Problem:    Problem(wire.Value(r.Params.Problem)),
	}
	if f.WorstFirst {
		f.Around = wire.ID(r.Params.Around)
	}
	for _, id := range wire.Value(r.Params.WatchIds) {
		f.IDs = append(f.IDs, id.String())
	}
	found, next, err := a.service.List(ctx, identity.CallerOf(ctx), f, p)
	if err != nil {
		return nil, err
	}
	page := gen.WatchPage{Items: wire.Items(found, a.wireWatch), NextCursor: wire.OrNull(next)}
	if wire.Value(r.Params.Totals) {
		t, err := a.service.Totals(ctx, identity.CallerOf(ctx), f)
		if err != nil {
			return nil, err
		}
		page.Totals = &gen.WatchTotals{Watches: t.All, Audited: t.Audited, WithErrors: t.Wrong}
	}
	return gen.ListWatches200JSONResponse(page), nil
}

// CreateWatch serves POST /watches: it returns the new watched page.
func (a *API) CreateWatch(
	ctx context.Context, r gen.CreateWatchRequestObject,
) (gen.CreateWatchResponseObject, error) {
	made, err := a.service.Create(ctx, identity.CallerOf(ctx), New{
		Kind: Kind(wire.Value(r.Body.Kind)), URL: r.Body.Url, ProjectID: wire.ID(r.Body.ProjectId),
		Every: Every(wire.Value(r.Body.Every)),
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateWatch201JSONResponse{
		Body: a.wireWatch(made), Headers: gen.CreateWatch201ResponseHeaders{Location: "/watches/" + made.ID},
	}, nil
}

// UpdateWatch serves PATCH /watches/{watchId}: it changes how often a page is audited.
func (a *API) UpdateWatch(
	ctx context.Context, r gen.UpdateWatchRequestObject,
) (gen.UpdateWatchResponseObject, error) {
	changed, err := a.service.Update(ctx, identity.CallerOf(ctx), r.WatchId.String(), Every(wire.Value(r.Body.Every)))
	if err != nil {
		return nil, err
	}
	return gen.UpdateWatch200JSONResponse(a.wireWatch(changed)), nil
}

// DeleteWatch serves DELETE /watches/{watchId}.
func (a *API) DeleteWatch(
	ctx context.Context, r gen.DeleteWatchRequestObject,
) (gen.DeleteWatchResponseObject, error) {
	remove := a.service.Delete
	if wire.Value(r.Params.Undo) {
		remove = a.service.DeleteLater
	}
	if err := remove(ctx, identity.CallerOf(ctx), r.WatchId.String()); err != nil {
		return nil, err
	}
	return gen.DeleteWatch204Response{}, nil
}

// UndeleteWatch serves POST /watches/{watchId}/undelete: a watch of the caller, whose deletion is taken back.
func (a *API) UndeleteWatch(
	ctx context.Context, r gen.UndeleteWatchRequestObject,
) (gen.UndeleteWatchResponseObject, error) {
	found, err := a.service.Undelete(ctx, identity.CallerOf(ctx), r.WatchId.String())
	if err != nil {
		return nil, err
	}
	return gen.UndeleteWatch200JSONResponse(a.wireWatch(found)), nil
}

// RunWatch serves POST /watches/{watchId}/run: it has a page audited now.
func (a *API) RunWatch(ctx context.Context, r gen.RunWatchRequestObject) (gen.RunWatchResponseObject, error) {
	found, err := a.service.Run(ctx, identity.CallerOf(ctx), r.WatchId.String())
	if err != nil {
		return nil, err
	}
	return gen.RunWatch202JSONResponse(a.wireWatch(found)), nil
}

// GetWatchHistory serves GET /watches/{watchId}/history: a page of the audits of a page, and its findings.
func (a *API) GetWatchHistory(
	ctx context.Context, r gen.GetWatchHistoryRequestObject,
) (gen.GetWatchHistoryResponseObject, error) {
	p := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	runs, next, findings, err := a.service.History(ctx, identity.CallerOf(ctx), r.WatchId.String(), p)
	if err != nil {
		return nil, err
	}
	return gen.GetWatchHistory200JSONResponse{
		Items: wire.Items(runs, wireRun), NextCursor: wire.OrNull(next),
		Findings: wire.Items(findings, wireFinding(a.service.now())),
	}, nil
}

// GetBadge serves GET /badge/{publicId}/{name}: the badge of a watched page.
func (a *API) GetBadge(ctx context.Context, r gen.GetBadgeRequestObject) (gen.GetBadgeResponseObject, error) {
	svg, err := a.service.Badge(ctx, r.PublicId, r.Name)
	if err != nil {
		return nil, err
	}
	headers := gen.BadgeNotModifiedResponseHeaders{CacheControl: "public, max-age=300", ETag: etag.Of(svg)}
	if etag.Match(wire.Value(r.Params.IfNoneMatch), headers.ETag) {
		return gen.GetBadge304Response{Headers: headers}, nil
	}
	return gen.GetBadge200ImagesvgXmlResponse{
		Body: bytes.NewReader(svg), ContentLength: int64(len(svg)), Headers: gen.GetBadge200ResponseHeaders(headers),
	}, nil
}

func (a *API) wireWatch(w Watch) gen.Watch {
	v := gen.Watch{
		Id: wire.UUID(w.ID), Kind: gen.WatchKind(w.Kind), Url: w.URL, ProjectId: wire.UUIDOrNull(w.ProjectID),
		SitemapId: wire.UUIDOrNull(w.SitemapID), Every: gen.WatchEvery(w.Every),
		State: gen.WatchStateActive, Grade: wire.OrNull(w.Letter), AuditId: wire.OrNull(w.ReportID),
		Problems: wire.Items(w.Problems, wireFinding(a.service.now())), Error: wire.OrNull(w.Error),
		LastRunAt: wire.MomentOrNull(w.LastAt), NextRunAt: wire.Moment(w.NextAt), BadgeUrl: a.service.BadgeURL(w),
		CreatedAt: wire.Moment(w.CreatedAt), UpdatedAt: wire.Moment(w.UpdatedAt),
	}
	if len(w.Scores) > 0 {
		scores := wire.Items(w.Scores, func(s Score) gen.WatchScore {
			return gen.WatchScore{At: wire.Moment(s.At), Score: s.Score, Grade: s.Letter}
		})
		v.Scores = &scores
	}
	if w.Paused {
		v.State = gen.WatchStatePaused
	}
	if w.Letter != "" {
		v.Score = &w.Score
	}
	if w.Listed > 0 {
		v.Pages = &gen.WatchSitemapPages{Listed: w.Listed, Watched: w.Watched, Note: wire.OrNull(w.Note)}
	}
	return v
}

func wireFinding(now time.Time) func(f Finding) gen.WatchFinding {
	return func(f Finding) gen.WatchFinding {
		return gen.WatchFinding{
			Subject: f.Subject, Severity: gen.WatchFindingSeverity(f.Severity), Text: f.Text(now),
			Since: wire.Moment(f.Since), Until: wire.MomentOrNull(f.Until),
		}
	}
}

func wireRun(r Run) gen.WatchRun {
	v := gen.WatchRun{
		Id: wire.UUID(r.ID), At: wire.Moment(r.At), AuditId: wire.OrNull(r.ReportID), Grade: wire.OrNull(r.Letter),
		Error: wire.OrNull(r.Error), Changes: wire.Items(r.Changes, func(s string) string { return s }),
	}
	if r.Letter != "" {
		v.Score = &r.Score
	}
	return v
}
