package paint

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"

	"masthead/render/palette"
)

// Mesh is a ground of blurred discs that melt into one another, mixed in OKLab and rounded by blue noise. Cards that
// have it become JPEG; so everything soft that is drawn over it is dithered too.
type Mesh struct {
	Base  color.NRGBA // opaque, below all discs
	Sigma float64     // of the blur, in pixels; 110 at 1200×630
	Blobs []Blob      // from back to front
}

// Blob is one disc of a mesh; the alpha of its colour counts.
type Blob struct {
	X, Y, R float64
	Color   color.NRGBA
}

func (m Mesh) flat() bool { return false }

// meshCell is the side of the squares on whose corners the mesh is computed; between them it is interpolated. A blur of
// 110 px has no detail that eight pixels would lose.
const meshCell = 8

func (m Mesh) paint(c *Canvas, r image.Rectangle) {
	c.dither = true
	w, h := r.Dx()/meshCell+2, r.Dy()/meshCell+2
	grid := m.grid(r, w, h)
	line := make([][3]int32, w) // one row of pixels at the columns of the grid, in 16.16 fixed point
	for y := range r.Dy() {
		top, f := y/meshCell*w, int32(y%meshCell)
		for i := range line {
			p, q := &grid[top+i], &grid[top+w+i]
			for ch := range 3 {
				line[i][ch] = p[ch] + (q[ch]-p[ch])/meshCell*f
			}
		}
		noise := noiseRow(r.Min.Y + y)
		dst := c.rgba.Pix[4*((r.Min.Y+y)*c.w+r.Min.X):][:4*r.Dx()]
		for i := 0; len(dst) > 0; i++ {
			p, q := line[i], line[i+1]
			p0, p1, p2 := uint32(p[0]), uint32(p[1]), uint32(p[2]) // differences wrap round, which is right
			d0, d1, d2 := uint32((q[0]-p[0])/meshCell), uint32((q[1]-p[1])/meshCell), uint32((q[2]-p[2])/meshCell)
			x := r.Min.X + i*meshCell
			for k := range min(meshCell, len(dst)/4) {
				n := uint32(noise[(x+k)%noiseSide]) << 8
				binary.LittleEndian.PutUint32(dst[4*k:], (p0+n)>>16|(p1+n)>>16<<8|(p2+n)&0xff0000|0xff<<24)
				p0, p1, p2 = p0+d0, p1+d1, p2+d2
			}
			dst = dst[4*min(meshCell, len(dst)/4):]
		}
	}
}

// grid computes the mesh on the corners of the cells. Channels are in 16.16 fixed point.
func (m Mesh) grid(r image.Rectangle, w, h int) [][3]int32 {
	base := palette.ToLab(m.Base)
	colors := make([]palette.Lab, len(m.Blobs))
	for i, b := range m.Blobs {
		colors[i] = palette.ToLab(b.Color)
	}
	edge := newBlurredEdge(m.Sigma)
	grid := make([][3]int32, w*h)
	for i := range grid {
		x, y := float64(r.Min.X+i%w*meshCell)+.5, float64(r.Min.Y+i/w*meshCell)+.5
		p := base
		for k, b := range m.Blobs {
			// The blur of a disc is that of a straight edge, drawn in by the curvature of its rim.
			d := math.Sqrt((x-b.X)*(x-b.X)+(y-b.Y)*(y-b.Y)) + edge.sigma*edge.sigma/(2*max(b.R, 1))
			a := edge.coverage(b.R-d) * float64(b.Color.A) / 255
			q := colors[k]
			p.L, p.A, p.B = p.L+(q.L-p.L)*a, p.A+(q.A-p.A)*a, p.B+(q.B-p.B)*a
		}
		cr, cg, cb := p.SRGB()
		grid[i] = [3]int32{int32(cr * 65536), int32(cg * 65536), int32(cb * 65536)}
	}
	return grid
}

// blurredEdge is a straight edge after a Gaussian blur.
type blurredEdge struct {
	sigma float64
	table [257]float64 // from -4 sigma to 4 sigma
}

func newBlurredEdge(sigma float64) *blurredEdge {
	if !(sigma > .1) {
		sigma = .1
	}
	s := &blurredEdge{sigma: sigma}
	for i := range s.table {
		s.table[i] = .5 + .5*math.Erf((float64(i)/32-4)/math.Sqrt2)
	}
	return s
}

// coverage returns how much is covered at a distance inside the edge.
func (s *blurredEdge) coverage(inside float64) float64 {
	v := (inside/s.sigma + 4) * 32
	if !(v > 0) {
		return 0
	}
	if v >= 256 {
		return 1
	}
	i := int(v)
	return s.table[i] + (s.table[i+1]-s.table[i])*(v-float64(i))
}
