// Package templates owns the catalogue of templates over HTTP and their sample pictures, each drawn once.
package templates

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"masthead/pkg/apperr"
	"masthead/render"
)

// Service lists templates and draws samples. It is safe for concurrent use.
type Service struct {
	// base is the public address of the service, without a slash at its end.
	base string

	// mu is held while a sample is drawn: one at a time, so that samples, which no pool bounds, take one core at most.
	// A kept one waits for it some ten milliseconds, and only until each of the few templates was asked for once.
	mu      sync.Mutex
	samples map[sample]render.Picture // what failed is tried again
}

// sample names a sample picture.
type sample struct {
	slug string
	dark bool
}

// New returns a service whose samples stand under base.
func New(base string) *Service {
	return &Service{base: base, samples: map[sample]render.Picture{}}
}

// List returns the templates, by slug, that can draw kind; all of them when it is "".
func (s *Service) List(kind render.Kind) []render.Template {
	return slices.DeleteFunc(render.Templates(), func(t render.Template) bool {
		return kind != "" && !slices.Contains(t.Kinds, kind)
	})
}

// Get returns the template of a slug; NOT_FOUND for none.
func (s *Service) Get(slug string) (render.Template, error) {
	t, ok := render.Lookup(slug, "")
	if !ok {
		var slugs []string
		for _, t := range render.Templates() {
			slugs = append(slugs, t.Slug)
		}
		return t, apperr.New(apperr.NotFound,
			fmt.Sprintf("There is no template %.64q; there are: %s.", slug, strings.Join(slugs, ", ")))
	}
	return t, nil
}

// Sample returns the sample picture of a template, dark or light, with nil as suits it; NOT_FOUND for a slug of none,
// and the error of ctx when it ends before the picture is drawn.
func (s *Service) Sample(ctx context.Context, slug string, dark *bool) (render.Picture, error) {
	request, ok := render.Sample(slug)
	if !ok {
		_, err := s.Get(slug)
		return render.Picture{}, err
	}
	if dark != nil {
		request.Dark = *dark
	}
	name := sample{slug, request.Dark}
	s.mu.Lock()
	defer s.mu.Unlock()
	if kept, ok := s.samples[name]; ok {
		return kept, nil
	}
	drawn, err := render.Draw(ctx, request)
	if err != nil {
		return render.Picture{}, fmt.Errorf("draw the sample of template %s: %w", slug, err)
	}
	s.samples[name] = drawn
	return drawn, nil
}

// SampleURL is the address of a template's sample.
func (s *Service) SampleURL(slug string) string { return s.base + "/templates/" + slug + "/sample" }
