package text

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-text/typesetting/font/opentype"
)

// corner is a place on a pixel grid.
type corner struct{ x, y float64 }

// clipped returns what of a polygon lies where inside is at least 0; inside is linear.
func clipped(polygon []corner, inside func(c corner) float64) (out []corner) {
	for i, b := range polygon {
		a := polygon[(i+len(polygon)-1)%len(polygon)]
		p, q := inside(a), inside(b)
		if (p < 0) != (q < 0) {
			part := p / (p - q)
			out = append(out, corner{a.x + part*(b.x-a.x), a.y + part*(b.y-a.y)})
		}
		if q >= 0 {
			out = append(out, b)
		}
	}
	return out
}

// area returns the signed area of a polygon.
func area(polygon []corner) (sum float64) {
	for i, b := range polygon {
		a := polygon[(i+len(polygon)-1)%len(polygon)]
		sum += (a.x*b.y - b.x*a.y) / 2
	}
	return sum
}

// TestRasterizer_tiles_areTheAreaOfTheOutline compares outlines that are larger than a tile with the area that they
// have in each pixel, in the rows along the seams of tiles and in every 37th. The rasterizer works in 1/512 px and has
// slopes in 1/1024 px: up to eight levels of 255.
func TestRasterizer_tiles_areTheAreaOfTheOutline(t *testing.T) {
	const w, h = 2*maxTile + 70, maxTile + 90
	random := rand.New(rand.NewPCG(3, 9))
	for round := range 12 {
		polygon := []corner{{-30, -40}, {w + 20, 13}, {w - 90, h + 60}, {300, h - 7}} // across all seams, and cut
		if round > 0 {
			middle := corner{maxTile * (.4 + 1.2*random.Float64()), maxTile * (.3 + .8*random.Float64())}
			polygon = polygon[:0]
			for i := range 3 + round/2 {
				sin, cos := math.Sincos(2 * math.Pi * (float64(i) + random.Float64()) / float64(3+round/2))
				far := 20 + 700*random.Float64()
				polygon = append(polygon, corner{math.Round(8*(middle.x+far*cos)) / 8, math.Round(8*(middle.y+far*sin)) / 8})
			}
		}
		segments := make([]opentype.Segment, len(polygon)+1)
		for i := range segments {
			c := polygon[i%len(polygon)] // fonts close their outlines
			segments[i].Op = opentype.SegmentOpLineTo
			segments[i].Args[0] = opentype.SegmentPoint{X: float32(c.x), Y: -float32(c.y)} // y of outlines runs up
		}
		segments[0].Op = opentype.SegmentOpMoveTo
		dst := image.NewAlpha(image.Rect(0, 0, w, h))
		for i := range dst.Pix {
			dst.Pix[i] = 99 // what was there is replaced
		}
		new(rasterizer).draw(dst, segments, 1, 0, 0)
		atSeam := func(v int) bool { return v%37 == 0 || (v+2)%maxTile < 4 }
		for y := range h {
			if !atSeam(y) {
				continue
			}
			row := clipped(polygon, func(c corner) float64 { return c.y - float64(y) })
			row = clipped(row, func(c corner) float64 { return float64(y+1) - c.y })
			for x := range w {
				cell := clipped(row, func(c corner) float64 { return c.x - float64(x) })
				cell = clipped(cell, func(c corner) float64 { return float64(x+1) - c.x })
				want := 255 * math.Abs(area(cell))
				if got := float64(dst.AlphaAt(x, y).A); math.Abs(got-want) > 8 {
					t.Fatalf("round %d: %d,%d of %v is covered by %v, want %.2f", round, x, y, polygon, got, want)
				}
			}
		}
	}
}
