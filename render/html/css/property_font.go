package css

import (
	"math"
	"strings"

	"masthead/render/html/css/value"
)

// fontSizes are the keywords of font-size in px, medium being 16.
var fontSizes = map[string]float64{
	"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32, "xxx-large": 48,
}

func addFontProperties() {
	slants := map[string]bool{"normal": false, "italic": true, "oblique": true}
	inherit("color", &property{set: (*builder).setColor, copy: func(d, s *Style) { d.Color = s.Color }})
	inherit("font-size", of(func(s *Style) *float64 { return &s.FontSize }, single((*builder).fontSize)))
	inherit("font-family", of(func(s *Style) *[]string { return &s.FontFamily }, readFamilies))
	inherit("font-weight", of(func(s *Style) *int { return &s.FontWeight }, single((*builder).fontWeight)))
	inherit("font-style", of(func(s *Style) *bool { return &s.Italic }, func(_ *builder, v []value.Value) (bool, bool) {
		if len(v) == 2 && v[0].Is("oblique") && v[1].Kind == value.Number {
			return v[1].Num != 0, true
		}
		return keyword(slants)(nil, v)
	}))
	inherit("font-stretch", of(func(s *Style) *float64 { return &s.FontStretch }, single(readStretch)))
	inherit("line-height", of(func(s *Style) *LineHeight { return &s.LineHeight }, single((*builder).lineHeight)))
	inherit("letter-spacing", of(func(s *Style) *float64 { return &s.LetterSpacing }, single(readSpacing)))
	inherit("word-spacing", of(func(s *Style) *float64 { return &s.WordSpacing }, single(readSpacing)))
}

func (b *builder) fontSize(v *value.Value) (float64, bool) {
	if v.Kind == value.Ident {
		word := strings.ToLower(v.Text)
		switch word {
		case "smaller":
			return b.parent.FontSize / 1.2, true
		case "larger":
			return b.parent.FontSize * 1.2, true
		}
		n, ok := fontSizes[word]
		b.text.sized = b.text.sized && !ok
		return n, ok
	}
	if v.Kind == value.Function || v.Unit != "em" && v.Unit != "%" {
		b.text.sized = true
	}
	own := b.text.FontSize
	b.text.FontSize = b.parent.FontSize
	l, ok := b.length(v)
	b.text.FontSize = own
	n := l.Resolve(b.parent.FontSize)
	const largest = 10_000
	return min(max(n, 0), largest), ok && (n >= 0 || v.Kind == value.Function)
}

func readFamilies(_ *builder, v []value.Value) ([]string, bool) {
	var list []string
	for _, part := range value.SplitCommas(v) {
		if len(part) == 0 || len(list) > 32 {
			return nil, false
		}
		if len(part) == 1 && part[0].Kind == value.String {
			list = append(list, strings.ToLower(part[0].Text))
			continue
		}
		var words []string
		for i := range part {
			if part[i].Kind != value.Ident {
				return nil, false
			}
			words = append(words, strings.ToLower(part[i].Text))
		}
		list = append(list, strings.Join(words, " "))
	}
	return list, true
}

func (b *builder) fontWeight(v *value.Value) (int, bool) {
	w := b.parent.FontWeight
	switch {
	case v.Is("normal"):
		return 400, true
	case v.Is("bold"):
		return 700, true
	case v.Is("bolder"):
		switch {
		case w < 350:
			return 400, true
		case w < 550:
			return 700, true
		case w < 900:
			return 900, true
		}
		return w, true
	case v.Is("lighter"):
		switch {
		case w < 100:
			return w, true
		case w < 550:
			return 100, true
		case w < 750:
			return 400, true
		}
		return 700, true
	}
	n, ok := b.number(v)
	return int(n), ok && n >= 1 && n <= 1000
}

func readStretch(b *builder, v *value.Value) (float64, bool) {
	if v.Kind == value.Ident {
		n, ok := map[string]float64{
			"ultra-condensed": 50, "extra-condensed": 62.5, "condensed": 75, "semi-condensed": 87.5, "normal": 100,
			"semi-expanded": 112.5, "expanded": 125, "extra-expanded": 150, "ultra-expanded": 200,
		}[strings.ToLower(v.Text)]
		return n, ok
	}
	n, ok := b.numberOrPercent(v)
	return n * 100, ok && v.Unit == "%"
}

