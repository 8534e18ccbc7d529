package images

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/db"
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
func (s *Service) againWithBrand(ctx context.Context, kept imageRow) (r Request, err error) {
	version := int64(-1)
	if kept.hasBrand() {
		if kept, version, err = s.ofBrand(ctx, kept); err != nil {
			return Request{}, err
		}
	}
	r, err = s.again(ctx, kept)
	r.brandVersion = version
	return r, err
}

// again is [imageRow.again] with the active version of the image's design.
func (s *Service) again(ctx context.Context, kept imageRow) (Request, error) {
	if kept.DesignID == "" {
		return kept.again(nil)
	}
	_, found, err := s.designs.ByID(ctx, kept.ProjectID, kept.DesignID)
	if err != nil {
		return Request{}, err
	}
	if kept.Style.V.Fonts, err = s.designs.FontsOf(ctx, kept.ProjectID, found); err != nil {
		return Request{}, err
	}
	return kept.again(found)
}

// isDesignFault reports whether an error is one of the project's own design.
func isDesignFault(err error) bool {
	var fault *design.Error
	return errors.As(err, &fault)
}

// earlier returns the image that a request had with an earlier version of its design or with an earlier brand, under
// its new key from now on. found is false if there is none.
func (s *Service) earlier(ctx context.Context, j *job) (kept imageRow, found bool, err error) {
	if !j.request.mayHaveEarlier() {
		return kept, false, nil
	}
	kept, found, err = s.store.byBaseKeys(ctx, j.request)
	if err != nil || !found || kept.CacheKey == j.key {
		return kept, found, err
	}
	if _, err := s.store.moveKey(ctx, kept, j.key); err != nil {
		return kept, false, err
	}
	s.renewOne(ctx, kept.PublicID)
	kept, err = s.store.byPublicID(ctx, kept.PublicID)
	if apperr.CodeOf(err) == apperr.NotFound {
		return kept, false, nil // it was deleted meanwhile
	}
	return kept, err == nil && kept.CacheKey == j.key, err
}

// staysDrawn reports whether an image of an earlier version of its design is never redrawn by itself, since it has an
// AI picture.
func (r imageRow) staysDrawn() bool { return r.DesignID != "" && r.isAI() }

// earlierState says that an image shows an earlier version of its design or an earlier brand, and what becomes of it.
func (r imageRow) earlierState() string {
	of, known := "It shows an earlier version of its design. ", r.Redraw.V
	if known.Brand {
		of = "It shows an earlier brand of its project. "
	}
	switch {
	case r.isAI():
		return of + "It stays as it is, since its background is an AI picture."
	case known.Fault != "":
		return of + "It could not be redrawn with the present one; a later use of it starts another attempt."
	}
	return of + "It is redrawn in the background when it is used."
}

// checkVersion marks an image that was just saved as outdated if another version of its design became the active one
// while it was drawn.
func checkVersion(ctx context.Context, tx *db.Tx, saved imageRow, drawn *card.Design) error {
	if drawn == nil {
		return nil
	}
	_, err := tx.Exec(ctx, `UPDATE images SET redraw = '{}' WHERE id = ? AND EXISTS (SELECT 1 FROM designs d
		JOIN design_versions v ON v.design_id = d.id AND v.version = d.version WHERE d.id = ? AND v.digest <> ?)`,
		saved.ID, drawn.ID, drawn.Digest())
	if err != nil {
		return fmt.Errorf("compare the version of design %s: %w", drawn.ID, err)
	}
	return nil
}

// settle makes an image whose design was deleted one that needs no redraw.
func (s *Service) settle(ctx context.Context, kept imageRow) error {
	if _, err := s.store.db.Exec(ctx, `UPDATE images SET redraw = 'null' WHERE id = ?`, kept.ID); err != nil {
		return fmt.Errorf("keep image %s without its design: %w", kept.ID, err)
	}
	s.renewOne(ctx, kept.PublicID)
	return nil
}

// byBaseKeys returns the newest image of a request with any version of its design and any brand.
func (s store) byBaseKeys(ctx context.Context, r Request) (kept imageRow, found bool, err error) {
	base, ofDesign, err := r.baseKeys()
	if err != nil || base == "" {
		return imageRow{}, false, err
	}
	kept, err = store{s.db.Brief()}.one(ctx,
		`id = (SELECT id FROM images WHERE base_key IN (?, ?) AND base_key <> ''
			AND deleting_at IS NULL ORDER BY id DESC LIMIT 1)`, base, ofDesign)
	if errors.Is(err, sql.ErrNoRows) {
		return imageRow{}, false, nil
	}
	if err != nil {
		return imageRow{}, false, fmt.Errorf("find image by its design and brand: %w", err)
	}
	return kept, true, nil
}

// moveKey stores an outdated image under the key of the active version of its design and of the present brand. moved
// is false if there is one already.
func (s store) moveKey(ctx context.Context, kept imageRow, key string) (moved bool, err error) {
	brand := kept.DesignID == "" || kept.isOutdated() && kept.Redraw.V.Brand
	rows, err := s.db.Exec(ctx, `UPDATE images SET cache_key = ?, redraw = ? WHERE id = ? AND cache_key = ?
		AND NOT EXISTS (SELECT 1 FROM images AS other WHERE other.cache_key = ?)`, key,
		db.JSON[*redraw]{V: &redraw{Brand: brand}}, kept.ID, kept.CacheKey, key)
	if err != nil && !db.IsUnique(err) {
		return false, fmt.Errorf("move image %s to its present key: %w", kept.ID, err)
	}
	return err == nil && rows > 0, nil
}

// present moves an image to the key of the request that redraws it, and returns that key. If the image of another
// request has it, the image gets a key of its own.
func (s *Service) present(ctx context.Context, kept imageRow, r Request) (key string, err error) {
	if kept.DesignID == "" && !kept.hasBrand() {
		return kept.CacheKey, nil
	}
	if key, err = r.key(); err != nil || key == kept.CacheKey {
		return key, err
	}
	moved, err := s.store.moveKey(ctx, kept, key)
	if err != nil || moved {
		return key, err
	}
	key += " " + kept.ID
	if key != kept.CacheKey {
		_, err = s.store.moveKey(ctx, kept, key)
	}
	return key, err
}
