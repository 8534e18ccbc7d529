package paint

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"

	"masthead/render/cache"
)

// veilStep is the distance between the nodes of a [Veil] in pixels. Values in between are interpolated.
const veilStep = 8

// Veil says how much of a picture is covered, and where it is blurred, by nodes 8 pixels apart. With zero opacity
// everything is visible.
type Veil struct {
	w, h       int // of the canvas
	cols, rows int
	cover      []float32    // opacity of the ink, 0 to 1
	blur       []float32    // visibility of the blurred picture, 0 to 1
	blurs      bool         // any of it is visible
	tint       [][3]float32 // of the ink, by row of nodes and channel; see Tint
}

// NewVeil returns a veil for a canvas of w×h pixels that covers nothing.
func NewVeil(w, h int) *Veil {
	v := &Veil{w: w, h: h, cols: w/veilStep + 2, rows: h/veilStep + 2}
	v.cover, v.blur = make([]float32, v.cols*v.rows), make([]float32, v.cols*v.rows)
	return v
}

// Clone returns a copy.
func (v *Veil) Clone() *Veil {
	c := *v
	c.cover, c.blur = append([]float32(nil), v.cover...), append([]float32(nil), v.blur...)
	return &c
}

// Cover adds ink over what is still visible, with the opacity that a function returns for each position.
func (v *Veil) Cover(r image.Rectangle, opacity func(x, y float64) float64) {
	v.lay(v.cover, r, opacity)
}

// Blur shows the blurred picture, with the opacity that a function returns for each position.
func (v *Veil) Blur(r image.Rectangle, opacity func(x, y float64) float64) {
	v.blurs = true
	v.lay(v.blur, r, opacity)
}

// lay calls a function for each node in a rectangle. Overlapping veils hide what each of them hides.
func (v *Veil) lay(nodes []float32, r image.Rectangle, opacity func(x, y float64) float64) {
	i0, i1, j0, j1 := v.within(r)
	for j := j0; j <= j1; j++ {
		for i := i0; i <= i1; i++ {
			a := float32(min(max(opacity(float64(i*veilStep), float64(j*veilStep)), 0), 1))
			at := &nodes[j*v.cols+i]
			*at += a * (1 - *at)
		}
	}
}

// within returns the nodes that affect a rectangle.
func (v *Veil) within(r image.Rectangle) (i0, i1, j0, j1 int) {
	return max(r.Min.X/veilStep, 0), min(r.Max.X/veilStep+1, v.cols-1),
		max(r.Min.Y/veilStep, 0), min(r.Max.Y/veilStep+1, v.rows-1)
}

// VeilShape is an opacity computed once for the nodes of a veil, to be applied in several strengths.
type VeilShape struct {
	within image.Rectangle
	nodes  []float32
}

// NewVeilShape computes the opacity, 0 to 1, that a function returns for each position in a rectangle.
func (v *Veil) NewVeilShape(r image.Rectangle, opacity func(x, y float64) float64) *VeilShape {
	i0, i1, j0, j1 := v.within(r)
	s := &VeilShape{within: r, nodes: make([]float32, 0, max((i1-i0+1)*(j1-j0+1), 0))}
	for j := j0; j <= j1; j++ {
		for i := i0; i <= i1; i++ {
			s.nodes = append(s.nodes, float32(min(max(opacity(float64(i*veilStep), float64(j*veilStep)), 0), 1)))
		}
	}
	return s
}

// CoverBy adds ink over what is still visible by a fraction of a shape.
func (v *Veil) CoverBy(s *VeilShape, part float64) {
	i0, i1, j0, j1 := v.within(s.within)
	n := i1 - i0 + 1
	for j := j0; j <= j1 && n > 0; j++ {
		row := v.cover[j*v.cols+i0:][:n]
		for i, a := range s.nodes[(j-j0)*n:][:n] {
			row[i] = covered(row[i], a, float32(part))
		}
	}
}

// covered returns the opacity of a node that is covered by a part of a shape. The conversion keeps the compiler from
// rounding it differently in different places.
func covered(node, a, part float32) float32 { return node + float32(a*part*(1-node)) }

// Trial makes t the veil covered by a fraction of a shape, as [Veil.Clone] and [Veil.CoverBy] do, only where it affects
// a rectangle: elsewhere t has no meaning. It shares what is blurred with the veil.
func (v *Veil) Trial(t *Veil, r image.Rectangle, s *VeilShape, part float64) {
	cover := t.cover
	if len(cover) != len(v.cover) {
		cover = make([]float32, len(v.cover))
	}
	*t = *v
	t.cover = cover
	i0, i1, j0, j1 := v.within(r)
	k0, k1, l0, l1 := v.within(s.within)
	for j := j0; j <= j1 && i0 <= i1; j++ {
		row := t.cover[j*v.cols:][:v.cols]
		copy(row[i0:i1+1], v.cover[j*v.cols+i0:])
		if j < l0 || j > l1 || k0 > k1 {
			continue
		}
		nodes := s.nodes[(j-l0)*(k1-k0+1):]
		for i := max(i0, k0); i <= min(i1, k1); i++ {
			row[i] = covered(row[i], nodes[i-k0], float32(part))
		}
	}
}

