package css

import "math"

// length reads a length or percentage, or a calculation of them.
func (b *builder) length(v *value) (Length, bool) {
	switch v.kind {
	case number:
		if v.unit == "" {
			return Length{}, v.num == 0
		}
		if v.unit == "%" {
			return Length{Percent: v.num}, true
		}
		px, ok := b.unit(v.num, v.unit)
		return Length{Px: px}, ok
	case function:
		q, ok := b.math(v)
		if !ok || q.scalar && q.num != 0 {
			return Length{}, false
		}
		return q.len, ok && !q.scalar
	}
	return Length{}, false
}

// unit turns a number with a unit into px.
func (b *builder) unit(n float64, unit string) (float64, bool) {
	switch unit {
	case "px":
		return n, true
	case "em":
		return n * b.text.FontSize, true
	case "rem":
		return n * b.root.FontSize, true
	case "vw", "svw", "lvw", "dvw", "vi":
		return n * b.view.Width / 100, true
	case "vh", "svh", "lvh", "dvh", "vb":
		return n * b.view.Height / 100, true
	case "vmin":
		return n * min(b.view.Width, b.view.Height) / 100, true
	case "vmax":
		return n * max(b.view.Width, b.view.Height) / 100, true
	case "cqw", "cqi":
		return n * b.cq.Width / 100, true
	case "cqh", "cqb":
		return n * b.cq.Height / 100, true
	case "cqmin":
		return n * min(b.cq.Width, b.cq.Height) / 100, true
	case "cqmax":
		return n * max(b.cq.Width, b.cq.Height) / 100, true
	case "pt":
		return n * 96 / 72, true
	case "pc":
		return n * 16, true
	case "in":
		return n * 96, true
	case "cm":
		return n * 96 / 2.54, true
	case "mm":
		return n * 96 / 25.4, true
	case "q":
		return n * 96 / 101.6, true
	case "ch":
		return n * b.chWidth() * b.text.FontSize, true
	case "ex":
		return n * .5 * b.text.FontSize, true
	case "cap":
		return n * .73 * b.text.FontSize, true
	case "ic":
		return n * b.text.FontSize, true
	case "lh":
		if !b.text.LineHeight.Normal {
			return n * b.text.LineHeight.Px, true
		}
		return n * 1.2 * b.text.FontSize, true
	case "rlh":
		return n * 1.2 * b.root.FontSize, true
	}
	return 0, false
}

// chWidth is the advance of 0 in em.
func (b *builder) chWidth() float64 {
	if b.zero != nil {
		if w := b.zero(&b.text); w > 0 {
			return w
		}
	}
	return .6
}

// px reads a length without percentages.
func (b *builder) px(v *value) (float64, bool) {
	l, ok := b.length(v)
	return l.Px, ok && !l.HasPercent()
}

// number reads a number, or a calculation of numbers.
func (b *builder) number(v *value) (float64, bool) {
	switch v.kind {
	case number:
		return v.num, v.unit == ""
	case function:
		q, ok := b.math(v)
		return q.num, ok && q.scalar
	}
	return 0, false
}

// numberOrPercent reads a number, with 100 % as 1.
func (b *builder) numberOrPercent(v *value) (float64, bool) {
	if v.kind == number && v.unit == "%" {
		return v.num / 100, true
	}
	if v.kind == function {
		q, ok := b.math(v)
		if ok && !q.scalar && q.len.Px == 0 && q.len.Calc == nil {
			return q.len.Percent / 100, true
		}
		return q.num, ok && q.scalar
	}
	return b.number(v)
}

// angle reads an angle in degrees.
func (b *builder) angle(v *value) (float64, bool) {
	if v.kind == function {
		q, ok := b.math(v)
		return q.num, ok && q.scalar && (q.angle || q.num == 0)
	}
	if v.kind != number {
		return 0, false
	}
	return degrees(v)
}

func degrees(v *value) (float64, bool) {
	switch v.unit {
	case "deg":
		return v.num, true
	case "grad":
		return v.num * .9, true
	case "rad":
		return v.num * 180 / math.Pi, true
	case "turn":
		return v.num * 360, true
	case "":
		return 0, v.num == 0
	}
	return 0, false
}

// quantity is a result of a calculation: a scalar (a number, or an angle in degrees), or a length.
type quantity struct {
	scalar, angle bool
	num           float64
	len           Length
}

func (q quantity) times(f float64) quantity {
	if q.scalar {
		q.num *= f
		return q
	}
	q.len.Px *= f
	q.len.Percent *= f
	if q.len.Calc != nil {
		c := *q.len.Calc
		c.Factor *= f
		q.len.Calc = &c
	}
	return q
}

