// Package templates serves the template catalog over HTTP, with a sample picture of each template, drawn once.
package templates

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"masthead/pkg/apperr"
	"masthead/pkg/worker"
	"masthead/render"
)

// Service lists templates and draws samples. It is safe for concurrent use.
type Service struct {
	// base is the public address of the service, without a trailing slash.
	base string

	drawing *worker.Pool
	flight  singleflight.Group // draws each sample once for concurrent requests

	mu      sync.Mutex
	samples map[sample]render.Card // errors aren't cached
}

// sample identifies a sample picture.
type sample struct {
	slug string
	dark bool
}

// New returns a service whose samples have addresses under base and are drawn by the workers of drawing.
func New(base string, drawing *worker.Pool) *Service {
	return &Service{base: base, drawing: drawing, samples: map[sample]render.Card{}}
}

// List returns the templates that can draw kind, sorted by slug, or all if kind is "".
func (s *Service) List(kind render.Kind) []render.Template {
	return slices.DeleteFunc(render.Templates(), func(t render.Template) bool {
		return kind != "" && !slices.Contains(t.Kinds, kind)
	})
}

// Get returns the template with a slug, or NOT_FOUND.
func (s *Service) Get(slug string) (render.Template, error) {
	t, ok := render.Lookup(slug, "")
	if !ok {
		var slugs []string
		for _, t := range render.Templates() {
			slugs = append(slugs, t.Slug)
		}
		return t, apperr.New(apperr.NotFound,
			fmt.Sprintf("There is no template %.64q. Available templates: %s.", slug, strings.Join(slugs, ", ")))
	}
	return t, nil
}

// Sample returns the sample picture of a template: dark, light, or, if dark is nil, in the template's default mode.
// It returns NOT_FOUND for an unknown slug, and the error of ctx if ctx ends before the picture is drawn.
func (s *Service) Sample(ctx context.Context, slug string, dark *bool) (render.Card, error) {
	request, ok := render.Sample(slug)
	if !ok {
		_, err := s.Get(slug)
		return render.Card{}, err
	}
	if dark != nil {
		request.Dark = *dark
	}
	name := sample{slug, request.Dark}
	if kept, ok := s.kept(name); ok {
		return kept, nil
	}
	key := fmt.Sprintf("sample %s %t", slug, request.Dark)
	drawing := s.flight.DoChan(key, func() (any, error) { // outlives the first request
		if kept, ok := s.kept(name); ok {
			return kept, nil
		}
		return s.draw(context.WithoutCancel(ctx), name, key, request)
	})
	select {
	case <-ctx.Done():
		return render.Card{}, ctx.Err()
	case result := <-drawing:
		drawn, _ := result.Val.(render.Card)
		return drawn, result.Err
	}
}

func (s *Service) kept(name sample) (render.Card, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, ok := s.samples[name]
	return kept, ok
}

// drawTime is the maximum time a sample waits for a worker, and the maximum time for drawing it.
const drawTime = 10 * time.Second

// draw draws a sample and caches it.
func (s *Service) draw(
	ctx context.Context, name sample, key string, request render.Request,
) (render.Card, error) {
	bounded, cancel := context.WithTimeout(ctx, drawTime+worker.DefaultDeadline)
	defer cancel()
	work := worker.Work{Stage: "sample", Key: func() string { return key }}
	drawn, err := worker.Do(bounded, s.drawing, work, func(ctx context.Context) (render.Card, error) {
		return render.Draw(ctx, request)
	})
	if err != nil {
		return render.Card{}, fmt.Errorf("draw the sample of template %s: %w", name.slug, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.samples[name] = drawn
	return drawn, nil
}

// SampleURL returns the address of a template's sample.
func (s *Service) SampleURL(slug string) string { return s.base + "/templates/" + slug + "/sample" }