// At returns how much is covered at a position, and how much of the blurred picture is visible there.
func (v *Veil) At(x, y int) (cover, blur float64) {
	i, j := min(max(x/veilStep, 0), v.cols-2), min(max(y/veilStep, 0), v.rows-2)
	fx, fy := float32(x-i*veilStep)/veilStep, float32(y-j*veilStep)/veilStep
	between := func(nodes []float32) float64 {
		at := j*v.cols + i
		top := nodes[at] + (nodes[at+1]-nodes[at])*fx
		bottom := nodes[at+v.cols] + (nodes[at+v.cols+1]-nodes[at+v.cols])*fx
		return float64(top + (bottom-top)*fy)
	}
	if !v.blurs {
		return between(v.cover), 0
	}
	return between(v.cover), between(v.blur)
}

// Near returns an opacity that is one within rectangles and falls softly to zero over a distance around them: the shape
// of a veil behind lines of text. reach is the rectangle outside of which it is zero.
func Near(rects []image.Rectangle, distance float64) (opacity func(x, y float64) float64, reach image.Rectangle) {
	for _, r := range rects {
		reach = reach.Union(r.Inset(-int(distance) - 1))
	}
	return func(x, y float64) float64 {
		least := distance * distance
		for _, r := range rects {
			dx := max(float64(r.Min.X)-x, x-float64(r.Max.X), 0)
			dy := max(float64(r.Min.Y)-y, y-float64(r.Max.Y), 0)
			least = min(least, dx*dx+dy*dy)
		}
		return 1 - Ease(math.Sqrt(least)/distance)
	}, reach
}

// Ease goes from 0 to 1 with a soft start and end.
func Ease(t float64) float64 {
	t = min(max(t, 0), 1)
	return t * t * t * (t*(t*6-15) + 10)
}

// NewOver returns an RGBA canvas with a plate at a position, under a veil in an ink. The rest of the canvas has the ink
// alone. Fading parts are dithered by blue noise, since such a card will be a JPEG.
func NewOver(p *Plate, at image.Point, v *Veil, ink color.NRGBA) *Canvas {
	c := newCanvas(v.w, v.h)
	c.rgba = &image.RGBA{Pix: cache.Pixels.Take(4 * c.w * c.h), Stride: 4 * c.w, Rect: c.Bounds()}
	c.dither = true
	area := image.Rect(0, 0, p.w, p.h).Add(at).Intersect(c.Bounds())
	for y := range c.h {
		if dst := c.rgba.Pix[4*y*c.w:][:4*c.w]; area.Empty() || y < area.Min.Y || y >= area.Max.Y {
			fill32(dst, ink)
		} else {
			fill32(dst[:4*area.Min.X], ink)
			fill32(dst[4*area.Max.X:], ink)
		}
	}
	blurred, row, nodes := make([]uint32, c.w+veilStep), make([]uint8, 4*p.w), make([]int32, v.cols)
	var mix repeatedMix
	var tinted tintedMix
	for first := range min(noiseSide, area.Dy()) { // rows of the same noise follow each other
		mix.start(area.Min.Y + first)
		for y := area.Min.Y + first; y < area.Max.Y; y += noiseSide {
			src := p.pix[4*(y-at.Y)*p.w:][:4*p.w]
			if v.rowOf(nodes, v.blur, y) {
				spreadNodes(blurred, nodes)
				p.blendSoft(row, src, blurred[area.Min.X:area.Max.X], area.Min.X-at.X, y-at.Y)
				src = row
			}
			dst := c.rgba.Pix[4*(y*c.w+area.Min.X) : 4*(y*c.w+area.Max.X)]
			if src = src[4*(area.Min.X-at.X):]; !v.rowOf(nodes, v.cover, y) {
				copy(dst, src)
			} else if at := nodes[area.Min.X/veilStep]; v.tint != nil && at >= nearly {
				tinted.of(at, v.tintAt(y), ink, y)
				tinted.mix(dst, src, area.Min.X)
			} else if !mix.row(dst, src, nodes, area.Min.X, ink) {
				veilRow(c.rgba.Pix[4*y*c.w:4*(y*c.w+area.Max.X)], src, nodes, area.Min.X, ink, y)
			}
		}
	}
	return c
}

// Opacities in the rows of a veil.
const (
	full   = 1 << 16 // one
	nearly = 128     // this near to none or full, nothing is computed
)

