// Package gradient reads the gradients of CSS: their geometry, color stops and hints.
package gradient

import (
	"strings"

	"masthead/render/html/css/colors"
	"masthead/render/html/css/value"
)

// reader reads gradients.
type reader struct {
	value.Reader
	colors colors.Reader
}

// Read reads a gradient.
func Read(c colors.Context, v *value.Value) (*Gradient, bool) {
	r := reader{value.Reader{Units: c}, colors.Reader{Context: c}}
	g := &Gradient{X: value.Length{Percent: 50}, Y: value.Length{Percent: 50}, Angle: 180}
	name := v.Text
	if n, ok := strings.CutPrefix(name, "repeating-"); ok {
		g.Repeating, name = true, n
	}
	parts := value.SplitCommas(v.Args)
	var ok bool
	switch name {
	case "linear-gradient":
		ok = r.linear(g, parts[0])
	case "radial-gradient":
		g.Kind = Radial
		ok = r.radial(g, parts[0])
	case "conic-gradient":
		g.Kind, g.Angle = Conic, 0
		ok = r.conic(g, parts[0])
	default:
		return nil, false
	}
	if ok {
		parts = parts[1:]
	}
	if !g.spaced && modern(parts) {
		g.Space = colors.Oklab
	}
	return g, r.stops(g, parts)
}

// modern reports whether a stop has a color beyond the old syntaxes, for which a gradient that names no space is mixed
// in Oklab. Source: CSS Color 4, 12.1.
func modern(parts [][]value.Value) bool {
	for _, part := range parts {
		for i := range part {
			v := &part[i]
			if v.Kind != value.Function || !colors.IsFunction(v.Text) {
				continue
			}
			switch v.Text {
			case "rgb", "rgba", "hsl", "hsla", "hwb":
				if len(v.Args) > 0 && v.Args[0].Is("from") {
					return true
				}
			case "light-dark":
			default:
				return true
			}
		}
	}
	return false
}

// in reads the color space of a gradient, and returns the other values.
func (g *Gradient) in(v []value.Value) (rest []value.Value, ok bool) {
	for i := range v {
		if v[i].Is("in") {
			space, way, n, ok := colors.Interpolation(v[i:])
			if !ok {
				return nil, false
			}
			g.Space, g.Hue, g.spaced = space, way, true
			return append(v[:i:i], v[i+n:]...), true
		}
	}
	return v, true
}

// linear reads the direction of a linear gradient; ok is false if there is none.
func (r reader) linear(g *Gradient, v []value.Value) (ok bool) {
	n := len(v)
	if v, ok = g.in(v); !ok || n == 0 {
		return false
	}
	if len(v) == 0 {
		return true
	}
	if len(v) == 1 {
		a, ok := r.Angle(&v[0])
		if ok {
			g.Angle = a
		}
		return ok
	}
	if !v[0].Is("to") {
		return false
	}
	for i := range v[1:] {
		switch x := &v[i+1]; {
		case x.Is("left"):
			g.SideX = -1
		case x.Is("right"):
			g.SideX = 1
		case x.Is("top"):
			g.SideY = -1
		case x.Is("bottom"):
			g.SideY = 1
		default:
			return false
		}
	}
	switch {
	case g.SideX != 0 && g.SideY != 0:
		g.Corner = true
	case g.SideX != 0:
		g.Angle = float64(180 - 90*g.SideX)
	default:
		g.Angle = float64(90 + 90*g.SideY)
	}
	return true
}

// at reads "at" and a position at the end of v, and returns what is before it.
func (r reader) at(g *Gradient, v []value.Value) ([]value.Value, bool) {
	for i := range v {
		if v[i].Is("at") {
			p, ok := r.Position(v[i+1:])
			g.X, g.Y = p[0], p[1]
			return v[:i], ok
		}
	}
	return v, true
}

var extents = map[string]value.Extent{
	"farthest-corner": value.FarthestCorner, "closest-side": value.ClosestSide, "farthest-side": value.FarthestSide,
	"closest-corner": value.ClosestCorner, "cover": value.FarthestCorner, "contain": value.ClosestSide,
}

