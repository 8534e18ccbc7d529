package draw

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"

	"masthead/render/html/css"
)

// ramp is the colors of a gradient at evenly spaced places from 0 to 1, premultiplied.
type ramp struct {
	colors []uint32 // the bytes of pixels; rampSize+1 of them
	repeat bool
	opaque bool // all colors are
}

// isOpaque reports whether what is below a gradient doesn't matter.
func (r *ramp) isOpaque() bool { return r.opaque }

// rampSize is a power of two, so that repeated places are masked.
const rampSize = 2048

// stop is a color stop at its place.
type stop struct {
	at   float64
	c    color.NRGBA
	hint bool
}

// stopsOf places the stops of a gradient along a line of a length in px; of a conic one it is 1 and places are shares.
func stopsOf(g *css.Gradient, length float64, current color.NRGBA) []stop {
	list := make([]stop, len(g.Stops))
	for i, s := range g.Stops {
		list[i] = stop{c: s.Color.Of(current), hint: s.Hint, at: math.NaN()}
		if s.Auto {
			continue
		}
		if g.Kind == css.ConicGradient {
			list[i].at = s.At.Resolve(1)
			continue
		}
		if length > 0 {
			list[i].at = s.At.Resolve(length) / length
		} else {
			list[i].at = 0
		}
	}
	if math.IsNaN(list[0].at) {
		list[0].at = 0
	}
	n := len(list) - 1
	if math.IsNaN(list[n].at) {
		list[n].at = 1
	}
	most := math.Inf(-1)
	for i := range list {
		if !math.IsNaN(list[i].at) {
			most = max(most, list[i].at)
			list[i].at = most
		}
	}
	for i := 0; i < len(list); i++ {
		if !math.IsNaN(list[i].at) {
			continue
		}
		j := i
		for math.IsNaN(list[j].at) {
			j++
		}
		from, to := list[i-1].at, list[j].at
		for k := i; k < j; k++ {
			list[k].at = from + (to-from)*float64(k-i+1)/float64(j-i+1)
		}
		i = j
	}
	return list
}

// newRamp returns the ramp of stops, and the range that it covers: first and last stop of repeating gradients.
func newRamp(g *css.Gradient, list []stop) (r ramp, from, to float64) {
	from, to = 0, 1
	if g.Repeating {
		from, to = list[0].at, list[len(list)-1].at
		r.repeat = true
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
		for k+1 < len(list) && list[k+1].at <= t {
			k++
		}
		c := solidOf(colorAt(g, list, k, t))
		r.opaque = r.opaque && c.a == 255
		r.colors[i] = uint32(c.r) | uint32(c.g)<<8 | uint32(c.b)<<16 | uint32(c.a)<<24
	}
	return r, from, to
}

// colorAt returns the color at t, behind stop k.
func colorAt(g *css.Gradient, list []stop, k int, t float64) color.NRGBA {
	if t < list[0].at {
		return list[0].c
	}
	a := k
	for list[a].hint {
		a--
	}
	b := a + 1
	if b < len(list) && list[b].hint {
		b++
	}
	if b >= len(list) || t >= list[len(list)-1].at {
		return list[len(list)-1].c
	}
	d := list[b].at - list[a].at
	if d <= 0 {
		return list[b].c
	}
	share := (t - list[a].at) / d
	if b == a+2 { // a hint moves the middle
		h := (list[a+1].at - list[a].at) / d
		switch {
		case h <= 0:
			share = 1
		case h >= 1:
			share = 0
		default:
			share = math.Pow(share, math.Log(.5)/math.Log(h))
		}
	}
	return css.Mix(g.Space, g.HueLonger, list[a].c, list[b].c, share)
}

