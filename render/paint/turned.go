package paint

import (
	"encoding/binary"
	"image"
	"math"
)

// Turn is a rotation of the canvas around a point, in radians, clockwise.
type Turn struct{ X, Y, Angle float64 }

// Of returns where the rotation moves a point.
func (t Turn) Of(p Point) Point {
	sin, cos := math.Sincos(t.Angle)
	dx, dy := p.X-t.X, p.Y-t.Y
	return Point{X: t.X + dx*cos - dy*sin, Y: t.Y + dx*sin + dy*cos}
}

// fineness is the number of picture pixels per canvas pixel of a rotated picture.
const fineness = 2

// Turned draws a picture rotated around a point, by the coverage of a mask in final canvas coordinates. The picture has
// twice its drawn size, so that fine details stay sharp; at is the position of its upper left corner before the
// rotation. Its border extends beyond its edges. The canvas becomes RGBA.
func (c *Canvas) Turned(src *image.RGBA, at image.Point, t Turn, mask *image.Alpha) {
	if !src.Rect.Empty() {
		c.turned(src, at, t, mask, mask.Rect.Intersect(c.clip), turnRow)
	}
}

// TurnedPart is Turned for a part of the picture: it draws only what lies completely in the part, where the mask covers
// whole pixels. Over the rest of the picture, drawn before, it leaves no seam; it reads nothing else of the picture.
func (c *Canvas) TurnedPart(src *image.RGBA, part image.Rectangle, at image.Point, t Turn, mask *image.Alpha) {
	if part = part.Intersect(src.Rect); part.Empty() {
		return
	}
	sin, cos := math.Sincos(t.Angle)
	box := image.Rectangle{}
	for _, p := range []image.Point{part.Min, part.Max, {part.Min.X, part.Max.Y}, {part.Max.X, part.Min.Y}} {
		dx, dy := float64(at.X)+float64(p.X)/fineness-t.X, float64(at.Y)+float64(p.Y)/fineness-t.Y
		corner := image.Pt(int(math.Floor(dx*cos-dy*sin+t.X)), int(math.Floor(dx*sin+dy*cos+t.Y)))
		box = box.Union(image.Rectangle{Min: corner, Max: corner.Add(image.Pt(1, 1))})
	}
	within := func(dst, cov []uint8, src *image.RGBA, p, step turnedPlace) {
		turnRowWithin(dst, cov, src, part, p, step)
	}
	c.turned(src, at, t, mask, box.Intersect(mask.Rect).Intersect(c.clip), within)
}

// turned draws rows of a rectangle.
func (c *Canvas) turned(src *image.RGBA, at image.Point, t Turn, mask *image.Alpha, r image.Rectangle,
	row func(dst, cov []uint8, src *image.RGBA, p, step turnedPlace)) {
	if r.Empty() {
		return
	}
	c.Upgrade()
	sin, cos := math.Sincos(-t.Angle)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		cov := mask.Pix[mask.PixOffset(r.Min.X, y):][:r.Dx()]
		dst := c.rgba.Pix[4*(y*c.w+r.Min.X):][:4*len(cov)]
		dx, dy := float64(mask.Rect.Min.X)+.5-t.X, float64(y)+.5-t.Y
		u := fineness*(dx*cos-dy*sin+t.X-float64(at.X)) - 1
		v := fineness*(dx*sin+dy*cos+t.Y-float64(at.Y)) - 1
		const half = turnOne / 16 // of the eighths that positions are rounded to
		step := turnedPlace{int(math.Round(fineness * cos * turnOne)), int(math.Round(fineness * sin * turnOne))}
		from := r.Min.X - mask.Rect.Min.X // all rectangles of a mask sample the same positions
		row(dst, cov, src, turnedPlace{
			int(math.Floor(u*turnOne)) + half + from*step.x, int(math.Floor(v*turnOne)) + half + from*step.y,
		}, step)
	}
}

// turnedPlace is a position on a rotated picture, in fractions of a pixel.
type turnedPlace struct{ x, y int }

const (
	turnBits = 20
	turnOne  = 1 << turnBits
)