func (q quantity) plus(r quantity) (quantity, bool) {
	if q.scalar != r.scalar {
		return q, false
	}
	if q.scalar {
		q.num += r.num
		q.angle = q.angle || r.angle
		return q, true
	}
	q.len.Px += r.len.Px
	q.len.Percent += r.len.Percent
	switch {
	case q.len.Calc == nil:
		q.len.Calc = r.len.Calc
	case r.len.Calc != nil:
		q.len.Calc = &Calc{Op: CalcSum, Factor: 1, Args: []Length{{Calc: q.len.Calc}, {Calc: r.len.Calc}}}
	}
	return q, true
}

// math evaluates a math function.
func (b *builder) math(v *value) (quantity, bool) {
	switch v.text {
	case "calc", "":
		return b.sum(v.args)
	case "min", "max", "clamp":
		return b.extreme(v)
	case "abs", "sign", "round", "mod", "rem", "sin", "cos", "tan", "sqrt", "pow", "hypot", "exp", "log",
		"atan2", "asin", "acos", "atan":
		return b.scalarFunction(v)
	}
	return quantity{}, false
}

func (b *builder) extreme(v *value) (quantity, bool) {
	parts := splitCommas(v.args)
	list := make([]quantity, len(parts))
	calc := &Calc{Op: map[string]CalcOp{"min": CalcMin, "max": CalcMax, "clamp": CalcClamp}[v.text], Factor: 1}
	if calc.Op == CalcClamp && len(parts) != 3 {
		return quantity{}, false
	}
	fixed := true
	for i, p := range parts {
		if calc.Op == CalcClamp && len(p) == 1 && p[0].is("none") {
			limit := []float64{math.Inf(-1), 0, math.Inf(1)}[i]
			list[i] = quantity{len: Length{Px: limit}}
			if i == 1 {
				return quantity{}, false
			}
		} else {
			var ok bool
			if list[i], ok = b.sum(p); !ok {
				return quantity{}, false
			}
		}
		if list[i].scalar != list[0].scalar {
			return quantity{}, false
		}
		fixed = fixed && (list[i].scalar || !list[i].len.HasPercent())
		l := list[i].len
		if list[i].scalar {
			l = Length{Px: list[i].num}
		}
		calc.Args = append(calc.Args, l)
	}
	if !fixed {
		return quantity{len: Length{Calc: calc}}, true
	}
	n := calc.resolve(0)
	if list[0].scalar {
		return quantity{scalar: true, angle: list[0].angle, num: n}, true
	}
	return quantity{len: Length{Px: n}}, true
}

// scalarFunction evaluates functions of numbers, angles or px.
func (b *builder) scalarFunction(v *value) (quantity, bool) {
	parts := splitCommas(v.args)
	way := "nearest"
	if v.text == "round" && len(parts[0]) == 1 && parts[0][0].kind == ident {
		way, parts = parts[0][0].text, parts[1:]
	}
	var n []float64
	var first quantity
	for i, p := range parts {
		q, ok := b.sum(p)
		if !ok || !q.scalar && q.len.HasPercent() {
			return quantity{}, false
		}
		if i == 0 {
			first = q
		}
		if q.scalar {
			n = append(n, q.num)
		} else {
			n = append(n, q.len.Px)
		}
	}
	if len(n) == 0 {
		return quantity{}, false
	}
	second := 1.0
	if len(n) > 1 {
		second = n[1]
	}
	if x, ok := stepped(v.text, way, n, second); ok { // of the kind of its argument
		if first.scalar {
			return quantity{scalar: true, angle: first.angle, num: finite(x)}, true
		}
		return quantity{len: Length{Px: finite(x)}}, true
	}
	x := n[0]
	if first.angle {
		x *= math.Pi / 180
	}
	f, ok := functions[v.text]
	if !ok {
		return quantity{}, false
	}
	x = f(x, second)
	if inverse := v.text[0] == 'a'; inverse {
		return quantity{scalar: true, angle: true, num: finite(x * 180 / math.Pi)}, true
	}
	return quantity{scalar: true, num: finite(x)}, true
}

// functions are those whose result is a number, or an angle if their name begins with a.
var functions = map[string]func(x, y float64) float64{
	"sign":  func(x, _ float64) float64 { return sign(x) },
	"sin":   func(x, _ float64) float64 { return math.Sin(x) },
	"cos":   func(x, _ float64) float64 { return math.Cos(x) },
	"tan":   func(x, _ float64) float64 { return math.Tan(x) },
	"asin":  func(x, _ float64) float64 { return math.Asin(x) },
	"acos":  func(x, _ float64) float64 { return math.Acos(x) },
	"atan":  func(x, _ float64) float64 { return math.Atan(x) },
	"atan2": math.Atan2,
	"sqrt":  func(x, _ float64) float64 { return math.Sqrt(x) },
	"pow":   math.Pow,
	"exp":   func(x, _ float64) float64 { return math.Exp(x) },
	"log":   func(x, _ float64) float64 { return math.Log(x) },
}

