package shape

import (
	"math"

	"masthead/render/html/css/value"
)

// maxSteps bounds the steps of a path.
const maxSteps = 10_000

// ParsePath reads the path data of SVG into absolute steps M, L, C, Q and Z. ok is false if it has an error; steps are
// then those before it.
func ParsePath(s string) (steps []Step, ok bool) {
	r := pathReader{s: s}
	ok = r.read()
	return r.steps, ok
}

type pathReader struct {
	s      string
	i      int
	steps  []Step
	x, y   float64 // the pen
	sx, sy float64 // start of the subpath
	cx, cy float64 // the last control point
	last   byte    // the last command, upper case
}

func (r *pathReader) skip() {
	for r.i < len(r.s) {
		switch r.s[r.i] {
		case ' ', '\t', '\n', '\r', '\f', ',':
			r.i++
		default:
			return
		}
	}
}

func (r *pathReader) number() (float64, bool) {
	r.skip()
	start := r.i
	if r.i < len(r.s) && (r.s[r.i] == '+' || r.s[r.i] == '-') {
		r.i++
	}
	digits := 0
	dot := false
	for r.i < len(r.s) {
		c := r.s[r.i]
		if c == '.' && !dot {
			dot = true
		} else if '0' <= c && c <= '9' {
			digits++
		} else {
			break
		}
		r.i++
	}
	if digits == 0 {
		r.i = start
		return 0, false
	}
	if r.i < len(r.s) && (r.s[r.i] == 'e' || r.s[r.i] == 'E') {
		j := r.i + 1
		if j < len(r.s) && (r.s[j] == '+' || r.s[j] == '-') {
			j++
		}
		if j < len(r.s) && '0' <= r.s[j] && r.s[j] <= '9' {
			for j < len(r.s) && '0' <= r.s[j] && r.s[j] <= '9' {
				j++
			}
			r.i = j
		}
	}
	text := r.s[start:r.i]
	if text[0] == '.' {
		text = "0" + text
	} else if len(text) > 1 && text[1] == '.' && (text[0] == '-' || text[0] == '+') {
		text = text[:1] + "0" + text[1:]
	}
	if n := len(text); text[n-1] == '.' {
		text = text[:n-1]
	}
	n, _ := value.NumberOf(text)
	return n, true
}

func (r *pathReader) flag() (bool, bool) {
	r.skip()
	if r.i < len(r.s) && (r.s[r.i] == '0' || r.s[r.i] == '1') {
		r.i++
		return r.s[r.i-1] == '1', true
	}
	return false, false
}

func (r *pathReader) numbers(n int) (list [6]float64, ok bool) {
	for i := range n {
		if list[i], ok = r.number(); !ok {
			return list, false
		}
	}
	return list, true
}

func (r *pathReader) add(op byte, p ...float64) {
	step := Step{Op: op}
	copy(step.Points[:], p)
	r.steps = append(r.steps, step)
	if n := len(p); n >= 2 {
		r.x, r.y = p[n-2], p[n-1]
	}
}

var pathArguments = map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'C': 6, 'S': 4, 'Q': 4, 'T': 2, 'A': 0, 'Z': 0}

func (r *pathReader) read() bool {
	command := byte(0)
	for {
		r.skip()
		if r.i >= len(r.s) {
			return true
		}
		c := r.s[r.i]
		upper := c &^ 0x20
		if _, ok := pathArguments[upper]; ok && (c >= 'A') {
			r.i++
			command = c
		} else if command == 0 || command&^0x20 == 'Z' {
			return false
		}
		if len(r.steps) == 0 && command&^0x20 != 'M' || len(r.steps) > maxSteps {
			return false
		}
		if !r.command(command&^0x20, command >= 'a') {
			return false
		}
		switch command { // further pairs are lines
		case 'M':
			command = 'L'
		case 'm':
			command = 'l'
		}
	}
}

