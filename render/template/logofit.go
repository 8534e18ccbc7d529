package template

import (
	"image"
	"image/color"

	"masthead/render/palette"
)

// A fittedLogo is a foreign icon or logo made ready for the ground that it will stand on: scaled, and where it would be lost or look pasted, in
// one ink or on a plate of its own.
type fittedLogo struct {
	W, H int // with the plate

	img    *image.NRGBA
	ink    color.NRGBA // draws the alpha of img alone; clear: img in its own colours
	plate  color.NRGBA // under img; clear: none
	pad    int         // of the plate, on each side
	radius float64     // of the plate, or of img where there is none
}

// Rules for foreign pictures. Contrasts are to the ground.
const (
	platePad    = .18 // of the height: 10 px of 56
	plateRadius = .21 // of the height: 12 px of 56
	seamless    = 1.3 // an opaque picture whose border has less contrast needs no corners: its edge is not seen
	lost        = 2.0 // what has less contrast cannot be made out
	mayBeLost   = .3  // share of a picture with alpha that may be lost
	minIcon     = 32  // px; a smaller one is enlarged only if it is pixel art
	pixelColors = 16  // most colours of pixel art
	mostOblong  = 64  // a picture with longer sides, to its shorter ones, is a line
	wordmark    = 1.8 // wider than so many times its height, a logo says the site's name
)

// fitLogo makes a picture ready for a box. ok is false for a picture that cannot be shown: none, empty, or too small to enlarge.
func (c *Card) fitLogo(src *image.NRGBA, maxW, maxH int) (e fittedLogo, ok bool) {
	if src == nil || src.Rect.Empty() || !e.scale(src, maxW, maxH) {
		return e, false
	}
	l := lookAt(e.img)
	switch {
	case c.OneInk && l.oneColor && !l.opaque:
		e.ink = c.GroundText
	case l.opaque && palette.Contrast(l.border, c.GroundColor) < seamless:
	case l.opaque && l.evenBorder:
		e.onPlate(src, l.border, maxW)
	case l.opaque:
		e.radius = plateRadius * float64(e.H)
	case l.lost(c.GroundColor) < mayBeLost:
	case l.oneColor:
		e.ink = c.GroundText
	default:
		e.onPlate(src, c.GroundText, maxW)
	}
	return e, true
}

// scale fits src into a box.
func (e *fittedLogo) scale(src *image.NRGBA, maxW, maxH int) (ok bool) {
	if e.img, ok = scaledLogos.get(src, maxW, maxH); ok {
		e.W, e.H = e.img.Rect.Dx(), e.img.Rect.Dy()
	}
	return ok
}

// onPlate fits src, which has been scaled for a box, onto a plate that fits into it.
func (e *fittedLogo) onPlate(src *image.NRGBA, plate color.NRGBA, maxW int) {
	h := e.H
	e.pad = int(platePad*float64(h) + .5)
	e.scale(src, max(maxW-2*e.pad, 1), max(h-2*e.pad, 1))
	e.W, e.H, e.plate, e.radius = e.W+2*e.pad, e.H+2*e.pad, plate, plateRadius*float64(h)
}

// isWordmark reports whether the picture is so wide that it says the site's name.
func (e *fittedLogo) isWordmark() bool { return float64(e.W) > wordmark*float64(e.H) }

// draw draws a fittedLogo with its upper left corner at x, y, before mirroring.
func (c *Card) draw(e fittedLogo, x, y int) {
	r := c.Rect(x, y, e.W, e.H)
	c.icons = append(c.icons, r)
	if e.plate.A != 0 {
		c.canvas.RoundRect(r, e.radius, e.plate)
	}
	inner := r.Inset(e.pad)
	if e.ink.A != 0 {
		c.canvas.Mask(inner.Min.X, inner.Min.Y, alphaOf(e.img), e.ink)
		return
	}
	radius := e.radius
	if e.plate.A != 0 {
		radius = 0
	}
	c.canvas.Picture(e.img, inner, radius)
}

