package paint

import (
	"image"
	"image/color"
)

// Parameters of gradients that fill a shape on an indexed canvas.
const (
	maxShades   = 128 // entries per gradient: more are indistinguishable within a shape
	fewestSeen  = 24  // with fewer, the canvas becomes RGBA
	visibleStep = 2   // levels between two entries from which the gradient is dithered, which takes more bytes
	shapeMargin = 64  // entries left for texts and other parts of the card
)

// PaintMask draws a gradient by the coverage of a mask, in the coordinates of the canvas (mask.Rect is its position).
// The gradient spans area, which may extend beyond the mask and the canvas: a letter that is cut by the edge of the
// card keeps its colors.
//
//	numeral := paint.PathMask(bounds, draw)
//	c.PaintMask(numeral, numeral.Rect, paint.Linear{Angle: paint.Down, Colors: palette.Gradient(light, deep)})
func (c *Canvas) PaintMask(mask *image.Alpha, area image.Rectangle, l Linear) {
	c.PaintStencil(NewStencil(mask), area, l)
}

// shapeFill is a gradient prepared to fill a shape of one canvas.
type shapeFill struct {
	canvas *Canvas
	last   int      // position
	shade  []uint8  // of each position
	mixed  []uint16 // of each position: the shade below it, and how much of the next one, out of 256
	colors []rgb    // of each shade
	// On an indexed canvas: the entry of each shade, and those of blends by shade, underlying entry and coverage.
	entries []uint8
	blends  map[uint32]uint8
}

// newShapeFill prepares a gradient of n positions. If the palette has no room for it, the canvas becomes RGBA.
func newShapeFill(c *Canvas, l Linear, n int) *shapeFill {
	f := &shapeFill{canvas: c, last: n - 1, shade: make([]uint8, n)}
	from, to := l.span(n)
	shades := min(levels(l.Colors), to-from, 255)
	if l.Exact && c.indexed != nil {
		shades = len(l.Colors)
	}
	if c.indexed != nil {
		room := maxColors - shapeMargin - c.blends.n
		switch {
		case l.Exact && c.blends.lacking(l.Colors) <= room:
			f.blends = make(map[uint32]uint8)
		case l.Exact || room < min(shades, fewestSeen):
			c.Upgrade()
			shades = min(levels(l.Colors), to-from, 255)
		default:
			shades = min(shades, maxShades, room)
			f.blends = make(map[uint32]uint8)
		}
	}
	for i := range shades {
		at := stop(l.Colors, i, shades)
		if l.Exact && c.indexed != nil {
			at = rgb{l.Colors[i].R, l.Colors[i].G, l.Colors[i].B}
		}
		f.colors = append(f.colors, at)
		if c.indexed != nil && l.Exact {
			f.entries = append(f.entries, c.blends.entry(at))
		} else if c.indexed != nil {
			f.entries = append(f.entries, c.blends.add(at, true))
		}
	}
	for i := range f.shade {
		p := min(max(i-from, 0), to-from-1)
		f.shade[i] = uint8(min((2*p+1)*shades/(2*(to-from)), shades-1))
	}
	if c.indexed != nil {
		f.mixed = make([]uint16, n)
		dither := levels(l.Colors) >= visibleStep*shades
		for i := range f.mixed {
			if !dither {
				f.mixed[i] = uint16(f.shade[i]) << 8
				continue
			}
			p := min(max(i-from, 0), to-from-1)
			f.mixed[i] = uint16(min(max((2*p+1)*shades*128/(to-from)-128, 0), (shades-1)*256))
		}
	}
	return f
}

// ditherSide is the period of the dither of gradients in shapes: short, so that a PNG still packs it.
const ditherSide = 8

// ditherMatrix has the thresholds, 0 to 252, of ordered dithering. Source: B. E. Bayer, "An optimum method for
// two-level rendition of continuous-tone pictures", 1973.
var ditherMatrix = func() (m [ditherSide][ditherSide]uint16) {
	for y := range ditherSide {
		for x := range ditherSide {
			v := 0
			for bit := range 3 {
				v = v<<2 | ((x>>bit^y>>bit)&1)<<1 | (y>>bit)&1
			}
			m[y][x] = uint16(4 * v)
		}
	}
	return m
}()

// fill sets the entries of a row, with the gradient's positions from first on. Between two shades that differ visibly,
// it dithers.
func (f *shapeFill) fill(dst []uint8, y, x, first, step int) {
	row := &ditherMatrix[y%ditherSide]
	if step == 0 {
		v := f.mixed[min(max(first, 0), f.last)]
		if v&0xff == 0 {
			set(dst, f.entries[v>>8])
			return
		}
		for i := range min(len(dst), ditherSide) {
			dst[i] = f.entries[(v+row[(x+i)%ditherSide])>>8]
		}
		for n := ditherSide; n < len(dst); n *= 2 {
			copy(dst[n:], dst[:n])
		}
		return
	}
	for i := range dst {
		v := f.mixed[min(max(first+i*step, 0), f.last)]
		dst[i] = f.entries[(v+row[(x+i)%ditherSide])>>8]
	}
}

// row fills a row from x on, with the gradient's positions from first on. whole means that all of it is covered.
func (f *shapeFill) row(y, x int, cov []uint8, first, step int, whole bool) {
	c := f.canvas
	if c.indexed != nil {
		dst := c.indexed.Pix[y*c.stride+x:][:len(cov)]
		if whole {
			f.fill(dst, y, x, first, step)
		} else {
			f.indexedRow(dst, cov, y, x, first, step)
		}
		return
	}
	for i := range cov {
		if cov[i] == 0 {
			continue
		}
		k, a := f.colors[f.shade[min(max(first+i*step, 0), f.last)]], uint32(cov[i])
		d := c.rgba.Pix[4*(y*c.w+x+i):][:4:4]
		d[0] = uint8(div255(uint32(k.r)*a + uint32(d[0])*(255-a)))
		d[1] = uint8(div255(uint32(k.g)*a + uint32(d[1])*(255-a)))
		d[2] = uint8(div255(uint32(k.b)*a + uint32(d[2])*(255-a)))
	}
}

// indexedRow is row on palette entries. Edges take the nearest entry if the difference is invisible, or if the
// remaining entries are reserved for texts.
func (f *shapeFill) indexedRow(dst, cov []uint8, y, x, first, step int) {
	b, row := f.canvas.blends, &ditherMatrix[y%ditherSide]
	for i, v := range cov {
		part := hardStep[v]
		if part == 0 {
			continue
		}
		at := min(max(first+i*step, 0), f.last)
		if part == hardSteps {
			dst[i] = f.entries[(f.mixed[at]+row[(x+i)%ditherSide])>>8]
			continue
		}
		shade := f.shade[at]
		key := uint32(shade)<<16 | uint32(dst[i])<<8 | uint32(part)
		to, known := f.blends[key]
		if !known {
			k := f.colors[shade]
			to = b.between(over(b.colors[dst[i]], color.NRGBA{R: k.r, G: k.g, B: k.b, A: 255}, int(part), hardSteps))
			f.blends[key] = to
		}
		dst[i] = to
	}
}

// lacking returns how many of the colors have no entry.
func (b *blendTable) lacking(colors []color.NRGBA) (n int) {
	for _, c := range colors {
		if _, d := b.nearest(rgb{c.R, c.G, c.B}); d > 0 {
			n++
		}
	}
	return n
}

// entry returns the entry of exactly a color; there must be room for a new one.
func (b *blendTable) entry(c rgb) uint8 {
	if at, d := b.nearest(c); d == 0 {
		return at
	}
	return b.add(c, true)
}
