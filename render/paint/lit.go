package paint

import (
	"encoding/binary"
	"image"
	"image/color"
)

// Lit is a background of soft light for a whole canvas, which becomes RGBA.
type Lit struct {
	Light  *Light
	Mirror bool // left and right are swapped
	// Glass is in front of the light; nil means none.
	Glass *Glass
	// Dither rounds by blue noise, which avoids bands; it doubles the bytes of a PNG and costs a JPEG none.
	Dither bool
}

// Flutes are those of a fluted glass in front of a part of a card: each shows a mirrored slice of what is behind it,
// larger than itself. Positions are pixels from the left edge, or from the right one if mirrored.
type Flutes struct {
	From, Width int         // where the glass begins, and the width of a flute; 0: none
	Bend        float64     // a position right of the center of its flute shows what is Bend times as far left of it
	Edge        color.NRGBA // of each flute, on its left, EdgeW wide
	EdgeW       int
}

// behind returns the position seen at x, and whether the edge of a flute covers it.
func (f *Flutes) behind(x float64) (at float64, edge bool) {
	begin := int(x) - f.From
	if begin < 0 || f.Width < 1 {
		return x, false
	}
	middle := float64(f.From+begin/f.Width*f.Width) + float64(f.Width)/2
	return middle - f.Bend*(x-middle), begin%f.Width < f.EdgeW
}

// Glass is in front of a light.
type Glass struct {
	Flutes
	// Ink covers everything from the left on, as far as the stops say: their positions are pixels.
	Ink   color.NRGBA
	Scrim []AlphaStop
}

// litColumn is what a column of pixels shows of a row of a light.
type litColumn struct {
	at   int32  // cell
	part uint32 // of the next cell, out of 8
	edge int32  // of the edge of a flute, out of 65536
	ink  int32  // of the ink over it, out of 65536
}

const (
	litFull  = 1 << 16
	litLanes = 0x1fff_1fff_1fff_1fff // of steps per level
)

// litLine is a row of a light, enlarged along x: two pixels per word, in lanes of 16 bits, red and blue in one, green
// and the opaque alpha in the other.
type litLine struct{ rb, ga []uint64 }

func newLitLine(w int) litLine {
	pairs := (w + 1) / 2
	both := make([]uint64, 2*pairs)
	return litLine{both[:pairs], both[pairs:]}
}

// paint enlarges the light: each row once along x, then vertically between two such rows.
func (g Lit) paint(c *Canvas, r image.Rectangle) {
	c.Upgrade()
	c.dither = c.dither || g.Dither
	columns := g.columns(c.w)[r.Min.X:r.Max.X]
	upper, lower, have := newLitLine(r.Dx()), newLitLine(r.Dx()), -2
	for y := r.Min.Y; y < r.Max.Y; y++ {
		// The centers of cells are between pixels: (4j+1.5).
		k := 2*y + 1 - lightCell // in eighths of a cell from the center of the first
		j := max(k, 0) / (2 * lightCell)
		part := uint64(max(k, 0) % (2 * lightCell))
		if j != have {
			if j == have+1 {
				upper, lower = lower, upper
			} else {
				g.row(upper, j, columns)
			}
			g.row(lower, j+1, columns)
			have = j
		}
		var noise []uint8
		if g.Dither {
			noise = noiseRow(y)
		}
		litRow(c.rgba.Pix[4*(y*c.w+r.Min.X):][:4*r.Dx()], upper, lower, part, noise)
	}
}

// litRow mixes two rows and rounds them. Eight times a step of a level is 1/256: sums of all lanes fit in 16 bits.
func litRow(dst []uint8, upper, lower litLine, part uint64, noise []uint8) {
	const pairs = noiseSide / 2
	var round [pairs]uint64
	for i := range round {
		if round[i] = 127 * everyLane; noise != nil {
			round[i] = uint64(noise[2*i])*0x0001_0001 | uint64(noise[2*i+1])*0x0001_0001<<32
		}
	}
	mix := func(i int, keep, part, round uint64) uint64 {
		rb := upper.rb[i]*keep + lower.rb[i]*part + round
		ga := upper.ga[i]*keep + lower.ga[i]*part + round
		return rb>>8&lowLanes | ga&^lowLanes
	}
	n, keep := len(dst)/4, 8-part
	i := 0
	for ; 2*i+noiseSide <= n; i += pairs { // a constant length, which avoids bounds checks
		a, b := (*[pairs]uint64)(upper.rb[i:]), (*[pairs]uint64)(lower.rb[i:])
		e, f := (*[pairs]uint64)(upper.ga[i:]), (*[pairs]uint64)(lower.ga[i:])
		d := (*[4 * noiseSide]uint8)(dst[8*i:])
		for k := range round {
			rb := a[k]*keep + b[k]*part + round[k]
			ga := e[k]*keep + f[k]*part + round[k]
			binary.LittleEndian.PutUint64(d[8*k:8*k+8:8*k+8], rb>>8&lowLanes|ga&^lowLanes)
		}
	}
	for ; 2*i+2 <= n; i++ {
		binary.LittleEndian.PutUint64(dst[8*i:], mix(i, keep, part, round[i%pairs]))
	}
	if 2*i < n {
		binary.LittleEndian.PutUint32(dst[8*i:], uint32(mix(i, keep, part, round[i%pairs])))
	}
}

