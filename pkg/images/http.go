package images

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"slices"
	"strings"
	"time"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/cursor"
	"masthead/pkg/designs"
	"masthead/pkg/identity"
	"masthead/pkg/images/address"
	"masthead/pkg/images/store"
	"masthead/pkg/images/versions"
	"masthead/pkg/usage"
	"masthead/pkg/wire"
	"masthead/render"
)

// API has the operations of images.
type API struct{ service *Service }

// NewAPI returns the operations over s.
func NewAPI(s *Service) *API { return &API{service: s} }

// forever is for what never changes at its address.
const forever = "public, max-age=31536000, immutable"

// GenerateImage serves POST /images/generate: the image of a page, kept or drawn now.
func (a *API) GenerateImage(
	ctx context.Context, r gen.GenerateImageRequestObject,
) (gen.GenerateImageResponseObject, error) {
	request, err := requestOf(r)
	if err != nil {
		return nil, err
	}
	caller := identity.CallerOf(ctx)
	record, err := a.service.Generate(ctx, caller, request)
	if err != nil {
		return nil, err
	}
	if record.Cached {
		a.service.usage.Count(usage.GenerateHit, caller.UserID,
			usage.Source{ProjectID: record.ProjectID, KeyID: caller.KeyID, Kind: string(record.Kind)})
	}
	if strings.HasPrefix(identity.MediaTypeOf(ctx), "image/") {
		return a.pictureResponse(ctx, record)
	}
	return gen.GenerateImage200JSONResponse{Body: wireImage(record)}, nil
}

// pictureResponse responds with the picture of a record, if the client accepts its type.
func (a *API) pictureResponse(ctx context.Context, record Record) (gen.GenerateImageResponseObject, error) {
	p, err := a.service.pictureOf(ctx, record, "")
	if err != nil {
		return nil, err
	}
	if !slices.Contains(identity.AcceptedOf(ctx), p.ContentType) {
		return nil, apperr.New(apperr.NotAcceptable, "The picture is of the type "+p.ContentType+
			". Send Accept: image/* for pictures of any type.")
	}
	body := gen.GenerateImage200ImagejpegResponse{
		Body: bytes.NewReader(p.Bytes), ContentLength: int64(len(p.Bytes)),
		Headers: gen.GenerateImage200ResponseHeaders{ContentLocation: &record.ImageURL},
	}
	if p.ContentType == "image/jpeg" {
		return body, nil
	}
	return gen.GenerateImage200ImagepngResponse(body), nil
}

// ListImages serves GET /images: a page of the caller's images.
func (a *API) ListImages(ctx context.Context, r gen.ListImagesRequestObject) (gen.ListImagesResponseObject, error) {
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, next, err := a.service.List(ctx, identity.CallerOf(ctx), store.Filter{
		ProjectID: wire.ID(r.Params.ProjectId), Kind: card.Kind(wire.Value(r.Params.Kind)),
		Query: wire.Value(r.Params.Query), Template: wire.Value(r.Params.Template),
	}, page)
	if err != nil {
		return nil, err
	}
	return gen.ListImages200JSONResponse{Items: wire.Items(found, wireListed), NextCursor: wire.OrNull(next)}, nil
}

// GetImage serves GET /images/{imageId}: one image of the caller.
func (a *API) GetImage(ctx context.Context, r gen.GetImageRequestObject) (gen.GetImageResponseObject, error) {
	record, err := a.service.Get(ctx, identity.CallerOf(ctx), r.ImageId.String())
	if err != nil {
		return nil, err
	}
	return gen.GetImage200JSONResponse(wireImage(record)), nil
}

