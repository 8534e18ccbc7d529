package shape

import "masthead/render/html/css/value"

// Corner shapes: the exponent of a superellipse as its logarithm to base 2, with 0 standing for round, which is 1.
const (
	CornerBevel    = 1e-9 // superellipse(0)
	CornerNotch    = -100
	CornerSquare   = 100
	CornerSquircle = 2
	CornerScoop    = -1
)

// ReadCornerShape reads the shape of one corner.
func ReadCornerShape(u value.Units, v *value.Value) (float64, bool) {
	switch {
	case v.Is("round"):
		return 0, true
	case v.Is("bevel"):
		return CornerBevel, true
	case v.Is("notch"):
		return CornerNotch, true
	case v.Is("square"):
		return CornerSquare, true
	case v.Is("squircle"):
		return CornerSquircle, true
	case v.Is("scoop"):
		return CornerScoop, true
	case v.Fn("superellipse") && len(v.Args) == 1:
		if v.Args[0].Is("infinity") {
			return CornerSquare, true
		}
		if v.Args[0].Is("-infinity") {
			return CornerNotch, true
		}
		n, ok := value.Reader{Units: u}.Number(&v.Args[0])
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

// Corners are the radii of a box: horizontal and vertical of each corner, percentages of its width and height.
type Corners struct {
	TopLeft, TopRight, BottomRight, BottomLeft Radius
	Shape                                      [4]float64 // corner-shape as superellipse exponent; 0 is round
}

// Radius is that of one corner. Shape of the corner is in Corners.
type Radius struct {
	X, Y value.Length
}

// None reports whether all corners are square.
func (c *Corners) None() bool {
	return c.TopLeft == Radius{} && c.TopRight == Radius{} && c.BottomRight == Radius{} && c.BottomLeft == Radius{}
}

// ReadCorners reads border-radius: the radii of all corners.
func ReadCorners(u value.Units, v []value.Value) (Corners, bool) {
	return reader{value.Reader{Units: u}}.radii(v)
}

func (r reader) radii(v []value.Value) (c Corners, ok bool) {
	x, y, found := value.SplitSlash(v)
	if !found {
		y = x
	}
	xs, ok1 := value.Four(x)
	ys, ok2 := value.Four(y)
	if !ok1 || !ok2 {
		return c, false
	}
	var list [4]Radius
	for i := range list {
		var ok bool
		if list[i].X, ok = r.Positive(&xs[i][0]); !ok {
			return c, false
		}
		if list[i].Y, ok = r.Positive(&ys[i][0]); !ok {
			return c, false
		}
	}
	return Corners{TopLeft: list[0], TopRight: list[1], BottomRight: list[2], BottomLeft: list[3]}, true
}