// lanes are every other byte of a word.
const lanes = 0x00ff_00ff_00ff_00ff

// rowOf writes the opacity at each node for row y; any is false for a row without any.
func (v *Veil) rowOf(dst []int32, nodes []float32, y int) (any bool) {
	j, f := y/veilStep, (float32(y%veilStep)+.5)/veilStep
	upper, lower := nodes[j*v.cols:][:v.cols], nodes[(j+1)*v.cols:][:v.cols]
	var all int32
	for i, a := range upper {
		dst[i] = int32((a + (lower[i]-a)*f) * full)
		all |= dst[i]
	}
	return all != 0
}

// spreadNodes interpolates between nodes for each pixel.
func spreadNodes(dst []uint32, nodes []int32) {
	for i := 0; i+1 < len(nodes) && (i+1)*veilStep <= len(dst); i++ {
		step := (nodes[i+1] - nodes[i]) / veilStep
		a := nodes[i] + step/2
		for k := range dst[i*veilStep:][:veilStep] {
			dst[i*veilStep+k] = uint32(a)
			a += step
		}
	}
}

// veilRow draws an ink over a row of pixels starting at x0 of the canvas, and writes the result to dst, the row of the
// canvas. Opacities are those of nodes. Where everything or nothing is hidden, nothing is computed.
func veilRow(dst, src []uint8, nodes []int32, x0 int, ink color.NRGBA, y int) {
	whole := uint32(ink.R) | uint32(ink.G)<<8 | uint32(ink.B)<<16 | 255<<24
	noise, words := noiseRow(y), noiseWords(y)
	var m evenMix
	even := m.of(nodes[x0/veilStep:], whole, noise)
	for x := x0; 4*x < len(dst); {
		i := x / veilStep
		if n := len(dst)/4 - x; even && x%noiseSide == 0 && n >= noiseSide {
			n -= n % noiseSide
			m.mix(dst[4*x:4*(x+n)], src[4*(x-x0):])
			x += n
			continue
		}
		if x%veilStep == 0 {
			if n := mixCells(dst[4*x:], src[4*(x-x0):], nodes[i:], i, whole, words); n > 0 {
				x += n * veilStep
				continue
			}
		}
		end := min((i+1)*veilStep, len(dst)/4)
		left, right := nodes[i], nodes[i+1]
		d, s := dst[4*x:4*end], src[4*(x-x0):4*(end-x0)]
		switch {
		case left < nearly && right < nearly:
			copy(d, s)
		case left >= full-nearly && right >= full-nearly:
			for k := 0; k+4 <= len(d); k += 4 {
				binary.LittleEndian.PutUint32(d[k:], whole)
			}
		default:
			step := (right - left) / veilStep
			a := left + step/2 + step*int32(x-i*veilStep)
			mixRow(d, s[:len(d)], uint32(a), step, whole, noise[x%noiseSide:]) // a cell never crosses the end of the tile
		}
		x = end
	}
}

// evenMix mixes pixels with an ink by the same opacity: for two pixels of the tile of noise, how much they keep, and
// what is added to the channels in each of two words.
type evenMix [noiseSide / 2]struct{ keep, rb, ga uint64 }

// of makes m the mix for a row whose nodes are all the same, as those of a veil from the top or the bottom are. It
// returns false for other rows, and where nothing is computed.
func (m *evenMix) of(nodes []int32, ink uint32, noise []uint8) bool {
	a := nodes[0]
	if a < nearly || a >= full-nearly {
		return false
	}
	for _, other := range nodes {
		if other != a {
			return false
		}
	}
	both := uint64(ink) | uint64(ink)<<32
	for i := range m {
		t, u := uint64(noise[2*i]), uint64(noise[2*i+1])
		f := min((uint64(a)+t)>>8, 256)
		t = t*0x0001_0001 | u*0x0001_0001<<32
		m[i].keep, m[i].rb, m[i].ga = 256-f, both&lanes*f+t, both>>8&lanes*f+t
	}
	return true
}

// mix mixes pixels from the beginning of a tile on; there are as many as those of some tiles.
func (m *evenMix) mix(d, s []uint8) {
	for len(d) >= 4*noiseSide && len(s) >= 4*noiseSide {
		to, from := (*[4 * noiseSide]uint8)(d), (*[4 * noiseSide]uint8)(s)
		for i := range noiseSide / 2 {
			by := &m[i]
			p := binary.LittleEndian.Uint64(from[8*i:])
			rb, ga := p&lanes*by.keep+by.rb, p>>8&lanes*by.keep+by.ga
			binary.LittleEndian.PutUint64(to[8*i:], rb>>8&lanes|ga&^uint64(lanes)|0xff00_0000_ff00_0000)
		}
		d, s = d[4*noiseSide:], s[4*noiseSide:]
	}
}

