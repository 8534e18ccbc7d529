package paint

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"
)

// tableSteps is the number of steps into which a radial gradient is divided: more than a card has pixels along it.
const tableSteps = 1024

// Radial is a gradient from a middle to the rim of an ellipse, and its last colour beyond. Colours are evenly spaced
// and interpolated in sRGB, as with [Linear].
type Radial struct {
	CX, CY, RX, RY float64       // on the canvas, wherever the part lies that is painted
	Colors         []color.NRGBA // two or more, opaque
	// Dither rounds by blue noise. For cards that will be JPEG: it doubles a PNG.
	Dither bool
}

func (g Radial) flat() bool { return false }

func (g Radial) paint(c *Canvas, r image.Rectangle) {
	if len(g.Colors) < 2 {
		Linear{Colors: g.Colors}.paint(c, r)
		return
	}
	var table [tableSteps + 1][3]uint16 // 8.8 fixed point
	var plain [tableSteps + 1]uint32    // rounded pixels, as they lie in memory
	for i := range table {
		p := colorAt(g.Colors, float64(i)/tableSteps)
		table[i] = [3]uint16{fixed8(p[0]), fixed8(p[1]), fixed8(p[2])}
		plain[i] = uint32(round8(p[0])) | uint32(round8(p[1]))<<8 | uint32(round8(p[2]))<<16 | 0xff<<24
	}
	c.dither = c.dither || g.Dither
	for y := r.Min.Y; y < r.Max.Y; y++ {
		dst := c.rgba.Pix[4*(y*c.w+r.Min.X):][:4*r.Dx()]
		e := newEllipseRow(g.CX, g.CY, g.RX, g.RY, y)
		if !g.Dither {
			for x := r.Min.X; len(dst) >= 4; x++ {
				binary.LittleEndian.PutUint32(dst, plain[e.at(x)])
				dst = dst[4:]
			}
			continue
		}
		noise := noiseRow(y)
		for x := r.Min.X; len(dst) >= 4; x++ {
			p, n := &table[e.at(x)], uint32(noise[x%noiseSide])
			v := (uint32(p[0])+n)>>8 | (uint32(p[1])+n)>>8<<8 | (uint32(p[2])+n)>>8<<16 | 0xff<<24
			binary.LittleEndian.PutUint32(dst, v)
			dst = dst[4:]
		}
	}
}

// fixed8 returns a channel in 8.8 fixed point; adding less than one level to it does not overflow eight bits.
func fixed8(v float64) uint16 { return uint16(min(max(v, 0), 255) * 256) }

func noiseRow(y int) []uint8 {
	return blueNoise()[(y%noiseSide)*noiseSide:][:noiseSide]
}

// ellipseRow tells how far the pixels of one row lie from the middle of an ellipse.
type ellipseRow struct{ cx, scale, dy2 float64 }

func newEllipseRow(cx, cy, rx, ry float64, y int) ellipseRow {
	dy := (float64(y) + .5 - cy) / max(ry, 1e-3)
	return ellipseRow{cx: cx - .5, scale: 1 / max(rx, 1e-3), dy2: dy * dy}
}

// at returns the distance of a pixel from the middle, in steps of the table: tableSteps at the rim and beyond.
func (e ellipseRow) at(x int) int {
	dx := (float64(x) - e.cx) * e.scale
	d := dx*dx + e.dy2
	if !(d < 1) {
		return tableSteps
	}
	return int(math.Sqrt(d) * tableSteps)
}
