package value

import "math"

// Length is an absolute length, a percentage, or a calculation of both.
type Length struct {
	Px      float64
	Percent float64
	Calc    *Calc // min, max, clamp of percentages; nil otherwise. Px and Percent are added to it.
}

// ZeroPercent is 0% where that differs from 0: it is indefinite without a base.
var ZeroPercent = Length{Percent: math.SmallestNonzeroFloat64}

// Resolve returns the length in px with percentages of base.
func (l Length) Resolve(base float64) float64 {
	v := l.Px
	if l.Percent != 0 {
		v += l.Percent * base / 100
	}
	if l.Calc != nil {
		v += l.Calc.resolve(base)
	}
	return v
}

// HasPercent reports whether the length depends on a base.
func (l Length) HasPercent() bool { return l.Percent != 0 || l.Calc != nil }

// Zero reports whether the length is 0 whatever its base.
func (l Length) Zero() bool { return l == Length{} }

// CalcOp is the operation of a Calc.
type CalcOp uint8

// The operations: the smallest or largest of all arguments, the second between the first and the third, the absolute
// value of one, and the sum.
const (
	CalcMin CalcOp = iota
	CalcMax
	CalcClamp
	CalcAbs
	CalcSum
)

// Calc is a function of lengths that depends on percentages, times a factor.
type Calc struct {
	Op     CalcOp
	Args   []Length
	Factor float64
}

func (c *Calc) resolve(base float64) float64 {
	v := c.Args[0].Resolve(base)
	switch c.Op {
	case CalcMin:
		for _, a := range c.Args[1:] {
			v = min(v, a.Resolve(base))
		}
	case CalcMax:
		for _, a := range c.Args[1:] {
			v = max(v, a.Resolve(base))
		}
	case CalcClamp:
		v = max(v, min(c.Args[1].Resolve(base), c.Args[2].Resolve(base)))
	case CalcSum:
		for _, a := range c.Args[1:] {
			v += a.Resolve(base)
		}
	case CalcAbs:
		v = max(v, -v)
	}
	return v * c.Factor
}

// SizeKind says what a Size is.
type SizeKind uint8

// The kinds of sizes.
const (
	Auto SizeKind = iota
	Fixed
	None
	MinContent
	MaxContent
	FitContent // with a Length other than 0: fit-content(length)
	Content    // flex-basis
	Stretch
)

// Size is a length or a keyword. The zero value is auto.
type Size struct {
	Kind SizeKind
	Length
}

// Px returns a fixed size.
func Px(v float64) Size { return Size{Kind: Fixed, Length: Length{Px: v}} }

// IsAuto reports whether the size is auto.
func (s Size) IsAuto() bool { return s.Kind == Auto }

// Sides holds a value for each side.
type Sides[T any] struct {
	Top, Right, Bottom, Left T
}

// Around returns the same value for each side.
func Around[T any](v T) Sides[T] { return Sides[T]{v, v, v, v} }

// Minus returns the length that is smaller by another one.
func (l Length) Minus(by Length) Length {
	q, _ := quantity{len: l}.plus(quantity{len: by}.times(-1))
	return q.len
}
