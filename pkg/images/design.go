package images

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

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
		r.Request = r.WithBrand(brand)
	}
	err := s.findDesign(ctx, &r)
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

// DesignActivated marks the images of a design as outdated, in the transaction that makes another version of it the
// active one.
func DesignActivated(ctx context.Context, tx *db.Tx, designID string) error {
	if _, err := tx.Exec(ctx, `UPDATE images SET redraw = '{}' WHERE design_id = ? AND design_id <> ''`,
		designID); err != nil {
		return fmt.Errorf("mark the images of design %s: %w", designID, err)
	}
	return nil
}

// DesignFontChanged is DesignActivated for the designs of a project that name a family of fonts.
func DesignFontChanged(ctx context.Context, tx *db.Tx, projectID, family string) error {
	_, err := tx.Exec(ctx, `UPDATE images SET redraw = '{}' WHERE design_id <> '' AND design_id IN (SELECT d.id
		FROM designs d JOIN design_versions v ON v.design_id = d.id AND v.version = d.version
		WHERE d.project_id = ? AND LOWER(v.source) LIKE ?)`, projectID, "%"+strings.ToLower(family)+"%")
	if err != nil {
		return fmt.Errorf("mark the images of designs with the font %s: %w", family, err)
	}
	return nil
}

// earlier returns the image that a request had with an earlier version of its design, under its new key from now on.
// found is false if there is none.
func (s *Service) earlier(ctx context.Context, j *job) (kept imageRow, found bool, err error) {
	base, err := j.request.BaseKey(j.request.ProjectID)
	if err != nil || base == "" {
		return kept, false, err
	}
	kept, found, err = s.store.byBaseKey(ctx, base)
	if err != nil || !found || kept.CacheKey == j.key {
		return kept, found, err
	}
	if err := s.store.moveKey(ctx, kept, j.key); err != nil {
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

// designState says that an image shows an earlier version of its design, and what becomes of it.
func (r imageRow) designState() string {
	switch known := r.Redraw.V; {
	case r.isAI():
		return "It shows an earlier version of its design. It stays as it is, since its background is an AI picture."
	case known.Fault != "":
		return "It shows an earlier version of its design. It could not be redrawn with the active one; a later use of it " +
			"starts another attempt."
	}
	return "It shows an earlier version of its design. It is redrawn in the background when it is used."
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

// byBaseKey returns the newest image of a request with any version of its design.
func (s store) byBaseKey(ctx context.Context, base string) (kept imageRow, found bool, err error) {
	kept, err = store{s.db.Brief()}.one(ctx,
		`id = (SELECT id FROM images WHERE base_key = ? AND base_key <> ''
			AND deleting_at IS NULL ORDER BY id DESC LIMIT 1)`, base)
	if errors.Is(err, sql.ErrNoRows) {
		return imageRow{}, false, nil
	}
	if err != nil {
		return imageRow{}, false, fmt.Errorf("find image by its design: %w", err)
	}
	return kept, true, nil
}

// moveKey stores an outdated image under the key of the active version of its design, unless there is one already.
func (s store) moveKey(ctx context.Context, kept imageRow, key string) error {
	_, err := s.db.Exec(ctx, `UPDATE images SET cache_key = ?, redraw = '{}' WHERE id = ? AND cache_key = ?
		AND NOT EXISTS (SELECT 1 FROM images AS other WHERE other.cache_key = ?)`, key, kept.ID, kept.CacheKey, key)
	if err != nil && !db.IsUnique(err) {
		return fmt.Errorf("move image %s to the version of its design: %w", kept.ID, err)
	}
	return nil
}
