package paint

import (
	"hash/maphash"
	"image"
	"image/color"
	"math"
	"unsafe"

	"masthead/render/cache"
)

// Plate is a picture prepared as the background of a card: cropped, scaled and toned, with its measurements. It is
// shared and immutable. Create it with [NewPlate].
type Plate struct {
	w, h int
	pix  []uint8 // RGBA, opaque

	// Cells are of 4×4 pixels.
	cols, rows int
	cells      []Cell
	soft       []uint8 // RGBA of each cell, blurred
	light      float64 // mean luma, 0 to 1
}

// Image returns the pixels of the plate. They are shared and must not be changed.
func (p *Plate) Image() *image.NRGBA {
	return &image.NRGBA{Pix: p.pix, Stride: 4 * p.w, Rect: image.Rect(0, 0, p.w, p.h)}
}

// Cell has the measurements of 4×4 pixels of a plate.
type Cell struct {
	Mean     color.NRGBA
	Soft     color.NRGBA // of the blurred picture
	Luma     uint8       // of the mean
	Low      uint8       // luma of the darkest pixel
	High     uint8       // and of the lightest
	Variance float32     // of luma, 0 to 1
}

// CellSide is the side of a cell in pixels.
const CellSide = 4

// PlateSpec says how a picture is prepared. It is comparable.
type PlateSpec struct {
	W, H int
	// AtX and AtY select the part to keep of a picture with other proportions: 0 is the left or upper end, 1 the other.
	AtX, AtY float64
	Tone     Tone
	// Under shows through a picture that is clear in parts; the zero value is a medium gray.
	Under color.NRGBA
	// Softness is the factor by which the picture is reduced and enlarged again, which removes its detail; 1 or less means
	// none.
	Softness float64
	// Flutes are those of a glass in front of the picture; Mirror means that it is at the right edge.
	Flutes Flutes
	Mirror bool
	// Once means that the plate isn't cached or measured, because what is drawn from it is cached.
	Once bool
}

// blurSigma is the blur of the picture under text on a busy part of it, in pixels.
const blurSigma = 12

// plateKey is a picture and its spec. Pictures are identified by a hash with a secret seed: two in the cache collide
// with a probability of 2^-64.
type plateKey struct {
	sum  uint64
	size image.Point
	spec PlateSpec
}

// plates caches what is drawn again: a card whose text was edited, and the sizes and templates of one picture. One for
// a share image takes 3.7 MB, one for a hero 7.
var plates = cache.NewPart(cache.Layers, func(_ plateKey, p *Plate) int {
	return len(p.pix) + len(p.soft) + int(unsafe.Sizeof(Cell{}))*len(p.cells)
})

// NewPlate returns the plate of a picture, from the cache if there is one.
func NewPlate(img image.Image, s PlateSpec) *Plate {
	if s.Once {
		return newPlate(img, s, 0, false)
	}
	sum, ok := SumOf(img)
	return newPlate(img, s, sum, ok)
}

// newPlate is NewPlate for a picture with a known hash.
func newPlate(img image.Image, s PlateSpec, sum uint64, ok bool) *Plate {
	s.W, s.H = min(max(s.W, CellSide), maxSide), min(max(s.H, CellSide), maxSide)
	if s.Once {
		return makePlate(img, s)
	}
	key := plateKey{sum, img.Bounds().Size(), s}
	if ok {
		if p, found := plates.Get(key); found {
			return p
		}
	}
	p := makePlate(img, s)
	if ok {
		plates.Put(key, p)
	}
	return p
}

// SumOf returns a hash of the pixels of a picture, valid for the lifetime of the program; ok is false for an image type
// with an unknown memory layout.
func SumOf(img image.Image) (sum uint64, ok bool) {
	var h maphash.Hash
	h.SetSeed(keySeed)
	rows := func(pix []uint8, offset, stride, n, count int) {
		if n == stride {
			_, _ = h.Write(pix[offset : offset+n*count])
			return
		}
		for y := range count {
			_, _ = h.Write(pix[offset+y*stride:][:n])
		}
	}
	b := img.Bounds()
	switch p := img.(type) {
	case *image.NRGBA:
		_ = h.WriteByte(1)
		rows(p.Pix, p.PixOffset(b.Min.X, b.Min.Y), p.Stride, 4*b.Dx(), b.Dy())
	case *image.RGBA:
		_ = h.WriteByte(2)
		rows(p.Pix, p.PixOffset(b.Min.X, b.Min.Y), p.Stride, 4*b.Dx(), b.Dy())
	case *image.YCbCr:
		_ = h.WriteByte(3 + byte(p.SubsampleRatio))
		sx, sy := subsampling(p.SubsampleRatio)
		rows(p.Y, p.YOffset(b.Min.X, b.Min.Y), p.YStride, b.Dx(), b.Dy())
		for _, pix := range [2][]uint8{p.Cb, p.Cr} {
			rows(pix, p.COffset(b.Min.X, b.Min.Y), p.CStride, (b.Dx()+sx-1)/sx, (b.Dy()+sy-1)/sy)
		}
	default:
		return 0, false
	}
	return h.Sum64(), true
}

func makePlate(img image.Image, s PlateSpec) *Plate {
	p := &Plate{w: s.W, h: s.H}
	size := img.Bounds().Size()
	if size.X < 1 || size.Y < 1 {
		p.pix = make([]uint8, 4*p.w*p.h)
		fill32(p.pix, color.NRGBA{A: 255})
	} else {
		c := coverCrop(size.X, size.Y, p.w, p.h, s.AtX, s.AtY)
		if s.Under.A == 0 {
			s.Under = color.NRGBA{R: 128, G: 128, B: 128, A: 255}
		}
		p.pix = scaleCrop(img, c, p.w, p.h, s.Under)
	}
	if s.Softness > 1 {
		p.soften(s.Softness)
	}
	s.Tone.apply(p.pix)
	if s.Flutes.Width > 0 {
		p.flute(s.Flutes, s.Mirror)
	}
	if !s.Once {
		p.measure()
	}
	return p
}

