package palette

import (
	"cmp"
	"image/color"
	"math"
	"slices"
)

// DefaultAccent is the accent of a page that tells nothing of its color.
var DefaultAccent = RGB(0x6366F1)

// Source says where on a page a color was found. Its text is what the image record shows.
type Source string

// The sources of an accent.
const (
	ThemeColor      Source = "theme-color"       // <meta name="theme-color"> that holds for the mode of the card
	ThemeColorOther Source = "theme-color-other" // one for another mode
	Manifest        Source = "manifest"          // theme_color of the web app manifest
	MaskIcon        Source = "mask-icon"         // the color attribute of <link rel="mask-icon">
	TileColor       Source = "tile-color"        // msapplication-TileColor
	SVGFill         Source = "svg-icon"          // fills of an SVG icon
	CustomProperty  Source = "custom-property"   // --brand, --primary, --accent and the like
	Button          Source = "button"            // backgrounds of buttons and links
	Icon            Source = "icon"              // clusters of the touch icon or favicon
	OGImage         Source = "og-image"          // clusters of the page's own share image
	NoSource        Source = "default"           // nothing was found
)

// weights says how much each source knows of the brand.
var weights = map[Source]float64{
	ThemeColor: 1, ThemeColorOther: .9, SVGFill: .8, CustomProperty: .75, Manifest: .7, MaskIcon: .7, TileColor: .7,
	Icon: .65, Button: .5, OGImage: .35,
}

// Weight returns the weight of a color from this source, 0 to 1; unknown sources have none.
func (s Source) Weight() float64 { return weights[s] }

// Candidate is a color that may be the accent of a page.
type Candidate struct {
	Color  color.NRGBA // opaque
	Source Source
	// Name says which one of its source it is, such as the name of a property; it decides nothing.
	Name string
	// Weight is that of the source when it is 0.
	Weight float64
}

// Choice is the accent of a page and where it comes from.
type Choice struct {
	Accent  color.NRGBA
	Source  Source
	Name    string // see [Candidate]
	Neutral bool   // the brand is black, white or gray
	// Secondary is the page's second color when it has one of another hue, else a neighbor of the accent, 35 degrees
	// on.
	Secondary color.NRGBA
	// BG is the canvas that goes with the accent in the mode asked for.
	BG color.NRGBA
}

// Figures of the choice.
const (
	mergeDistance  = .06 // candidates nearer than this in OKLab are merged
	secondaryAngle = 30  // least angle of hue from the accent to its secondary
	neighborAngle  = 35
	paperL         = .95 // a neutral lighter than this is the paper of a page rather than its brand
	// A theme color of less chroma than tellingC, or of a lightness outside of these, is the background of a page with a
	// breath of color: it does not show whose page it is.
	tellingC, tellingDark, tellingLight = .06, .25, .93
)

// candidate is a merged group: the color and source of its heaviest member, and the weight of all.
type candidate struct {
	Candidate
	lab   Lab
	lch   LCH
	score float64
}

// Choose returns the accent of a page from all colors that were found on it.
//
// A theme color of the mode that one would know a brand by is the accent. Else colors that look alike are merged and
// their weights added, and weight, chroma and a middle lightness decide. When
// the theme color and the icon are both neutral the brand is neutral, whatever else the page shows. A page on which
// only neutrals are found is neutral too, unless it is just white paper; with nothing at all the accent is
// [DefaultAccent].
func Choose(found []Candidate, dark bool) Choice {
	groups := ranked(found)
	chromatic := slices.DeleteFunc(slices.Clone(groups), func(c candidate) bool { return c.lch.C < neutralChroma })

	choice := Choice{Accent: DefaultAccent, Source: NoSource}
	strongNeutral := allNeutral(found, ThemeColor, ThemeColorOther) && allNeutral(found, Icon, SVGFill)
	switch neutral, ok := neutralBrand(found); {
	case ok && (len(chromatic) == 0 || strongNeutral):
		choice.Accent, choice.Source, choice.Name, choice.Neutral = neutral.Color, neutral.Source, neutral.Name, true
	case len(chromatic) > 0:
		best := chromatic[0].Candidate
		if theme, ok := tellingTheme(chromatic); ok && !outweighed(found) {
			best = theme
		}
		choice.Accent, choice.Source, choice.Name = best.Color, best.Source, best.Name
	}
	theme := New(choice.Accent, dark)
	choice.BG = theme.BG
	choice.Secondary = secondary(&theme, chromatic)
	return choice
}

