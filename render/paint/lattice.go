package paint

import (
	"image/color"
	"math"
	"slices"
)

// A lattice is the part of a palette that a gradient and the blends of the named inks over it take.
//
// The blends of one ink over a gradient fill a triangle in colour space: the gradient is one side, the ink the opposite corner. The
// lattice lays entries over it in rows of equal coverage, and gives each row fewer zones along the gradient the nearer the ink it is. One spacing is
// used for all inks, the smallest for which the palette suffices: so no blend is off by more than about half of it, and where that
// is at an edge one pixel wide it is not seen (50 dB on a whole card).
type lattice struct {
	first, n int          // the gradient's own entries
	colors   [][3]float64 // of the entries, exact
	rows     []latticeRow
	inks     []color.NRGBA
	spacing  float64
}

// latticeRow holds the zones of one ink at one coverage.
type latticeRow struct {
	ink      int
	coverage float64
	first, n int
}

// Figures of the lattice.
const (
	maxGradient = 128 // entries of a gradient: more cannot be told apart on the spans that cards have
	latticeKept = 44  // entries left for pictures and flat colours, exactRoom included
	// Where only translucent inks are named, text stands on surfaces of their own, and needs entries there.
	softGradient = 64
	softKept     = 96
	// softer is the part of the spacing that translucent inks have: shadows are wide, edges are not.
	softer = .5
	// softReach is the part of the opacity of a translucent ink that is seen: the rest of a shadow lies below what casts it.
	softReach = .8
)

// gradient enters the colours of a gradient of so many positions and returns the entry of each position. The first gradient of a canvas
// takes the lattice; another one is entered as flat colours. ok is false when the palette cannot hold it.
func (b *book) gradient(colors []color.NRGBA, positions int) (line []uint8, ok bool) {
	most, kept := maxGradient, latticeKept
	if !slices.ContainsFunc(b.plan, func(c color.NRGBA) bool { return c.A == 255 }) {
		most, kept = softGradient, softKept
	}
	n := min(levels(colors), positions, most)
	if b.n+n > maxColors-latticeKept {
		return nil, false
	}
	g := &lattice{first: b.n, n: n, inks: b.plan}
	for i := range n {
		p := colorAt(colors, (float64(i)+.5)/float64(n))
		g.colors = append(g.colors, p)
		b.add(rgb{round8(p[0]), round8(p[1]), round8(p[2])}, true)
	}
	line = make([]uint8, positions)
	for i := range line {
		line[i] = uint8(g.first + min(int((float64(i)+.5)/float64(positions)*float64(n)), n-1))
	}
	if b.grad == nil && len(g.inks) > 0 {
		b.grad = g
		g.lay(b, maxColors-kept-b.n)
	}
	return line, true
}

// levels returns how many 8-bit levels the widest channel goes through: more entries would show no more colours.
func levels(colors []color.NRGBA) int {
	var r, g, b int
	for i := 1; i < len(colors); i++ {
		p, q := colors[i-1], colors[i]
		r += abs(int(p.R) - int(q.R))
		g += abs(int(p.G) - int(q.G))
		b += abs(int(p.B) - int(q.B))
	}
	return max(r, g, b) + 1
}

func abs(v int) int { return max(v, -v) }

// lay finds the smallest spacing that fits the room and enters the blends.
func (g *lattice) lay(b *book, room int) {
	low, high := 2.0, 512.0
	for range 12 {
		g.spacing = (low + high) / 2
		if g.plan() <= room {
			high = g.spacing
		} else {
			low = g.spacing
		}
	}
	g.spacing = high
	if g.plan() > room {
		g.rows = nil
		return
	}
	for i := range g.rows {
		r := &g.rows[i]
		k := g.inks[r.ink]
		r.first = b.n
		for z := range r.n {
			p := g.at((float64(z) + .5) / float64(r.n))
			b.add(rgb{
				round8(p[0] + (float64(k.R)-p[0])*r.coverage),
				round8(p[1] + (float64(k.G)-p[1])*r.coverage),
				round8(p[2] + (float64(k.B)-p[2])*r.coverage),
			}, false)
		}
	}
	for _, k := range g.inks {
		if k.A == 255 {
			b.flat(rgb{k.R, k.G, k.B})
		}
	}
}

// plan lays out rows for the present spacing and returns the number of entries, the inks themselves included.
func (g *lattice) plan() (entries int) {
	g.rows = g.rows[:0]
	length := 0.0
	for i := 1; i < g.n; i++ {
		length += apart(g.colors[i-1], g.colors[i])
	}
	for i, k := range g.inks {
		alpha, reach, spacing := float64(k.A)/255, 1.0, g.spacing
		if k.A < 255 {
			spacing, reach = spacing*softer, softReach
		} else {
			entries++ // an opaque ink is its own last row
		}
		way := apart(g.at(.5), [3]float64{float64(k.R), float64(k.G), float64(k.B)}) * alpha * reach
		steps := max(2, int(math.Ceil(way/spacing)))
		for r := 1; r <= steps+1; r++ {
			coverage := alpha * reach * float64(r) / float64(steps)
			if r > steps {
				coverage = alpha
			}
			if coverage >= 1 || r > steps && reach == 1 {
				continue
			}
			n := max(1, int(math.Ceil(length*(1-coverage)/spacing)))
			g.rows = append(g.rows, latticeRow{ink: i, coverage: coverage, n: n})
			entries += n
		}
	}
	return entries
}

// at returns the gradient's colour at t, 0 to 1.
func (g *lattice) at(t float64) [3]float64 {
	return g.colors[min(int(t*float64(g.n)), g.n-1)]
}

func apart(p, q [3]float64) float64 {
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// fill enters into an ink's table all that the lattice knows of it.
func (g *lattice) fill(b *book, k *ink) {
	at := -1
	for i, c := range g.inks {
		if c == k.color {
			at = i
		}
	}
	if at < 0 || len(g.rows) == 0 {
		return
	}
	var rows []latticeRow
	for _, r := range g.rows {
		if r.ink == at {
			rows = append(rows, r)
		}
	}
	if k.steps == softSteps {
		k.quantum = uint8(max(1, rows[0].coverage*softSteps*255/float64(k.color.A)))
		k.zones = new([softSteps + 1]uint8)
	}
	for step := 1; step <= k.steps; step++ {
		coverage := float64(step) / float64(k.steps) * float64(k.color.A) / 255
		row, off := -1, coverage // the gradient itself
		for i, r := range rows {
			if d := math.Abs(r.coverage - coverage); d < off {
				row, off = i, d
			}
		}
		if 1-coverage < off {
			row = len(rows)
		}
		if k.zones != nil && row >= 0 && row < len(rows) {
			k.zones[step] = uint8(g.n / rows[row].n)
		}
		for e := range g.n {
			v := uint8(g.first + e)
			switch {
			case row == len(rows):
				v, _ = b.flat(rgb{k.color.R, k.color.G, k.color.B})
			case row >= 0:
				v = uint8(rows[row].first + e*rows[row].n/g.n)
			}
			k.table[(g.first+e)*(k.steps+1)+step] = v
		}
	}
}

// jitter moves an entry of the gradient by up to half a zone either way, by a threshold of 0 to 255: dithering along the gradient. Other
// entries stay.
func (g *lattice) jitter(at, zone, threshold uint8) uint8 {
	e := int(at) - g.first
	if e < 0 || e >= g.n || zone < 2 {
		return at
	}
	return uint8(g.first + min(max(e+(int(threshold)*2-255)*int(zone)/512, 0), g.n-1))
}
