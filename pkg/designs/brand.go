package designs

import (
	"context"
	"slices"
	"strings"

	"masthead/pkg/assets"
	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/projects"
	"masthead/render"
	"masthead/render/text"
)

// This file is what a project's brand adds to requests, and the fonts that its designs use.

// BrandOf returns what requests of a project get that name none.
func (s *Service) BrandOf(ctx context.Context, of projects.Project) (b card.Brand, err error) {
	brand := of.Brand
	b = card.Brand{Template: brand.Template, Accent: brand.Accent}
	if brand.LogoFile != "" {
		b.Logo = &card.Logo{URL: s.assets.Address(brand.LogoFile), Position: brand.LogoPosition}
	}
	if brand.HeadingFont == "" && brand.TextFont == "" {
		return b, nil
	}
	known, err := s.assets.Fonts(ctx, of.ID)
	if err != nil {
		return b, err
	}
	used := card.Fonts{}
	for name, to := range map[string]*string{brand.HeadingFont: &used.Heading, brand.TextFont: &used.Text} {
		has := func(a assets.Asset) bool { return a.Font.Family == name }
		if slices.ContainsFunc(known, has) || slices.Contains(render.Fonts(), name) { // else it was deleted
			*to = name
		}
	}
	if brand.HeadingFont == brand.TextFont {
		used.Heading = used.Text
	}
	used.Files = filesOf(known, func(family string) bool { return family == used.Heading || family == used.Text })
	if used.Heading != "" || used.Text != "" {
		b.Fonts = &used
	}
	return b, nil
}

// filesOf returns the files of fonts whose family is used.
func filesOf(known []assets.Asset, uses func(family string) bool) (files []card.FontFile) {
	for _, a := range known {
		if uses(a.Font.Family) {
			files = append(files, card.FontFile{
				Digest: a.File.Digest, Name: a.File.File, Family: a.Font.Family, MinWeight: a.Font.MinWeight,
				MaxWeight: a.Font.MaxWeight, Italic: a.Font.Italic,
			})
		}
	}
	return files
}

// FontsOf returns the fonts of a project that a design names, or nil.
func (s *Service) FontsOf(ctx context.Context, projectID string, d *card.Design) (*card.Fonts, error) {
	known, err := s.assets.Fonts(ctx, projectID)
	if err != nil {
		return nil, err
	}
	files := filesOf(known, func(family string) bool { return d.Mentions(family) })
	if len(files) == 0 {
		return nil, nil //nolint:nilnil // no error, and no fonts
	}
	return &card.Fonts{Files: files}, nil
}

// LoadFonts returns the fonts of a request ready for drawing, or nil for none.
func (s *Service) LoadFonts(ctx context.Context, projectID string, of *card.Fonts) (*text.Fonts, error) {
	if of == nil {
		return nil, nil //nolint:nilnil // no error, and no fonts
	}
	set := assets.FontSet{ProjectID: projectID, Heading: of.Heading, Text: of.Text}
	for _, f := range of.Files {
		set.Files = append(set.Files, assets.Asset{
			File: blob.Name{Digest: f.Digest, File: strings.ToLower(f.Name)},
			Font: &assets.FontFacts{Family: f.Family, MinWeight: f.MinWeight, MaxWeight: f.MaxWeight, Italic: f.Italic},
		})
	}
	return s.assets.LoadFonts(ctx, set)
}
