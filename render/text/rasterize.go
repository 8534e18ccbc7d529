package text

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/vector"
)

// rasterizer fills outlines, with exact area coverage. The zero value is ready.
type rasterizer struct {
	vector vector.Rasterizer
}

// maxTile is the side up to which the rasterizer works in integers; above it is thirty times slower. It clips what is
// outside, so large letters are drawn in tiles.
const maxTile = 512

// draw fills an outline in font units, scaled to pixels and moved by ox and oy, on all of dst, where y points down.
func (r *rasterizer) draw(dst *image.Alpha, segments []opentype.Segment, scale, ox, oy float32) {
	w, h := dst.Rect.Dx(), dst.Rect.Dy()
	for y := 0; y < h; y += maxTile {
		for x := 0; x < w; x += maxTile {
			tile := image.Rect(x, y, min(x+maxTile, w), min(y+maxTile, h))
			r.vector.Reset(tile.Dx(), tile.Dy())
			r.vector.DrawOp = draw.Src
			r.trace(segments, scale, ox-float32(x), oy-float32(y))
			r.vector.Draw(dst, tile, opaque, image.Point{})
		}
	}
}

// trace passes an outline in font units to x/image/vector, as lines.
func (r *rasterizer) trace(segments []opentype.Segment, scale, ox, oy float32) {
	var x, y float32 // the pen
	for _, s := range segments {
		ax, ay := ox+s.Args[0].X*scale, oy-s.Args[0].Y*scale
		bx, by := ox+s.Args[1].X*scale, oy-s.Args[1].Y*scale
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			r.vector.ClosePath()
			r.vector.MoveTo(ax, ay)
			x, y = ax, ay
		case opentype.SegmentOpLineTo:
			r.line(x, y, ax, ay)
			x, y = ax, ay
		case opentype.SegmentOpQuadTo:
			r.curve(x, y, ax, ay, bx, by)
			x, y = bx, by
		case opentype.SegmentOpCubeTo: // in CFF faces only; none is embedded
			x, y = ox+s.Args[2].X*scale, oy-s.Args[2].Y*scale
			r.vector.CubeTo(ax, ay, bx, by, x, y)
		}
	}
	r.vector.ClosePath()
}

const (
	// maxRows is the maximum height in pixels of a line passed to x/image/vector. It steps down a line with a slope in
	// 1/1024 px, so that the end of a long diagonal would be off by a visible part of a pixel.
	maxRows = 12
	// flatness is the maximum distance of a chord from its curve, in px.
	flatness = .01
)

// line adds a line in pieces of at most maxRows.
func (r *rasterizer) line(x0, y0, x1, y1 float32) {
	n := int(max(y1-y0, y0-y1)/maxRows) + 1
	for i := 1; i < n; i++ {
		t := float32(i) / float32(n)
		r.vector.LineTo(x0+t*(x1-x0), y0+t*(y1-y0))
	}
	r.vector.LineTo(x1, y1)
}

// curve adds a quadratic curve as chords, whose distance from it decreases with the square of their number.
func (r *rasterizer) curve(x0, y0, x1, y1, x2, y2 float32) {
	bend := math.Hypot(float64(x0-2*x1+x2), float64(y0-2*y1+y2)) / 4
	n := int(math.Sqrt(bend/flatness)) + 1
	px, py := x0, y0
	for i := 1; i <= n; i++ {
		t := float32(i) / float32(n)
		u := 1 - t
		x, y := u*u*x0+2*u*t*x1+t*t*x2, u*u*y0+2*u*t*y1+t*t*y2
		r.line(px, py, x, y)
		px, py = x, y
	}
}

var opaque = image.NewUniform(color.Opaque)