// columns computes what each column of a canvas shows.
func (g Lit) columns(w int) []litColumn {
	columns := make([]litColumn, w)
	for i := range columns {
		x := float64(i) + .5
		if g.Mirror {
			x = float64(w-1-i) + .5
		}
		col := &columns[i]
		from := x
		if glass := g.Glass; glass != nil {
			var edge bool
			if from, edge = glass.behind(x); edge {
				col.edge = int32(glass.Edge.A) * (litFull / 255)
			}
			col.ink = int32(easedAlphaAt(glass.Scrim, x)*litFull + .5)
		}
		at := from/lightCell - .5 + lightMargin
		at = min(max(at, 0), float64(g.Light.cols)-1.01)
		col.at = int32(at)
		col.part = uint32((at-float64(col.at))*8 + .5)
	}
	return columns
}

// easedAlphaAt is alphaAt without corners.
func easedAlphaAt(stops []AlphaStop, t float64) float64 {
	for i, s := range stops {
		if t < s.At && i > 0 {
			p := stops[i-1]
			return p.Alpha + (s.Alpha-p.Alpha)*Ease((t-p.At)/(s.At-p.At))
		}
	}
	return alphaAt(stops, t)
}

// row enlarges a row of the light along x.
func (g Lit) row(dst litLine, j int, columns []litColumn) {
	src := g.Light.pix[min(j, g.Light.rows-1)*g.Light.cols:][:g.Light.cols]
	var ink, edge color.NRGBA
	if g.Glass != nil {
		ink, edge = g.Glass.Ink, g.Glass.Edge
	}
	for x := range columns {
		col := &columns[x]
		v := (src[col.at]*uint64(8-col.part) + src[col.at+1]*uint64(col.part)) >> 3 & litLanes
		if col.edge != 0 {
			v = mixLanes(v, edge, col.edge)
		}
		if col.ink != 0 {
			v = mixLanes(v, ink, col.ink)
		}
		const lane, opaque = 1<<16 - 1, 255 * lightLevel << 16
		rb, ga := v&lane|v>>16&(lane<<16), v>>16&lane|opaque
		if x%2 == 0 {
			dst.rb[x/2], dst.ga[x/2] = rb, ga
		} else {
			dst.rb[x/2] |= rb << 32
			dst.ga[x/2] |= ga << 32
		}
	}
}

// mixLanes mixes an ink into a cell, in parts of 65536.
func mixLanes(v uint64, ink color.NRGBA, part int32) uint64 {
	mix := func(v uint64, ink uint8) uint64 {
		have := int32(v & 0x1fff)
		return uint64(have + (int32(ink)*lightLevel-have)*part>>16)
	}
	return mix(v, ink.R) | mix(v>>16, ink.G)<<16 | mix(v>>32, ink.B)<<32
}

// ScrimAlong draws an ink over a rectangle with an opacity for each of its columns or, if down is set, of its rows.
// Opacities are 0 to 255.
func (c *Canvas) ScrimAlong(r image.Rectangle, down bool, ink color.NRGBA, opacity []uint8) {
	if !sane(r) || r.Dx() > maxSide || r.Dy() > maxSide {
		return
	}
	b, same := c.softBrush(ink), make([]uint8, r.Dx())
	for y := max(r.Min.Y, c.clip.Min.Y); y < min(r.Max.Y, c.clip.Max.Y); y++ {
		if !down {
			c.row(y, r.Min.X, opacity[:r.Dx()], b)
		} else if v := opacity[y-r.Min.Y]; v > 0 {
			set(same, v)
			c.row(y, r.Min.X, same, b)
		}
	}
}

// reflected returns the position in a row for at, mirrored at its ends.
func reflected(at, w int) int {
	if at < 0 {
		at = -1 - at
	}
	if at >= w {
		at = 2*w - 1 - at
	}
	return min(max(at, 0), w-1)
}

// flute shows a plate through flutes. Beyond the edge of the card they show the picture mirrored: repeating a single
// column would produce a stripe in each row.
func (p *Plate) flute(f Flutes, mirror bool) {
	from, edges := make([]int, p.w), make([]uint8, p.w)
	for i := range from {
		x := i
		if mirror {
			x = p.w - 1 - i
		}
		at, edge := f.behind(float64(x) + .5)
		from[i] = reflected(int(at), p.w)
		if mirror {
			from[i] = p.w - 1 - from[i]
		}
		if edge {
			edges[i] = f.Edge.A
		}
	}
	row := make([]uint8, 4*p.w)
	for y := range p.h {
		dst := p.pix[4*y*p.w:][:4*p.w]
		copy(row, dst)
		for i, at := range from {
			d, s, a := dst[4*i:4*i+4:4*i+4], row[4*at:4*at+4:4*at+4], uint32(edges[i])
			d[0] = uint8(div255(uint32(s[0])*(255-a) + uint32(f.Edge.R)*a))
			d[1] = uint8(div255(uint32(s[1])*(255-a) + uint32(f.Edge.G)*a))
			d[2] = uint8(div255(uint32(s[2])*(255-a) + uint32(f.Edge.B)*a))
		}
	}
}
