package scrape

import (
	"context"
	"image/color"
	"slices"
	"strings"

	"masthead/pkg/page"
	"masthead/render/palette"
)

// Color is a colour of a site and where it was found.
type Color struct {
	Value  color.NRGBA // opaque
	Source palette.Source
	// For is the appearance that the colour is meant for.
	For Appearance
	// Weight is that of a colour among the pixels of a picture; 0 is the weight of the source.
	Weight float64
}

// Appearance is what a media query restricts a colour to.
type Appearance uint8

// The appearances. The zero value is no restriction.
const (
	AnyAppearance Appearance = iota
	LightAppearance
	DarkAppearance
	// OtherAppearance is any other media query.
	OtherAppearance
)

// Candidates returns the colours as candidates for the accent of a card, dark or light.
func Candidates(colors []Color, dark bool) []palette.Candidate {
	found := make([]palette.Candidate, len(colors))
	for i, c := range colors {
		found[i] = palette.Candidate{Color: c.Value, Source: c.Source, Weight: c.Weight}
		if c.Source == palette.ThemeColor && !c.For.holds(dark) {
			found[i].Source = palette.ThemeColorOther
		}
	}
	return found
}

// holds says whether a colour for the appearance is one for cards of the mode.
func (a Appearance) holds(dark bool) bool {
	switch a {
	case LightAppearance:
		return !dark
	case DarkAppearance:
		return dark
	}
	return a == AnyAppearance
}

// appearanceOf reads the media query of a theme-color.
func appearanceOf(media string) Appearance {
	media = strings.ToLower(media)
	switch {
	case strings.Contains(media, "prefers-color-scheme: dark"), strings.Contains(media, "prefers-color-scheme:dark"):
		return DarkAppearance
	case strings.Contains(media, "prefers-color-scheme: light"), strings.Contains(media, "prefers-color-scheme:light"):
		return LightAppearance
	case media == "":
		return AnyAppearance
	}
	return OtherAppearance
}

// colors returns the colours of the icon, then those that the page and its manifest name, then those of the first style
// sheet, if that is wanted and none before could be the brand's.
func (sc *scraping) colors(ctx context.Context) ([]Color, error) {
	found := sc.namedColors()
	if sc.need.Stylesheet && sc.site.Page.Got() && !namesBrand(found) {
		sc.site.Stylesheet = settle(func() (page.Style, error) { return sc.stylesheet(ctx) })
		found = append(found, styleColors(sc.site.Stylesheet.Value)...)
	}
	if len(found) == 0 {
		return nil, errAbsent
	}
	return found, nil
}

func (sc *scraping) namedColors() []Color {
	var found []Color
	for _, c := range palette.Candidates(sc.site.Icon.Value.clusters, palette.Icon) {
		found = append(found, Color{Value: c.Color, Source: c.Source, Weight: c.Weight})
	}
	if !sc.site.Page.Got() {
		return found
	}
	brand := &sc.site.Page.Value.Brand
	for _, t := range brand.ThemeColors {
		found = appendColor(found, t.Value, palette.ThemeColor, appearanceOf(t.Media))
	}
	found = appendColor(found, sc.site.Manifest.Value.ThemeColor, palette.Manifest, AnyAppearance)
	found = appendColor(found, brand.MaskIcon, palette.MaskIcon, AnyAppearance)
	found = appendColor(found, brand.Tile, palette.TileColor, AnyAppearance)
	return append(found, styleColors(brand.Style)...)
}

// styleColors returns the brand colours of a style sheet.
func styleColors(style page.Style) []Color {
	var found []Color
	for _, property := range style.Properties {
		name := strings.ToLower(property.Name)
		if strings.Contains(name, "brand") || strings.Contains(name, "primary") || strings.Contains(name, "accent") {
			found = appendColor(found, property.Value, palette.CustomProperty, AnyAppearance)
		}
	}
	for _, background := range style.Buttons {
		found = appendColor(found, background, palette.Button, AnyAppearance)
	}
	return found
}

// appendColor adds the colour that text names, if it names an opaque one.
func appendColor(found []Color, text string, source palette.Source, a Appearance) []Color {
	c, ok := page.ParseColor(text)
	if !ok || c.A != 0xff {
		return found
	}
	return append(found, Color{Value: c, Source: source, For: a})
}

// brandChroma is the least chroma, in OKLCH, of a colour that tells one brand from another. Source: audit rules, F.3.
const brandChroma = .04

// namesBrand says whether somebody has written down a colour that could be the brand's; the pixels of an icon are no
// such thing.
func namesBrand(colors []Color) bool {
	return slices.ContainsFunc(colors, func(c Color) bool {
		return c.Source != palette.Icon && palette.ToLCH(c.Value).C > brandChroma
	})
}
