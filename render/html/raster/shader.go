package raster

import (
	"encoding/binary"
	"image/color"
	"masthead/render/html/css/colors"
	"masthead/render/html/css/gradient"
	"masthead/render/html/css/value"
	"math"
)

// Ramp is the colors of a gradient at evenly spaced places from 0 to 1, premultiplied.
type Ramp struct {
	colors []uint32 // the bytes of pixels; rampSize+1 of them
	repeat bool
	opaque bool // all colors are
	// inkFrom and inkTo are the places between which colors aren't transparent: infinite if those at the ends aren't.
	inkFrom, inkTo float64
}

// IsOpaque reports whether what is below a gradient doesn't matter.
func (r *Ramp) IsOpaque() bool { return r.opaque }

// rampSize is a power of two, so that repeated places are masked.
const rampSize = 2048

// Stop is a color stop at its place.
type Stop struct {
	At   float64
	C    color.NRGBA
	hint bool
}

// StopsOf places the stops of a gradient along a line of a length in px; of a conic one it is 1 and places are shares.
func StopsOf(g *gradient.Gradient, length float64, current color.NRGBA) []Stop {
	list := make([]Stop, len(g.Stops))
	for i, s := range g.Stops {
		list[i] = Stop{C: s.Color.Of(current), hint: s.Hint, At: math.NaN()}
		if s.Auto {
			continue
		}
		if g.Kind == gradient.Conic {
			list[i].At = s.At.Resolve(1)
			continue
		}
		if length > 0 {
			list[i].At = s.At.Resolve(length) / length
		} else {
			list[i].At = 0
		}
	}
	if math.IsNaN(list[0].At) {
		list[0].At = 0
	}
	n := len(list) - 1
	if math.IsNaN(list[n].At) {
		list[n].At = 1
	}
	most := math.Inf(-1)
	for i := range list {
		if !math.IsNaN(list[i].At) {
			most = max(most, list[i].At)
			list[i].At = most
		}
	}
	for i := 0; i < len(list); i++ {
		if !math.IsNaN(list[i].At) {
			continue
		}
		j := i
		for math.IsNaN(list[j].At) {
			j++
		}
		from, to := list[i-1].At, list[j].At
		for k := i; k < j; k++ {
			list[k].At = from + (to-from)*float64(k-i+1)/float64(j-i+1)
		}
		i = j
	}
	return list
}

// NewRamp returns the ramp of stops, and the range that it covers: first and last stop of repeating gradients.
func NewRamp(g *gradient.Gradient, list []Stop) (r Ramp, from, to float64) {
	from, to = 0, 1
	if g.Repeating {
		from, to = list[0].At, list[len(list)-1].At
		r.repeat = true
	}
	if g.Kind == gradient.Radial && !g.Repeating { // what is beyond its circle shows, too
		to = max(to, list[len(list)-1].At)
	}
	if to-from < 1e-9 {
		to = from
	}
	r.colors = make([]uint32, rampSize+1)
	r.opaque = true
	k := 0
	for i := range r.colors {
		t := from + (to-from)*(float64(i)+.5)/rampSize
		if i == rampSize {
			t = to
		}
		for k+1 < len(list) && list[k+1].At <= t {
			k++
		}
		c := SolidOf(ColorAt(g, list, k, t))
		r.opaque = r.opaque && c.A == 255
		r.colors[i] = uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | uint32(c.A)<<24
	}
	r.findInk()
	return r, from, to
}

// findInk finds the places of the first and last color that isn't transparent.
func (r *Ramp) findInk() {
	r.inkFrom, r.inkTo = math.Inf(-1), math.Inf(1)
	if r.opaque || r.repeat {
		return
	}
	first, last := 0, rampSize
	for first < last && r.colors[first] == 0 {
		first++
	}
	for last > first && r.colors[last] == 0 {
		last--
	}
	if first > 0 {
		r.inkFrom = float64(first) / rampSize
	}
	if last < rampSize {
		r.inkTo = float64(last+1) / rampSize
	}
}

// reaching is a shader that is transparent in a row before and from some pixels on.
type reaching interface {
	reach(y int) (from, to int)
}

