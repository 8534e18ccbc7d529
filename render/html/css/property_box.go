package css

import (
	"masthead/render/html/css/colors"
	"masthead/render/html/css/shape"
	"masthead/render/html/css/value"
)

// addBoxProperties adds margins, padding, insets, borders and radii.
func addBoxProperties() {
	sizes := func(name string, of4 func(*Style) *value.Sides[value.Size]) {
		for i, side := range sideNames {
			properties[sideName(name, side)] = of(func(s *Style) *value.Size { return sideOf(of4(s), i) }, single(readOffset))
		}
	}
	sizes("margin", func(s *Style) *value.Sides[value.Size] { return &s.Margin })
	sizes("", func(s *Style) *value.Sides[value.Size] { return &s.Inset })
	for i, side := range sideNames {
		border := func(s *Style) *BorderSide { return sideOf(&s.Border, i) }
		line := "border-" + side
		properties["padding-"+side] = of(func(s *Style) *value.Length { return sideOf(&s.Padding, i) }, single(positive))
		properties[line+"-width"] = of(func(s *Style) *float64 { return &border(s).Width }, single(readBorderWidth))
		properties[line+"-style"] = of(func(s *Style) *LineStyle { return &border(s).Style }, keyword(lineStyles))
		properties[line+"-color"] = of(func(s *Style) *colors.Color { return &border(s).Color }, single(readColor))
	}
	corners := []func(*Style) *shape.Radius{
		func(s *Style) *shape.Radius { return &s.Radius.TopLeft },
		func(s *Style) *shape.Radius { return &s.Radius.TopRight },
		func(s *Style) *shape.Radius { return &s.Radius.BottomRight },
		func(s *Style) *shape.Radius { return &s.Radius.BottomLeft },
	}
	for i, name := range cornerNames {
		properties["border-"+name+"-radius"] = of(corners[i], func(b *builder, v []value.Value) (r shape.Radius, ok bool) {
			if len(v) == 0 || len(v) > 2 {
				return r, false
			}
			if r.X, ok = positive(b, &v[0]); !ok {
				return r, false
			}
			r.Y = r.X
			if len(v) == 2 {
				r.Y, ok = positive(b, &v[1])
			}
			return r, ok
		})
		properties["corner-"+name+"-shape"] = of(
			func(s *Style) *float64 { return &s.Radius.Shape[i] }, single(readCornerShape))
	}
}

var (
	sideNames   = [4]string{"top", "right", "bottom", "left"}
	cornerNames = [4]string{"top-left", "top-right", "bottom-right", "bottom-left"}
)

func sideName(name, side string) string {
	if name == "" {
		return side
	}
	return name + "-" + side
}

func sideOf[T any](s *value.Sides[T], i int) *T {
	return [4]*T{&s.Top, &s.Right, &s.Bottom, &s.Left}[i]
}

// sides returns a shorthand of four longhands.
func sides(names [4]string) *shorthand {
	return &shorthand{longhands: names[:], set: func(b *builder, v []value.Value) bool {
		list, ok := value.Four(v)
		if !ok {
			return false
		}
		before := b.st
		for i, n := range names {
			if !properties[n].set(b, list[i]) {
				b.st = before
				return false
			}
		}
		return true
	}}
}

// pair returns a shorthand of two longhands; the second defaults to the first.
func pair(first, second string) *shorthand {
	return &shorthand{longhands: []string{first, second}, set: func(b *builder, v []value.Value) bool {
		a, c := v[:1], v[:1]
		switch {
		case len(v) == 2:
			c = v[1:]
		case len(v) != 1:
			return false
		}
		before := b.st
		if properties[first].set(b, a) && properties[second].set(b, c) {
			return true
		}
		b.st = before
		return false
	}}
}

// inlinePair is a shorthand of the sides where lines begin and end.
func inlinePair(first, second string) *shorthand {
	ltr, rtl := pair(first, second), pair(second, first)
	return &shorthand{longhands: ltr.longhands, set: func(b *builder, v []value.Value) bool {
		if b.text.Direction == RTL {
			return rtl.set(b, v)
		}
		return ltr.set(b, v)
	}}
}

