package paint

import (
	"image/color"
	"math"
	"slices"
	"sync"

	"masthead/render/cache"
)

// Light is a scene of soft light with slowly changing colors: it is drawn at a quarter of the size and enlarged when
// painted ([Lit]). It is shared and immutable. Create it with [NewLight].
type Light struct {
	cols, rows int
	pix        []uint64 // four lanes of 16 bits: red, green, blue in steps of 1/32, and an unused one
}

// LightKey identifies a light by what its drawing depends on.
type LightKey struct {
	Scene   string // of a template
	W, H    int    // of the card
	Accent  color.NRGBA
	Dark    bool
	Variant uint8 // of the random elements
}

// lights caches those of the themes in use, from the second time on. One for a share image takes 0.5 MB, one for a hero
// 0.9.
var lights = cache.NewPart(cache.Layers, func(_ LightKey, l *Light) int { return 8 * len(l.pix) })

const (
	lightCell   = 4  // pixels per side of a cell of a light
	lightMargin = 24 // cells on either side of the card, for glass that bends light from there
	lightLevel  = 32 // steps per level
)

// NewLight returns the light of a key, from the cache if the same was drawn twice before.
func NewLight(key LightKey, draw func(*Lamp)) *Light {
	if l, ok := lights.Get(key); ok {
		return l
	}
	l := &Light{cols: (min(key.W, maxSide)+3)/lightCell + 2*lightMargin, rows: (min(key.H, maxSide)+3)/lightCell + 1}
	lamp := lamps.Get().(*Lamp)
	defer lamps.Put(lamp)
	lamp.cols, lamp.rows, lamp.pix = l.cols, l.rows, slices.Grow(lamp.pix[:0], l.cols*l.rows)[:l.cols*l.rows]
	clear(lamp.pix)
	draw(lamp)
	l.pix = make([]uint64, len(lamp.pix))
	for i, p := range lamp.pix {
		for k, v := range p {
			l.pix[i] |= uint64(min(max(v, 0), 255)*lightLevel+.5) << (16 * k)
		}
	}
	if lights.Again(key) {
		lights.Put(key, l)
	}
	return l
}

// lamps are unused ones.
var lamps = sync.Pool{New: func() any { return new(Lamp) }}

// Lamp draws a [Light], in pixels of the card, from back to front.
type Lamp struct {
	cols, rows int
	pix        []rgbFloat
}

// rgbFloat is a color in levels, finer than eight bits.
type rgbFloat [3]float32

// LightStop is a color and its opacity, 0 to 1, at a position between the center of a form and its rim, or its top and
// bottom. Stops are blended without visible edges.
type LightStop struct {
	At    float64
	Color color.NRGBA
	Alpha float64
}

// Down fills everything between two heights with a gradient of evenly spaced colors, mixed in sRGB.
func (l *Lamp) Down(y0, y1 float64, colors ...color.NRGBA) {
	for j := range l.rows {
		y := (float64(j) + .5) * lightCell
		if y < y0-lightCell || y >= y1+lightCell {
			continue
		}
		p := colorAt(colors, (y-y0)/(y1-y0))
		row := l.pix[j*l.cols:][:l.cols]
		for i := range row {
			row[i] = rgbFloat{float32(p[0]), float32(p[1]), float32(p[2])}
		}
	}
}

// Disc draws light in an ellipse, from its center to its rim.
func (l *Lamp) Disc(cx, cy, rx, ry float64, stops ...LightStop) {
	if !(rx > 0 && ry > 0) {
		return
	}
	table := lightTable(stops)
	j0, j1 := l.rowsIn(cy-ry, cy+ry)
	for j := j0; j < j1; j++ {
		dy := ((float64(j)+.5)*lightCell - cy) / ry
		if dy*dy >= 1 {
			continue
		}
		half := rx * math.Sqrt(1-dy*dy)
		i0 := max(int((cx-half)/lightCell)+lightMargin-1, 0)
		i1 := min(int((cx+half)/lightCell)+lightMargin+2, l.cols)
		for i := i0; i < i1; i++ {
			dx := ((float64(i-lightMargin)+.5)*lightCell - cx) / rx
			if d := dx*dx + dy*dy; d < 1 {
				l.pix[j*l.cols+i].lay(table.at(math.Sqrt(d)), 1)
			}
		}
	}
}

