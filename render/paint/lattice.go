package paint

import (
	"image/color"
	"math"
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
)

// gradient enters the colours of a gradient of so many positions and returns the entry of each position. The first gradient of a canvas
// takes the lattice; another one is entered as flat colours. ok is false when the palette cannot hold it.
func (b *book) gradient(colors []color.NRGBA, positions int) (line []uint8, ok bool) {
	n := min(levels(colors), positions, maxGradient)
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
		g.lay(b, maxColors-latticeKept-b.n)
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
		alpha := float64(k.A) / 255
		way := apart(g.at(.5), [3]float64{float64(k.R), float64(k.G), float64(k.B)}) * alpha
		rows := max(2, int(math.Ceil(way/g.spacing)))
		// Row 0 is the gradient, and an opaque ink is its own last row.
		last := rows
		if k.A == 255 {
			last--
			entries++
		}
		for r := 1; r <= last; r++ {
			coverage := alpha * float64(r) / float64(rows)
			n := max(1, int(math.Ceil(length*(1-coverage)/g.spacing)))
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
	full := -1
	if k.color.A == 255 {
		e, _ := b.flat(rgb{k.color.R, k.color.G, k.color.B})
		full = int(e)
	}
	all := len(rows) // rows between the gradient and full cover
	if full >= 0 {
		all++
	}
	for step := 1; step <= k.steps; step++ {
		row := int(math.Round(float64(step) / float64(k.steps) * float64(all)))
		for e := range g.n {
			dst := g.first + e
			v := uint8(dst)
			switch {
			case row == 0:
			case row > len(rows):
				v = uint8(full)
			default:
				r := rows[row-1]
				v = uint8(r.first + e*r.n/g.n)
			}
			k.table[dst*(k.steps+1)+step] = v
		}
	}
}
