package designs

import (
	"context"

	"masthead/gen"
	"masthead/pkg/identity"
	"masthead/pkg/wire"
)

// This file has the operations that editors need.

// CheckDesign serves POST /designs/{designId}/check: what is wrong with a card.
func (a *API) CheckDesign(ctx context.Context, r gen.CheckDesignRequestObject) (gen.CheckDesignResponseObject, error) {
	b := r.Body
	request, err := previewOf(b.Url, b.Content, b.Style, b.Data, b.Size, b.Text)
	if err != nil {
		return nil, err
	}
	request.DesignID, request.HTML = r.DesignId.String(), wire.Value(b.Html)
	report, err := a.service.Check(ctx, identity.CallerOf(ctx), request)
	if err != nil {
		return nil, err
	}
	return gen.CheckDesign200JSONResponse(wireReport(report)), nil
}

// GetDesignDraft serves GET /designs/{designId}/draft: the caller's draft.
func (a *API) GetDesignDraft(
	ctx context.Context, r gen.GetDesignDraftRequestObject,
) (gen.GetDesignDraftResponseObject, error) {
	found, err := a.service.Draft(ctx, identity.CallerOf(ctx), r.DesignId.String())
	if err != nil {
		return nil, err
	}
	return gen.GetDesignDraft200JSONResponse(wireDraft(found)), nil
}

// PutDesignDraft serves PUT /designs/{designId}/draft: it saves the caller's draft.
func (a *API) PutDesignDraft(
	ctx context.Context, r gen.PutDesignDraftRequestObject,
) (gen.PutDesignDraftResponseObject, error) {
	saved, err := a.service.SaveDraft(ctx, identity.CallerOf(ctx), r.DesignId.String(), NewDraft{
		HTML: r.Body.Html, URL: wire.Value(r.Body.Url), BaseVersion: r.Body.BaseVersion, Window: r.Body.Window,
		Revision: r.Body.Revision,
	})
	if err != nil {
		return nil, err
	}
	return gen.PutDesignDraft200JSONResponse(wireDraft(saved)), nil
}

// DeleteDesignDraft serves DELETE /designs/{designId}/draft.
func (a *API) DeleteDesignDraft(
	ctx context.Context, r gen.DeleteDesignDraftRequestObject,
) (gen.DeleteDesignDraftResponseObject, error) {
	if err := a.service.DiscardDraft(ctx, identity.CallerOf(ctx), r.DesignId.String()); err != nil {
		return nil, err
	}
	return gen.DeleteDesignDraft204Response{}, nil
}

func wireDraft(d Draft) gen.DesignDraft {
	return gen.DesignDraft{
		DesignId: wire.UUID(d.DesignID), Html: d.HTML, Url: wire.OrNull(d.URL), BaseVersion: d.BaseVersion,
		Revision: d.Revision, SavedAt: wire.Moment(d.SavedAt),
	}
}

func wireReport(r Report) gen.DesignReport {
	out := gen.DesignReport{
		Drawn: r.Drawn, Contrast: numberOrNull(r.Contrast),
		Findings: wire.Items(r.Findings, func(f Finding) gen.DesignFinding {
			w := wireWarning(f.Line, f.Column, f.Message)
			return gen.DesignFinding{
				Code: gen.DesignFindingCode(f.Code), Line: w.Line, Column: w.Column, Message: w.Message,
				Suggestion: wire.OrNull(f.Suggestion),
			}
		}),
		Facts: wire.Items(r.Facts, func(f Fact) gen.DesignFact {
			return gen.DesignFact{Name: f.Name, Value: f.Value, Used: f.Used, Size: numberOrNull(f.Size)}
		}),
	}
	if r.Title != nil {
		out.Title = &gen.DesignTitle{Size: float32(r.Title.Size), Cut: r.Title.Cut}
	}
	return out
}

// numberOrNull returns a number, or nil for 0.
func numberOrNull(n float64) *float32 {
	if n == 0 {
		return nil
	}
	short := float32(n)
	return &short
}
