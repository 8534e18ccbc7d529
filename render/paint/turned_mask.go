package paint

import (
	"image"
	"math"
)

// TurnMask returns the coverage of a shape rotated around a point, within a rectangle of the canvas. The mask of the
// shape is twice as large as it is drawn, like a picture of [Canvas.Turned]; at is where the origin of its coordinates
// is before the rotation.
func TurnMask(src *image.Alpha, at Point, t Turn, within image.Rectangle) *image.Alpha {
	r := turnedBox(src.Rect, at, t).Intersect(within)
	m := image.NewAlpha(r)
	back := Turn{X: t.X, Y: t.Y, Angle: -t.Angle}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p := back.Of(Point{X: float64(x) + .5, Y: float64(y) + .5})
			m.Pix[m.PixOffset(x, y)] = meanAround(src, fineness*(p.X-at.X), fineness*(p.Y-at.Y))
		}
	}
	return m
}

// turnedBox returns the pixels of the canvas that a part of a mask may cover.
func turnedBox(r image.Rectangle, at Point, t Turn) image.Rectangle {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range []image.Point{r.Min, r.Max, {r.Min.X, r.Max.Y}, {r.Max.X, r.Min.Y}} {
		q := t.Of(Point{X: at.X + float64(p.X)/fineness, Y: at.Y + float64(p.Y)/fineness})
		x0, y0, x1, y1 = min(x0, q.X), min(y0, q.Y), max(x1, q.X), max(y1, q.Y)
	}
	return image.Rect(int(math.Floor(x0))-1, int(math.Floor(y0))-1, int(math.Ceil(x1))+1, int(math.Ceil(y1))+1)
}

// meanAround returns the mean coverage of a square of two pixels around a place of a mask.
func meanAround(m *image.Alpha, x, y float64) uint8 {
	x, y = x-1, y-1 // where the square begins
	i, j := int(math.Floor(x)), int(math.Floor(y))
	if !(image.Rectangle{Min: image.Pt(i, j), Max: image.Pt(i+3, j+3)}).Overlaps(m.Rect) {
		return 0
	}
	fx, fy := x-float64(i), y-float64(j)
	across, down := [3]float64{1 - fx, 1, fx}, [3]float64{1 - fy, 1, fy}
	sum := 0.0
	for v, wy := range down {
		for u, wx := range across {
			sum += wx * wy * float64(m.AlphaAt(i+u, j+v).A)
		}
	}
	return uint8(sum/(fineness*fineness) + .5)
}