// variants are the keywords of font-variant-* with their features.
var variants = map[int]map[string][]Feature{
	featureLigatures: {
		"normal": nil, "none": {{"liga", 0}, {"clig", 0}, {"dlig", 0}, {"hlig", 0}, {"calt", 0}},
		"common-ligatures": {{"liga", 1}, {"clig", 1}}, "no-common-ligatures": {{"liga", 0}, {"clig", 0}},
		"discretionary-ligatures": {{"dlig", 1}}, "no-discretionary-ligatures": {{"dlig", 0}},
		"historical-ligatures": {{"hlig", 1}}, "no-historical-ligatures": {{"hlig", 0}},
		"contextual": {{"calt", 1}}, "no-contextual": {{"calt", 0}},
	},
	featureCaps: {
		"normal": nil, "small-caps": {{"smcp", 1}}, "all-small-caps": {{"smcp", 1}, {"c2sc", 1}},
		"petite-caps": {{"pcap", 1}}, "all-petite-caps": {{"pcap", 1}, {"c2pc", 1}}, "unicase": {{"unic", 1}},
		"titling-caps": {{"titl", 1}},
	},
	featureNumeric: {
		"normal": nil, "lining-nums": {{"lnum", 1}}, "oldstyle-nums": {{"onum", 1}},
		"proportional-nums": {{"pnum", 1}}, "tabular-nums": {{"tnum", 1}}, "diagonal-fractions": {{"frac", 1}},
		"stacked-fractions": {{"afrc", 1}}, "ordinal": {{"ordn", 1}}, "slashed-zero": {{"zero", 1}},
	},
	featureEastAsian: {
		"normal": nil, "jis78": {{"jp78", 1}}, "jis83": {{"jp83", 1}}, "jis90": {{"jp90", 1}}, "jis04": {{"jp04", 1}},
		"simplified": {{"smpl", 1}}, "traditional": {{"trad", 1}}, "full-width": {{"fwid", 1}},
		"proportional-width": {{"pwid", 1}}, "ruby": {{"ruby", 1}},
	},
	featurePosition: {"normal": nil, "sub": {{"subs", 1}}, "super": {{"sups", 1}}},
	featureKerning:  {"auto": nil, "normal": {{"kern", 1}}, "none": {{"kern", 0}}},
}

func readVariant(group int) func(b *builder, v []value.Value) ([]Feature, bool) {
	return func(_ *builder, v []value.Value) ([]Feature, bool) {
		var list []Feature
		for i := range v {
			f, ok := variants[group][strings.ToLower(v[i].Text)]
			if v[i].Kind != value.Ident || !ok {
				return nil, false
			}
			list = append(list, f...)
		}
		return list, true
	}
}

func addFontFeatures() {
	variant("font-kerning", featureKerning)
	variant("font-variant-ligatures", featureLigatures)
	variant("font-variant-caps", featureCaps)
	variant("font-variant-numeric", featureNumeric)
	variant("font-variant-east-asian", featureEastAsian)
	variant("font-variant-position", featurePosition)
	inherit("font-feature-settings", of(func(s *Style) *[]Feature { return &s.features[featureSettings] }, readFeatures))
	inherit("font-variation-settings", of(func(s *Style) *int { return &s.VariedWeight }, readVariations))
	shorthands["font-variant"] = &shorthand{
		longhands: []string{
			"font-variant-ligatures", "font-variant-caps", "font-variant-numeric", "font-variant-east-asian",
			"font-variant-position",
		},
		set: (*builder).fontVariant,
	}
}

// variant adds one of the properties font-variant-*.
func variant(name string, group int) {
	p := of(func(s *Style) *[]Feature { return &s.features[group] }, readVariant(group))
	set, cp := p.set, p.copy
	p.set = func(b *builder, v []value.Value) bool {
		ok := set(b, v)
		if ok && group == featureCaps {
			b.text.SmallCaps = smallCaps(b.text.features[group])
		}
		return ok
	}
	p.copy = func(d, s *Style) {
		cp(d, s)
		if group == featureCaps {
			d.SmallCaps = s.SmallCaps
		}
	}
	inherit(name, p)
}

func smallCaps(list []Feature) bool { return len(list) > 0 && list[0].Tag == "smcp" }