// soften removes the detail of a plate.
func (p *Plate) soften(times float64) {
	w, h := max(int(float64(p.w)/times), 2), max(int(float64(p.h)/times), 2)
	small := make([]uint8, 4*w*h)
	whole := crop{w: float64(p.w), h: float64(p.h)}
	scaleRGBA(small, p.pix, 4*p.w, image.Pt(p.w, p.h), whole, w, h)
	scaleRGBA(p.pix, small, 4*w, image.Pt(w, h), crop{w: float64(w), h: float64(h)}, p.w, p.h)
}

// measure measures and blurs the cells.
func (p *Plate) measure() {
	p.cols, p.rows = (p.w+CellSide-1)/CellSide, (p.h+CellSide-1)/CellSide
	p.cells, p.soft = make([]Cell, p.cols*p.rows), make([]uint8, 4*p.cols*p.rows)
	for j := range p.rows {
		for i := range p.cols {
			c := p.cell(i, j)
			p.cells[j*p.cols+i] = c
			p.light += float64(c.Luma) / float64(255*p.cols*p.rows)
			d := p.soft[4*(j*p.cols+i):]
			d[0], d[1], d[2], d[3] = c.Mean.R, c.Mean.G, c.Mean.B, 255
		}
	}
	blur(p.soft, p.cols, p.rows, 4, blurSigma/CellSide)
	for i := range p.cells {
		d := p.soft[4*i:]
		p.cells[i].Soft = color.NRGBA{R: d[0], G: d[1], B: d[2], A: 255}
	}
}

// cell measures 4×4 pixels, fewer at the lower and right edges.
func (p *Plate) cell(i, j int) Cell {
	c := Cell{Low: 255}
	var r, g, b, n, sum, squares uint32
	for y := CellSide * j; y < min(CellSide*(j+1), p.h); y++ {
		x0, x1 := CellSide*i, min(CellSide*(i+1), p.w)
		row := p.pix[4*(y*p.w+x0) : 4*(y*p.w+x1)]
		for k := 0; k+3 < len(row); k += 4 {
			q := row[k : k+4 : k+4]
			l := luma(q)
			c.Low, c.High = min(c.Low, l), max(c.High, l)
			r, g, b, n = r+uint32(q[0]), g+uint32(q[1]), b+uint32(q[2]), n+1
			sum, squares = sum+uint32(l), squares+uint32(l)*uint32(l)
		}
	}
	c.Mean = color.NRGBA{R: uint8((r + n/2) / n), G: uint8((g + n/2) / n), B: uint8((b + n/2) / n), A: 255}
	c.Luma = luma([]uint8{c.Mean.R, c.Mean.G, c.Mean.B})
	c.Variance = (float32(squares) - float32(sum)*float32(sum)/float32(n)) / float32(n) / (255 * 255)
	return c
}

// Cells calls use for each cell that touches a rectangle of the plate, with the cell's center.
func (p *Plate) Cells(r image.Rectangle, use func(x, y int, c *Cell)) {
	r = r.Intersect(image.Rect(0, 0, p.w, p.h))
	for j := r.Min.Y / CellSide; j*CellSide < r.Max.Y; j++ {
		for i := r.Min.X / CellSide; i*CellSide < r.Max.X; i++ {
			use(i*CellSide+CellSide/2, j*CellSide+CellSide/2, &p.cells[j*p.cols+i])
		}
	}
}

// EveryOther calls use, like Cells, for every other cell, as on a chessboard, until it returns false.
func (p *Plate) EveryOther(r image.Rectangle, use func(x, y int, c *Cell) bool) {
	r = r.Intersect(image.Rect(0, 0, p.w, p.h))
	for j := r.Min.Y / CellSide; j*CellSide < r.Max.Y; j++ {
		i := r.Min.X / CellSide
		for i += (i + j) % 2; i*CellSide < r.Max.X; i += 2 {
			if !use(i*CellSide+CellSide/2, j*CellSide+CellSide/2, &p.cells[j*p.cols+i]) {
				return
			}
		}
	}
}

// CountEveryOther returns how many cells [Plate.EveryOther] visits.
func (p *Plate) CountEveryOther(r image.Rectangle) int {
	r = r.Intersect(image.Rect(0, 0, p.w, p.h))
	if r.Empty() {
		return 0
	}
	i, j := r.Min.X/CellSide, r.Min.Y/CellSide
	columns, rows := (r.Max.X-1)/CellSide-i+1, (r.Max.Y-1)/CellSide-j+1
	return (columns*rows + 1 - (i+j)%2) / 2
}

// Light returns the mean luma of the plate, 0 to 1.
func (p *Plate) Light() float64 { return p.light }

// Deviation returns the standard deviation of light in a rectangle of the plate, 0 to .5.
func (p *Plate) Deviation(r image.Rectangle) float64 {
	var n, sum, squares, within float64
	p.Cells(r, func(_, _ int, c *Cell) {
		l := float64(c.Luma) / 255
		n, sum, squares, within = n+1, sum+l, squares+l*l, within+float64(c.Variance)
	})
	if n == 0 {
		return 0
	}
	return math.Sqrt(max(squares/n-sum*sum/n/n+within/n, 0))
}
