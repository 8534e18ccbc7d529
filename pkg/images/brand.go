package images

import (
	"cmp"
	"context"
	"fmt"

	"masthead/pkg/card"
	"masthead/pkg/identity"
	"masthead/pkg/projects"
	"masthead/render"
)

// This file has what is particular to images that the brand of their project has a part in. Their key has what the
// brand filled in, as if the request had named it, and the base key leaves it out: see [card.Request.BaseKey]. The row
// has what the request left open. When the brand changes, those images are marked as outdated that left open what has
// changed; from then on they are treated as images of another version of a design, which design.go describes.
//
// It doesn't apply to images with an AI picture: they stay as they are, and their request is another image after the
// change. So do images that were drawn before rows had this, and those whose look another request has named.

// changedParts returns what requests may leave open that differs between two brands.
func changedParts(was, is projects.Brand) (changed card.Open) {
	if cmp.Or(was.Template, render.DefaultTemplate) != cmp.Or(is.Template, render.DefaultTemplate) {
		changed |= card.OpenTemplate
	}
	if was.Accent != is.Accent {
		changed |= card.OpenAccent
	}
	if was.LogoFile != is.LogoFile || is.LogoFile != "" && was.LogoPosition != is.LogoPosition {
		changed |= card.OpenLogo
	}
	if was.HeadingFont != is.HeadingFont || was.TextFont != is.TextFont {
		changed |= card.OpenFont
	}
	return changed
}

// leftOpen returns what a row says that the request of its image left open.
func (r imageRow) leftOpen() card.Open {
	if r.LeftOpen == nil {
		return 0
	}
	return card.Open(*r.LeftOpen)
}

// hasBrand reports whether the image follows the brand of its project.
func (r imageRow) hasBrand() bool { return r.leftOpen()&card.OpenBrand != 0 && !r.isAI() }

// ofBrand returns the row with what the present brand of the project fills in, and the version of the brand.
func (s *Service) ofBrand(ctx context.Context, kept imageRow) (imageRow, int64, error) {
	of, err := s.projects.Recent(ctx, identity.Caller{UserID: kept.OwnerID}, kept.ProjectID)
	if err != nil {
		return kept, 0, err
	}
	brand, err := s.designs.BrandOf(ctx, of)
	if err != nil {
		return kept, 0, err
	}
	asked := card.Request{Kind: kept.Kind, Template: kept.Template, Style: kept.Style.V}
	asked.Size, asked.Sizes = kept.sizes(Request{Request: asked})
	asked = asked.Without(kept.leftOpen()).WithBrand(brand)
	kept.Template, kept.Style.V = asked.Template, asked.Style
	return kept, of.BrandVersion, nil
}

// baseKeys returns the base key of a request, and the one for all versions of its design with just this brand, which
// images have that stay when the brand changes. Both are "" for a request that depends on neither.
func (r Request) baseKeys() (base, ofDesign string, err error) {
	if base, err = r.BaseKey(r.ProjectID); err != nil {
		return "", "", err
	}
	r.Open = 0
	ofDesign, err = r.BaseKey(r.ProjectID)
	return base, ofDesign, err
}

// mayHaveEarlier reports whether the image of a request may be there with an earlier version of its design or with an
// earlier brand. So requests of projects whose brand never changed need no query for it.
func (r Request) mayHaveEarlier() bool {
	return r.Design != nil || r.brandVersion > 0 && r.Open&card.OpenBrand != 0
}

// settleBrand notes that a request has named what another one for the same image left to the brand: from then on the
// image doesn't follow the brand in that.
func (s *Service) settleBrand(ctx context.Context, kept imageRow, by Request) error {
	if !kept.hasBrand() || kept.leftOpen()&card.OpenBrand&^by.Open == 0 {
		return nil
	}
	by.Open &= kept.leftOpen()
	base, err := by.BaseKey(by.ProjectID)
	if err != nil {
		return err
	}
	_, err = s.store.db.Exec(ctx, `UPDATE images SET left_open = ?, base_key = ? WHERE id = ? AND cache_key = ?`,
		int64(by.Open), base, kept.ID, kept.CacheKey)
	if err != nil {
		return fmt.Errorf("note what image %s leaves to the brand: %w", kept.ID, err)
	}
	s.renewOne(ctx, kept.PublicID)
	return nil
}