func readFeatures(b *builder, v []value.Value) (list []Feature, ok bool) {
	ok = tagged(b, v, func(tag string, n float64) {
		list = append(list, Feature{tag, uint32(min(max(n, 0), 65535))})
	})
	return list, ok
}

// readVariations returns the axis wght; no other one is drawn.
func readVariations(b *builder, v []value.Value) (weight int, ok bool) {
	others := false
	ok = tagged(b, v, func(tag string, n float64) {
		if tag != "wght" {
			others = true
			return
		}
		weight = int(min(max(n, 1), 1000))
	})
	return weight, ok && !others
}

func (b *builder) fontVariant(v []value.Value) bool {
	groups := []int{featureLigatures, featureCaps, featureNumeric, featureEastAsian, featurePosition}
	var found [featureGroups][]Feature
	for i := range v {
		ok := v[i].Is("normal") || v[i].Is("none")
		for _, g := range groups {
			if f, has := variants[g][strings.ToLower(v[i].Text)]; has && !ok {
				found[g] = append(found[g], f...)
				ok = true
				break
			}
		}
		if !ok {
			return false
		}
	}
	for _, g := range groups {
		b.text.features[g] = found[g]
	}
	if len(v) == 1 && v[0].Is("none") {
		b.text.features[featureLigatures] = variants[featureLigatures]["none"]
	}
	b.text.SmallCaps = smallCaps(found[featureCaps])
	return true
}

// tagged reads a list of tags with an optional number, on or off.
func tagged(b *builder, v []value.Value, f func(tag string, n float64)) bool {
	if len(v) == 1 && v[0].Is("normal") {
		return true
	}
	for i, part := range value.SplitCommas(v) {
		if len(part) == 0 || len(part) > 2 || part[0].Kind != value.String || len(part[0].Text) != 4 || i > 64 {
			return false
		}
		n := 1.0
		if len(part) == 2 {
			switch {
			case part[1].Is("on"):
			case part[1].Is("off"):
				n = 0
			default:
				var ok bool
				if n, ok = b.number(&part[1]); !ok || math.IsNaN(n) {
					return false
				}
			}
		}
		f(part[0].Text, n)
	}
	return true
}

// systemFonts are values of font that stand for a font of the system.
var systemFonts = map[string]bool{
	"caption": true, "icon": true, "menu": true, "message-box": true, "small-caption": true, "status-bar": true,
}

// font reads the shorthand.
func (b *builder) font(v []value.Value) bool {
	if len(v) == 1 && v[0].Kind == value.Ident && systemFonts[strings.ToLower(v[0].Text)] {
		return true
	}
	t := b.text
	t.Italic, t.FontWeight, t.FontStretch, t.LineHeight = false, 400, 100, LineHeight{Normal: true}
	t.SmallCaps = false
	t.features = [featureGroups][]Feature{}
	i := 0
	for i < len(v) && b.fontPart(&t, &v[i]) {
		i++
	}
	if i >= len(v) {
		return false
	}
	size, ok := b.fontSize(&v[i])
	if !ok {
		return false
	}
	t.FontSize, t.sized = size, b.text.sized
	i++
	if i+1 < len(v) && v[i].Delim("/") {
		own := b.text.FontSize
		b.text.FontSize = size
		t.LineHeight, ok = b.lineHeight(&v[i+1])
		b.text.FontSize = own
		if !ok {
			return false
		}
		i += 2
	}
	if t.FontFamily, ok = readFamilies(b, v[i:]); !ok {
		return false
	}
	b.text = t
	return true
}

// fontPart reads what may stand before the size in font.
func (b *builder) fontPart(t *Text, x *value.Value) bool {
	switch {
	case x.Is("normal"):
	case x.Is("italic"), x.Is("oblique"):
		t.Italic = true
	case x.Is("small-caps"):
		t.SmallCaps = true
		t.features[featureCaps] = variants[featureCaps]["small-caps"]
	case x.Kind == value.Number && x.Unit == "", x.Is("bold"), x.Is("bolder"), x.Is("lighter"):
		w, ok := b.fontWeight(x)
		t.FontWeight = w
		return ok
	case x.Kind == value.Ident:
		s, ok := readStretch(b, x)
		t.FontStretch = s
		return ok
	default:
		return false
	}
	return true
}