func (r reader) radial(g *Gradient, v []value.Value) (ok bool) {
	n := len(v)
	if v, ok = g.in(v); !ok || n == 0 {
		return false
	}
	if v, ok = r.at(g, v); !ok {
		return false
	}
	var lengths []value.Length
	ellipse := false
	for i := range v {
		x := &v[i]
		if e, ok := extents[strings.ToLower(x.Text)]; ok && x.Kind == value.Ident {
			g.Extent = e
			continue
		}
		switch {
		case x.Is("circle"):
			g.Circle = true
		case x.Is("ellipse"):
			ellipse = true
		default:
			l, ok := r.Positive(x)
			if !ok {
				return false
			}
			lengths = append(lengths, l)
		}
	}
	switch len(lengths) {
	case 0:
		return true
	case 1:
		g.Circle, g.Explicit, g.RX, g.RY = true, true, lengths[0], lengths[0]
		return !ellipse && !lengths[0].HasPercent()
	case 2:
		g.Explicit, g.RX, g.RY = true, lengths[0], lengths[1]
		return !g.Circle
	}
	return false
}

func (r reader) conic(g *Gradient, v []value.Value) (ok bool) {
	n := len(v)
	if v, ok = g.in(v); !ok || n == 0 {
		return false
	}
	if v, ok = r.at(g, v); !ok {
		return false
	}
	if len(v) == 2 && v[0].Is("from") {
		g.Angle, ok = r.Angle(&v[1])
		return ok
	}
	return len(v) == 0
}

// stops reads color stops and hints.
func (r reader) stops(g *Gradient, parts [][]value.Value) bool {
	place := func(v *value.Value) (value.Length, bool) {
		if g.Kind == Conic {
			if a, ok := r.Angle(v); ok && (v.Kind != value.Number || v.Unit != "") {
				return value.Length{Percent: a / 3.6}, true
			}
		}
		return r.Length(v)
	}
	colors := 0
	for _, part := range parts {
		if len(part) == 0 || len(part) > 3 || len(g.Stops) > 200 {
			return false
		}
		if len(part) == 1 {
			if l, ok := place(&part[0]); ok {
				g.Stops = append(g.Stops, Stop{At: l, Hint: true})
				continue
			}
		}
		c, ok := r.colors.Color(&part[0])
		where := part[1:]
		if !ok { // the position may come first
			if c, ok = r.colors.Color(&part[len(part)-1]); !ok {
				return false
			}
			where = part[:len(part)-1]
		}
		colors++
		if len(where) == 0 {
			g.Stops = append(g.Stops, Stop{Color: c, Auto: true})
		}
		for i := range where {
			l, ok := place(&where[i])
			if !ok {
				return false
			}
			g.Stops = append(g.Stops, Stop{Color: c, At: l})
		}
	}
	n := len(g.Stops)
	return colors >= 1 && n >= 1 && !g.Stops[0].Hint && !g.Stops[n-1].Hint
}

// Kind is the geometry of a gradient.
type Kind uint8

// The kinds.
const (
	Linear Kind = iota
	Radial
	Conic
)

// Gradient is a gradient image.
type Gradient struct {
	Kind      Kind
	Repeating bool
	Space     colors.Space
	spaced    bool // it names its space
	Hue       colors.HueWay
	// Angle of linear ones in degrees, 0 up and clockwise; of conic ones where they start. Side: to a corner, which
	// depends on the box: its X and Y are -1, 0 or 1.
	Angle        float64
	Corner       bool
	SideX, SideY int
	// X and Y are the center of radial and conic ones.
	X, Y value.Length
	// Of radial ones: Circle or ellipse, its extent, or explicit radii.
	Circle   bool
	Extent   value.Extent
	Explicit bool
	RX, RY   value.Length
	Stops    []Stop
}

// Stop is a color stop, or a hint.
type Stop struct {
	Color colors.Color
	At    value.Length // of conic ones: Percent of the turn
	Auto  bool         // without a position
	Hint  bool
}
