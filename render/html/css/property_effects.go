package css

import (
	"math"
	"strings"

	"masthead/render/html/css/colors"
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
	effect("clip-path", of(func(s *Style) **Shape { return &s.ClipPath }, (*builder).shape))
	effect("mix-blend-mode", of(func(s *Style) *Blend { return &s.MixBlend }, keyword(blends)))
	effect("background-blend-mode", of(func(s *Style) *[]Blend { return &s.BackgroundMix }, readBlends))
}

func addTransformProperties() {
	one := func(name string) func(b *builder, v []value.Value) ([]Transform, bool) {
		return func(b *builder, v []value.Value) ([]Transform, bool) {
			if len(v) == 1 && v[0].Is("none") {
				return nil, true
			}
			if len(v) == 2 && v[0].Is("z") {
				v = v[1:]
			}
			return b.transformList(name, v)
		}
	}
	effect("transform", of(func(s *Style) *[]Transform { return &s.transform }, (*builder).transforms))
	effect("translate", of(func(s *Style) *[]Transform { return &s.translate }, one("translate")))
	effect("rotate", of(func(s *Style) *[]Transform { return &s.rotate }, one("rotate")))
	effect("scale", of(func(s *Style) *[]Transform { return &s.scale }, one("scale")))
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

func (b *builder) transforms(v []value.Value) (list []Transform, ok bool) {
	if len(v) == 1 && v[0].Is("none") {
		return nil, true
	}
	for i := range v {
		if v[i].Kind != value.Function || len(list) >= maxList {
			return nil, false
		}
		var args []value.Value
		for _, part := range value.SplitCommas(v[i].Args) {
			if len(part) != 1 {
				return nil, false
			}
			args = append(args, part[0])
		}
		t, ok := b.transformList(v[i].Text, args)
		if !ok {
			return nil, false
		}
		list = append(list, t...)
	}
	return list, true
}

// transformList reads one transform function.
func (b *builder) transformList(name string, v []value.Value) ([]Transform, bool) {
	if len(v) == 0 {
		return nil, false
	}
	switch name {
	case "matrix":
		m, ok := b.matrix(v)
		return []Transform{{Matrix: m}}, ok
	case "matrix3d", "rotate3d":
		m, ok := b.flattened(name, v)
		return []Transform{{Matrix: m}}, ok
	case "perspective": // of a picture that nothing turns out of its plane
		_, ok := b.px(&v[0])
		return nil, ok || v[0].Is("none")
	}
	if strings.HasPrefix(name, "translate") {
		return b.translation(name, v)
	}
	m, ok := b.turn(name, v)
	if !ok && strings.HasPrefix(name, "scale") {
		m, ok = b.scaling(name, v)
	}
	return []Transform{{Matrix: m}}, ok
}

// flattened reads the functions of three dimensions, and drops the third.
func (b *builder) flattened(name string, v []value.Value) (m [6]float64, ok bool) {
	var n [16]float64
	if name == "matrix3d" {
		if len(v) != len(n) {
			return m, false
		}
		for i := range n {
			if n[i], ok = b.number(&v[i]); !ok {
				return m, false
			}
		}
		return [6]float64{n[0], n[1], n[4], n[5], n[12], n[13]}, true
	}
	if len(v) != 4 {
		return m, false
	}
	for i := range 3 {
		if n[i], ok = b.number(&v[i]); !ok {
			return m, false
		}
	}
	a, ok := b.angle(&v[3])
	length := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	if length == 0 {
		return [6]float64{1, 0, 0, 1, 0, 0}, ok
	}
	x, y, z := n[0]/length, n[1]/length, n[2]/length
	sin, cos := math.Sincos(a * math.Pi / 180)
	k := 1 - cos
	return [6]float64{k*x*x + cos, k*x*y + z*sin, k*x*y - z*sin, k*y*y + cos, 0, 0}, ok
}

func (b *builder) matrix(v []value.Value) (m [6]float64, ok bool) {
	if len(v) != 6 {
		return m, false
	}
	for i := range m {
		if m[i], ok = b.number(&v[i]); !ok {
			return m, false
		}
	}
	return m, true
}

func (b *builder) translation(name string, v []value.Value) ([]Transform, bool) {
	x, ok := b.length(&v[0])
	y := value.Length{}
	switch name {
	case "translate", "translate3d":
		if ok && len(v) > 1 {
			y, ok = b.length(&v[1])
		}
	case "translatex":
	case "translatey":
		x, y = y, x
	case "translatez":
		return nil, ok
	default:
		return nil, false
	}
	return []Transform{{Kind: TransformTranslate, X: x, Y: y}}, ok
}

func (b *builder) scaling(name string, v []value.Value) (m [6]float64, ok bool) {
	x, ok := b.numberOrPercent(&v[0])
	y := x
	if ok && len(v) > 1 {
		y, ok = b.numberOrPercent(&v[1])
	}
	switch name {
	case "scale", "scale3d":
	case "scalex":
		y = 1
	case "scaley":
		x, y = 1, x
	default:
		return m, false
	}
	return [6]float64{x, 0, 0, y, 0, 0}, ok
}

// turn reads the functions of angles: rotations about x and y are scales, without perspective.
func (b *builder) turn(name string, v []value.Value) (m [6]float64, ok bool) {
	x, ok := b.angle(&v[0])
	y := 0.0
	if ok && len(v) > 1 {
		y, ok = b.angle(&v[1])
	}
	const rad = math.Pi / 180
	sin, cos := math.Sincos(x * rad)
	switch name {
	case "rotate", "rotatez":
		return [6]float64{cos, sin, -sin, cos, 0, 0}, ok && len(v) == 1
	case "rotatex":
		return [6]float64{1, 0, 0, cos, 0, 0}, ok
	case "rotatey":
		return [6]float64{cos, 0, 0, 1, 0, 0}, ok
	case "skew", "skewx":
		return [6]float64{1, math.Tan(y * rad), math.Tan(x * rad), 1, 0, 0}, ok
	case "skewy":
		return [6]float64{1, math.Tan(x * rad), 0, 1, 0, 0}, ok
	}
	return m, false
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

var refBoxes = map[string]Box{
	"border-box": BoxBorder, "padding-box": BoxPadding, "content-box": BoxContent, "margin-box": BoxMargin,
	"fill-box": BoxContent, "stroke-box": BoxBorder, "view-box": BoxBorder,
}

// shape reads clip-path.
func (b *builder) shape(v []value.Value) (*Shape, bool) {
	if len(v) == 1 && v[0].Is("none") {
		return nil, true
	}
	s := &Shape{}
	found := false
	for i := range v {
		if box, ok := refBoxes[strings.ToLower(v[i].Text)]; ok && v[i].Kind == value.Ident {
			s.Ref = box
			continue
		}
		if v[i].Kind != value.Function || found || !b.basicShape(s, &v[i]) {
			return nil, false
		}
		found = true
	}
	return s, true
}

func (b *builder) basicShape(s *Shape, v *value.Value) bool {
	args := v.Args
	switch v.Text {
	case "inset", "xywh", "rect":
		return b.insetShape(s, v)
	case "circle", "ellipse":
		s.Kind = ShapeCircle
		if v.Text == "ellipse" {
			s.Kind = ShapeEllipse
		}
		s.X, s.Y = value.Length{Percent: 50}, value.Length{Percent: 50}
		s.ExtentX, s.ExtentY = ClosestSide, ClosestSide
		at := len(args)
		for i := range args {
			if args[i].Is("at") {
				at = i
				p, ok := b.position(args[i+1:])
				if !ok {
					return false
				}
				s.X, s.Y = p[0], p[1]
			}
		}
		return b.shapeRadii(s, args[:at])
	case "polygon":
		parts := value.SplitCommas(args)
		s.Kind = ShapePolygon
		if len(parts[0]) == 1 && parts[0][0].Kind == value.Ident {
			s.EvenOdd = parts[0][0].Is("evenodd")
			parts = parts[1:]
		}
		const most = 2000
		for _, p := range parts {
			if len(p) != 2 || len(s.Points) > most {
				return false
			}
			x, ok1 := b.length(&p[0])
			y, ok2 := b.length(&p[1])
			if !ok1 || !ok2 {
				return false
			}
			s.Points = append(s.Points, [2]value.Length{x, y})
		}
		return len(s.Points) > 0
	case "path":
		parts := value.SplitCommas(args)
		s.Kind = ShapePath
		if len(parts) == 2 && len(parts[0]) == 1 {
			s.EvenOdd = parts[0][0].Is("evenodd")
			parts = parts[1:]
		}
		if len(parts) != 1 || len(parts[0]) != 1 || parts[0][0].Kind != value.String {
			return false
		}
		steps, ok := ParsePath(parts[0][0].Text)
		s.Path = steps
		return ok
	case "shape":
		return b.shapeFunction(s, args)
	}
	return false
}

func (b *builder) insetShape(s *Shape, v *value.Value) bool {
	s.Kind = ShapeInset
	args := v.Args
	for i := range args {
		if args[i].Is("round") {
			own := b.st.Radius
			ok := b.radii(args[i+1:])
			s.Radius = b.st.Radius
			b.st.Radius = own
			if !ok {
				return false
			}
			args = args[:i]
			break
		}
	}
	var l [4]value.Length
	if v.Text == "inset" {
		list, ok := four(args)
		if !ok {
			return false
		}
		for i := range l {
			if l[i], ok = b.length(&list[i][0]); !ok {
				return false
			}
		}
	} else {
		if len(args) != 4 {
			return false
		}
		for i := range l {
			var ok bool
			if args[i].Is("auto") {
				ok = v.Text == "rect"
				l[i] = value.Length{Percent: []float64{0, 100, 100, 0}[i]}
			} else {
				l[i], ok = b.length(&args[i])
			}
			if !ok {
				return false
			}
		}
		full := func(a ...value.Length) value.Length { // 100 % minus all
			rest := value.Length{Percent: 100}
			for _, x := range a {
				rest = rest.Minus(x)
			}
			return rest
		}
		if v.Text == "xywh" {
			l = [4]value.Length{l[1], full(l[0], l[2]), full(l[1], l[3]), l[0]}
		} else {
			l = [4]value.Length{l[0], full(l[1]), full(l[2]), l[3]}
		}
	}
	s.Inset = value.Sides[value.Length]{Top: l[0], Right: l[1], Bottom: l[2], Left: l[3]}
	return true
}

func (b *builder) shapeRadii(s *Shape, v []value.Value) bool {
	read := func(x *value.Value) (l value.Length, e Extent, explicit, ok bool) {
		switch {
		case x.Is("closest-side"):
			return l, ClosestSide, false, true
		case x.Is("farthest-side"):
			return l, FarthestSide, false, true
		}
		l, ok = positive(b, x)
		return l, 0, true, ok
	}
	if len(v) == 0 {
		return true
	}
	if s.Kind == ShapeCircle && len(v) != 1 || s.Kind == ShapeEllipse && len(v) != 2 {
		return false
	}
	var ok bool
	if s.RX, s.ExtentX, s.ExplicitX, ok = read(&v[0]); !ok {
		return false
	}
	s.RY, s.ExtentY, s.ExplicitY, ok = read(&v[len(v)-1])
	return ok
}
