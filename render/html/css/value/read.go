package value

import "math"

// Units turns numbers with units into px: those of lengths that depend on an element and on the card, too.
type Units interface {
	Unit(n float64, unit string) (px float64, ok bool)
}

// Reader reads lengths, numbers and angles, and calculations of them.
type Reader struct{ Units Units }

// Length reads a length or percentage, or a calculation of them.
func (r Reader) Length(v *Value) (Length, bool) {
	switch v.Kind {
	case Number:
		if v.Unit == "" {
			return Length{}, v.Num == 0
		}
		if v.Unit == "%" {
			return Length{Percent: v.Num}, true
		}
		px, ok := r.Units.Unit(v.Num, v.Unit)
		return Length{Px: px}, ok
	case Function:
		q, ok := r.math(v)
		if !ok || q.scalar && q.num != 0 {
			return Length{}, false
		}
		return q.len, ok && !q.scalar
	}
	return Length{}, false
}

// Px reads a length without percentages.
func (r Reader) Px(v *Value) (float64, bool) {
	l, ok := r.Length(v)
	return l.Px, ok && !l.HasPercent()
}

// Number reads a number, or a calculation of numbers.
func (r Reader) Number(v *Value) (float64, bool) {
	switch v.Kind {
	case Number:
		return v.Num, v.Unit == ""
	case Function:
		q, ok := r.math(v)
		return q.num, ok && q.scalar
	}
	return 0, false
}

// NumberOrPercent reads a number, or a percentage of full.
func (r Reader) NumberOrPercent(v *Value, full float64) (float64, bool) {
	if v.Kind == Number && v.Unit == "%" {
		return v.Num / 100 * full, true
	}
	if v.Kind == Function {
		q, ok := r.math(v)
		if ok && !q.scalar && q.len.Px == 0 && q.len.Calc == nil {
			return q.len.Percent / 100 * full, true
		}
		return q.num, ok && q.scalar
	}
	return r.Number(v)
}

// Angle reads an angle in degrees.
func (r Reader) Angle(v *Value) (float64, bool) {
	if v.Kind == Function {
		q, ok := r.math(v)
		return q.num, ok && q.scalar && (q.angle || q.num == 0)
	}
	if v.Kind != Number {
		return 0, false
	}
	return Degrees(v)
}

// Degrees returns an angle in degrees.
func Degrees(v *Value) (float64, bool) {
	switch v.Unit {
	case "deg":
		return v.Num, true
	case "grad":
		return v.Num * .9, true
	case "rad":
		return v.Num * 180 / math.Pi, true
	case "turn":
		return v.Num * 360, true
	case "":
		return 0, v.Num == 0
	}
	return 0, false
}

// Size reads a length or one of the keywords of width and height.
func (r Reader) Size(v *Value) (Size, bool) {
	if v.Kind == Ident {
		switch {
		case v.Is("auto"):
			return Size{}, true
		case v.Is("none"):
			return Size{Kind: None}, true
		case v.Is("min-content"), v.Is("-webkit-min-content"):
			return Size{Kind: MinContent}, true
		case v.Is("max-content"), v.Is("-webkit-max-content"), v.Is("intrinsic"):
			return Size{Kind: MaxContent}, true
		case v.Is("fit-content"), v.Is("-webkit-fit-content"), v.Is("-moz-fit-content"):
			return Size{Kind: FitContent}, true
		case v.Is("stretch"), v.Is("-webkit-fill-available"), v.Is("-moz-available"):
			return Size{Kind: Stretch}, true
		case v.Is("content"):
			return Size{Kind: Content}, true
		}
		return Size{}, false
	}
	if v.Fn("fit-content") && len(v.Args) == 1 {
		l, ok := r.Length(&v.Args[0])
		return Size{Kind: FitContent, Length: l}, ok
	}
	l, ok := r.Length(v)
	if v.Kind == Number && v.Unit == "%" && v.Num == 0 {
		l = ZeroPercent
	}
	return Size{Kind: Fixed, Length: l}, ok
}

// Positive refuses negative fixed lengths.
func (r Reader) Positive(v *Value) (Length, bool) {
	l, ok := r.Length(v)
	if v.Kind == Number {
		return l, ok && l.Px >= 0 && l.Percent >= 0
	}
	if !l.HasPercent() {
		l.Px = max(l.Px, 0)
	}
	return l, ok
}
