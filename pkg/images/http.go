package images

import (
	"bytes"
	"context"

	"github.com/google/uuid"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/cursor"
	"masthead/pkg/etag"
	"masthead/pkg/identity"
	"masthead/pkg/wire"
)

// API is the operations on images.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// forever is for what never changes at its address. Source: the specification, GET /og.
const forever = "public, max-age=31536000, immutable"

// GenerateImage draws the image of a page, or returns the one that is kept.
func (a *API) GenerateImage(ctx context.Context, r gen.GenerateImageRequestObject) (gen.GenerateImageResponseObject, error) {
	request, err := requestOf(r)
	if err != nil {
		return nil, err
	}
	record, err := a.service.Generate(ctx, identity.CallerOf(ctx), request)
	if err != nil {
		return nil, err
	}
	return gen.GenerateImage200JSONResponse(imageOf(record)), nil
}

// ListImages lists the caller's images.
func (a *API) ListImages(ctx context.Context, r gen.ListImagesRequestObject) (gen.ListImagesResponseObject, error) {
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, next, err := a.service.List(ctx, identity.CallerOf(ctx), wire.ID(r.Params.ProjectId), Kind(value(r.Params.Kind)), page)
	if err != nil {
		return nil, err
	}
	return gen.ListImages200JSONResponse{Items: wire.Items(found, imageOf), NextCursor: wire.OrNull(next)}, nil
}

// GetImage returns one image.
func (a *API) GetImage(ctx context.Context, r gen.GetImageRequestObject) (gen.GetImageResponseObject, error) {
	record, err := a.service.Get(ctx, identity.CallerOf(ctx), r.ImageId.String())
	if err != nil {
		return nil, err
	}
	return gen.GetImage200JSONResponse(imageOf(record)), nil
}

// DeleteImage deletes one image.
func (a *API) DeleteImage(ctx context.Context, r gen.DeleteImageRequestObject) (gen.DeleteImageResponseObject, error) {
	if err := a.service.Delete(ctx, identity.CallerOf(ctx), r.ImageId.String()); err != nil {
		return nil, err
	}
	return gen.DeleteImage204Response{}, nil
}

// GetFile serves the bytes at a /cdn address.
func (a *API) GetFile(ctx context.Context, r gen.GetFileRequestObject) (gen.GetFileResponseObject, error) {
	file, err := a.service.File(ctx, blob.Name{Digest: r.Digest, File: r.Name})
	if err != nil {
		return nil, err
	}
	tag := etag.Of(file.Bytes)
	headers := gen.PictureResponseHeaders{CacheControl: forever, ETag: tag}
	switch {
	case etag.Match(value(r.Params.IfNoneMatch), tag):
		return gen.GetFile304Response{Headers: gen.NotModifiedResponseHeaders(headers)}, nil
	case file.ContentType == "image/jpeg":
		return gen.GetFile200ImagejpegResponse{PictureImagejpegResponse: gen.PictureImagejpegResponse{
			Body: bytes.NewReader(file.Bytes), ContentLength: int64(len(file.Bytes)), Headers: headers}}, nil
	}
	return gen.GetFile200ImagepngResponse{PictureImagepngResponse: gen.PictureImagepngResponse{
		Body: bytes.NewReader(file.Bytes), ContentLength: int64(len(file.Bytes)), Headers: headers}}, nil
}

// GetPublicImage serves the current picture of an image.
func (a *API) GetPublicImage(ctx context.Context, r gen.GetPublicImageRequestObject) (gen.GetPublicImageResponseObject, error) {
	file, err := a.service.Public(ctx, r.PublicId)
	if err != nil {
		return nil, err
	}
	tag := etag.Of(file.Bytes)
	headers := gen.PictureResponseHeaders{CacheControl: forever, ETag: tag}
	switch {
	case etag.Match(value(r.Params.IfNoneMatch), tag):
		return gen.GetPublicImage304Response{Headers: gen.NotModifiedResponseHeaders(headers)}, nil
	case file.ContentType == "image/jpeg":
		return gen.GetPublicImage200ImagejpegResponse{PictureImagejpegResponse: gen.PictureImagejpegResponse{
			Body: bytes.NewReader(file.Bytes), ContentLength: int64(len(file.Bytes)), Headers: headers}}, nil
	}
	return gen.GetPublicImage200ImagepngResponse{PictureImagepngResponse: gen.PictureImagepngResponse{
		Body: bytes.NewReader(file.Bytes), ContentLength: int64(len(file.Bytes)), Headers: headers}}, nil
}