// border reads a width, a style and a color in any order.
func (b *builder) border(v []value.Value) (s BorderSide, ok bool) {
	s = BorderSide{Width: 3, Color: colors.Color{Current: true}}
	if len(v) == 0 || len(v) > 3 {
		return s, false
	}
	var width, style, col bool
	for i := range v {
		x := &v[i]
		if w, ok := readBorderWidth(b, x); ok && !width {
			s.Width, width = w, true
			continue
		}
		if k, ok := keyword(lineStyles)(b, v[i:i+1]); ok && !style {
			s.Style, style = k, true
			continue
		}
		if x.Is("auto") && !style {
			s.Style, style = LineSolid, true
			continue
		}
		c, ok := b.color(x)
		if !ok || col {
			return s, false
		}
		s.Color, col = c, true
	}
	return s, true
}

// addBoxShorthands adds those of four sides or two values.
func addBoxShorthands() {
	names := func(prefix, suffix string) (n [4]string) {
		for i, s := range sideNames {
			n[i] = prefix + s + suffix
		}
		return n
	}
	s := shorthands
	s["margin"] = sides(names("margin-", ""))
	s["padding"] = sides(names("padding-", ""))
	s["inset"] = sides(names("", ""))
	s["border-width"] = sides(names("border-", "-width"))
	s["border-style"] = sides(names("border-", "-style"))
	s["border-color"] = sides(names("border-", "-color"))
	s["margin-inline"] = inlinePair("margin-left", "margin-right")
	s["margin-block"] = pair("margin-top", "margin-bottom")
	s["padding-inline"] = inlinePair("padding-left", "padding-right")
	s["padding-block"] = pair("padding-top", "padding-bottom")
	s["inset-inline"] = inlinePair("left", "right")
	s["inset-block"] = pair("top", "bottom")
	for _, what := range []string{"width", "style", "color"} {
		s["border-inline-"+what] = inlinePair("border-left-"+what, "border-right-"+what)
		s["border-block-"+what] = pair("border-top-"+what, "border-bottom-"+what)
	}
	s["overflow"] = pair("overflow-x", "overflow-y")
	s["gap"] = pair("row-gap", "column-gap")
	s["place-items"] = place2("align-items", "justify-items")
	s["place-content"] = place2("align-content", "justify-content")
	s["place-self"] = place2("align-self", "justify-self")
	var radii, shapes [4]string
	for i, c := range cornerNames {
		radii[i], shapes[i] = "border-"+c+"-radius", "corner-"+c+"-shape"
	}
	s["border-radius"] = &shorthand{longhands: radii[:], set: (*builder).radii}
	s["corner-shape"] = sides(shapes)
}

// addBorderShorthands adds the borders of one, two or all sides.
func addBorderShorthands() {
	for name, which := range map[string][]int{
		"border-top": {0}, "border-right": {1}, "border-bottom": {2}, "border-left": {3},
		"border-inline": {3, 1}, "border-block": {0, 2}, "border": {0, 1, 2, 3},
	} {
		var longhands []string
		for _, i := range which {
			line := "border-" + sideNames[i]
			longhands = append(longhands, line+"-width", line+"-style", line+"-color")
		}
		shorthands[name] = &shorthand{longhands: longhands, set: func(b *builder, v []value.Value) bool {
			s, ok := b.border(v)
			if !ok {
				return false
			}
			for _, i := range which {
				*sideOf(&b.st.Border, i) = s
			}
			if name == "border" && !b.fx.BorderImage.Source.None() {
				b.touch(properties["border-image-source"])
				b.fx.BorderImage = initialBorderImage
			}
			return true
		}}
	}
}

// place2 is a pair of alignments, each of which may have two words.
func place2(first, second string) *shorthand {
	return &shorthand{longhands: []string{first, second}, set: func(b *builder, v []value.Value) bool {
		for n := 1; n <= len(v); n++ {
			rest := v[n:]
			if len(rest) == 0 {
				rest = v
			}
			if n == 1 && len(v) == 1 && v[0].Is("baseline") && first == "align-content" {
				rest = []value.Value{{Kind: value.Ident, Text: "start"}}
			}
			if properties[first].set(b, v[:n]) && properties[second].set(b, rest) {
				return true
			}
		}
		return false
	}}
}

