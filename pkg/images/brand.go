package images

import (
	"context"

	"masthead/pkg/card"
	"masthead/pkg/identity"
	"masthead/pkg/images/store"
)

// This file has what is particular to images that the brand of their project has a part in. Their key has what the
// brand filled in, as if the request had named it, and the base key leaves it out: see [card.Request.BaseKey]. The row
// has what the request left open. When the brand changes, those images are marked as outdated that left open what has
// changed; from then on they are treated as images of another version of a design, which design.go describes.
//
// It doesn't apply to images with an AI picture: they stay as they are, and their request is another image after the
// change. So do images that were drawn before rows had this, and those whose look another request has named.

// ofBrand returns the row with what the present brand of the project fills in, and the version of the brand.
func (s *Service) ofBrand(ctx context.Context, kept store.Image) (store.Image, int64, error) {
	of, err := s.projects.Recent(ctx, identity.Caller{UserID: kept.OwnerID}, kept.ProjectID)
	if err != nil {
		return kept, 0, err
	}
	brand, err := s.designs.BrandOf(ctx, of)
	if err != nil {
		return kept, 0, err
	}
	asked := card.Request{Kind: kept.Kind, Template: kept.Template, Style: kept.Style.V}
	asked.Size, asked.Sizes = askedSizes(kept, Request{Request: asked})
	asked = asked.Without(kept.Open()).WithBrand(brand)
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
func (s *Service) settleBrand(ctx context.Context, kept store.Image, by Request) error {
	if !kept.HasBrand() || kept.Open()&card.OpenBrand&^by.Open == 0 {
		return nil
	}
	by.Open &= kept.Open()
	base, err := by.BaseKey(by.ProjectID)
	if err != nil {
		return err
	}
	if err := s.store.SettleBrand(ctx, kept, by.Open, base); err != nil {
		return err
	}
	s.follower.Renew(ctx, kept.PublicID)
	return nil
}
