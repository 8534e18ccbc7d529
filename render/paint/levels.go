package paint

import (
	"image"
	"image/color"
	"slices"

	"masthead/render/cache"
)

// Levels is a figure of up to 254 shades, without its colors: the part of a motif that depends neither on the card's
// theme nor on its text, and so is cached. Shade 0 is transparent; shade n is the n-th color of the drawing. It is
// immutable and may be shared. Neighboring pixels mostly have the same shade, so it is stored as runs of pixels, which
// takes a fifth of the memory.
type Levels struct {
	Rect  image.Rectangle
	rows  []int32 // where the runs of each row begin, plus one more
	runs  []uint8 // the length of each run, 1 to 255, and its shade
	edges []levelEdge
}

// levelEdge is a pixel, by its index row by row, that a shade partly covers over another one.
type levelEdge struct {
	at                  int32
	shade, under, cover uint8
}

// figure is a figure being drawn.
type figure struct {
	rect  image.Rectangle
	pix   []uint8     // a shade for each pixel, row by row
	edges []levelEdge // in any order; shade is set when everything is drawn
}

func newFigure(r image.Rectangle) *figure {
	return &figure{rect: r, pix: cache.Pixels.Take(r.Dx() * r.Dy())}
}

// levels returns the finished figure. l must not be used afterwards.
func (f *figure) levels() *Levels {
	w, h := f.rect.Dx(), f.rect.Dy()
	l := &Levels{Rect: f.rect, rows: make([]int32, h+1)}
	runs := make([]uint8, 0, len(f.pix)/4)
	for y := range h {
		for row := f.pix[y*w:][:w]; len(row) > 0; {
			n := min(alikeFrom(row), 255)
			runs = append(runs, uint8(n), row[0])
			row = row[n:]
		}
		l.rows[y+1] = int32(len(runs))
	}
	for i := range f.edges {
		f.edges[i].shade = f.pix[f.edges[i].at]
	}
	l.runs, l.edges = slices.Clone(runs), slices.Clone(f.edges)
	cache.Pixels.Give(f.pix)
	return l
}

// MaxLevels is the maximum number of shades, so that the palette of an indexed canvas has room for text.
const MaxLevels = 192

// levelReserve is the number of palette entries left for text, icons and whatever else follows a figure; edges take the
// nearest entry if no others are left.
const levelReserve = 72

// Bytes returns about how much memory the figure takes.
func (l *Levels) Bytes() int { return cap(l.runs) + 4*cap(l.rows) + 8*cap(l.edges) + 128 }

// Levels draws a figure in the colors of its shades, the first of which is that of shade 1. If mirrored, left and right
// of the canvas are swapped. It panics under a clip with soft edges, because it covers whole pixels.
func (c *Canvas) Levels(l *Levels, colors []color.NRGBA, mirrored bool) {
	if c.mask != nil {
		panic("paint: a figure under a clip with soft edges")
	}
	if c.indexed != nil && !c.levelsIndexed(l, colors, mirrored) {
		c.Upgrade()
	}
	if c.indexed == nil {
		c.levels32(l, colors, mirrored)
	}
}

// level converts a position in a figure to the offset of its pixel on the canvas, or -1 outside of the clip.
func (c *Canvas) level(l *Levels, at int32, mirrored bool) int {
	w := l.Rect.Dx()
	x, y := l.Rect.Min.X+int(at)%w, l.Rect.Min.Y+int(at)/w
	if mirrored {
		x = c.w - 1 - x
	}
	if !(image.Point{X: x, Y: y}).In(c.clip) {
		return -1
	}
	return y*c.stride + x
}

// levelsIndexed returns false, without drawing, if the palette can't hold the colors.
func (c *Canvas) levelsIndexed(l *Levels, colors []color.NRGBA, mirrored bool) bool {
	b := c.blends
	if b.n+len(colors) > maxColors-levelReserve/2 {
		return false
	}
	var entry [256]uint8
	for i, col := range colors {
		at, ok := b.flat(rgb{col.R, col.G, col.B})
		if !ok {
			return false
		}
		entry[i+1] = at
	}
	// An edge blends with what was drawn before.
	background := make([]uint8, len(l.edges))
	for i, e := range l.edges {
		if at := c.level(l, e.at, mirrored); at >= 0 && e.under == 0 {
			background[i] = c.indexed.Pix[at]
		}
	}
	c.levelRuns(l, mirrored, func(at, n int, shade uint8) { set(c.indexed.Pix[at:][:n], entry[shade]) })
	known := make(map[[3]uint8]uint8)
	for i, e := range l.edges {
		at := c.level(l, e.at, mirrored)
		if at < 0 {
			continue
		}
		under := entry[e.under]
		if e.under == 0 {
			under = background[i]
		}
		step := hardStep[e.cover] &^ 1
		key := [3]uint8{e.shade, under, step}
		to, ok := known[key]
		if !ok {
			to = b.between(over(b.colors[under], colors[key[0]-1], int(step), hardSteps))
			known[key] = to
		}
		c.indexed.Pix[at] = to
	}
	return true
}

// between returns an entry for a pixel at the edge of a figure: the nearest, or a new one if enough are left.
func (b *blendTable) between(c rgb) uint8 {
	const enough = 9 * 6 * 6
	at, d := b.nearest(c)
	if d > enough && b.n < maxColors-levelReserve {
		return b.add(c, false)
	}
	return at
}

// levels32 draws on RGBA.
func (c *Canvas) levels32(l *Levels, colors []color.NRGBA, mirrored bool) {
	pix := c.rgba.Pix
	background := make([][3]uint8, len(l.edges))
	for i, e := range l.edges {
		if at := c.level(l, e.at, mirrored); at >= 0 {
			copy(background[i][:], pix[4*at:])
			if e.under != 0 {
				u := colors[e.under-1]
				background[i] = [3]uint8{u.R, u.G, u.B}
			}
		}
	}
	c.levelRuns(l, mirrored, func(at, n int, shade uint8) { fill32(pix[4*at:][:4*n], colors[shade-1]) })
	for i, e := range l.edges {
		at := c.level(l, e.at, mirrored)
		if at < 0 {
			continue
		}
		g, k := background[i], colors[e.shade-1]
		p := over(rgb{g[0], g[1], g[2]}, k, int(e.cover), 255)
		pix[4*at], pix[4*at+1], pix[4*at+2] = p.r, p.g, p.b
	}
}

// levelRuns calls fill for each visible run of a figure with its offset on the canvas, its visible length and its
// shade.
func (c *Canvas) levelRuns(l *Levels, mirrored bool, fill func(at, n int, shade uint8)) {
	r := l.Rect
	if mirrored {
		r.Min.X, r.Max.X = c.w-r.Max.X, c.w-r.Min.X
	}
	seen := r.Intersect(c.clip)
	for y := seen.Min.Y; y < seen.Max.Y; y++ {
		runs := l.runs[l.rows[y-r.Min.Y]:l.rows[y-r.Min.Y+1]]
		for x, i := 0, 0; i+1 < len(runs); i += 2 {
			x0, x1, shade := r.Min.X+x, r.Min.X+x+int(runs[i]), runs[i+1]
			if x += int(runs[i]); mirrored {
				x0, x1 = r.Max.X-x, r.Max.X-x+int(runs[i])
			}
			if x0, x1 = max(x0, seen.Min.X), min(x1, seen.Max.X); x0 < x1 && shade != 0 {
				fill(y*c.stride+x0, x1-x0, shade)
			}
		}
	}
}