// Beam is a beam of light with soft sides, from a lamp above: at Y0 it spans from Left0 to Right0, at Y1 from Left1 to
// Right1.
type Beam struct {
	Y0, Left0, Right0 float64
	Y1, Left1, Right1 float64
	Sigma             float64 // of the Gaussian at its sides
}

// Beam draws light in a beam, from its top to its bottom.
func (l *Lamp) Beam(b Beam, stops ...LightStop) {
	if !(b.Sigma > 0 && b.Y1 > b.Y0) {
		return
	}
	table := lightTable(stops)
	j0, j1 := l.rowsIn(b.Y0, b.Y1)
	for j := j0; j < j1; j++ {
		t := ((float64(j)+.5)*lightCell - b.Y0) / (b.Y1 - b.Y0)
		stop := table.at(t)
		left, right := b.Left0+(b.Left1-b.Left0)*t, b.Right0+(b.Right1-b.Right0)*t
		for i := range l.cols {
			x := (float64(i-lightMargin) + .5) * lightCell
			if v := gauss.below((x-left)/b.Sigma) - gauss.below((x-right)/b.Sigma); v > 0 {
				l.pix[j*l.cols+i].lay(stop, float32(v))
			}
		}
	}
}

// rowsIn returns the rows of a light between two heights.
func (l *Lamp) rowsIn(y0, y1 float64) (from, to int) {
	return max(int(y0/lightCell)-1, 0), min(int(y1/lightCell)+2, l.rows)
}

// lightTableSteps is the number of steps in a table of stops: more than a light has cells along it.
const lightTableSteps = 512

// lightPoint is a color with its opacity, 0 to 1.
type lightPoint struct {
	color [3]float32
	alpha float32
}

type lightTableOf [lightTableSteps + 2]lightPoint

// lightTable tabulates stops. Opacity eases in and out between them: a corner would be visible as a rim.
func lightTable(stops []LightStop) *lightTableOf {
	var table lightTableOf
	for i := range table {
		t := float64(i) / lightTableSteps
		k := 0
		for k < len(stops)-1 && t >= stops[k+1].At {
			k++
		}
		p, q := stops[k], stops[min(k+1, len(stops)-1)]
		f := 0.0
		if q.At > p.At {
			f = min(max((t-p.At)/(q.At-p.At), 0), 1)
		}
		mixed := colorAt([]color.NRGBA{p.Color, q.Color}, f)
		table[i] = lightPoint{
			color: [3]float32{float32(mixed[0]), float32(mixed[1]), float32(mixed[2])},
			alpha: float32(p.Alpha + (q.Alpha-p.Alpha)*Ease(f)),
		}
	}
	return &table
}

// at returns the stop at a position, 0 to 1.
func (t *lightTableOf) at(d float64) *lightPoint {
	return &t[int(min(max(d, 0), 1)*lightTableSteps)]
}

// lay mixes light into a cell.
func (p *rgbFloat) lay(s *lightPoint, part float32) {
	a := s.alpha * part
	p[0] += (s.color[0] - p[0]) * a
	p[1] += (s.color[1] - p[1]) * a
	p[2] += (s.color[2] - p[2]) * a
}

// gauss is the part of a Gaussian below a position, in sigmas.
var gauss = func() (t gaussTable) {
	for i := range t {
		t[i] = .5 + .5*math.Erf((float64(i)/gaussSteps-gaussReach)/math.Sqrt2)
	}
	return t
}()

const (
	gaussReach = 4 // sigmas on either side
	gaussSteps = 64
)

type gaussTable [2*gaussReach*gaussSteps + 1]float64

func (t *gaussTable) below(x float64) float64 {
	return t[int(min(max(x+gaussReach, 0), 2*gaussReach)*gaussSteps)]
}