// pixelsOf returns the whole pixels around a part of a row, and one more on each side.
func pixelsOf(from, to float64) (int, int) {
	const far = 1 << 20
	return int(max(math.Floor(from), -far)) - 1, int(min(math.Ceil(to), far)) + 2
}

// reach implements reaching for gradients from top to bottom.
func (s *LinearShader) reach(y int) (from, to int) {
	t := s.T0 + float64(y)*s.Dy
	if s.Dx == 0 && (t < s.inkFrom-1e-6 || t > s.inkTo+1e-6) {
		return 0, 0
	}
	return pixelsOf(math.Inf(-1), math.Inf(1))
}

// reach implements reaching: a chord of the circle of the last color.
func (s *RadialShader) reach(y int) (from, to int) {
	d := s.from + s.inkTo/s.Per
	if math.IsInf(d, 1) {
		return pixelsOf(math.Inf(-1), d)
	}
	if d <= 0 {
		return 0, 0
	}
	u, v := s.Inv.Apply(.5, float64(y)+.5)
	// (u + x·A)² + (v + x·B)² = d²
	a, b, c := s.Inv.A*s.Inv.A+s.Inv.B*s.Inv.B, u*s.Inv.A+v*s.Inv.B, u*u+v*v-d*d
	root := b*b - a*c
	if !(root > 0) {
		// A chord that is hardly a pixel is within those beside its middle.
		return pixelsOf(-b/a, -b/a)
	}
	root = math.Sqrt(root)
	return pixelsOf((-b-root)/a, (-b+root)/a)
}

// ColorAt returns the color at t, behind stop k.
func ColorAt(g *gradient.Gradient, list []Stop, k int, t float64) color.NRGBA {
	if t < list[0].At {
		return list[0].C
	}
	a := k
	for list[a].hint {
		a--
	}
	b := a + 1
	if b < len(list) && list[b].hint {
		b++
	}
	if b >= len(list) || t >= list[len(list)-1].At {
		return list[len(list)-1].C
	}
	d := list[b].At - list[a].At
	if d <= 0 {
		return list[b].C
	}
	share := (t - list[a].At) / d
	if b == a+2 { // a hint moves the middle
		h := (list[a+1].At - list[a].At) / d
		switch {
		case h <= 0:
			share = 1
		case h >= 1:
			share = 0
		default:
			share = math.Pow(share, math.Log(.5)/math.Log(h))
		}
	}
	return colors.Mix(g.Space, g.Hue, list[a].C, list[b].C, share)
}

// At returns the color at t, of 0 to 1.
func (r *Ramp) At(t float64) uint32 {
	if r.repeat {
		t -= math.Floor(t)
	}
	switch {
	case !(t > 0):
		return r.colors[0]
	case t >= 1:
		return r.colors[rampSize]
	}
	return r.colors[int(t*rampSize)]
}

// Places in a ramp as integers: places of its colors, with fraction bits, and their limit, which keeps sums in range.
const (
	placeBits = 20
	maxPlace  = 1e12
)

// line fills out with the colors from t on, which grows by step.
func (r *Ramp) line(out []uint8, t, step float64) {
	const scale = rampSize << placeBits
	place := int64(min(max(t*scale, -maxPlace), maxPlace))
	grow := int64(min(max(step*scale, -maxPlace), maxPlace))
	colors := r.colors[:rampSize+1]
	if r.repeat {
		for ; len(out) >= 4; out = out[4:] {
			binary.LittleEndian.PutUint32(out, colors[place>>placeBits&(rampSize-1)])
			place += grow
		}
		return
	}
	for ; len(out) >= 4; out = out[4:] {
		binary.LittleEndian.PutUint32(out, colors[min(max(place>>placeBits, 0), rampSize)])
		place += grow
	}
}

// LinearShader is a linear gradient: t grows by dx for a pixel to the right.
type LinearShader struct {
	Ramp
	Dx, Dy, T0 float64 // t at the center of pixel 0,0 is t0
	// At 45 degrees, each row is the one above, moved by one pixel: strip has the colors by x+y or x-y, from first on.
	strip []uint8
	first int
}

// stripReach is how far a strip reaches on both sides of the pixel that is needed first.
const stripReach = 4096