// DownloadImage serves GET /images/{imageId}/download: one image of the caller as a zip.
func (a *API) DownloadImage(
	ctx context.Context, r gen.DownloadImageRequestObject,
) (gen.DownloadImageResponseObject, error) {
	archive, err := a.service.Download(ctx, identity.CallerOf(ctx), r.ImageId.String(), wire.Value(r.Params.Extras),
		wire.Value(r.Params.IfNoneMatch))
	if err != nil {
		return nil, err
	}
	headers := gen.DownloadImage200ResponseHeaders{
		ContentDisposition: `attachment; filename="` + archive.Name + `"`, ETag: archive.ETag,
	}
	if archive.NotModified {
		return gen.DownloadImage304Response{Headers: gen.DownloadImage304ResponseHeaders(headers)}, nil
	}
	return gen.DownloadImage200ApplicationzipResponse{
		Body: bytes.NewReader(archive.Bytes), ContentLength: int64(len(archive.Bytes)), Headers: headers,
	}, nil
}

// DeleteImage serves DELETE /images/{imageId}.
func (a *API) DeleteImage(ctx context.Context, r gen.DeleteImageRequestObject) (gen.DeleteImageResponseObject, error) {
	remove := a.service.Delete
	if wire.Value(r.Params.Undo) {
		remove = a.service.DeleteLater
	}
	if err := remove(ctx, identity.CallerOf(ctx), r.ImageId.String()); err != nil {
		return nil, err
	}
	return gen.DeleteImage204Response{}, nil
}

// UndeleteImage serves POST /images/{imageId}/undelete: one image of the caller, whose deletion is taken back.
func (a *API) UndeleteImage(
	ctx context.Context, r gen.UndeleteImageRequestObject,
) (gen.UndeleteImageResponseObject, error) {
	record, err := a.service.Undelete(ctx, identity.CallerOf(ctx), r.ImageId.String())
	if err != nil {
		return nil, err
	}
	return gen.UndeleteImage200JSONResponse(wireImage(record)), nil
}

// ListImageVersions serves GET /images/{imageId}/versions: the earlier pictures of one image of the caller.
func (a *API) ListImageVersions(
	ctx context.Context, r gen.ListImageVersionsRequestObject,
) (gen.ListImageVersionsResponseObject, error) {
	found, err := a.service.Versions(ctx, identity.CallerOf(ctx), r.ImageId.String())
	if err != nil {
		return nil, err
	}
	return gen.ListImageVersions200JSONResponse{Items: wire.Items(found, wireVersion)}, nil
}

// RestoreImageVersion serves POST /images/{imageId}/versions/{version}/restore: one image of the caller, with an
// earlier picture.
func (a *API) RestoreImageVersion(
	ctx context.Context, r gen.RestoreImageVersionRequestObject,
) (gen.RestoreImageVersionResponseObject, error) {
	record, err := a.service.Restore(ctx, identity.CallerOf(ctx), r.ImageId.String(), r.Version)
	if err != nil {
		return nil, err
	}
	return gen.RestoreImageVersion200JSONResponse(wireImage(record)), nil
}

// GetFile serves GET /cdn/{digest}/{name}: the bytes that the address stands for.
func (a *API) GetFile(ctx context.Context, r gen.GetFileRequestObject) (gen.GetFileResponseObject, error) {
	p, err := a.service.File(ctx, blob.Name{Digest: r.Digest, File: r.Name}, wire.Value(r.Params.IfNoneMatch))
	switch {
	case err != nil:
		return nil, err
	case p.NotModified:
		return gen.GetFile304Response{Headers: gen.NotModifiedResponseHeaders(headersOf(p))}, nil
	case p.ContentType == "image/jpeg":
		return gen.GetFile200ImagejpegResponse{PictureImagejpegResponse: wirePicture(p)}, nil
	}
	return gen.GetFile200ImagepngResponse{PictureImagepngResponse: gen.PictureImagepngResponse(wirePicture(p))}, nil
}

// cacheControlOf returns how long clients may cache a picture.
func cacheControlOf(p Response, now time.Time) string {
	switch {
	case p.Until != 0 && p.Short:
		return address.CacheUntil(p.Until, 5*time.Minute, now)
	case p.Until != 0:
		return address.CacheUntil(p.Until, 365*24*time.Hour, now)
	case p.Short:
		return forMinutes
	}
	return forever
}