// turnRow draws a row of a picture, from a position on in steps.
func turnRow(dst, cov []uint8, src *image.RGBA, p, step turnedPlace) {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	for i, a := range cov {
		if a != 0 {
			var sum uint32
			if x, y := p.x>>turnBits, p.y>>turnBits; x >= 0 && x+3 <= w && y >= 0 && y+3 <= h {
				const part = turnBits - 3
				sum = boxWithin(src.Pix[y*src.Stride+4*x:], src.Stride, uint64(p.x>>part&7), uint64(p.y>>part&7))
			} else {
				sum = boxAt(src, w, h, p)
			}
			d := dst[4*i : 4*i+4 : 4*i+4]
			if a != 255 {
				v := spread(sum)*uint64(a) + spread(binary.LittleEndian.Uint32(d))*uint64(255-a) + 128*everyLane
				sum = pack(v + v>>8&lowLanes)
			}
			binary.LittleEndian.PutUint32(d, sum|255<<24)
		}
		p.x, p.y = p.x+step.x, p.y+step.y
	}
}

// turnRowWithin is turnRow if everything that a pixel covers lies in a part of the picture.
func turnRowWithin(dst, cov []uint8, src *image.RGBA, part image.Rectangle, p, step turnedPlace) {
	for i, a := range cov {
		x, y := p.x>>turnBits, p.y>>turnBits
		if a == 255 && x >= part.Min.X && x+3 <= part.Max.X && y >= part.Min.Y && y+3 <= part.Max.Y {
			const eighths = turnBits - 3
			sum := boxWithin(src.Pix[y*src.Stride+4*x:], src.Stride, uint64(p.x>>eighths&7), uint64(p.y>>eighths&7))
			binary.LittleEndian.PutUint32(dst[4*i:4*i+4:4*i+4], sum|255<<24)
		}
		p.x, p.y = p.x+step.x, p.y+step.y
	}
}

// everyLane is one in each of four lanes of 16 bits, lowLanes the bits of a channel in each lane.
const (
	everyLane = 0x0001_0001_0001_0001
	lowLanes  = 0x00ff_00ff_00ff_00ff
)

// boxWithin returns the mean of a picture in a square of two pixels that begins the given eighths of a pixel within the
// first of pix. It spans three by three pixels, the first of which count less by as much as the last count more; two
// neighbors are summed at once. Borrows between lanes cancel out in the sums.
func boxWithin(pix []uint8, stride int, wx, wy uint64) uint32 {
	a, b, c := pix[:12:12], pix[stride:][:12:12], pix[2*stride:][:12:12]
	p, q, r := binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(c)
	// Vertically: red and blue of two pixels, then green and alpha, then all of the third.
	u, v, w := p&lowLanes, q&lowLanes, r&lowLanes
	rb := (u+v)<<3 + (w-u)*wy
	u, v, w = p>>8&lowLanes, q>>8&lowLanes, r>>8&lowLanes
	ga := (u+v)<<3 + (w-u)*wy
	u, v, w = halves(a[8:]), halves(b[8:]), halves(c[8:])
	third := (u+v)<<3 + (w-u)*wy
	first, second := rb&(1<<32-1)|ga<<32, rb>>32|ga&^(1<<32-1)
	v = (first+second)<<3 + (third-first)*wx + 128*everyLane
	return uint32(v>>8&0xff00ff) | uint32(v>>40&0xff00ff)<<8
}

// halves expands each byte of a pixel to sixteen bits: red and blue, above them green and alpha.
func halves(pix []uint8) uint64 {
	p := uint64(binary.LittleEndian.Uint32(pix))
	return p&0xff00ff | (p>>8&0xff00ff)<<32
}

// boxAt is boxWithin if some of the pixels are beyond the edges of the picture.
func boxAt(src *image.RGBA, w, h int, p turnedPlace) uint32 {
	var pix [3 * 12]uint8
	for j := range 3 {
		row := src.Pix[min(max(p.y>>turnBits+j, 0), h-1)*src.Stride:]
		for i := range 3 {
			copy(pix[12*j+4*i:], row[4*min(max(p.x>>turnBits+i, 0), w-1):][:4])
		}
	}
	const part = turnBits - 3
	return boxWithin(pix[:], 12, uint64(p.x>>part&7), uint64(p.y>>part&7))
}