// diagonal fills out from the strip of a gradient at 45 degrees. ok is false for other gradients.
func (s *LinearShader) diagonal(y, x int, out []uint8) (ok bool) {
	at := x + y
	if s.Dx != s.Dy {
		if s.Dx != -s.Dy {
			return false
		}
		at = x - y
	}
	if s.strip == nil {
		s.first = at - stripReach
		s.strip = make([]uint8, 4*2*stripReach)
		s.line(s.strip, s.T0+float64(s.first)*s.Dx, s.Dx)
	}
	from := 4 * (at - s.first)
	if from < 0 || from+len(out) > len(s.strip) {
		return false
	}
	copy(out, s.strip[from:])
	return true
}

// Shade implements [Shader].
func (s *LinearShader) Shade(y, x int, out []uint8) {
	t := s.T0 + float64(x)*s.Dx + float64(y)*s.Dy
	if s.Dx == 0 && len(out) >= 4 {
		binary.LittleEndian.PutUint32(out, s.At(t))
		Fill4(out, out[:4])
		return
	}
	if !s.diagonal(y, x, out) {
		s.line(out, t, s.Dx)
	}
}

// Fill4 fills out with a pixel.
func Fill4(out, c []uint8) {
	if len(out) < 4 {
		return
	}
	copy(out, c)
	for n := 4; n < len(out); n *= 2 {
		copy(out[n:], out[:n])
	}
}

// RadialShader is a radial gradient: t is the distance from the center after a transform to the unit circle.
type RadialShader struct {
	Ramp
	Inv       Matrix  // device to the unit circle
	from, Per float64 // t = (distance - from) * per
}

// A distance is interpolated over chord pixels where the center is at least chordFar chords away: it is off by less
// than a fiftieth of a pixel there.
const (
	chord    = 8
	chordFar = 8
)

// Shade implements [Shader].
func (s *RadialShader) Shade(y, x int, out []uint8) {
	u, v := s.Inv.Apply(float64(x)+.5, float64(y)+.5)
	du, dv := s.Inv.A, s.Inv.B
	far := chordFar * chord * math.Hypot(du, dv)
	d := math.Sqrt(u*u + v*v)
	for len(out) >= 4*chord {
		u, v = u+chord*du, v+chord*dv
		next := math.Sqrt(u*u + v*v)
		if d > far && next > far {
			s.line(out[:4*chord], (d-s.from)*s.Per, (next-d)/chord*s.Per)
		} else {
			s.exact(out[:4*chord], u-chord*du, v-chord*dv)
		}
		d, out = next, out[4*chord:]
	}
	s.exact(out, u, v)
}

// exact is shade with a square root for each pixel.
func (s *RadialShader) exact(out []uint8, u, v float64) {
	for ; len(out) >= 4; out = out[4:] {
		binary.LittleEndian.PutUint32(out, s.At((math.Sqrt(u*u+v*v)-s.from)*s.Per))
		u += s.Inv.A
		v += s.Inv.B
	}
}

// conicShader is a conic gradient: t is the share of the turn from its start.
type conicShader struct {
	Ramp
	inv       Matrix
	start     float64 // share of the turn
	from, per float64
}

func (s *conicShader) Shade(y, x int, out []uint8) {
	u, v := s.inv.Apply(float64(x)+.5, float64(y)+.5)
	for i := 0; i+3 < len(out); i += 4 {
		t := math.Atan2(u, -v)/(2*math.Pi) - s.start
		t -= math.Floor(t)
		binary.LittleEndian.PutUint32(out[i:], s.At((t-s.from)*s.per))
		u += s.inv.A
		v += s.inv.B
	}
}

