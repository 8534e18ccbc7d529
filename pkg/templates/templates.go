// Package templates owns the catalogue of templates over HTTP and their sample pictures, each drawn once.
package templates

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"masthead/pkg/apperr"
	"masthead/render"
)

// Service lists templates and draws samples. It is safe for concurrent use.
type Service struct {
	// base is the public address of the service, without a slash at its end.
	base    string
	samples sync.Map // slug -> func() (render.Picture, error), which draws on its first call
}

// New returns a service whose samples stand under base.
func New(base string) *Service { return &Service{base: base} }

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
		return t, apperr.New(apperr.NotFound, "There is no template with this slug; GET /templates lists them.")
	}
	return t, nil
}

// Sample returns the sample picture of a template; NOT_FOUND for a slug of none.
func (s *Service) Sample(slug string) (render.Picture, error) {
	if _, err := s.Get(slug); err != nil {
		return render.Picture{}, err
	}
	draw, _ := s.samples.LoadOrStore(slug, sync.OnceValues(func() (render.Picture, error) {
		request, ok := render.Sample(slug)
		if !ok {
			return render.Picture{}, fmt.Errorf("template %s has no sample", slug)
		}
		// It serves everybody who comes later, so it does not end with the one who came first.
		return render.Draw(context.Background(), request)
	}))
	return draw.(func() (render.Picture, error))() //nolint:forcetypeassert // nothing else is stored
}

// SampleURL is the address of a template's sample.
func (s *Service) SampleURL(slug string) string { return s.base + "/templates/" + slug + "/sample" }