// look is what a fittedLogo's picture looks like.
type look struct {
	opaque     bool                      // nothing shines through its border
	border     color.NRGBA               // mean colour of the border of an opaque one
	evenBorder bool                      // all of the border has that colour
	mean       color.NRGBA               // of what is drawn
	oneColor   bool                      // all that is drawn has that colour
	light      [len(lightLevels)]float64 // shares of what is drawn, by luminance
}

// Two channels that differ by less count as one colour: antialiasing and JPEG leave such traces.
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

// lost returns the share of what is drawn that cannot be made out on a ground.
func (l *look) lost(ground color.NRGBA) float64 {
	g, share := palette.Luminance(ground)+.05, 0.0
	for i, n := range l.light {
		at := lightLevels[i] + .05
		if max(at, g)/min(at, g) < lost {
			share += n
		}
	}
	return share
}

func near(p []uint8, c color.NRGBA) bool {
	off := func(a, b uint8) bool { return max(a, b)-min(a, b) > sameColor }
	return !off(p[0], c.R) && !off(p[1], c.G) && !off(p[2], c.B)
}

// mean is a mean colour, weighted by alpha.
type mean struct{ r, g, b, a int }

func (m *mean) add(p []uint8) {
	a := int(p[3])
	m.r, m.g, m.b, m.a = m.r+int(p[0])*a, m.g+int(p[1])*a, m.b+int(p[2])*a, m.a+a
}

func (m *mean) color() color.NRGBA {
	n := max(m.a, 1)
	return color.NRGBA{R: uint8(m.r / n), G: uint8(m.g / n), B: uint8(m.b / n), A: 255}
}

// trim returns the part of a picture that is not clear: icons and logos often bring a margin of their own.
func trim(img *image.NRGBA) *image.NRGBA {
	r := image.Rectangle{}
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		row := img.Pix[img.PixOffset(img.Rect.Min.X, y):][:4*img.Rect.Dx()]
		first, last := 0, len(row)-4
		for first < len(row) && row[first+3] < 16 {
			first += 4
		}
		if first == len(row) {
			continue
		}
		for row[last+3] < 16 {
			last -= 4
		}
		r = r.Union(image.Rect(img.Rect.Min.X+first/4, y, img.Rect.Min.X+last/4+1, y+1))
	}
	return img.SubImage(r).(*image.NRGBA)
}

// pixelArt reports whether a small picture is drawn in few flat colours without soft edges, so that it may be enlarged by whole pixels.
func pixelArt(img *image.NRGBA) bool {
	seen := map[[3]uint8]bool{}
	for y := range img.Rect.Dy() {
		row := img.Pix[y*img.Stride:][:4*img.Rect.Dx()]
		for ; len(row) > 0; row = row[4:] {
			if row[3] != 0 && row[3] != 255 {
				return false
			}
			if row[3] == 255 {
				seen[[3]uint8(row[:3])] = true
			}
			if len(seen) > pixelColors {
				return false
			}
		}
	}
	return true
}

// enlarge repeats each pixel n times both ways.
func enlarge(img *image.NRGBA, n int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, n*img.Rect.Dx(), n*img.Rect.Dy()))
	for y := range out.Rect.Dy() {
		src, dst := img.Pix[y/n*img.Stride:], out.Pix[y*out.Stride:]
		for x := range out.Rect.Dx() {
			copy(dst[4*x:4*x+4], src[4*(x/n):])
		}
	}
	return out
}

// alphaOf returns the alpha of a picture as a mask.
func alphaOf(img *image.NRGBA) *image.Alpha {
	m := image.NewAlpha(image.Rect(0, 0, img.Rect.Dx(), img.Rect.Dy()))
	for y := range m.Rect.Dy() {
		row := img.Pix[y*img.Stride:]
		for x := range m.Rect.Dx() {
			m.Pix[y*m.Stride+x] = row[4*x+3]
		}
	}
	return m
}