func addTextShorthands() {
	shorthands["font"] = &shorthand{
		longhands: []string{
			"font-style", "font-variant-caps", "font-weight", "font-stretch", "font-size", "line-height", "font-family",
		},
		set: (*builder).font,
	}
	shorthands["text-decoration"] = &shorthand{
		longhands: []string{
			"text-decoration-line", "text-decoration-style", "text-decoration-color", "text-decoration-thickness",
		},
		set: (*builder).decoration,
	}
	shorthands["-webkit-text-stroke"] = &shorthand{
		longhands: []string{"-webkit-text-stroke-width", "-webkit-text-stroke-color"},
		set: func(b *builder, v []value.Value) bool {
			width, col := 0.0, colors.Color{Current: true}
			for i := range v {
				if w, ok := readBorderWidth(b, &v[i]); ok {
					width = w
				} else if c, ok := b.color(&v[i]); ok {
					col = c
				} else {
					return false
				}
			}
			b.text.StrokeWidth, b.text.StrokeColor = width, col
			return true
		},
	}
	shorthands["list-style"] = &shorthand{
		longhands: []string{"list-style-type", "list-style-position"},
		set: func(b *builder, v []value.Value) bool {
			kind, inside := listType{}, false
			for i := range v {
				switch k, ok := readListType(b, &v[i]); {
				case ok:
					kind = k
				case v[i].Is("inside"), v[i].Is("outside"):
					inside = v[i].Is("inside")
				default:
					return false
				}
			}
			b.text.listType, b.text.ListInside = kind, inside
			return true
		},
	}
}

func (b *builder) decoration(v []value.Value) bool {
	d := initial.Decoration
	var lines []value.Value
	for i := range v {
		x := v[i : i+1]
		if s, ok := keyword(decorationStyles)(b, x); ok {
			d.Style = s
			continue
		}
		if c, ok := b.color(&v[i]); ok {
			d.Color = c
			continue
		}
		if v[i].Kind != value.Ident || v[i].Is("auto") || v[i].Is("from-font") {
			if !properties["text-decoration-thickness"].set(b, x) {
				return false
			}
			d.Thickness = b.st.Decoration.Thickness
			continue
		}
		lines = append(lines, v[i])
	}
	if len(lines) > 0 && !b.decorationLine(lines) {
		return false
	}
	if len(lines) > 0 {
		got := b.st.Decoration
		d.Underline, d.Overline, d.LineThrough = got.Underline, got.Overline, got.LineThrough
	}
	b.st.Decoration = d
	return true
}

func addFlexShorthands() {
	shorthands["flex-flow"] = &shorthand{longhands: []string{"flex-direction", "flex-wrap"}, set: (*builder).flexFlow}
	shorthands["flex"] = &shorthand{longhands: []string{"flex-grow", "flex-shrink", "flex-basis"}, set: (*builder).flex}
}

func (b *builder) flexFlow(v []value.Value) bool {
	b.st.FlexDirection, b.st.FlexWrap = Row, NoWrap
	for i := range v {
		if !properties["flex-direction"].set(b, v[i:i+1]) && !properties["flex-wrap"].set(b, v[i:i+1]) {
			return false
		}
	}
	return true
}

func (b *builder) flex(v []value.Value) bool {
	grow, shrink, basis := 1.0, 1.0, value.Size{Kind: value.Fixed, Length: value.ZeroPercent}
	if len(v) == 1 && v[0].Is("none") {
		b.st.FlexGrow, b.st.FlexShrink, b.st.FlexBasis = 0, 0, value.Size{}
		return true
	}
	if len(v) > 3 {
		return false
	}
	numbers := 0
	for i := range v {
		n, ok := b.number(&v[i])
		zeroBasis := ok && n == 0 && numbers == 2
		switch {
		case ok && n >= 0 && numbers == 0:
			grow, numbers = n, 1
		case ok && n >= 0 && numbers == 1:
			shrink, numbers = n, 2
		default:
			s, ok := b.size(&v[i])
			if !ok && !zeroBasis || s.Kind == value.None {
				return false
			}
			basis = s
			if numbers == 0 && len(v) > i+1 {
				continue
			}
		}
	}
	b.st.FlexGrow, b.st.FlexShrink, b.st.FlexBasis = grow, shrink, basis
	return true
}
