package value

import "math"

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
func (r Reader) math(v *Value) (quantity, bool) {
	switch v.Text {
	case "calc", "":
		return r.sum(v.Args)
	case "min", "max", "clamp":
		return r.extreme(v)
	case "abs", "sign", "round", "mod", "rem", "sin", "cos", "tan", "sqrt", "pow", "hypot", "exp", "log",
		"atan2", "asin", "acos", "atan":
		return r.scalarFunction(v)
	}
	return quantity{}, false
}

func (r Reader) extreme(v *Value) (quantity, bool) {
	parts := SplitCommas(v.Args)
	list := make([]quantity, len(parts))
	calc := &Calc{Op: map[string]CalcOp{"min": CalcMin, "max": CalcMax, "clamp": CalcClamp}[v.Text], Factor: 1}
	if calc.Op == CalcClamp && len(parts) != 3 {
		return quantity{}, false
	}
	fixed := true
	for i, p := range parts {
		if calc.Op == CalcClamp && len(p) == 1 && p[0].Is("none") {
			limit := []float64{math.Inf(-1), 0, math.Inf(1)}[i]
			list[i] = quantity{len: Length{Px: limit}}
			if i == 1 {
				return quantity{}, false
			}
		} else {
			var ok bool
			if list[i], ok = r.sum(p); !ok {
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
func (r Reader) scalarFunction(v *Value) (quantity, bool) {
	parts := SplitCommas(v.Args)
	way := "nearest"
	if v.Text == "round" && len(parts[0]) == 1 && parts[0][0].Kind == Ident {
		way, parts = parts[0][0].Text, parts[1:]
	}
	var n []float64
	var first quantity
	for i, p := range parts {
		q, ok := r.sum(p)
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
	if x, ok := stepped(v.Text, way, n, second); ok { // of the kind of its argument
		if first.scalar {
			return quantity{scalar: true, angle: first.angle, num: finite(x)}, true
		}
		return quantity{len: Length{Px: finite(x)}}, true
	}
	x := n[0]
	if first.angle {
		x *= math.Pi / 180
	}
	f, ok := functions[v.Text]
	if !ok {
		return quantity{}, false
	}
	x = f(x, second)
	if inverse := v.Text[0] == 'a'; inverse {
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
func (r Reader) sum(v []Value) (quantity, bool) {
	q, n, ok := r.product(v)
	if !ok {
		return q, false
	}
	v = v[n:]
	for len(v) > 0 {
		factor := 1.0
		switch {
		case v[0].Delim("+"):
			v = v[1:]
		case v[0].Delim("-"):
			factor, v = -1, v[1:]
		default:
			return q, false
		}
		term, n, ok := r.product(v)
		if !ok {
			return q, false
		}
		if q, ok = q.plus(term.times(factor)); !ok {
			return q, false
		}
		v = v[n:]
	}
	return q, true
}

// product reads factors with * and /, and returns the number of its values.
func (r Reader) product(v []Value) (quantity, int, bool) {
	if len(v) == 0 {
		return quantity{}, 0, false
	}
	q, ok := r.factor(&v[0])
	if !ok {
		return q, 0, false
	}
	n := 1
	for n+1 < len(v) && (v[n].Delim("*") || v[n].Delim("/")) {
		x, ok := r.factor(&v[n+1])
		if !ok {
			return q, 0, false
		}
		switch {
		case v[n].Delim("/"):
			if !x.scalar || x.num == 0 {
				if x.scalar || q.scalar || x.len.HasPercent() || x.len.Px == 0 {
					return q, 0, false
				}
				q = quantity{scalar: true, num: q.len.Px / x.len.Px}
				break
			}
			q = q.times(1 / x.num)
		case x.scalar:
			q = q.times(x.num)
		case q.scalar:
			q = x.times(q.num)
		default:
			return q, 0, false
		}
		n += 2
	}
	return q, n, true
}

func (r Reader) factor(v *Value) (quantity, bool) {
	switch v.Kind {
	case Number:
		switch v.Unit {
		case "":
			return quantity{scalar: true, num: v.Num}, true
		case "%":
			return quantity{len: Length{Percent: v.Num}}, true
		}
		if d, ok := Degrees(v); ok {
			return quantity{scalar: true, angle: true, num: d}, true
		}
		px, ok := r.Units.Unit(v.Num, v.Unit)
		return quantity{len: Length{Px: px}}, ok
	case Block:
		return r.sum(v.Args)
	case Function:
		return r.math(v)
	case Ident:
		switch {
		case v.Is("pi"):
			return quantity{scalar: true, num: math.Pi}, true
		case v.Is("e"):
			return quantity{scalar: true, num: math.E}, true
		case v.Is("infinity"):
			return quantity{scalar: true, num: 1e9}, true
		case v.Is("-infinity"):
			return quantity{scalar: true, num: -1e9}, true
		}
	}
	return quantity{}, false
}