// tellingTheme returns the best theme color of the mode that shows whose page it is. A group that has one is led by
// it, since no source weighs more.
func tellingTheme(ranked []candidate) (Candidate, bool) {
	for _, c := range ranked {
		if c.Source == ThemeColor && c.lch.C >= tellingC && c.lch.L >= tellingDark && c.lch.L <= tellingLight {
			return c.Candidate, true
		}
	}
	return Candidate{}, false
}

// outweighed says whether something was given more weight than a theme color has.
func outweighed(found []Candidate) bool {
	return slices.ContainsFunc(found, func(c Candidate) bool { return c.Weight > ThemeColor.Weight() })
}

// RankedColor is a color among those that an accent is chosen from.
type RankedColor struct {
	// Candidate is the heaviest of those that look alike; its Weight is that of all.
	Candidate
	// Score says how much speaks for it, 0 and above: its weight, chroma and lightness.
	Score float64
}

// Rank returns the candidates, those that look alike as one, the highest score first.
func Rank(found []Candidate) []RankedColor {
	groups := ranked(found)
	all := make([]RankedColor, len(groups))
	for i, g := range groups {
		all[i] = RankedColor{g.Candidate, g.score}
	}
	return all
}

func ranked(found []Candidate) []candidate {
	groups := merge(found)
	slices.SortStableFunc(groups, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return groups
}

// secondary returns the best color that is far enough from the accent's hue, else the accent turned by 35 degrees. A
// neutral brand has none but its own gray.
func secondary(t *Theme, chromatic []candidate) color.NRGBA {
	if t.Neutral {
		return t.Muted
	}
	for _, c := range chromatic {
		if hueDistance(c.lch.H, t.LCH.H) >= secondaryAngle {
			return c.Color
		}
	}
	return LCH{t.LCH.L, t.LCH.C, t.LCH.H + neighborAngle}.Color()
}

// merge groups candidates by likeness, the heaviest first, and scores the groups.
func merge(found []Candidate) []candidate {
	all := make([]candidate, 0, len(found))
	for _, f := range found {
		f.Color.A = 255
		if f.Weight == 0 {
			f.Weight = f.Source.Weight()
		}
		if f.Weight > 0 {
			all = append(all, candidate{Candidate: f, lab: ToLab(f.Color), lch: ToLCH(f.Color)})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		switch {
		case a.Weight > b.Weight:
			return -1
		case a.Weight < b.Weight:
			return 1
		}
		return 0
	})
	var groups []candidate
next:
	for _, c := range all {
		for i := range groups {
			if groups[i].lab.Distance(c.lab) < mergeDistance {
				groups[i].Weight += c.Weight
				continue next
			}
		}
		groups = append(groups, c)
	}
	for i := range groups {
		g := &groups[i]
		g.score = g.Weight * math.Pow(min(1, g.lch.C/.12), .7) * (1 - math.Abs(g.lch.L-.62))
	}
	return groups
}

// allNeutral reports whether any of the sources was found, and all that they say is neutral.
func allNeutral(found []Candidate, sources ...Source) bool {
	seen := false
	for _, f := range found {
		if !slices.Contains(sources, f.Source) {
			continue
		}
		if ToLCH(f.Color).C >= neutralChroma {
			return false
		}
		seen = true
	}
	return seen
}

// neutralBrand returns the neutral that a page shows as its own: the theme color, else that of the icon or manifest.
// White is taken last, and only from more than one source, since it is mostly the paper.
func neutralBrand(found []Candidate) (best Candidate, ok bool) {
	order := []Source{ThemeColor, ThemeColorOther, SVGFill, Icon, MaskIcon, Manifest, TileColor}
	var paper Candidate
	papers := 0
	for _, s := range order {
		for _, f := range found {
			c := ToLCH(f.Color)
			switch {
			case f.Source != s || c.C >= neutralChroma:
			case c.L <= paperL:
				return f, true
			default:
				if papers == 0 {
					paper = f
				}
				papers++
			}
		}
	}
	return paper, papers > 1
}