func headersOf(p Response) gen.PictureResponseHeaders {
	return gen.PictureResponseHeaders{CacheControl: cacheControlOf(p, time.Time{}), ETag: p.ETag}
}

// wirePicture is a picture as responses carry it. The generated type of a PNG has the same fields.
func wirePicture(p Response) gen.PictureImagejpegResponse {
	return gen.PictureImagejpegResponse{
		Body: bytes.NewReader(p.Bytes), ContentLength: int64(len(p.Bytes)), Headers: headersOf(p),
	}
}

// requestOf reads a request body, which has passed the validation.
func requestOf(r gen.GenerateImageRequestObject) (Request, error) {
	request, err := ReadRequest(r.Body)
	request.CreateOnly = r.Params.IfNoneMatch != nil
	return request, err
}

// ReadRequest reads a request as the body of POST /images/generate has it, which has passed the validation.
func ReadRequest(body *gen.GenerateRequest) (Request, error) {
	request := Request{
		Request: card.Request{
			URL: body.Url, Kind: card.Kind(wire.Value(body.Kind)), Template: wire.Value(body.Template),
			Size: sizeOf(body.Size), Sizes: sizesOf(body.Sizes), Style: designs.StyleOf(body.Style),
			Content: designs.ContentOf(body.Content),
		},
		ProjectID: body.ProjectId.String(),
		Force:     wire.Value(body.Force),
	}
	var err error
	if request.Data, err = designs.DataOf(body.Data); err != nil || body.Ai == nil {
		return request, err
	}
	if asked, err := body.Ai.AsGenerateRequestAi0(); err == nil {
		if asked {
			request.AI = &card.AI{}
		}
		return request, nil
	}
	ai, err := body.Ai.AsAiRequest()
	if err != nil {
		return request, apperr.Invalid("/ai", "ai must be true, false or an object.")
	}
	request.AI = &card.AI{
		Model: string(wire.Value(ai.Model)), Prompt: wire.Value(ai.Prompt), Override: wire.Value(ai.Override),
		From: wire.ID(ai.From),
	}
	return request, nil
}

// sizeOf reads the size of a request body.
func sizeOf(size *gen.CardSize) image.Point {
	if size == nil {
		return image.Point{}
	}
	return image.Pt(size.Width, size.Height)
}

// sizesOf reads the further sizes of a request body.
func sizesOf(sizes *[]gen.FurtherSize) (all []image.Point) {
	for _, size := range wire.Value(sizes) {
		all = append(all, image.Pt(size.Width, size.Height))
	}
	return all
}

// wireImage is the record as responses carry it.
func wireImage(r Record) gen.Image {
	out := gen.Image{
		Id: wire.UUID(r.ID), PublicId: r.PublicID, ProjectId: wire.UUID(r.ProjectID), Url: r.URL,
		ImageUrl: r.ImageURL, PublicUrl: r.PublicURL, Kind: gen.ImageKind(r.Kind), Template: wire.OrNull(r.Template),
		Style: wireStyle(r.Style), Width: r.Files[0].Width, Height: r.Files[0].Height, Cached: r.Cached,
		Content: wireContent(r.Content), Alt: r.Alt, MetaTags: r.MetaTags, CreatedAt: wire.Moment(r.CreatedAt),
		Version: r.Version, Source: wireSource(r.Page), Warnings: wire.Items(r.Warnings, wireWarning),
		Ai: wireAI(r.AI), Data: wireData(r.Data),
	}
	if r.Kind == card.IconSet {
		out.Style = nil
	}
	if r.Open != nil {
		out.Defaults = wireOpen(*r.Open)
	}
	if len(r.Assets) > 0 {
		out.Assets = wireAssets(r.Assets)
	}
	if !r.Cached {
		ms := int(r.Generation.Milliseconds())
		out.GenerationMs = &ms
	}
	return out
}

