package kit

import (
	"image"
	"image/color"

	"masthead/render/palette"
)

// look describes the appearance of a FittedLogo's picture.
type look struct {
	opaque     bool                      // its border is opaque
	border     color.NRGBA               // mean color of the border of an opaque one
	evenBorder bool                      // the whole border has that color
	mean       color.NRGBA               // of the drawing
	oneColor   bool                      // everything drawn has that color
	light      [len(lightLevels)]float64 // shares of the drawing, by luminance
}

// Channels with a smaller difference count as equal, because of antialiasing and JPEG artifacts.
const sameColor = 26

// lightLevels are the relative luminances at which the contrast of a picture is sampled.
var lightLevels = [8]float64{.003, .015, .04, .09, .18, .35, .60, .95}

func lookAt(img *image.NRGBA) look {
	l := look{opaque: true, evenBorder: true, oneColor: true}
	var all, edge mean
	w, h := img.Rect.Dx(), img.Rect.Dy()
	each := func(use func(p []uint8, border bool)) {
		for y := range h {
			row := img.Pix[y*img.Stride:][:4*w]
			for x := range w {
				use(row[4*x:4*x+4:4*x+4], x == 0 || y == 0 || x == w-1 || y == h-1)
			}
		}
	}
	each(func(p []uint8, border bool) {
		all.add(p)
		if border {
			edge.add(p)
			l.opaque = l.opaque && p[3] >= 250
		}
	})
	l.mean, l.border = all.color(), edge.color()
	drawn := 0.0
	each(func(p []uint8, border bool) {
		if p[3] < 128 {
			return
		}
		l.oneColor = l.oneColor && near(p, l.mean)
		l.evenBorder = l.evenBorder && (!border || near(p, l.border))
		lum := palette.Luminance(color.NRGBA{R: p[0], G: p[1], B: p[2], A: 255})
		at := 0
		for at < len(lightLevels)-1 && lum > (lightLevels[at]+lightLevels[at+1])/2 {
			at++
		}
		l.light[at]++
		drawn++
	})
	for i := range l.light {
		l.light[i] /= max(drawn, 1)
	}
	return l
}

// lostOn returns the fraction of the drawing that is invisible on a background.
func (l *look) lostOn(background color.NRGBA) float64 {
	g, share := palette.Luminance(background)+.05, 0.0
	for i, n := range l.light {
		at := lightLevels[i] + .05
		if max(at, g)/min(at, g) < minVisible {
			share += n
		}
	}
	return share
}

func near(p []uint8, c color.NRGBA) bool {
	off := func(a, b uint8) bool { return max(a, b)-min(a, b) > sameColor }
	return !off(p[0], c.R) && !off(p[1], c.G) && !off(p[2], c.B)
}

// mean is a mean color, weighted by alpha.
type mean struct{ r, g, b, a int }

func (m *mean) add(p []uint8) {
	a := int(p[3])
	m.r, m.g, m.b, m.a = m.r+int(p[0])*a, m.g+int(p[1])*a, m.b+int(p[2])*a, m.a+a
}

func (m *mean) color() color.NRGBA {
	n := max(m.a, 1)
	return color.NRGBA{R: uint8(m.r / n), G: uint8(m.g / n), B: uint8(m.b / n), A: 255}
}
