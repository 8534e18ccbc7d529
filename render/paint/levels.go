package paint

import (
	"image"
	"image/color"
)

// Levels is a figure of up to 254 shades, without its colours: what of a motif depends neither on the theme of a card
// nor on its text, and so is kept. Shade 0 is nothing; shade n is the n-th colour that it is drawn in. It is read only
// once it is made, and may be shared.
type Levels struct {
	Rect image.Rectangle
	Pix  []uint8 // a shade for each pixel, row by row
	// Edges are the pixels in which two shades are seen, in any order.
	Edges []LevelEdge
}

// LevelEdge is a pixel, by its place in Pix, that a shade covers in part, over another one.
type LevelEdge struct {
	At           int32
	Under, Cover uint8
}

// MaxLevels is how many shades a figure may have, so that the palette of an indexed canvas has room for its text.
const MaxLevels = 192

// levelReserve is how many entries of a palette stay for text, icons and what else comes after a figure; edges take the
// nearest entry where no others are left.
const levelReserve = 72

// Bytes returns about how much memory the figure takes.
func (l *Levels) Bytes() int { return len(l.Pix) + 8*len(l.Edges) + 64 }

// Levels draws a figure in the colours of its shades, the first of which is that of shade 1. Mirrored, left and right
// of the canvas are exchanged. It panics under a clip with soft edges, which whole pixels cannot follow.
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

// level is a place of a figure on the canvas: the offset of its pixel, -1 outside of the clip.
func (c *Canvas) level(l *Levels, at int32, mirrored bool) int {
	w := l.Rect.Dx()
	x, y := l.Rect.Min.X+int(at)%w, l.Rect.Min.Y+int(at)/w
	if mirrored {
		x = c.w - 1 - x
	}
	if !(image.Point{X: x, Y: y}).In(c.clip) {
		return -1
	}
	return y*c.w + x
}

// levelsIndexed reports false, with nothing drawn, when the palette cannot hold the colours.
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
	// What lies under an edge of the figure is what was drawn before.
	ground := make([]uint8, len(l.Edges))
	for i, e := range l.Edges {
		if at := c.level(l, e.At, mirrored); at >= 0 && e.Under == 0 {
			ground[i] = c.indexed.Pix[at]
		}
	}
	w := l.Rect.Dx()
	c.levelRows(l, mirrored, func(at, from, to, row int) {
		dst, src := c.indexed.Pix[at:][:to-from], l.Pix[row*w:][:w]
		if mirrored {
			for i := range dst {
				if v := src[to-1-i]; v != 0 {
					dst[i] = entry[v]
				}
			}
			return
		}
		for i, v := range src[from:to] {
			if v != 0 {
				dst[i] = entry[v]
			}
		}
	})
	known := make(map[[3]uint8]uint8)
	for i, e := range l.Edges {
		at := c.level(l, e.At, mirrored)
		if at < 0 {
			continue
		}
		under := entry[e.Under]
		if e.Under == 0 {
			under = ground[i]
		}
		step := hardStep[e.Cover] &^ 1
		key := [3]uint8{l.Pix[e.At], under, step}
		to, ok := known[key]
		if !ok {
			to = b.between(over(b.colors[under], colors[key[0]-1], int(step), hardSteps))
			known[key] = to
		}
		c.indexed.Pix[at] = to
	}
	return true
}

// between returns an entry for a pixel at the edge of a figure: the nearest, or a new one as long as enough is left.
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
	ground := make([][3]uint8, len(l.Edges))
	for i, e := range l.Edges {
		if at := c.level(l, e.At, mirrored); at >= 0 {
			copy(ground[i][:], pix[4*at:])
			if e.Under != 0 {
				u := colors[e.Under-1]
				ground[i] = [3]uint8{u.R, u.G, u.B}
			}
		}
	}
	w := l.Rect.Dx()
	c.levelRows(l, mirrored, func(at, from, to, row int) {
		src := l.Pix[row*w:][:w]
		for i := range to - from {
			v := src[from+i]
			if mirrored {
				v = src[to-1-i]
			}
			if v != 0 {
				d, k := pix[4*(at+i):][:3], colors[v-1]
				d[0], d[1], d[2] = k.R, k.G, k.B
			}
		}
	})
	for i, e := range l.Edges {
		at := c.level(l, e.At, mirrored)
		if at < 0 {
			continue
		}
		g, k := ground[i], colors[l.Pix[e.At]-1]
		p := over(rgb{g[0], g[1], g[2]}, k, int(e.Cover), 255)
		pix[4*at], pix[4*at+1], pix[4*at+2] = p.r, p.g, p.b
	}
}

// levelRows calls draw with the offset on the canvas of the first pixel of each row of a figure that is seen, and the
// part of the row, counted from the left of the figure: from to to (excluded).
func (c *Canvas) levelRows(l *Levels, mirrored bool, draw func(at, from, to, row int)) {
	r := l.Rect
	if mirrored {
		r.Min.X, r.Max.X = c.w-r.Max.X, c.w-r.Min.X
	}
	seen := r.Intersect(c.clip)
	for y := seen.Min.Y; y < seen.Max.Y; y++ {
		from, to := seen.Min.X-r.Min.X, seen.Max.X-r.Min.X
		if mirrored {
			from, to = r.Max.X-seen.Max.X, r.Max.X-seen.Min.X
		}
		draw(y*c.w+seen.Min.X, from, to, y-r.Min.Y)
	}
}
