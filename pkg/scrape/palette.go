package scrape

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strings"

	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/render/palette"
)

// Swatch is a color of a site and its role.
type Swatch struct {
	Color color.NRGBA // opaque
	Role  Role
	// Share is the color's part of the total weight, 0 to 1; 0 for all swatches of a site without colors.
	Share float64
	// Source is where the color was found first, and Name identifies it within that source; see [Color].
	Source palette.Source
	Name   string
}

// Role is the role of a color on a site.
type Role string

// The roles.
const (
	Ground  Role = "background"
	Text    Role = "text"
	Primary Role = "primary"
	Accent  Role = "accent"
	Neutral Role = "neutral"
)

// Parameters of the palette.
const (
	maxSwatches   = 5
	mergeDistance = .06 // in OKLab
	lightGround   = .9  // lightness of backgrounds: above this, or below darkGround
	darkGround    = .15
	textContrast  = 4.5
	accentTurn    = 40 // degrees of hue between primary and accent
)

// brandChroma is the minimum chroma, in OKLCH, of a color that distinguishes brands.
const brandChroma = .04

// Weights of the sources of a palette; the background of the manifest counts like one of a style sheet.
const (
	themeWeight      = 3
	brandWeight      = 3 // a custom property with a brand name
	backgroundWeight = 2
	propertyWeight   = 1
	iconWeight       = 2
	shareWeight      = 1
)

// labColor is a color with the evidence for it.
type labColor struct {
	Color
	lab palette.Lab
}

// noPalette is the palette of a site without colors.
func noPalette() []Swatch {
	return []Swatch{
		{Color: palette.RGB(0xFFFFFF), Role: Ground, Source: palette.NoSource},
		{Color: palette.RGB(0x111111), Role: Text, Source: palette.NoSource},
		{Color: palette.RGB(0x8A8A8A), Role: Neutral, Source: palette.NoSource},
	}
}

// paletteOf returns the main colors of a site, by descending weight, and the number of their sources.
func paletteOf(site *Result) (swatches []Swatch, sources int) {
	colors := paletteColors(site)
	if len(colors) == 0 {
		return noPalette(), 0
	}
	var found []labColor
	known := map[palette.Source]bool{}
next:
	for _, c := range colors {
		known[c.Source] = true
		lab := palette.ToLab(c.Value)
		for i := range found {
			if found[i].lab.Distance(lab) < mergeDistance {
				found[i].Weight += c.Weight // of similar colors the first wins, which is a declared one
				continue next
			}
		}
		found = append(found, labColor{c, lab})
	}
	slices.SortStableFunc(found, func(a, b labColor) int { return cmp.Compare(b.Weight, a.Weight) })
	return assignRoles(found[:min(len(found), maxSwatches)]), len(known)
}

// paletteColors returns the weighted colors for a palette: the declared ones, then those found in pictures.
func paletteColors(site *Result) []Color {
	var colors []Color
	add := func(text string, source palette.Source, name string, weight float64) {
		if c, ok := opaque(text); ok {
			colors = append(colors, Color{Value: c, Source: source, Name: name, Weight: weight})
		}
	}
	if site.Page.Got() {
		if theme, ok := themeColorOf(site); ok {
			theme.Weight = themeWeight
			colors = append(colors, theme)
		}
		add(site.Manifest.Value.BackgroundColor, palette.Manifest, "background_color", backgroundWeight)
		known := site.customProperties()
		for _, style := range []*page.Style{site.inlineStyle(), &site.Stylesheet.Value} {
			for _, p := range style.Properties {
				if c, ok := styleColor(p.Value, known); ok && !ofFramework(p.Name, c) {
					colors = append(colors, Color{
						Value: c, Source: palette.CustomProperty, Name: propertyName(p.Name), Weight: propertyWeightOf(p.Name),
					})
				}
			}
		}
	}
	clusters, format := site.iconClusters()
	source := palette.Icon
	if format == picture.SVG {
		source = palette.SVGFill
	}
	for _, c := range clusters {
		colors = append(colors, Color{Value: c.Color, Source: source, Weight: iconWeight * c.Share})
	}
	for _, c := range site.SharePicture.Value.clusters {
		colors = append(colors, Color{Value: c.Color, Source: palette.OGImage, Weight: shareWeight * c.Share})
	}
	return colors
}

// themeColorOf returns the color that the page or its manifest declares.
func themeColorOf(site *Result) (Color, bool) {
	brand := &site.Page.Value.Brand
	themes := slices.Clone(brand.ThemeColors)
	rank := func(t page.ThemeColor) int {
		switch appearanceOf(t.Media) {
		case AnyAppearance:
			return 0
		case LightAppearance:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(themes, func(a, b page.ThemeColor) int { return cmp.Compare(rank(a), rank(b)) })
	for _, t := range themes {
		if c, ok := opaque(t.Value); ok {
			return Color{Value: c, Source: palette.ThemeColor, Name: mediaName(t.Media), For: appearanceOf(t.Media)}, true
		}
	}
	for _, other := range []struct {
		text   string
		source palette.Source
	}{
		{site.Manifest.Value.ThemeColor, palette.Manifest}, {brand.MaskIcon, palette.MaskIcon}, {brand.Tile, palette.TileColor},
	} {
		if c, ok := opaque(other.text); ok {
			return Color{Value: c, Source: other.source}, true
		}
	}
	return Color{}, false
}

// opaque parses a color; a slightly transparent one counts as opaque.
func opaque(text string) (color.NRGBA, bool) {
	c, ok := page.ParseColor(text)
	if !ok || c.A == 0 {
		return color.NRGBA{}, false
	}
	c.A = 0xff
	return c, true
}

func propertyWeightOf(name string) float64 {
	name = strings.ToLower(name)
	for _, word := range []string{"primary", "brand", "accent"} {
		if strings.Contains(name, word) {
			return brandWeight
		}
	}
	if strings.Contains(name, "background") {
		return backgroundWeight
	}
	return propertyWeight
}

// assignRoles assigns the roles; found is sorted by descending weight.
func assignRoles(found []labColor) []Swatch {
	sum := 0.
	for _, f := range found {
		sum += f.Weight
	}
	swatches := make([]Swatch, len(found))
	for i, f := range found {
		swatches[i] = Swatch{Color: f.Value, Role: Neutral, Share: f.Weight / sum, Source: f.Source, Name: f.Name}
	}
	first := func(role Role, is func(palette.LCH, color.NRGBA) bool) (color.NRGBA, bool) {
		for i := range swatches {
			s := &swatches[i]
			if s.Role == Neutral && is(palette.ToLCH(s.Color), s.Color) {
				s.Role = role
				return s.Color, true
			}
		}
		return color.NRGBA{}, false
	}
	ground, hasGround := first(Ground, func(c palette.LCH, _ color.NRGBA) bool {
		return c.L > lightGround || c.L < darkGround
	})
	primary, hasPrimary := first(Primary, func(c palette.LCH, _ color.NRGBA) bool { return c.C > brandChroma })
	if hasPrimary {
		hue := palette.ToLCH(primary).H
		first(Accent, func(c palette.LCH, _ color.NRGBA) bool { return c.C > brandChroma && turn(c.H, hue) >= accentTurn })
	}
	if hasGround {
		first(Text, func(_ palette.LCH, c color.NRGBA) bool { return palette.Contrast(c, ground) >= textContrast })
	}
	return swatches
}

// turn is the angle between two hues, 0 to 180 degrees.
func turn(a, b float64) float64 {
	d := math.Mod(math.Abs(a-b), 360)
	return min(d, 360-d)
}
