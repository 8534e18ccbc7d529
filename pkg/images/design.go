package images

import (
	"context"
	"errors"

	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/images/store"
	"masthead/pkg/projects"
	"masthead/render"
	"masthead/render/design"
)

// This file has what is particular to images of the projects' own designs. Their key has the version of the design, and
// the base key is the same for all versions. When another version becomes the active one, its images are marked as
// outdated: they are served for minutes only, and redrawn in the background after their next use, as redraw.go says,
// unless they have an AI picture. The first request for one with the new version moves it to its new key.

// findDesign finds the project's own design that a request names as its template, if there is one.
func (s *Service) findDesign(ctx context.Context, r *Request) (err error) {
	if _, ours := render.Lookup(r.Template, ""); ours || s.designs == nil || r.Template == "" || r.Kind == card.IconSet {
		return nil // no design of a project has a slug of ours
	}
	if r.Design, err = s.designs.Active(ctx, r.ProjectID, r.Template); err != nil || r.Design == nil {
		return err
	}
	r.Style.Fonts, err = s.designs.FontsOf(ctx, r.ProjectID, r.Design)
	return err
}

// withBrand returns a request of a project with what its brand adds, and with the project's own design, if its template
// is one.
func (s *Service) withBrand(ctx context.Context, r Request, of projects.Project) (Request, error) {
	if s.designs != nil {
		brand, err := s.designs.BrandOf(ctx, of)
		if err != nil {
			return r, err
		}
		r.Request, r.brandVersion = r.WithBrand(brand), of.BrandVersion
	}
	err := s.findDesign(ctx, &r)
	return r, err
}

// againWithBrand is [Service.again] with the present brand of the project.
func (s *Service) againWithBrand(ctx context.Context, kept store.Image) (r Request, err error) {
	version := int64(-1)
	if kept.HasBrand() {
		if kept, version, err = s.ofBrand(ctx, kept); err != nil {
			return Request{}, err
		}
	}
	r, err = s.again(ctx, kept)
	r.brandVersion = version
	return r, err
}

// again is [again] with the active version of the image's design.
func (s *Service) again(ctx context.Context, kept store.Image) (Request, error) {
	if kept.DesignID == "" {
		return again(kept, nil)
	}
	_, found, err := s.designs.ByID(ctx, kept.ProjectID, kept.DesignID)
	if err != nil {
		return Request{}, err
	}
	if kept.Style.V.Fonts, err = s.designs.FontsOf(ctx, kept.ProjectID, found); err != nil {
		return Request{}, err
	}
	return again(kept, found)
}

// isDesignFault reports whether an error is one of the project's own design.
func isDesignFault(err error) bool {
	var fault *design.Error
	return errors.As(err, &fault)
}

// earlier returns the image that a request had with an earlier version of its design or with an earlier brand, under
// its new key from now on. found is false if there is none.
func (s *Service) earlier(ctx context.Context, j *job) (kept store.Image, found bool, err error) {
	if !j.request.mayHaveEarlier() {
		return kept, false, nil
	}
	kept, found, err = s.byBaseKeys(ctx, j.request)
	if err != nil || !found || kept.CacheKey == j.key {
		return kept, found, err
	}
	if _, err := s.store.MoveKey(ctx, kept, j.key); err != nil {
		return kept, false, err
	}
	s.follower.Renew(ctx, kept.PublicID)
	kept, err = s.store.ByPublicID(ctx, kept.PublicID)
	if apperr.CodeOf(err) == apperr.NotFound {
		return kept, false, nil // it was deleted meanwhile
	}
	return kept, err == nil && kept.CacheKey == j.key, err
}

// earlierState says that an image shows an earlier version of its design or an earlier brand, and what becomes of it.
func earlierState(r store.Image) string {
	of, known := "It shows an earlier version of its design. ", r.Redraw.V
	if known.Brand {
		of = "It shows an earlier brand of its project. "
	}
	switch {
	case r.IsAI():
		return of + "It stays as it is, since its background is an AI picture."
	case known.Fault != "":
		return of + "It could not be redrawn with the present one; a later use of it starts another attempt."
	}
	return of + "It is redrawn in the background when it is used."
}

// settle makes an image whose design was deleted one that needs no redraw.
func (s *Service) settle(ctx context.Context, kept store.Image) error {
	if err := s.store.Settle(ctx, kept.ID); err != nil {
		return err
	}
	s.follower.Renew(ctx, kept.PublicID)
	return nil
}

// byBaseKeys returns the newest image of a request with any version of its design and any brand.
func (s *Service) byBaseKeys(ctx context.Context, r Request) (kept store.Image, found bool, err error) {
	base, ofDesign, err := r.baseKeys()
	if err != nil || base == "" {
		return store.Image{}, false, err
	}
	return s.store.ByBaseKeys(ctx, base, ofDesign)
}

// present moves an image to the key of the request that redraws it, and returns that key. If the image of another
// request has it, the image gets a key of its own.
func (s *Service) present(ctx context.Context, kept store.Image, r Request) (key string, err error) {
	if kept.DesignID == "" && !kept.HasBrand() {
		return kept.CacheKey, nil
	}
	if key, err = r.key(); err != nil || key == kept.CacheKey {
		return key, err
	}
	moved, err := s.store.MoveKey(ctx, kept, key)
	if err != nil || moved {
		return key, err
	}
	key += " " + kept.ID
	if key != kept.CacheKey {
		_, err = s.store.MoveKey(ctx, kept, key)
	}
	return key, err
}
