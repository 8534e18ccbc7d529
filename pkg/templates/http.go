package templates

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"

	"masthead/gen"
	"masthead/pkg/etag"
	"masthead/pkg/wire"
	"masthead/render"
)

// API has the operations on templates.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListTemplates serves GET /templates: it returns all templates, or those for one kind of image.
func (a *API) ListTemplates(
	_ context.Context, r gen.ListTemplatesRequestObject,
) (gen.ListTemplatesResponseObject, error) {
	found := a.service.List(render.Kind(wire.Value(r.Params.Kind)))
	list := gen.TemplateList{Items: wire.Items(found, a.wireTemplate)}
	headers, known, err := cacheHeaders(list, r.Params.IfNoneMatch)
	switch {
	case err != nil:
		return nil, err
	case known:
		return gen.ListTemplates304Response{Headers: headers}, nil
	}
	return gen.ListTemplates200JSONResponse{Body: list, Headers: gen.ListTemplates200ResponseHeaders(headers)}, nil
}

// GetTemplate serves GET /templates/{slug}: it returns one template.
func (a *API) GetTemplate(_ context.Context, r gen.GetTemplateRequestObject) (gen.GetTemplateResponseObject, error) {
	found, err := a.service.Get(r.Slug)
	if err != nil {
		return nil, err
	}
	template := a.wireTemplate(found)
	headers, known, err := cacheHeaders(template, r.Params.IfNoneMatch)
	switch {
	case err != nil:
		return nil, err
	case known:
		return gen.GetTemplate304Response{Headers: headers}, nil
	}
	return gen.GetTemplate200JSONResponse{Body: template, Headers: gen.GetTemplate200ResponseHeaders(headers)}, nil
}

// cacheHeaders returns the headers of a cacheable response, and whether the caller's copy is current.
func cacheHeaders(body any, ifNoneMatch *string) (headers gen.DataNotModifiedResponseHeaders, known bool, err error) {
	data, err := json.Marshal(body)
	if err != nil {
		return headers, false, fmt.Errorf("encode for the entity tag: %w", err)
	}
	headers = gen.DataNotModifiedResponseHeaders{CacheControl: "public, max-age=300", ETag: etag.WeakOf(data)}
	return headers, etag.Match(wire.Value(ifNoneMatch), headers.ETag), nil
}

// GetTemplateSample serves GET /templates/{slug}/sample: it returns a picture. Samples may change with each version
// of the program, so they aren't cached forever.
func (a *API) GetTemplateSample(
	ctx context.Context, r gen.GetTemplateSampleRequestObject,
) (gen.GetTemplateSampleResponseObject, error) {
	sample, err := a.service.Sample(ctx, r.Slug, r.Params.Dark)
	if err != nil {
		return nil, err
	}
	headers := gen.SampleResponseHeaders{CacheControl: "public, max-age=86400", ETag: etag.Of(sample.Bytes)}
	switch {
	case r.Params.IfNoneMatch != nil && etag.Match(*r.Params.IfNoneMatch, headers.ETag):
		return gen.GetTemplateSample304Response{Headers: gen.SampleNotModifiedResponseHeaders(headers)}, nil
	case sample.ContentType == "image/jpeg":
		return gen.GetTemplateSample200ImagejpegResponse{SampleImagejpegResponse: gen.SampleImagejpegResponse{
			Body: bytes.NewReader(sample.Bytes), ContentLength: int64(len(sample.Bytes)), Headers: headers,
		}}, nil
	}
	return gen.GetTemplateSample200ImagepngResponse{SampleImagepngResponse: gen.SampleImagepngResponse{
		Body: bytes.NewReader(sample.Bytes), ContentLength: int64(len(sample.Bytes)), Headers: headers,
	}}, nil
}

// wireTemplate converts a template for a response.
func (a *API) wireTemplate(t render.Template) gen.Template {
	return gen.Template{
		Slug: t.Slug, Name: t.Name, Mood: t.Mood, GoodFor: t.GoodFor, TextSide: gen.TemplateTextSide(t.TextSide),
		Kinds: wire.Items(t.Kinds, func(k render.Kind) gen.TemplateKind { return gen.TemplateKind(k) }),
		Sizes: wire.Items(t.Sizes, func(size image.Point) gen.PixelSize {
			return gen.PixelSize{Width: size.X, Height: size.Y}
		}),
		Needs:    wire.Items(t.Needs, func(need string) string { return need }),
		Fallback: wire.Items(t.Fallback, func(slug string) string { return slug }),
		Ai:       !t.Bare, SampleUrl: a.service.SampleURL(t.Slug),
	}
}