// at returns the color at t, of 0 to 1.
func (r *ramp) at(t float64) uint32 {
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
func (r *ramp) line(out []uint8, t, step float64) {
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

// linearShader is a linear gradient: t grows by dx for a pixel to the right.
type linearShader struct {
	ramp
	dx, dy, t0 float64 // t at the center of pixel 0,0 is t0
	// At 45 degrees, each row is the one above, moved by one pixel: strip has the colors by x+y or x-y, from first on.
	strip []uint8
	first int
}

// stripReach is how far a strip reaches on both sides of the pixel that is needed first.
const stripReach = 4096

// diagonal fills out from the strip of a gradient at 45 degrees. ok is false for other gradients.
func (s *linearShader) diagonal(y, x int, out []uint8) (ok bool) {
	at := x + y
	if s.dx != s.dy {
		if s.dx != -s.dy {
			return false
		}
		at = x - y
	}
	if s.strip == nil {
		s.first = at - stripReach
		s.strip = make([]uint8, 4*2*stripReach)
		s.line(s.strip, s.t0+float64(s.first)*s.dx, s.dx)
	}
	from := 4 * (at - s.first)
	if from < 0 || from+len(out) > len(s.strip) {
		return false
	}
	copy(out, s.strip[from:])
	return true
}

func (s *linearShader) shade(y, x int, out []uint8) {
	t := s.t0 + float64(x)*s.dx + float64(y)*s.dy
	if s.dx == 0 && len(out) >= 4 {
		binary.LittleEndian.PutUint32(out, s.at(t))
		fill4(out, out[:4])
		return
	}
	if !s.diagonal(y, x, out) {
		s.line(out, t, s.dx)
	}
}

// fill4 fills out with a pixel.
func fill4(out, c []uint8) {
	if len(out) < 4 {
		return
	}
	copy(out, c)
	for n := 4; n < len(out); n *= 2 {
		copy(out[n:], out[:n])
	}
}

// radialShader is a radial gradient: t is the distance from the center after a transform to the unit circle.
type radialShader struct {
	ramp
	inv       matrix  // device to the unit circle
	from, per float64 // t = (distance - from) * per
}

// A distance is interpolated over chord pixels where the center is at least chordFar chords away: it is off by less
// than a fiftieth of a pixel there.
const (
	chord    = 8
	chordFar = 8
)

func (s *radialShader) shade(y, x int, out []uint8) {
	u, v := s.inv.apply(float64(x)+.5, float64(y)+.5)
	du, dv := s.inv.a, s.inv.b
	far := chordFar * chord * math.Hypot(du, dv)
	d := math.Sqrt(u*u + v*v)
	for len(out) >= 4*chord {
		u, v = u+chord*du, v+chord*dv
		next := math.Sqrt(u*u + v*v)
		if d > far && next > far {
			s.line(out[:4*chord], (d-s.from)*s.per, (next-d)/chord*s.per)
		} else {
			s.exact(out[:4*chord], u-chord*du, v-chord*dv)
		}
		d, out = next, out[4*chord:]
	}
	s.exact(out, u, v)
}

// exact is shade with a square root for each pixel.
func (s *radialShader) exact(out []uint8, u, v float64) {
	for ; len(out) >= 4; out = out[4:] {
		binary.LittleEndian.PutUint32(out, s.at((math.Sqrt(u*u+v*v)-s.from)*s.per))
		u += s.inv.a
		v += s.inv.b
	}
}

// conicShader is a conic gradient: t is the share of the turn from its start.
type conicShader struct {
	ramp
	inv       matrix
	start     float64 // share of the turn
	from, per float64
}

func (s *conicShader) shade(y, x int, out []uint8) {
	u, v := s.inv.apply(float64(x)+.5, float64(y)+.5)
	for i := 0; i+3 < len(out); i += 4 {
		t := math.Atan2(u, -v)/(2*math.Pi) - s.start
		t -= math.Floor(t)
		binary.LittleEndian.PutUint32(out[i:], s.at((t-s.from)*s.per))
		u += s.inv.a
		v += s.inv.b
	}
}

// gradient returns the shader of a gradient in a box, whose coordinates m takes to device pixels.
func gradient(g *css.Gradient, box rect, m matrix, current color.NRGBA) shader {
	inv, ok := m.inverse()
	if !ok || box.empty() {
		return solid{}
	}
	w, h := box.w(), box.h()
	if len(g.Stops) == 1 {
		return solidOf(g.Stops[0].Color.Of(current))
	}
	switch g.Kind {
	case css.LinearGradient:
		return linearGradient(g, box, inv, current)
	case css.RadialGradient:
		cx, cy := box.x0+g.X.Resolve(w), box.y0+g.Y.Resolve(h)
		rx, ry := radii(g, cx-box.x0, cy-box.y0, w, h)
		list := stopsOf(g, rx, current)
		if rx <= 0 || ry <= 0 {
			if rx <= 0 || g.Circle {
				return solidOf(list[len(list)-1].c)
			}
			ry = 1e-6
		}
		r, from, to := newRamp(g, list)
		if to == from {
			return solidOf(list[len(list)-1].c)
		}
		s := &radialShader{ramp: r, from: from, per: 1 / (to - from)}
		s.inv = matrix{a: 1 / rx, d: 1 / ry, e: -cx / rx, f: -cy / ry}.mul(inv)
		return s
	}
	cx, cy := box.x0+g.X.Resolve(w), box.y0+g.Y.Resolve(h)
	list := stopsOf(g, 1, current)
	r, from, to := newRamp(g, list)
	if to == from {
		return solidOf(list[len(list)-1].c)
	}
	start := g.Angle / 360
	start -= math.Floor(start)
	return &conicShader{ramp: r, inv: translation(-cx, -cy).mul(inv), start: start, from: from, per: 1 / (to - from)}
}

func linearGradient(g *css.Gradient, box rect, inv matrix, current color.NRGBA) shader {
	w, h := box.w(), box.h()
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
	list := stopsOf(g, length, current)
	r, from, to := newRamp(g, list)
	if to == from || length == 0 {
		return solidOf(list[len(list)-1].c)
	}
	// t = ((p - center)·d / length + 1/2 - from) / (to - from)
	cx, cy := (box.x0+box.x1)/2, (box.y0+box.y1)/2
	k := 1 / (length * (to - from))
	s := &linearShader{ramp: r}
	s.dx = (inv.a*dx + inv.b*dy) * k
	s.dy = (inv.c*dx + inv.d*dy) * k
	x0, y0 := inv.apply(.5, .5)
	s.t0 = ((x0-cx)*dx+(y0-cy)*dy)*k + (.5-from)/(to-from)
	if math.Abs(s.dx) < 1e-12 {
		s.dx = 0
	}
	if d := math.Abs(s.dx); math.Abs(math.Abs(s.dy)-d) < 1e-12 {
		s.dy = math.Copysign(d, s.dy)
	}
	return s
}

// radii returns the radii of a radial gradient with its center at cx, cy of a box.
func radii(g *css.Gradient, cx, cy, w, h float64) (rx, ry float64) {
	if g.Explicit {
		rx, ry = g.RX.Resolve(w), g.RY.Resolve(h)
		if g.Circle {
			ry = rx
		}
		return rx, ry
	}
	return extent(g.Extent, g.Circle, cx, cy, w, h)
}

// extent returns the radii that reach the sides or corners of a box.
func extent(e css.Extent, circle bool, cx, cy, w, h float64) (rx, ry float64) {
	left, right, top, bottom := math.Abs(cx), math.Abs(w-cx), math.Abs(cy), math.Abs(h-cy)
	switch e {
	case css.ClosestSide:
		rx, ry = min(left, right), min(top, bottom)
		if circle {
			rx = min(rx, ry)
			ry = rx
		}
		return rx, ry
	case css.FarthestSide:
		rx, ry = max(left, right), max(top, bottom)
		if circle {
			rx = max(rx, ry)
			ry = rx
		}
		return rx, ry
	}
	x, y := max(left, right), max(top, bottom)
	if e == css.ClosestCorner {
		x, y = min(left, right), min(top, bottom)
	}
	if circle {
		r := math.Hypot(x, y)
		return r, r
	}
	// An ellipse through the corner has the ratio of the one to the sides.
	return x * math.Sqrt2, y * math.Sqrt2
}

// picture is premultiplied pixels to be drawn.
type picture struct {
	pix  []uint8
	w, h int
}

// pictureOf converts a picture, keeping colors premultiplied.
func pictureOf(img *image.NRGBA) *picture {
	p := &picture{w: img.Rect.Dx(), h: img.Rect.Dy()}
	p.pix = make([]uint8, 4*p.w*p.h)
	for y := range p.h {
		src := img.Pix[img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y+y):][:4*p.w]
		dst := p.pix[4*p.w*y:][:4*p.w]
		for i := 0; i < len(src); i += 4 {
			a := src[i+3]
			if a == 255 {
				copy(dst[i:i+4], src[i:i+4])
				continue
			}
			dst[i], dst[i+1], dst[i+2], dst[i+3] = mul(src[i], a), mul(src[i+1], a), mul(src[i+2], a), a
		}
	}
	return p
}

// pictureShader draws a picture: at takes device pixels to its pixels. Outside it is transparent, or repeated.
type pictureShader struct {
	*picture
	at               matrix
	repeatX, repeatY bool
	exact            bool // whole pixels, moved only
	nearest          bool
	// periods with space between repetitions; the picture's own size without
	periodX, periodY float64
}

func wrap(v, n int) int {
	v %= n
	if v < 0 {
		v += n
	}
	return v
}

func (s *pictureShader) shade(y, x int, out []uint8) {
	if s.exact {
		s.copyRow(y, x, out)
		return
	}
	u, v := s.at.apply(float64(x)+.5, float64(y)+.5)
	for i := 0; i+3 < len(out); i += 4 {
		s.sample(u, v, out[i:i+4:i+4])
		u += s.at.a
		v += s.at.b
	}
}

func (s *pictureShader) copyRow(y, x int, out []uint8) {
	v, u := y+int(s.at.f), x+int(s.at.e)
	n := len(out) / 4
	if s.repeatY {
		v = wrap(v, int(s.periodY))
	}
	if v < 0 || v >= s.h {
		clear(out)
		return
	}
	row := s.pix[4*s.w*v:][:4*s.w]
	period := int(s.periodX)
	for i := 0; i < n; {
		k := u + i
		if s.repeatX {
			k = wrap(k, period)
		}
		switch {
		case k < 0:
			m := min(-k, n-i)
			clear(out[4*i : 4*(i+m)])
			i += m
		case k >= s.w:
			m := n - i
			if s.repeatX {
				m = min(period-k, n-i)
			}
			clear(out[4*i : 4*(i+m)])
			i += m
		default:
			m := min(s.w-k, n-i)
			copy(out[4*i:4*(i+m)], row[4*k:])
			i += m
		}
	}
}

// sample reads the picture at u, v with bilinear interpolation; edges are repeated.
func (s *pictureShader) sample(u, v float64, out []uint8) {
	if s.repeatX {
		u -= s.periodX * math.Floor(u/s.periodX)
	}
	if s.repeatY {
		v -= s.periodY * math.Floor(v/s.periodY)
	}
	if u < 0 || v < 0 || u > float64(s.w) || v > float64(s.h) {
		out[0], out[1], out[2], out[3] = 0, 0, 0, 0
		return
	}
	if s.nearest {
		x, y := min(int(u), s.w-1), min(int(v), s.h-1)
		copy(out, s.pix[4*(y*s.w+x):][:4])
		return
	}
	u, v = u-.5, v-.5
	fx, fy := math.Floor(u), math.Floor(v)
	x0, y0 := int(fx), int(fy)
	x1, y1 := x0+1, y0+1
	tx, ty := int(256*(u-fx)), int(256*(v-fy))
	aroundX, aroundY := s.repeatX && s.periodX == float64(s.w), s.repeatY && s.periodY == float64(s.h)
	x0, x1 = within(x0, s.w, aroundX), within(x1, s.w, aroundX)
	y0, y1 = within(y0, s.h, aroundY), within(y1, s.h, aroundY)
	a, b := s.pix[4*(y0*s.w+x0):][:4], s.pix[4*(y0*s.w+x1):][:4]
	c, d := s.pix[4*(y1*s.w+x0):][:4], s.pix[4*(y1*s.w+x1):][:4]
	for k := range 4 {
		top := int(a[k])*(256-tx) + int(b[k])*tx
		low := int(c[k])*(256-tx) + int(d[k])*tx
		out[k] = uint8((top*(256-ty) + low*ty + 1<<15) >> 16)
	}
}

// within returns the index of a pixel of n: the other end's beyond an end, or the nearest.
func within(k, n int, around bool) int {
	if around && (k < 0 || k >= n) {
		return wrap(k, n)
	}
	return min(max(k, 0), n-1)
}