// mixCells mixes the pixels of whole cells, the first of which is the ith of its row, up to one of which everything or
// nothing is hidden, and returns how many these are. Two pixels are mixed at once, half of their channels in each of
// two words.
func mixCells(d, s []uint8, nodes []int32, i int, ink uint32, noise *[noiseSide / 2]uint64) (n int) {
	both := uint64(ink) | uint64(ink)<<32
	inkRB, inkGA := both&lanes, both>>8&lanes
	for ; len(d) >= 4*veilStep && len(s) >= 4*veilStep && len(nodes) > 1; n++ {
		left, right := nodes[0], nodes[1]
		if left < nearly && right < nearly || left >= full-nearly && right >= full-nearly {
			return n
		}
		step := (right - left) / veilStep
		a := uint32(left + step/2)
		to, from := (*[4 * veilStep]uint8)(d), (*[4 * veilStep]uint8)(s)
		added := (*[veilStep / 2]uint64)(noise[(i+n)%(noiseSide/veilStep)*veilStep/2:])
		for k := range veilStep / 2 {
			p, t := binary.LittleEndian.Uint64(from[8*k:]), added[k]
			f := min((uint64(a)+t&0xffff)>>8, 256)
			rb, ga := p&lanes, p>>8&lanes
			// Lanes borrow from each other in the difference, and get it back in the sum.
			rb, ga = rb<<8+(inkRB-rb)*f+t, ga<<8+(inkGA-ga)*f+t
			binary.LittleEndian.PutUint64(to[8*k:], rb>>8&lanes|ga&^uint64(lanes)|0xff00_0000_ff00_0000)
			a += uint32(2 * step)
		}
		d, s, nodes = d[4*veilStep:], s[4*veilStep:], nodes[1:]
	}
	return n
}

// mixRow mixes a part of a cell with an ink, by an opacity that grows from pixel to pixel; two pixels share one.
func mixRow(d, s []uint8, a uint32, step int32, ink uint32, noise []uint8) {
	var f uint64
	for k := 0; 4*k < len(d); k++ {
		t := uint64(noise[k])
		if k%2 == 0 {
			f = min((uint64(a)+t)>>8, 256)
			a += uint32(2 * step)
		}
		p := spread(binary.LittleEndian.Uint32(s[4*k:]))*(256-f) + spread(ink)*f + t*0x0001_0001_0001_0001
		binary.LittleEndian.PutUint32(d[4*k:], pack(p)|255<<24)
	}
}

// spread expands each byte of a pixel to sixteen bits, so that all four are multiplied at once; pack combines their
// upper halves again.
func spread(p uint32) uint64 {
	v := uint64(p)
	v = (v | v<<16) & 0x0000_ffff_0000_ffff
	return (v | v<<8) & 0x00ff_00ff_00ff_00ff
}

func pack(v uint64) uint32 {
	v = v >> 8 & 0x00ff_00ff_00ff_00ff
	v = (v | v>>8) & 0x0000_ffff_0000_ffff
	return uint32(v | v>>16)
}

// blendSoft mixes a row of the plate with the blurred picture, by a weight for each pixel from x0 on.
func (p *Plate) blendSoft(dst, src []uint8, weight []uint32, x0, y int) {
	// The centers of cells are between pixels: (4i+1.5).
	fy := (float64(y)+.5)/CellSide - .5
	j := int(math.Floor(fy))
	down := uint64((fy - float64(j)) * 256)
	upper := p.soft[4*p.cols*min(max(j, 0), p.rows-1):][:4*p.cols]
	lower := p.soft[4*p.cols*min(max(j+1, 0), p.rows-1):][:4*p.cols]
	cell := func(i int) uint64 {
		i = 4 * min(max(i, 0), p.cols-1)
		a, b := spread(binary.LittleEndian.Uint32(upper[i:])), spread(binary.LittleEndian.Uint32(lower[i:]))
		return a*(256-down) + b*down
	}
	copy(dst, src)
	var left, right uint64
	last := -1
	for x := x0; x < min(p.w, x0+len(weight)); x++ {
		k := uint64(weight[x-x0] >> 8)
		if k == 0 {
			continue
		}
		// Pixels 4i-2 to 4i+1 are between the centers of cells i-1 and i.
		if i := (x + CellSide/2) / CellSide; i != last {
			left, right, last = cell(i-1), cell(i), i
		}
		f := uint64(2*((x+CellSide/2)%CellSide)+1) * 32 // out of 256
		s := (left>>8&lanes*(256-f) + right>>8&lanes*f) >> 8 & lanes
		d := spread(binary.LittleEndian.Uint32(src[4*x:]))
		binary.LittleEndian.PutUint32(dst[4*x:], pack(d*(256-k)+s*k))
	}
}