// stepped evaluates the functions whose result is of the kind of their first argument.
func stepped(name, way string, n []float64, step float64) (float64, bool) {
	switch name {
	case "abs":
		return math.Abs(n[0]), true
	case "round":
		x := n[0] / step
		switch way {
		case "up":
			x = math.Ceil(x)
		case "down":
			x = math.Floor(x)
		case "to-zero":
			x = math.Trunc(x)
		default:
			x = math.Floor(x + .5)
		}
		return x * step, true
	case "mod":
		return n[0] - step*math.Floor(n[0]/step), true
	case "rem":
		return math.Mod(n[0], step), true
	case "hypot":
		sum := 0.0
		for _, x := range n {
			sum += x * x
		}
		return math.Sqrt(sum), true
	}
	return 0, false
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// finite replaces what isn't a number by 0, and bounds the rest.
func finite(x float64) float64 {
	const limit = 1e9
	if x != x {
		return 0
	}
	return min(max(x, -limit), limit)
}

// sum reads terms with + and -.
func (b *builder) sum(v []value) (quantity, bool) {
	q, n, ok := b.product(v)
	if !ok {
		return q, false
	}
	v = v[n:]
	for len(v) > 0 {
		factor := 1.0
		switch {
		case v[0].delim("+"):
			v = v[1:]
		case v[0].delim("-"):
			factor, v = -1, v[1:]
		default:
			return q, false
		}
		r, n, ok := b.product(v)
		if !ok {
			return q, false
		}
		if q, ok = q.plus(r.times(factor)); !ok {
			return q, false
		}
		v = v[n:]
	}
	return q, true
}

// product reads factors with * and /, and returns the number of its values.
func (b *builder) product(v []value) (quantity, int, bool) {
	if len(v) == 0 {
		return quantity{}, 0, false
	}
	q, ok := b.factor(&v[0])
	if !ok {
		return q, 0, false
	}
	n := 1
	for n+1 < len(v) && (v[n].delim("*") || v[n].delim("/")) {
		r, ok := b.factor(&v[n+1])
		if !ok {
			return q, 0, false
		}
		switch {
		case v[n].delim("/"):
			if !r.scalar || r.num == 0 {
				if r.scalar || q.scalar || r.len.HasPercent() || r.len.Px == 0 {
					return q, 0, false
				}
				q = quantity{scalar: true, num: q.len.Px / r.len.Px}
				break
			}
			q = q.times(1 / r.num)
		case r.scalar:
			q = q.times(r.num)
		case q.scalar:
			q = r.times(q.num)
		default:
			return q, 0, false
		}
		n += 2
	}
	return q, n, true
}

func (b *builder) factor(v *value) (quantity, bool) {
	switch v.kind {
	case number:
		switch v.unit {
		case "":
			return quantity{scalar: true, num: v.num}, true
		case "%":
			return quantity{len: Length{Percent: v.num}}, true
		}
		if d, ok := degrees(v); ok {
			return quantity{scalar: true, angle: true, num: d}, true
		}
		px, ok := b.unit(v.num, v.unit)
		return quantity{len: Length{Px: px}}, ok
	case block:
		return b.sum(v.args)
	case function:
		return b.math(v)
	case ident:
		switch {
		case v.is("pi"):
			return quantity{scalar: true, num: math.Pi}, true
		case v.is("e"):
			return quantity{scalar: true, num: math.E}, true
		case v.is("infinity"):
			return quantity{scalar: true, num: 1e9}, true
		case v.is("-infinity"):
			return quantity{scalar: true, num: -1e9}, true
		}
	}
	return quantity{}, false
}

// size reads a length or one of the keywords of width and height.
func (b *builder) size(v *value) (Size, bool) {
	if v.kind == ident {
		switch {
		case v.is("auto"):
			return Size{}, true
		case v.is("none"):
			return Size{Kind: None}, true
		case v.is("min-content"), v.is("-webkit-min-content"):
			return Size{Kind: MinContent}, true
		case v.is("max-content"), v.is("-webkit-max-content"), v.is("intrinsic"):
			return Size{Kind: MaxContent}, true
		case v.is("fit-content"), v.is("-webkit-fit-content"), v.is("-moz-fit-content"):
			return Size{Kind: FitContent}, true
		case v.is("stretch"), v.is("-webkit-fill-available"), v.is("-moz-available"):
			return Size{Kind: Stretch}, true
		case v.is("content"):
			return Size{Kind: Content}, true
		}
		return Size{}, false
	}
	if v.fn("fit-content") && len(v.args) == 1 {
		l, ok := b.length(&v.args[0])
		return Size{Kind: FitContent, Length: l}, ok
	}
	l, ok := b.length(v)
	return Size{Kind: Fixed, Length: l}, ok
}