// Gradient returns the shader of a gradient in a box, whose coordinates m takes to device pixels.
func Gradient(g *gradient.Gradient, box Rect, m Matrix, current color.NRGBA) Shader {
	inv, ok := m.Inverse()
	if !ok || box.Empty() {
		return Solid{}
	}
	w, h := box.W(), box.H()
	if len(g.Stops) == 1 {
		return SolidOf(g.Stops[0].Color.Of(current))
	}
	switch g.Kind {
	case gradient.Linear:
		return linearGradient(g, box, inv, current)
	case gradient.Radial:
		cx, cy := box.X0+g.X.Resolve(w), box.Y0+g.Y.Resolve(h)
		rx, ry := radii(g, cx-box.X0, cy-box.Y0, w, h)
		list := StopsOf(g, rx, current)
		if rx <= 0 || ry <= 0 {
			if rx <= 0 || g.Circle {
				return SolidOf(list[len(list)-1].C)
			}
			ry = 1e-6
		}
		r, from, to := NewRamp(g, list)
		if to == from {
			return SolidOf(list[len(list)-1].C)
		}
		s := &RadialShader{Ramp: r, from: from, Per: 1 / (to - from)}
		s.Inv = Matrix{A: 1 / rx, D: 1 / ry, E: -cx / rx, F: -cy / ry}.Mul(inv)
		return s
	}
	cx, cy := box.X0+g.X.Resolve(w), box.Y0+g.Y.Resolve(h)
	list := StopsOf(g, 1, current)
	r, from, to := NewRamp(g, list)
	if to == from {
		return SolidOf(list[len(list)-1].C)
	}
	start := g.Angle / 360
	start -= math.Floor(start)
	return &conicShader{Ramp: r, inv: Translation(-cx, -cy).Mul(inv), start: start, from: from, per: 1 / (to - from)}
}

func linearGradient(g *gradient.Gradient, box Rect, inv Matrix, current color.NRGBA) Shader {
	w, h := box.W(), box.H()
	var dx, dy float64
	if g.Corner { // the middle line goes through the other two corners
		dx, dy = float64(g.SideX)*h, float64(g.SideY)*w
		l := math.Hypot(dx, dy)
		dx, dy = dx/l, dy/l
	} else {
		sin, cos := math.Sincos(g.Angle * math.Pi / 180)
		dx, dy = sin, -cos
		if math.Abs(dx) < 1e-9 {
			dx = 0
		}
		if math.Abs(dy) < 1e-9 {
			dy = 0
		}
	}
	length := math.Abs(w*dx) + math.Abs(h*dy)
	list := StopsOf(g, length, current)
	r, from, to := NewRamp(g, list)
	if to == from || length == 0 {
		return SolidOf(list[len(list)-1].C)
	}
	// t = ((p - center)·d / length + 1/2 - from) / (to - from)
	cx, cy := (box.X0+box.X1)/2, (box.Y0+box.Y1)/2
	k := 1 / (length * (to - from))
	s := &LinearShader{Ramp: r}
	s.Dx = (inv.A*dx + inv.B*dy) * k
	s.Dy = (inv.C*dx + inv.D*dy) * k
	x0, y0 := inv.Apply(.5, .5)
	s.T0 = ((x0-cx)*dx+(y0-cy)*dy)*k + (.5-from)/(to-from)
	if math.Abs(s.Dx) < 1e-12 {
		s.Dx = 0
	}
	if d := math.Abs(s.Dx); math.Abs(math.Abs(s.Dy)-d) < 1e-12 {
		s.Dy = math.Copysign(d, s.Dy)
	}
	return s
}

// radii returns the radii of a radial gradient with its center at cx, cy of a box.
func radii(g *gradient.Gradient, cx, cy, w, h float64) (rx, ry float64) {
	if g.Explicit {
		rx, ry = g.RX.Resolve(w), g.RY.Resolve(h)
		if g.Circle {
			ry = rx
		}
		return rx, ry
	}
	return Extent(g.Extent, g.Circle, cx, cy, w, h)
}

// Extent returns the radii that reach the sides or corners of a box.
func Extent(e value.Extent, circle bool, cx, cy, w, h float64) (rx, ry float64) {
	left, right, top, bottom := math.Abs(cx), math.Abs(w-cx), math.Abs(cy), math.Abs(h-cy)
	switch e {
	case value.ClosestSide:
		rx, ry = min(left, right), min(top, bottom)
		if circle {
			rx = min(rx, ry)
			ry = rx
		}
		return rx, ry
	case value.FarthestSide:
		rx, ry = max(left, right), max(top, bottom)
		if circle {
			rx = max(rx, ry)
			ry = rx
		}
		return rx, ry
	}
	x, y := max(left, right), max(top, bottom)
	if e == value.ClosestCorner {
		x, y = min(left, right), min(top, bottom)
	}
	if circle {
		r := math.Hypot(x, y)
		return r, r
	}
	// An ellipse through the corner has the ratio of the one to the sides.
	return x * math.Sqrt2, y * math.Sqrt2
}
