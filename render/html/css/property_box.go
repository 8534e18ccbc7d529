package css

// addBoxProperties adds margins, padding, insets, borders and radii.
func addBoxProperties() {
	sizes := func(name string, of4 func(*Style) *Sides[Size]) {
		for i, side := range sideNames {
			properties[sideName(name, side)] = of(func(s *Style) *Size { return sideOf(of4(s), i) }, single(readOffset))
		}
	}
	sizes("margin", func(s *Style) *Sides[Size] { return &s.Margin })
	sizes("", func(s *Style) *Sides[Size] { return &s.Inset })
	for i, side := range sideNames {
		border := func(s *Style) *BorderSide { return sideOf(&s.Border, i) }
		properties["padding-"+side] = of(func(s *Style) *Length { return sideOf(&s.Padding, i) }, single(positive))
		properties["border-"+side+"-width"] = of(func(s *Style) *float64 { return &border(s).Width }, single(readBorderWidth))
		properties["border-"+side+"-style"] = of(func(s *Style) *LineStyle { return &border(s).Style }, keyword(lineStyles))
		properties["border-"+side+"-color"] = of(func(s *Style) *Color { return &border(s).Color }, single(readColor))
	}
	corners := []func(*Style) *Radius{
		func(s *Style) *Radius { return &s.Radius.TopLeft },
		func(s *Style) *Radius { return &s.Radius.TopRight },
		func(s *Style) *Radius { return &s.Radius.BottomRight },
		func(s *Style) *Radius { return &s.Radius.BottomLeft },
	}
	for i, name := range cornerNames {
		properties["border-"+name+"-radius"] = of(corners[i], func(b *builder, v []value) (r Radius, ok bool) {
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
		properties["corner-"+name+"-shape"] = of(func(s *Style) *float64 { return &s.Radius.Shape[i] }, single(readCornerShape))
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

func sideOf[T any](s *Sides[T], i int) *T { return [4]*T{&s.Top, &s.Right, &s.Bottom, &s.Left}[i] }

// Corner shapes: the exponent of a superellipse as its logarithm to base 2, with 0 standing for round, which is 1.
const (
	CornerBevel    = 1e-9 // superellipse(0)
	CornerNotch    = -100
	CornerSquare   = 100
	CornerSquircle = 2
	CornerScoop    = -1
)

func readCornerShape(b *builder, v *value) (float64, bool) {
	switch {
	case v.is("round"):
		return 0, true
	case v.is("bevel"):
		return CornerBevel, true
	case v.is("notch"):
		return CornerNotch, true
	case v.is("square"):
		return CornerSquare, true
	case v.is("squircle"):
		return CornerSquircle, true
	case v.is("scoop"):
		return CornerScoop, true
	case v.fn("superellipse") && len(v.args) == 1:
		if v.args[0].is("infinity") {
			return CornerSquare, true
		}
		if v.args[0].is("-infinity") {
			return CornerNotch, true
		}
		n, ok := b.number(&v.args[0])
		switch n {
		case 1:
			return 0, ok
		case 0:
			return CornerBevel, ok
		}
		return min(max(n, CornerNotch), CornerSquare), ok
	}
	return 0, false
}

// four spreads one to four values over the sides.
func four(v []value) (list [4][]value, ok bool) {
	switch len(v) {
	case 1:
		return [4][]value{v, v, v, v}, true
	case 2:
		return [4][]value{v[:1], v[1:], v[:1], v[1:]}, true
	case 3:
		return [4][]value{v[:1], v[1:2], v[2:], v[1:2]}, true
	case 4:
		return [4][]value{v[:1], v[1:2], v[2:3], v[3:]}, true
	}
	return list, false
}

// sides returns a shorthand of four longhands.
func sides(names [4]string) *shorthand {
	return &shorthand{longhands: names[:], set: func(b *builder, v []value) bool {
		list, ok := four(v)
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
	return &shorthand{longhands: []string{first, second}, set: func(b *builder, v []value) bool {
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

// border reads a width, a style and a color in any order.
func (b *builder) border(v []value) (s BorderSide, ok bool) {
	s = BorderSide{Width: 3, Color: Color{Current: true}}
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
		if x.is("auto") && !style {
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

func (b *builder) radii(v []value) bool {
	x, y, found := splitSlash(v)
	if !found {
		y = x
	}
	xs, ok1 := four(x)
	ys, ok2 := four(y)
	if !ok1 || !ok2 {
		return false
	}
	var list [4]Radius
	for i := range list {
		var ok bool
		if list[i].X, ok = positive(b, &xs[i][0]); !ok {
			return false
		}
		if list[i].Y, ok = positive(b, &ys[i][0]); !ok {
			return false
		}
	}
	r := &b.st.Radius
	r.TopLeft, r.TopRight, r.BottomRight, r.BottomLeft = list[0], list[1], list[2], list[3]
	return true
}

// addShorthands adds shorthands of boxes and text.
func addShorthands() {
	names := func(prefix, suffix string) (n [4]string) {
		for i, s := range sideNames {
			n[i] = prefix + s + suffix
		}
		return n
	}
	shorthands["margin"] = sides(names("margin-", ""))
	shorthands["padding"] = sides(names("padding-", ""))
	shorthands["inset"] = sides(names("", ""))
	shorthands["border-width"] = sides(names("border-", "-width"))
	shorthands["border-style"] = sides(names("border-", "-style"))
	shorthands["border-color"] = sides(names("border-", "-color"))
	shorthands["margin-inline"] = pair("margin-left", "margin-right")
	shorthands["margin-block"] = pair("margin-top", "margin-bottom")
	shorthands["padding-inline"] = pair("padding-left", "padding-right")
	shorthands["padding-block"] = pair("padding-top", "padding-bottom")
	shorthands["inset-inline"] = pair("left", "right")
	shorthands["inset-block"] = pair("top", "bottom")
	shorthands["overflow"] = pair("overflow-x", "overflow-y")
	shorthands["gap"] = pair("row-gap", "column-gap")
	shorthands["place-items"] = place2("align-items", "justify-items")
	shorthands["place-content"] = place2("align-content", "justify-content")
	shorthands["place-self"] = place2("align-self", "justify-self")
	var all []string
	for i, side := range sideNames {
		longhands := []string{"border-" + side + "-width", "border-" + side + "-style", "border-" + side + "-color"}
		all = append(all, longhands...)
		shorthands["border-"+side] = &shorthand{longhands: longhands, set: func(b *builder, v []value) bool {
			s, ok := b.border(v)
			if ok {
				*sideOf(&b.st.Border, i) = s
			}
			return ok
		}}
	}
	shorthands["border"] = &shorthand{longhands: all, set: func(b *builder, v []value) bool {
		s, ok := b.border(v)
		if ok {
			b.st.Border = Sides[BorderSide]{s, s, s, s}
		}
		return ok
	}}
	for axis, which := range map[string][2]int{"border-inline": {3, 1}, "border-block": {0, 2}} {
		var longhands []string
		for _, i := range which {
			longhands = append(longhands, "border-"+sideNames[i]+"-width", "border-"+sideNames[i]+"-style", "border-"+sideNames[i]+"-color")
		}
		shorthands[axis] = &shorthand{longhands: longhands, set: func(b *builder, v []value) bool {
			s, ok := b.border(v)
			if ok {
				*sideOf(&b.st.Border, which[0]), *sideOf(&b.st.Border, which[1]) = s, s
			}
			return ok
		}}
	}
	var radii, shapes [4]string
	for i, c := range cornerNames {
		radii[i], shapes[i] = "border-"+c+"-radius", "corner-"+c+"-shape"
	}
	shorthands["border-radius"] = &shorthand{longhands: radii[:], set: (*builder).radii}
	shorthands["corner-shape"] = sides(shapes)
	addTextShorthands()
	addFlexShorthands()
}

// place2 is a pair of alignments, each of which may have two words.
func place2(first, second string) *shorthand {
	return &shorthand{longhands: []string{first, second}, set: func(b *builder, v []value) bool {
		for n := 1; n <= len(v); n++ {
			rest := v[n:]
			if len(rest) == 0 {
				rest = v
			}
			if n == 1 && len(v) == 1 && v[0].is("baseline") && first == "align-content" {
				rest = []value{{kind: ident, text: "start"}}
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
		longhands: []string{"font-style", "font-variant-caps", "font-weight", "font-stretch", "font-size", "line-height", "font-family"},
		set:       (*builder).font,
	}
	shorthands["text-decoration"] = &shorthand{
		longhands: []string{"text-decoration-line", "text-decoration-style", "text-decoration-color", "text-decoration-thickness"},
		set:       (*builder).decoration,
	}
	shorthands["-webkit-text-stroke"] = &shorthand{
		longhands: []string{"-webkit-text-stroke-width", "-webkit-text-stroke-color"},
		set: func(b *builder, v []value) bool {
			width, col := 0.0, Color{Current: true}
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
		set: func(b *builder, v []value) bool {
			kind, inside := ListDisc, false
			for i := range v {
				switch k, ok := listStyles[v[i].text]; {
				case ok:
					kind = k
				case v[i].is("inside"), v[i].is("outside"):
					inside = v[i].is("inside")
				default:
					return false
				}
			}
			b.text.ListStyle, b.text.ListInside = kind, inside
			return true
		},
	}
}

func (b *builder) decoration(v []value) bool {
	d := initial.Decoration
	var lines []value
	for i := range v {
		x := v[i : i+1]
		if s, ok := keyword(map[string]LineStyle{"solid": LineSolid, "double": LineDouble, "dotted": LineDotted, "dashed": LineDashed, "wavy": LineWavy})(b, x); ok {
			d.Style = s
			continue
		}
		if c, ok := b.color(&v[i]); ok {
			d.Color = c
			continue
		}
		if v[i].kind != ident || v[i].is("auto") || v[i].is("from-font") {
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
	shorthands["flex-flow"] = &shorthand{longhands: []string{"flex-direction", "flex-wrap"}, set: func(b *builder, v []value) bool {
		b.st.FlexDirection, b.st.FlexWrap = Row, NoWrap
		for i := range v {
			if !properties["flex-direction"].set(b, v[i:i+1]) && !properties["flex-wrap"].set(b, v[i:i+1]) {
				return false
			}
		}
		return true
	}}
	shorthands["flex"] = &shorthand{longhands: []string{"flex-grow", "flex-shrink", "flex-basis"}, set: (*builder).flex}
}

func (b *builder) flex(v []value) bool {
	grow, shrink, basis := 1.0, 1.0, Px(0)
	if len(v) == 1 && v[0].is("none") {
		b.st.FlexGrow, b.st.FlexShrink, b.st.FlexBasis = 0, 0, Size{}
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
			if !ok && !zeroBasis || s.Kind == None {
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