// wireOpen is what a request left open as responses carry it.
func wireOpen(open card.Open) *[]gen.ImageDefaults {
	parts := []gen.ImageDefaults{}
	for _, part := range []struct {
		of   card.Open
		name gen.ImageDefaults
	}{
		{card.OpenTemplate, gen.ImageDefaultsTemplate}, {card.OpenAccent, gen.ImageDefaultsAccent},
		{card.OpenLogo, gen.ImageDefaultsLogo}, {card.OpenFont, gen.ImageDefaultsFont},
		{card.OpenSizes, gen.ImageDefaultsSizes},
	} {
		if open&part.of != 0 {
			parts = append(parts, part.name)
		}
	}
	return &parts
}

// wireListed is a record in a list.
func wireListed(r Record) gen.Image {
	r.Data = nil
	return wireImage(r)
}

// wireData is the data for a design of the project as responses carry it; nil for none.
func wireData(data json.RawMessage) *gen.ImageData {
	var object gen.ImageData
	if err := json.Unmarshal(data, &object); err != nil || len(object) == 0 {
		return nil
	}
	return &object
}

// wireContent is what a request gave in place of the page's texts, or nil for nothing.
func wireContent(of card.Content) *gen.Content {
	if of == (card.Content{}) {
		return nil
	}
	content := &gen.Content{
		Title: wire.OrNull(of.Title), Description: wire.OrNull(of.Description), SiteName: wire.OrNull(of.SiteName),
		Eyebrow: wire.OrNull(of.Eyebrow), Author: wire.OrNull(of.Author), Date: wire.OrNull(of.Date),
		Favicon: wire.OrNull(of.Favicon),
	}
	if of.Quote != (card.Quote{}) {
		content.Quote = &gen.Quote{Text: of.Quote.Text, Speaker: wire.OrNull(of.Quote.Speaker)}
	}
	return content
}

// wireVersion is an earlier picture as responses carry it.
func wireVersion(v versions.Version) gen.ImageVersion {
	return gen.ImageVersion{
		Version: v.Number, ImageUrl: v.ImageURL, Width: v.Files[0].Width, Height: v.Files[0].Height, Alt: v.Alt,
		Ai: wireAI(v.AI), Source: wireSource(v.Page), Warnings: wire.Items(v.Warnings, wireWarning),
		ShownFrom: wire.Moment(v.ShownFrom), ShownUntil: wire.Moment(v.ShownUntil),
	}
}

func wireWarning(w render.Warning) gen.PictureWarning {
	return gen.PictureWarning{Code: w.Code, Detail: w.Detail}
}

func wireSource(p card.PageData) gen.Source {
	return gen.Source{
		Title: wire.OrNull(p.Title), Description: wire.OrNull(p.Description),
		SiteName: wire.OrNull(p.SiteName), Favicon: wire.OrNull(p.Favicon),
		Palette: wirePalette(p.Palette), TemplateReason: wire.OrNull(p.TemplateReason),
	}
}

func wireAI(of *store.AIResult) *gen.Ai {
	if of == nil {
		return nil
	}
	ai := &gen.Ai{
		Enabled: true, Model: wire.OrNull(gen.AiModel(of.Model)), Prompt: wire.OrNull(of.Prompt), FellBack: of.FellBack,
		OwnPrompt: wire.OrNull(of.OwnPrompt), Override: &of.Override,
		FallbackReason: wire.OrNull(gen.AiFallbackReason(of.FallbackReason)), Marked: of.Marked,
	}
	if of.From != "" {
		from := wire.UUID(of.From)
		ai.From = &from
	}
	return ai
}

func wireAssets(assets []Asset) *[]gen.Asset {
	items := make([]gen.Asset, len(assets))
	for i, a := range assets {
		items[i] = gen.Asset{Name: a.Name, Url: a.URL, Width: a.Width, Height: a.Height, SizeBytes: int(a.SizeBytes)}
	}
	return &items
}

func wirePalette(p card.Palette) gen.Palette {
	return gen.Palette{Accent: p.Accent, AccentSource: p.AccentSource, Secondary: p.Secondary, Background: p.Background}
}

