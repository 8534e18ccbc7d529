package designs

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"strings"

	"masthead/gen"
	"masthead/pkg/card"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/wire"
	"masthead/render/design"
)

// API has the operations on designs.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListDesigns serves GET /designs: a page of the caller's designs.
func (a *API) ListDesigns(ctx context.Context, r gen.ListDesignsRequestObject) (gen.ListDesignsResponseObject, error) {
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, next, err := a.service.List(ctx, identity.CallerOf(ctx), wire.ID(r.Params.ProjectId), page)
	if err != nil {
		return nil, err
	}
	return gen.ListDesigns200JSONResponse{Items: wire.Items(found, wireDesign), NextCursor: wire.OrNull(next)}, nil
}

// CreateDesign serves POST /designs: it returns the new design.
func (a *API) CreateDesign(
	ctx context.Context, r gen.CreateDesignRequestObject,
) (gen.CreateDesignResponseObject, error) {
	made, err := a.service.Create(ctx, identity.CallerOf(ctx), NewDesign{
		ProjectID: r.Body.ProjectId.String(), Slug: r.Body.Slug, Name: wire.Value(r.Body.Name), HTML: r.Body.Html,
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateDesign201JSONResponse{
		Body: wireDocument(made), Headers: gen.CreateDesign201ResponseHeaders{Location: "/designs/" + made.ID},
	}, nil
}

// GetDesign serves GET /designs/{designId}: one design of the caller, with its document.
func (a *API) GetDesign(ctx context.Context, r gen.GetDesignRequestObject) (gen.GetDesignResponseObject, error) {
	found, err := a.service.Get(ctx, identity.CallerOf(ctx), r.DesignId.String(), wire.Value(r.Params.Version))
	if err != nil {
		return nil, err
	}
	return gen.GetDesign200JSONResponse(wireDocument(found)), nil
}

// UpdateDesign serves PUT /designs/{designId}: it returns the changed design.
func (a *API) UpdateDesign(
	ctx context.Context, r gen.UpdateDesignRequestObject,
) (gen.UpdateDesignResponseObject, error) {
	changed, err := a.service.Update(ctx, identity.CallerOf(ctx), r.DesignId.String(), Update{
		Name: r.Body.Name, HTML: r.Body.Html, BaseVersion: wire.Value(r.Body.BaseVersion),
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateDesign200JSONResponse(wireDocument(changed)), nil
}

// DeleteDesign serves DELETE /designs/{designId}.
func (a *API) DeleteDesign(
	ctx context.Context, r gen.DeleteDesignRequestObject,
) (gen.DeleteDesignResponseObject, error) {
	remove := a.service.Delete
	if wire.Value(r.Params.Undo) {
		remove = a.service.DeleteLater
	}
	if err := remove(ctx, identity.CallerOf(ctx), r.DesignId.String()); err != nil {
		return nil, err
	}
	return gen.DeleteDesign204Response{}, nil
}

// UndeleteDesign serves POST /designs/{designId}/undelete: a design of the caller, whose deletion is taken back.
func (a *API) UndeleteDesign(
	ctx context.Context, r gen.UndeleteDesignRequestObject,
) (gen.UndeleteDesignResponseObject, error) {
	found, err := a.service.Undelete(ctx, identity.CallerOf(ctx), r.DesignId.String())
	if err != nil {
		return nil, err
	}
	return gen.UndeleteDesign200JSONResponse(wireDocument(found)), nil
}

// ListDesignVersions serves GET /designs/{designId}/versions: the versions that are kept.
func (a *API) ListDesignVersions(
	ctx context.Context, r gen.ListDesignVersionsRequestObject,
) (gen.ListDesignVersionsResponseObject, error) {
	found, err := a.service.Versions(ctx, identity.CallerOf(ctx), r.DesignId.String())
	if err != nil {
		return nil, err
	}
	return gen.ListDesignVersions200JSONResponse{Items: wire.Items(found, func(v Version) gen.DesignVersion {
		return gen.DesignVersion{
			Version: v.Number, Digest: v.Digest, SizeBytes: int(v.SizeBytes), Sizes: wireSizes(v.Sizes), Active: v.Active,
			KeyId: wire.UUIDOrNull(v.KeyID), CreatedAt: wire.Moment(v.CreatedAt),
		}
	})}, nil
}

// RestoreDesign serves POST /designs/{designId}/restore: it makes a version the active one.
func (a *API) RestoreDesign(
	ctx context.Context, r gen.RestoreDesignRequestObject,
) (gen.RestoreDesignResponseObject, error) {
	restored, err := a.service.Restore(ctx, identity.CallerOf(ctx), r.DesignId.String(), r.Body.Version)
	if err != nil {
		return nil, err
	}
	return gen.RestoreDesign200JSONResponse(wireDocument(restored)), nil
}

// PreviewDesign serves POST /designs/preview: a picture of a design, which isn't stored.
func (a *API) PreviewDesign(
	ctx context.Context, r gen.PreviewDesignRequestObject,
) (gen.PreviewDesignResponseObject, error) {
	b := r.Body
	request, err := previewOf(b.Url, b.Content, b.Style, b.Data, b.Size, b.Text)
	if err != nil {
		return nil, err
	}
	request.ProjectID, request.HTML, request.DesignID = b.ProjectId.String(), wire.Value(b.Html), wire.ID(b.DesignId)
	request.Version = wire.Value(b.Version)
	drawn, err := a.service.Preview(ctx, identity.CallerOf(ctx), request)
	if err != nil {
		return nil, err
	}
	p := drawn.Picture()
	headers := gen.DesignPictureResponseHeaders{XMastheadWarnings: warningsHeader(drawn.Unlike)}
	body := gen.DesignPictureImagejpegResponse{
		Body: bytes.NewReader(p.Bytes), ContentLength: int64(len(p.Bytes)), Headers: headers,
	}
	if p.ContentType == "image/jpeg" {
		return gen.PreviewDesign200ImagejpegResponse{DesignPictureImagejpegResponse: body}, nil
	}
	return gen.PreviewDesign200ImagepngResponse{
		DesignPictureImagepngResponse: gen.DesignPictureImagepngResponse(body),
	}, nil
}

// previewOf reads what bodies of previews and checks have in common.
func previewOf(
	url *string, content *gen.Content, style *gen.StyleRequest, data *gen.DesignData, size *gen.CardSize,
	text *gen.DesignText,
) (p PreviewRequest, err error) {
	p.URL, p.Style, p.Content = wire.Value(url), StyleOf(style), ContentOf(content)
	p.Text = string(wire.Value(text))
	if size != nil {
		p.Kind, p.Size = card.Custom, image.Pt(size.Width, size.Height)
	}
	p.Data, err = DataOf(data)
	return p, err
}

// ContentOf reads the content of a request body, which has passed the validation.
func ContentOf(c *gen.Content) (content card.Content) {
	if c == nil {
		return content
	}
	content = card.Content{
		Title: wire.Value(c.Title), Description: wire.Value(c.Description), SiteName: wire.Value(c.SiteName),
		Eyebrow: wire.Value(c.Eyebrow), Author: wire.Value(c.Author), Date: wire.Value(c.Date),
		Favicon: wire.Value(c.Favicon),
	}
	if c.Quote != nil {
		content.Quote = card.Quote{Text: c.Quote.Text, Speaker: wire.Value(c.Quote.Speaker)}
	}
	return content
}

// StyleOf reads the style of a request body, which has passed the validation.
func StyleOf(s *gen.StyleRequest) card.Style {
	if s == nil {
		return card.Style{Dark: true}
	}
	style := card.Style{
		Accent: wire.Value(s.Accent), Dark: s.Dark == nil || *s.Dark, Font: string(wire.Value(s.Font)),
		AspectRatio: string(wire.Value(s.AspectRatio)),
	}
	if s.Logo != nil {
		style.Logo = &card.Logo{URL: s.Logo.Url, Position: string(wire.Value(s.Logo.Position))}
	}
	return style
}

// DataOf returns the data of a request as JSON; nil for none.
func DataOf(data *gen.DesignData) (json.RawMessage, error) {
	if data == nil {
		return nil, nil
	}
	return json.Marshal(data)
}

func wireDesign(d Design) gen.Design {
	return gen.Design{
		Id: wire.UUID(d.ID), ProjectId: wire.UUID(d.ProjectID), Slug: d.Slug, Name: d.Name, Version: d.Version,
		Digest: d.Digest, SizeBytes: int(d.SizeBytes), Sizes: wireSizes(d.Sizes), Images: d.Images,
		OutdatedImages: d.Outdated,
		CreatedAt:      wire.Moment(d.CreatedAt), UpdatedAt: wire.Moment(d.UpdatedAt),
	}
}

func wireSizes(sizes []image.Point) []gen.PixelSize {
	return wire.Items(sizes, func(s image.Point) gen.PixelSize { return gen.PixelSize{Width: s.X, Height: s.Y} })
}

func wireDocument(d Document) gen.DesignWithHtml {
	return gen.DesignWithHtml{
		Id: wire.UUID(d.ID), ProjectId: wire.UUID(d.ProjectID), Slug: d.Slug, Name: d.Name, Version: d.Version,
		Digest: d.Digest, SizeBytes: int(d.SizeBytes), Sizes: wireSizes(d.Sizes), CreatedAt: wire.Moment(d.CreatedAt),
		UpdatedAt: wire.Moment(d.UpdatedAt),
		Html:      d.HTML, Warnings: wireWarnings(d.Warnings),
	}
}

// maxWarnings is how many warnings a response has, and maxMessage the length of each in bytes.
const (
	maxWarnings = 20
	maxMessage  = 300
)

func wireWarnings(of []design.Warning) []gen.DesignWarning {
	return wire.Items(of[:min(len(of), maxWarnings)], func(w design.Warning) gen.DesignWarning {
		return wireWarning(w.Line, w.Column, w.Message)
	})
}

// wireWarning returns a sentence with its place, if it has one.
func wireWarning(line, column int, message string) gen.DesignWarning {
	out := gen.DesignWarning{Message: strings.ToValidUTF8(message[:min(len(message), maxMessage)], "")}
	if line > 0 {
		out.Line, out.Column = &line, &column
	}
	return out
}

// warningsHeader returns warnings as JSON in ASCII.
func warningsHeader(of []design.Warning) string {
	text, err := json.Marshal(wireWarnings(of))
	if err != nil {
		return "[]"
	}
	var b strings.Builder
	for _, r := range string(text) {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r > 0xFFFF:
			b.WriteString("?")
		default:
			const digits = "0123456789abcdef"
			b.WriteString(`\u` + string([]byte{digits[r>>12], digits[r>>8&15], digits[r>>4&15], digits[r&15]}))
		}
	}
	return b.String()
}

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
