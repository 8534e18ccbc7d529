package templates

import (
	"bytes"
	"context"

	"masthead/gen"
	"masthead/pkg/etag"
	"masthead/render"
)

// API is the operations on templates.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// ListTemplates lists the templates.
func (a *API) ListTemplates(_ context.Context, r gen.ListTemplatesRequestObject) (gen.ListTemplatesResponseObject, error) {
	kind := render.Kind("")
	if r.Params.Kind != nil {
		kind = render.Kind(*r.Params.Kind)
	}
	answer := gen.ListTemplates200JSONResponse{Items: []gen.Template{}}
	for _, t := range a.service.All(kind) {
		answer.Items = append(answer.Items, a.wire(t))
	}
	return answer, nil
}

// GetTemplate returns one template.
func (a *API) GetTemplate(_ context.Context, r gen.GetTemplateRequestObject) (gen.GetTemplateResponseObject, error) {
	t, err := a.service.Find(r.Slug)
	if err != nil {
		return nil, err
	}
	return gen.GetTemplate200JSONResponse(a.wire(t)), nil
}

// GetTemplateSample serves the sample picture of a template. It changes with the program, so it is not kept for ever.
func (a *API) GetTemplateSample(_ context.Context, r gen.GetTemplateSampleRequestObject) (gen.GetTemplateSampleResponseObject, error) {
	sample, err := a.service.Sample(r.Slug)
	if err != nil {
		return nil, err
	}
	headers := gen.SampleResponseHeaders{CacheControl: "public, max-age=86400", ETag: etag.Of(sample.Bytes)}
	switch {
	case r.Params.IfNoneMatch != nil && etag.Match(*r.Params.IfNoneMatch, headers.ETag):
		return gen.GetTemplateSample304Response{Headers: gen.SampleNotModifiedResponseHeaders(headers)}, nil
	case sample.ContentType == "image/jpeg":
		return gen.GetTemplateSample200ImagejpegResponse{SampleImagejpegResponse: gen.SampleImagejpegResponse{
			Body: bytes.NewReader(sample.Bytes), ContentLength: int64(len(sample.Bytes)), Headers: headers}}, nil
	}
	return gen.GetTemplateSample200ImagepngResponse{SampleImagepngResponse: gen.SampleImagepngResponse{
		Body: bytes.NewReader(sample.Bytes), ContentLength: int64(len(sample.Bytes)), Headers: headers}}, nil
}

func (a *API) wire(t render.Template) gen.Template {
	kinds := make([]gen.TemplateKind, len(t.Kinds))
	for i, k := range t.Kinds {
		kinds[i] = gen.TemplateKind(k)
	}
	needs := t.Needs
	if needs == nil {
		needs = []string{}
	}
	return gen.Template{
		Slug: t.Slug, Name: t.Name, Mood: t.Mood, Kinds: kinds, GoodFor: t.GoodFor, Needs: needs,
		TextSide: gen.TemplateTextSide(t.TextSide), SampleUrl: a.service.SampleURL(t.Slug),
	}
}