func (r *pathReader) command(op byte, relative bool) bool {
	if op == 'Z' {
		r.steps = append(r.steps, Step{Op: 'Z'})
		r.x, r.y, r.last = r.sx, r.sy, 'Z'
		return true
	}
	ox, oy := 0.0, 0.0
	if relative {
		ox, oy = r.x, r.y
	}
	if op == 'A' {
		return r.arcCommand(ox, oy)
	}
	n, ok := r.numbers(pathArguments[op])
	if !ok {
		return false
	}
	switch op {
	case 'M':
		r.add('M', n[0]+ox, n[1]+oy)
		r.sx, r.sy = r.x, r.y
	case 'L':
		r.add('L', n[0]+ox, n[1]+oy)
	case 'H':
		r.add('L', n[0]+ox, r.y)
	case 'V':
		r.add('L', r.x, n[0]+oy)
	case 'C':
		r.cx, r.cy = n[2]+ox, n[3]+oy
		r.add('C', n[0]+ox, n[1]+oy, r.cx, r.cy, n[4]+ox, n[5]+oy)
	case 'S':
		x, y := r.x, r.y
		if r.last == 'C' || r.last == 'S' {
			x, y = 2*r.x-r.cx, 2*r.y-r.cy
		}
		r.cx, r.cy = n[0]+ox, n[1]+oy
		r.add('C', x, y, r.cx, r.cy, n[2]+ox, n[3]+oy)
	case 'Q':
		r.cx, r.cy = n[0]+ox, n[1]+oy
		r.add('Q', r.cx, r.cy, n[2]+ox, n[3]+oy)
	case 'T':
		x, y := r.x, r.y
		if r.last == 'Q' || r.last == 'T' {
			x, y = 2*r.x-r.cx, 2*r.y-r.cy
		}
		r.cx, r.cy = x, y
		r.add('Q', x, y, n[0]+ox, n[1]+oy)
	}
	r.last = op
	return true
}

func (r *pathReader) arcCommand(ox, oy float64) bool {
	n, ok := r.numbers(3)
	if !ok {
		return false
	}
	large, ok1 := r.flag()
	sweep, ok2 := r.flag()
	e, ok3 := r.numbers(2)
	if !ok1 || !ok2 || !ok3 {
		return false
	}
	r.steps = Arc(r.steps, r.x, r.y, n[0], n[1], n[2], large, sweep, e[0]+ox, e[1]+oy)
	r.x, r.y, r.last = e[0]+ox, e[1]+oy, 'A'
	return true
}

// Arc appends an elliptical arc from x0, y0 to x, y as curves; rotation is in degrees.
func Arc(steps []Step, x0, y0, rx, ry, rotation float64, large, sweep bool, x, y float64) []Step {
	line := func() []Step { return append(steps, Step{Op: 'L', Points: [6]float64{x, y}}) }
	rx, ry = math.Abs(rx), math.Abs(ry)
	if rx == 0 || ry == 0 {
		return line()
	}
	if x0 == x && y0 == y {
		return steps
	}
	sin, cos := math.Sincos(rotation * math.Pi / 180)
	dx, dy := (x0-x)/2, (y0-y)/2
	px, py := cos*dx+sin*dy, -sin*dx+cos*dy
	if l := px*px/(rx*rx) + py*py/(ry*ry); l > 1 {
		rx, ry = rx*math.Sqrt(l), ry*math.Sqrt(l)
	}
	f := (rx*rx*ry*ry - rx*rx*py*py - ry*ry*px*px) / (rx*rx*py*py + ry*ry*px*px)
	f = math.Sqrt(max(f, 0))
	if large == sweep {
		f = -f
	}
	cx, cy := f*rx*py/ry, -f*ry*px/rx
	mx, my := cos*cx-sin*cy+(x0+x)/2, sin*cx+cos*cy+(y0+y)/2
	a := math.Atan2((py-cy)/ry, (px-cx)/rx)
	d := math.Atan2((-py-cy)/ry, (-px-cx)/rx) - a
	if sweep && d < 0 {
		d += 2 * math.Pi
	} else if !sweep && d > 0 {
		d -= 2 * math.Pi
	}
	if math.IsNaN(d) || math.IsInf(mx, 0) || math.IsNaN(mx) {
		return line()
	}
	count := int(math.Ceil(math.Abs(d)/(math.Pi/2) - 1e-9))
	step := d / float64(max(count, 1))
	k := 4.0 / 3 * math.Tan(step/4)
	at := func(ux, uy float64) (float64, float64) {
		return mx + cos*rx*ux - sin*ry*uy, my + sin*rx*ux + cos*ry*uy
	}
	for i := range count {
		s0, c0 := math.Sincos(a + float64(i)*step)
		s1, c1 := math.Sincos(a + float64(i+1)*step)
		x1, y1 := at(c0-k*s0, s0+k*c0)
		x2, y2 := at(c1+k*s1, s1-k*c1)
		ex, ey := at(c1, s1)
		if i == count-1 {
			ex, ey = x, y
		}
		steps = append(steps, Step{Op: 'C', Points: [6]float64{x1, y1, x2, y2, ex, ey}})
	}
	return steps
}

// Step is a step of a path: M, L, C, Q or Z with its points.
type Step struct {
	Op     byte
	Points [6]float64
}
