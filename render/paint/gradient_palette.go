package paint

import (
	"image/color"
	"math"
	"slices"

	"masthead/render/cache"
)

// A gradientPalette is the palette of a gradient and of the blends of the named inks over it, computed once per theme.
//
// The blends of one ink over a gradient fill a triangle in color space: the gradient is one side, the ink the opposite
// corner. Points cover it in rows of equal coverage, with fewer points in rows closer to the ink, and each point
// without an entry nearby becomes one; so similar inks share entries. All inks use one spacing, the smallest for which
// the palette suffices; no blend is off by more than about half of it, which is invisible on edges one pixel wide (47
// dB on a whole card).
type gradientPalette struct {
	n      int // the gradient's own entries: 0 to n-1
	colors [maxColors]rgb
	size   int // total number of entries
	inks   []gradientInk
}

// gradientInk is one named ink, with its table for each number of steps.
type gradientInk struct {
	color      color.NRGBA
	hard       []uint8 // table[entry·32 + step], for the entries of the gradient
	soft       []uint8 // table[entry·256 + step]; for translucent inks only
	ditherStep uint8
	zones      *[softSteps + 1]uint8
}

// coverageRow has the points of one ink at one coverage, spread evenly along the gradient, and their entries.
type coverageRow struct {
	coverage float64
	entries  []uint8
}

// Parameters of the gradient palette.
const (
	maxGradient     = 128 // entries of a gradient: more are indistinguishable at the sizes on cards
	gradientReserve = 64  // entries left for pictures and flat colors, including exactRoom
	// If only translucent inks are named, text is on surfaces of its own, which needs entries.
	softGradient = 80
	softReserve  = 96
	// softSpacing is the fraction of the spacing for translucent inks: shadows are wide, edges aren't.
	softSpacing = .5
	// softReach is the visible fraction of a translucent ink's opacity: the rest of a shadow is hidden below the object.
	softReach = .8
	// shareWithin is the fraction of the spacing within which a point uses an existing entry.
	shareWithin = .5
	// blockSize is how many neighbors of the gradient share blends.
	blockSize = 8
)

// gradientPalettes caches those of the most drawn themes by their inputs: building one takes most of a millisecond.
var gradientPalettes = cache.NewPart(cache.Pieces, func(key string, g *gradientPalette) int {
	bytes := len(key) + gradientOverhead
	for _, ink := range g.inks {
		bytes += len(ink.hard) + len(ink.soft)
	}
	return bytes
})

// gradientOverhead is about the size of a cached palette in addition to the tables of its inks: its colors, and the
// cache's entry.
const gradientOverhead = 1500

// gradientPaletteFor returns the palette of a gradient of n entries.
func gradientPaletteFor(colors, inks []color.NRGBA, n, reserved int) *gradientPalette {
	key := make([]byte, 0, 4*(len(colors)+len(inks))+8)
	key = append(key, uint8(n), uint8(reserved), uint8(len(inks)))
	for _, c := range slices.Concat(inks, colors) {
		key = append(key, c.R, c.G, c.B, c.A)
	}
	name := string(key)
	if g, ok := gradientPalettes.Get(name); ok {
		return g
	}
	g := newGradientPalette(colors, inks, n, maxColors-reserved)
	gradientPalettes.Put(name, g)
	return g
}

// addGradient adds the colors of a gradient with the given number of positions and returns the entry of each position.
// The first gradient of an empty palette uses a gradientPalette; others are added as flat colors. ok is false if the
// palette can't hold it.
func (b *blendTable) addGradient(colors []color.NRGBA, positions int) (line []uint8, ok bool) {
	most, reserved := maxGradient, gradientReserve
	if len(b.named) > 0 && !slices.ContainsFunc(b.named, func(c color.NRGBA) bool { return c.A == 255 }) {
		most, reserved = softGradient, softReserve
	}
	n, first := min(levels(colors), positions, most), b.n
	if first+n > maxColors-gradientReserve {
		return nil, false
	}
	if first == 0 && len(b.named) > 0 {
		b.gradient = gradientPaletteFor(colors, b.named, n, reserved)
		b.n = b.gradient.size
		copy(b.colors[:], b.gradient.colors[:b.n])
		for i := range b.base[:b.n] {
			b.base[i] = i < n
		}
	} else {
		for i := range n {
			b.add(stop(colors, i, n), true)
		}
	}
	line = make([]uint8, positions)
	for i := range line {
		line[i] = uint8(first + min((2*i+1)*n/(2*positions), n-1))
	}
	return line, true
}

// stop returns the i-th of n colors along a gradient.
func stop(colors []color.NRGBA, i, n int) rgb {
	p := colorAt(colors, (float64(i)+.5)/float64(n))
	return rgb{round8(p[0]), round8(p[1]), round8(p[2])}
}

// levels returns the number of 8-bit levels that the widest channel spans: more entries would show no more colors.
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

func newGradientPalette(colors, inks []color.NRGBA, n, room int) *gradientPalette {
	g := &gradientPalette{n: n}
	for i := range n {
		g.colors[i] = stop(colors, i, n)
	}
	low, high := 2.0, 512.0
	for range 8 {
		mid := math.Sqrt(low * high)
		if g.place(inks, mid, room) != nil {
			high = mid
		} else {
			low = mid
		}
	}
	rows := g.place(inks, high, room)
	for i, k := range inks {
		ink := gradientInk{color: k}
		if rows != nil && k.A < 255 {
			ink.tabulateSoft(g, rows[i])
		}
		g.inks = append(g.inks, ink)
	}
	b := &blendTable{colors: g.colors, n: g.size}
	for i := range g.inks {
		g.inks[i].tabulateHard(g, b)
	}
	return g
}

