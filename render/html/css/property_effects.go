package css

import (
	"masthead/render/html/css/colors"
	"masthead/render/html/css/shape"
	"masthead/render/html/css/transform"
	"masthead/render/html/css/value"
)

// maxList bounds lists of shadows, layers, filters, transforms and points.
const maxList = 64

// effect adds a property that only painting reads.
func effect(name string, p *property) { properties[name] = inEffects(p) }

func addEffectProperties() {
	addBorderImageProperties()
	effect("box-shadow", of(func(s *Style) *[]Shadow { return &s.BoxShadow },
		func(b *builder, v []value.Value) ([]Shadow, bool) { return b.shadows(v, true) }))
	effect("outline-width", of(func(s *Style) *float64 { return &s.Outline.Width }, single(readBorderWidth)))
	effect("outline-style", of(func(s *Style) *LineStyle { return &s.Outline.Style }, readOutlineStyle))
	effect("outline-color", of(func(s *Style) *colors.Color { return &s.Outline.Color }, single(readColor)))
	effect("outline-offset", of(func(s *Style) *float64 { return &s.OutlineOffset }, single(readPx)))
	shorthands["outline"] = &shorthand{
		longhands: []string{"outline-width", "outline-style", "outline-color"},
		set: func(b *builder, v []value.Value) bool {
			s, ok := b.border(v)
			if ok {
				b.fx.Outline = s
			}
			return ok
		},
	}
	effect("filter", of(func(s *Style) *[]Filter { return &s.Filter }, (*builder).filters))
	effect("backdrop-filter", of(func(s *Style) *[]Filter { return &s.BackdropFilter }, (*builder).filters))
	effect("clip-path", of(func(s *Style) **shape.Shape { return &s.ClipPath }, (*builder).shape))
	effect("mix-blend-mode", of(func(s *Style) *Blend { return &s.MixBlend }, keyword(blends)))
	effect("background-blend-mode", of(func(s *Style) *[]Blend { return &s.BackgroundMix }, readBlends))
}

func addTransformProperties() {
	one := func(name string) func(b *builder, v []value.Value) ([]transform.Transform, bool) {
		return func(b *builder, v []value.Value) ([]transform.Transform, bool) {
			if len(v) == 1 && v[0].Is("none") {
				return nil, true
			}
			if len(v) == 2 && v[0].Is("z") {
				v = v[1:]
			}
			return transform.ReadFunction(b, name, v)
		}
	}
	effect("transform", of(func(s *Style) *[]transform.Transform { return &s.transform },
		func(b *builder, v []value.Value) ([]transform.Transform, bool) { return transform.Read(b, v) }))
	effect("translate", of(func(s *Style) *[]transform.Transform { return &s.translate }, one("translate")))
	effect("rotate", of(func(s *Style) *[]transform.Transform { return &s.rotate }, one("rotate")))
	effect("scale", of(func(s *Style) *[]transform.Transform { return &s.scale }, one("scale")))
	effect("transform-origin", of(func(s *Style) *[2]value.Length { return &s.Origin }, readOrigin))
}

func readOutlineStyle(b *builder, v []value.Value) (LineStyle, bool) {
	if len(v) == 1 && v[0].Is("auto") {
		return LineSolid, true
	}
	return keyword(lineStyles)(b, v)
}

// readOrigin reads transform-origin; its third value is a depth.
func readOrigin(b *builder, v []value.Value) ([2]value.Length, bool) {
	if len(v) == 3 {
		v = v[:2]
	}
	return b.position(v)
}

func readBlends(b *builder, v []value.Value) (list []Blend, ok bool) {
	for _, part := range value.SplitCommas(v) {
		m, ok := keyword(blends)(b, part)
		if !ok {
			return nil, false
		}
		list = append(list, m)
	}
	return list, true
}

// shadows reads box-shadow, or text-shadow.
func (b *builder) shadows(v []value.Value, box bool) (list []Shadow, ok bool) {
	if len(v) == 1 && v[0].Is("none") {
		return nil, true
	}
	for _, part := range value.SplitCommas(v) {
		s, ok := b.shadow(part, box)
		if !ok || len(list) >= maxList {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}

func (b *builder) shadow(v []value.Value, box bool) (s Shadow, ok bool) {
	s.Color.Current = true
	var n []float64
	for i := range v {
		if v[i].Is("inset") && box {
			s.Inset = true
			continue
		}
		if px, ok := b.px(&v[i]); ok {
			n = append(n, px)
			continue
		}
		if s.Color, ok = b.color(&v[i]); !ok {
			return s, false
		}
	}
	n = append(n, 0, 0)
	most := 5
	if box {
		most++
	}
	if len(n) < 4 || len(n) > most || n[2] < 0 {
		return s, false
	}
	s.X, s.Y, s.Blur = n[0], n[1], n[2]
	if len(n) > 5 {
		s.Spread = n[3]
	}
	return s, true
}

var filterKinds = map[string]FilterKind{
	"blur": FilterBlur, "brightness": FilterBrightness, "contrast": FilterContrast, "grayscale": FilterGrayscale,
	"saturate": FilterSaturate, "sepia": FilterSepia, "invert": FilterInvert, "hue-rotate": FilterHueRotate,
	"opacity": FilterOpacity, "drop-shadow": FilterDropShadow,
}

func (b *builder) filters(v []value.Value) (list []Filter, ok bool) {
	if len(v) == 1 && v[0].Is("none") {
		return nil, true
	}
	for i := range v {
		kind, found := filterKinds[v[i].Text]
		if v[i].Kind != value.Function || !found || len(list) >= maxList {
			return nil, false
		}
		f := Filter{Kind: kind, Amount: 1}
		args := v[i].Args
		ok := true
		switch kind {
		case FilterDropShadow:
			f.Shadow, ok = b.shadow(args, false)
		case FilterBlur:
			f.Amount = 0
			if len(args) == 1 {
				f.Amount, ok = b.px(&args[0])
			}
		case FilterHueRotate:
			f.Amount = 0
			if len(args) == 1 {
				f.Amount, ok = b.angle(&args[0])
			}
		default:
			if len(args) == 1 {
				f.Amount, ok = b.numberOrPercent(&args[0])
			}
			if kind != FilterBrightness && kind != FilterContrast && kind != FilterSaturate {
				f.Amount = min(f.Amount, 1)
			}
		}
		if !ok || kind != FilterHueRotate && f.Amount < 0 || len(args) > 1 && kind != FilterDropShadow {
			return nil, false
		}
		list = append(list, f)
	}
	return list, true
}