func wireStyle(s card.Style) *gen.Style {
	style := &gen.Style{
		Accent: wire.OrNull(s.Accent), Dark: s.Dark, Font: gen.Font(s.Font),
		AspectRatio: wire.OrNull(gen.AspectRatio(s.AspectRatio)),
	}
	if s.Logo != nil {
		style.Logo = &gen.Logo{Url: s.Logo.URL, Position: gen.LogoPosition(s.Logo.Position)}
	}
	return style
}

// forMinutes is for what better pictures are to come of.
const forMinutes = "public, max-age=300"

// GetPublicImage serves GET /og/{publicId}: the picture of a page for a project, or the current one of an image. The
// length of the id tells them apart.
func (a *API) GetPublicImage(
	ctx context.Context, r gen.GetPublicImageRequestObject,
) (gen.GetPublicImageResponseObject, error) {
	var p Response
	var err error
	ifNoneMatch := wire.Value(r.Params.IfNoneMatch)
	kind := card.Kind(wire.Value(r.Params.Kind))
	if len(r.PublicId) == publicIDLength {
		p, err = a.service.Public(ctx, r.PublicId, ifNoneMatch)
	} else {
		p, err = a.service.OfPage(ctx, identity.CallerOf(ctx), r.PublicId, identity.QueryOf(ctx), publicRequest(r.Params),
			ifNoneMatch)
	}
	if err != nil {
		return nil, err
	}
	a.service.countPublic(ctx, r.PublicId, kind)
	headers := gen.PublicPictureResponseHeaders{
		CacheControl: cacheControlOf(p, a.service.now()), ETag: p.ETag, XMastheadFallback: wire.OrNull(p.Fallback),
	}
	if p.NotModified {
		return gen.GetPublicImage304Response{Headers: gen.PublicNotModifiedResponseHeaders(headers)}, nil
	}
	picture := gen.PublicPictureImagejpegResponse{
		Body: bodyOf(p), ContentLength: int64(len(p.Bytes)), Headers: headers,
	}
	if p.ContentType == "image/jpeg" {
		return gen.GetPublicImage200ImagejpegResponse{PublicPictureImagejpegResponse: picture}, nil
	}
	return gen.GetPublicImage200ImagepngResponse{
		PublicPictureImagepngResponse: gen.PublicPictureImagepngResponse(picture),
	}, nil
}

// bodyOf returns the body of a response, which gives bytes that nobody else has back when it was sent.
func bodyOf(p Response) io.Reader {
	body := bytes.NewReader(p.Bytes)
	if !p.spare {
		return body
	}
	return spareBody{body, p.Bytes}
}

// spareBody is the body of a response with the bytes of a file.
type spareBody struct {
	*bytes.Reader

	file []byte
}

// Close implements [io.Closer]. It is called once, after the body was written.
func (b spareBody) Close() error {
	blob.Recycle(b.file)
	return nil
}

// publicRequest reads the query of GET /og, which has passed the validation.
func publicRequest(q gen.GetPublicImageParams) card.Request {
	r := card.Request{
		URL: wire.Value(q.Url), Kind: card.Kind(wire.Value(q.Kind)), Template: wire.Value(q.Template),
		Version: wire.Value(q.V),
		Style: card.Style{
			Dark: q.Dark == nil || *q.Dark, Font: string(wire.Value(q.Font)), AspectRatio: string(wire.Value(q.AspectRatio)),
		},
	}
	if accent := wire.Value(q.Accent); accent != "" {
		r.Style.Accent = "#" + strings.TrimPrefix(accent, "#") // in a query a # has to be written %23, so it may be left out
	}
	if q.Size != nil { // its form was checked
		_, _ = fmt.Sscanf(*q.Size, "%dx%d", &r.Size.X, &r.Size.Y)
	}
	if q.LogoUrl != nil {
		r.Style.Logo = &card.Logo{URL: *q.LogoUrl, Position: string(wire.Value(q.LogoPosition))}
	}
	if wire.Value(q.Ai) {
		r.AI = &card.AI{Model: string(wire.Value(q.AiModel)), Prompt: wire.Value(q.AiPrompt)}
	}
	return r
}