// requestOf reads a request body, which has passed the validation.
func requestOf(r gen.GenerateImageRequestObject) (Request, error) {
	body := r.Body
	request := Request{
		URL: body.Url, ProjectID: body.ProjectId.String(), Kind: Kind(value(body.Kind)), Template: value(body.Template),
		Style: styleOf(body.Style), Force: value(body.Force), CreateOnly: r.Params.IfNoneMatch != nil,
	}
	if c := body.Content; c != nil {
		request.Content = Content{
			Title: value(c.Title), Description: value(c.Description), SiteName: value(c.SiteName), Eyebrow: value(c.Eyebrow),
			Author: value(c.Author), Date: value(c.Date), Favicon: value(c.Favicon),
		}
	}
	if body.Ai == nil {
		return request, nil
	}
	if asked, err := body.Ai.AsGenerateRequestAi0(); err == nil {
		if asked {
			request.AI = &AI{}
		}
		return request, nil
	}
	ai, err := body.Ai.AsAiRequest()
	if err != nil {
		return request, apperr.Invalid("/ai", "ai is true or an object.")
	}
	request.AI = &AI{Model: string(value(ai.Model)), Prompt: value(ai.Prompt), Override: value(ai.Override)}
	return request, nil
}

func styleOf(s *gen.StyleRequest) Style {
	if s == nil {
		return Style{Dark: true}
	}
	style := Style{
		Accent: value(s.Accent), Dark: s.Dark == nil || *s.Dark, Font: string(value(s.Font)),
		AspectRatio: string(value(s.AspectRatio)),
	}
	if s.Logo != nil {
		style.Logo = &Logo{URL: s.Logo.Url, Position: string(value(s.Logo.Position))}
	}
	return style
}

// imageOf is the record on the wire.
func imageOf(r Record) gen.Image {
	image := gen.Image{
		Id: uuid.MustParse(r.ID), PublicId: r.PublicID, ProjectId: uuid.MustParse(r.ProjectID), Url: r.URL,
		ImageUrl: r.ImageURL, PublicUrl: r.PublicURL, Kind: gen.ImageKind(r.Kind), Template: &r.Template,
		Style: wireStyle(r.Style.V), Width: r.Width, Height: r.Height, Cached: r.Cached, Alt: r.Alt, MetaTags: r.MetaTags,
		CreatedAt: wire.Moment(r.CreatedAt.Time),
		Source: gen.Source{
			Title: wire.OrNull(r.Page.V.Title), Description: wire.OrNull(r.Page.V.Description), SiteName: wire.OrNull(r.Page.V.SiteName),
			Favicon: wire.OrNull(r.Page.V.Favicon), Palette: wirePalette(r.Page.V.Palette),
		},
	}
	if !r.Cached {
		ms := int(r.Generation.Milliseconds())
		image.GenerationMs = &ms
	}
	if ai := r.AI.V; ai != nil {
		image.Ai = &gen.Ai{
			Enabled: true, Model: wire.OrNull(gen.AiModel(ai.Model)), Prompt: wire.OrNull(ai.Prompt), FellBack: ai.FellBack,
			FallbackReason: wire.OrNull(gen.AiFallbackReason(ai.FallbackReason)),
		}
	}
	return image
}

func wirePalette(p Palette) gen.Palette {
	return gen.Palette{Accent: p.Accent, AccentSource: p.AccentSource, Companion: p.Companion, Background: p.Background}
}

func wireStyle(s Style) *gen.Style {
	style := &gen.Style{
		Accent: wire.OrNull(s.Accent), Dark: s.Dark, Font: gen.Font(s.Font), AspectRatio: wire.OrNull(gen.AspectRatio(s.AspectRatio)),
	}
	if s.Logo != nil {
		style.Logo = &gen.Logo{Url: s.Logo.URL, Position: gen.LogoPosition(s.Logo.Position)}
	}
	return style
}

// value returns what p points to, or the zero value.
func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