// place creates the entries for a spacing and returns the rows of each ink, or nil if there is no room.
func (g *gradientPalette) place(inks []color.NRGBA, spacing float64, room int) [][]coverageRow {
	g.size = g.n
	for _, k := range inks {
		if k.A < 255 {
			continue
		}
		if g.size == room {
			return nil
		}
		g.colors[g.size] = rgb{k.R, k.G, k.B}
		g.size++
	}
	length := 0.0
	for i := 1; i < g.n; i++ {
		length += rgbDistance(g.colors[i-1], g.colors[i])
	}
	all := make([][]coverageRow, len(inks))
	for i, k := range inks {
		alpha, reach, s := float64(k.A)/255, 1.0, spacing
		if k.A < 255 {
			reach, s = softReach, s*softSpacing
		}
		way := rgbDistance(g.colors[g.n/2], rgb{k.R, k.G, k.B}) * alpha * reach
		steps := max(2, int(math.Ceil(way/s)))
		for r := 1; r <= steps; r++ {
			coverage := alpha * reach * float64(r) / float64(steps)
			if coverage >= 1 {
				break // the ink itself
			}
			points := max(1, int(math.Ceil(length*(1-coverage)/s)))
			row := coverageRow{coverage: coverage, entries: make([]uint8, points)}
			for z := range row.entries {
				background := g.colors[(2*z+1)*g.n/(2*len(row.entries))]
				at, ok := g.add(blended(background, k, coverage), shareWithin*s, room)
				if !ok {
					return nil
				}
				row.entries[z] = at
			}
			all[i] = append(all[i], row)
		}
	}
	return all
}

// blended returns an ink, opaque or not, over a background. coverage includes the alpha.
func blended(background rgb, k color.NRGBA, coverage float64) rgb {
	return rgb{
		round8(lerp(background.r, k.R, coverage)),
		round8(lerp(background.g, k.G, coverage)),
		round8(lerp(background.b, k.B, coverage)),
	}
}

// add returns the entry of a color: one within distance near, or a new one.
func (g *gradientPalette) add(c rgb, near float64, room int) (at uint8, ok bool) {
	limit := int(near * near)
	for i, e := range g.colors[:g.size] {
		dr, dg, db := int(e.r)-int(c.r), int(e.g)-int(c.g), int(e.b)-int(c.b)
		if dr*dr+dg*dg+db*db <= limit {
			return uint8(i), true
		}
	}
	if g.size >= room {
		return 0, false
	}
	g.colors[g.size] = c
	g.size++
	return uint8(g.size - 1), true
}

func rgbDistance(p, q rgb) float64 {
	dr, dg, db := float64(p.r)-float64(q.r), float64(p.g)-float64(q.g), float64(p.b)-float64(q.b)
	return math.Sqrt(dr*dr + dg*dg + db*db)
}

// tabulateHard looks up the nearest entry for each step of coverage over each block of the gradient.
func (k *gradientInk) tabulateHard(g *gradientPalette, b *blendTable) {
	k.hard = make([]uint8, g.n*(hardSteps+1))
	for e := 0; e < g.n; e += blockSize {
		background := g.colors[min(e+blockSize/2, g.n-1)]
		for step := 1; step <= hardSteps; step++ {
			at, _ := b.nearest(over(background, k.color, step, hardSteps))
			for i := e; i < min(e+blockSize, g.n); i++ {
				k.hard[i*(hardSteps+1)+step] = at
			}
		}
	}
	for e := range g.n {
		k.hard[e*(hardSteps+1)] = uint8(e)
	}
}

// tabulateSoft assigns each step of coverage to the nearest row. Fades are dithered between rows, and along the
// gradient between the points of a row.
func (k *gradientInk) tabulateSoft(g *gradientPalette, rows []coverageRow) {
	k.soft = make([]uint8, g.n*(softSteps+1))
	k.zones = new([softSteps + 1]uint8)
	k.ditherStep = uint8(max(1, rows[0].coverage*softSteps*255/float64(k.color.A)))
	for step := range softSteps + 1 {
		coverage := float64(step) / softSteps * float64(k.color.A) / 255
		row, off := -1, coverage // the gradient itself
		for i, r := range rows {
			if d := math.Abs(r.coverage - coverage); d < off {
				row, off = i, d
			}
		}
		if row >= 0 {
			k.zones[step] = uint8(g.n / len(rows[row].entries))
		}
		for e := range g.n {
			at := uint8(e)
			if row >= 0 {
				at = rows[row].entries[e*len(rows[row].entries)/g.n]
			}
			k.soft[e*(softSteps+1)+step] = at
		}
	}
}

// fill copies all known blends of an ink into its table.
func (g *gradientPalette) fill(k *inkBlends) {
	for i := range g.inks {
		p := &g.inks[i]
		switch {
		case p.color != k.color:
		case k.steps == hardSteps:
			copy(k.table, p.hard)
		case p.soft != nil:
			copy(k.table, p.soft)
			k.setDither(p.ditherStep)
			k.zones = p.zones
		}
	}
}

// jitter moves an entry of the gradient by up to half a zone in either direction, by a threshold of 0 to 255: dithering
// along the gradient. Other entries stay.
func (g *gradientPalette) jitter(at, zone, threshold uint8) uint8 {
	if int(at) >= g.n || zone < 2 {
		return at
	}
	return uint8(min(max(int(at)+(int(threshold)*2-255)*int(zone)/512, 0), g.n-1))
}
