package paint

import (
	"image"

	"github.com/golang/freetype/raster"
	"golang.org/x/image/math/fixed"
)

// Sheets is paper in layers, each with an opening that shows the next layer and casts a shadow on it.
type Sheets struct {
	// Openings are the closed outlines of the holes, starting with the uppermost sheet. No hole shows what a sheet above
	// it covers.
	Openings [][][2]float64
	// Sigma is the softness of the shadows, in pixels; they are offset by DX, DY.
	Sigma  float64
	DX, DY int
	// Steps is the number of shades of a sheet, from full light to full shadow: Openings times Steps is at most
	// [MaxLevels].
	Steps int
}

// shadowScale is the factor by which shadows are reduced for blurring: they are much softer than that.
const shadowScale = 4

// Levels draws the sheets within a rectangle. What is seen through the n-th opening (from 0) has the shades n·Steps+1
// (in full light) to (n+1)·Steps; the uppermost sheet is transparent.
func (s Sheets) Levels(r image.Rectangle) *Levels {
	l := newFigure(r)
	clear(l.pix)
	hole, above := takeMask(r), takeMask(r)
	for n, outline := range s.Openings {
		fillPolygon(hole, outline)
		if n == 0 {
			s.lay(l, hole, nil, n)
		} else {
			multiply(hole.Pix, above.Pix)
			s.lay(l, hole, above, n)
		}
		hole, above = above, hole
	}
	giveMask(hole)
	giveMask(above)
	return l.levels()
}

// fillPolygon draws the coverage of a polygon over a whole mask: like gg, but without a picture, which takes four times
// the memory.
func fillPolygon(m *image.Alpha, corners [][2]float64) {
	point := func(p [2]float64) fixed.Point26_6 {
		const unit = 1 << 6
		return fixed.Point26_6{
			X: fixed.Int26_6((p[0] - float64(m.Rect.Min.X)) * unit), Y: fixed.Int26_6((p[1] - float64(m.Rect.Min.Y)) * unit),
		}
	}
	clear(m.Pix)
	r := raster.NewRasterizer(m.Rect.Dx(), m.Rect.Dy())
	r.UseNonZeroWinding = true
	r.Start(point(corners[0]))
	for _, p := range corners[1:] {
		r.Add1(point(p))
	}
	r.Add1(point(corners[0]))
	r.Rasterize(raster.AlphaSrcPainter{Image: &image.Alpha{Pix: m.Pix, Stride: m.Stride, Rect: m.Rect.Sub(m.Rect.Min)}})
}

// lay draws what is seen through a hole, with the shadow of its edge; above is the hole over it, or nil.
func (s Sheets) lay(l *figure, hole, above *image.Alpha, n int) {
	w, h := l.rect.Dx(), l.rect.Dy()
	dark, dw, dh := s.shadow(hole)
	columns := make([]sample, w)
	for x := range columns {
		columns[x] = sampleAt(x-s.DX, dw)
	}
	for y := range h {
		row := sampleAt(y-s.DY, dh)
		upper, lower := dark[row.at*dw:][:dw], dark[row.next*dw:][:dw]
		cover := hole.Pix[y*hole.Stride:][:w]
		for x, c := range cover {
			if c == 0 {
				continue
			}
			k := columns[x]
			a := int(upper[k.at])*(shadowUnit-k.part) + int(upper[k.next])*k.part
			b := int(lower[k.at])*(shadowUnit-k.part) + int(lower[k.next])*k.part
			v := a*(shadowUnit-row.part) + b*row.part
			shade := uint8(n*s.Steps+1) + uint8((v*(s.Steps-1)+127*shadowUnit*shadowUnit)/(255*shadowUnit*shadowUnit))
			at := y*w + x
			if above != nil && above.Pix[at] < 255 { // at both edges: the larger visible part counts
				if 2*int(c) > int(above.Pix[at]) {
					l.pix[at] = shade
				}
				continue
			}
			if c < 255 {
				l.edges = append(l.edges, levelEdge{at: int32(at), under: l.pix[at], cover: c})
			}
			l.pix[at] = shade
		}
	}
}

// shadowUnit is one step of the reduced picture, in units of interpolation.
const shadowUnit = 2 * shadowScale

// sample is a position between two pixels of a reduced picture.
type sample struct{ at, next, part int }

// sampleAt returns the position of the center of pixel x among n reduced ones, of which the outermost continue
// infinitely.
func sampleAt(x, n int) sample {
	v := max(2*x+1-shadowScale, 0)
	at := min(v/shadowUnit, n-1)
	return sample{at: at, next: min(at+1, n-1), part: v % shadowUnit}
}

// shadow returns the blurred coverage of the surroundings of a hole, in a reduced size.
func (s Sheets) shadow(hole *image.Alpha) (dark []uint8, w, h int) {
	w, h = (hole.Rect.Dx()+shadowScale-1)/shadowScale, (hole.Rect.Dy()+shadowScale-1)/shadowScale
	dark = make([]uint8, w*h)
	for y := range h {
		row := hole.Pix[min(y*shadowScale+shadowScale/2, hole.Rect.Dy()-1)*hole.Stride:][:hole.Rect.Dx()]
		for x := range w {
			part := row[x*shadowScale : min((x+1)*shadowScale, len(row))]
			sum := 0
			for _, v := range part {
				sum += int(v)
			}
			dark[y*w+x] = uint8(255 - sum/len(part))
		}
	}
	blur(dark, w, h, 1, s.Sigma/shadowScale)
	return dark, w, h
}
