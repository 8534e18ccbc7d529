package scrape

import (
	"context"
	"image/color"
	"slices"
	"strings"

	"masthead/pkg/cleantext"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/render/palette"
)

// Color is a color of a site and its source.
type Color struct {
	Value  color.NRGBA // opaque
	Source palette.Source
	// Name identifies it within its source: the custom property, or the selector of a button; "" if the source is enough.
	Name string
	// For is the appearance that the color is meant for.
	For Appearance
	// Weight is the weight of a color among the pixels of a picture; 0 means the weight of the source.
	Weight float64
}

// Appearance is the color scheme that a media query restricts a color to.
type Appearance uint8

// The appearances. The zero value means no restriction.
const (
	AnyAppearance Appearance = iota
	LightAppearance
	DarkAppearance
	// OtherAppearance is any other media query.
	OtherAppearance
)

// Candidates returns the colors as candidates for the accent of a dark or light card.
func Candidates(colors []Color, dark bool) []palette.Candidate {
	found := make([]palette.Candidate, len(colors))
	for i, c := range colors {
		found[i] = palette.Candidate{Color: c.Value, Source: c.Source, Name: c.Name, Weight: c.Weight}
		if c.Source == palette.ThemeColor && !c.For.holds(dark) {
			found[i].Source = palette.ThemeColorOther
		}
	}
	return found
}

// holds reports whether a color for the appearance is suitable for cards of the mode.
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

// mediaName returns a media query cleaned for display, since it is untrusted.
func mediaName(media string) string { return cleantext.Clean(media, maxPropertyName) }

// colors returns the colors of the icon, those in the page and its manifest, those of the first style sheet (if it was
// read, or is needed because nothing else could be the brand's color), and those of the share image, if it was read.
func (sc *scraping) colors(ctx context.Context) ([]Color, error) {
	found := sc.namedColors()
	if sc.need.Stylesheet && sc.site.Stylesheet.State == NotAsked && sc.site.Page.Got() && lacksBrand(found) {
		sc.site.Stylesheet = settle(func() (page.Style, error) { return sc.stylesheet(ctx) })
	}
	found = append(found, styleColors(sc.site.Stylesheet.Value, sc.site.customProperties())...)
	found = appendClusters(found, sc.site.SharePicture.Value.clusters, palette.OGImage)
	if len(found) == 0 {
		return nil, errAbsent
	}
	return found, nil
}

// lacksBrand reports whether colors don't determine the brand's color: there are none, or only a neutral one that isn't
// both the theme color and in the icon.
func lacksBrand(found []Color) bool {
	choice := palette.Choose(Candidates(found, true), true)
	from := func(sources ...palette.Source) bool {
		return slices.ContainsFunc(found, func(c Color) bool { return slices.Contains(sources, c.Source) })
	}
	sure := from(palette.ThemeColor) && from(palette.Icon, palette.SVGFill)
	return choice.Source == palette.NoSource || choice.Neutral && !sure
}

func (sc *scraping) namedColors() []Color {
	clusters, format := sc.site.iconClusters()
	source := palette.Icon
	if format == picture.SVG {
		source = palette.SVGFill
	}
	found := appendClusters(nil, clusters, source)
	if !sc.site.Page.Got() {
		return found
	}
	brand := &sc.site.Page.Value.Brand
	for _, t := range brand.ThemeColors {
		if c, ok := opaque(t.Value); ok {
			found = append(found, Color{
				Value: c, Source: palette.ThemeColor, Name: mediaName(t.Media), For: appearanceOf(t.Media),
			})
		}
	}
	found = appendColor(found, sc.site.Manifest.Value.ThemeColor, palette.Manifest)
	found = appendColor(found, brand.MaskIcon, palette.MaskIcon)
	found = appendColor(found, brand.Tile, palette.TileColor)
	return append(found, styleColors(brand.Style, sc.site.customProperties())...)
}

// iconClusters returns the main colors of the site's icon, and its format.
func (s *Result) iconClusters() ([]palette.Cluster, picture.Format) {
	if icon := &s.Icon.Value; icon.clusters != nil {
		return icon.clusters, icon.Facts.Format
	}
	if len(s.Icons) > 0 {
		return s.Icons[0].Value.clusters, s.Icons[0].Value.Facts.Format
	}
	if favicon := &s.Favicon.Value; favicon.Image != nil {
		return palette.Clusters(favicon.Image), favicon.Facts.Format
	}
	return nil, picture.Unknown
}

func appendClusters(found []Color, clusters []palette.Cluster, source palette.Source) []Color {
	for _, c := range palette.Candidates(clusters, source) {
		found = append(found, Color{Value: c.Color, Source: c.Source, Weight: c.Weight})
	}
	return found
}

// appendColor appends the color in text if it is an opaque one.
func appendColor(found []Color, text string, source palette.Source) []Color {
	c, ok := page.ParseColor(text)
	if !ok || c.A != 0xff {
		return found
	}
	return append(found, Color{Value: c, Source: source})
}
