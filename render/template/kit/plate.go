package kit

import (
	"image"
	"image/color"
	"math"

	"masthead/render/paint"
	"masthead/render/palette"
)

// maxEnlarged is how much a page's own picture may be enlarged. Source: docs/rendering.md#pictures-of-pages.
const maxEnlarged = 1.35

// SharpSide returns the height, at most h, at which a picture that fills a width is not enlarged too much.
func SharpSide(img image.Image, w, h int) int {
	size := img.Bounds().Size()
	if float64(size.X)*maxEnlarged < float64(w) {
		return h // nothing helps; [Template.Fits] refuses it where that matters
	}
	return max(min(h, int(maxEnlarged*float64(size.Y))), 1)
}

// Sharp reports whether a picture of a size fills a box without being enlarged too much.
func Sharp(size image.Point, w, h int) bool {
	return float64(size.X)*maxEnlarged >= float64(w) && float64(size.Y)*maxEnlarged >= float64(h)
}

// TrimPlate rounds the corner of a picture, in the layout, that is in a corner of the card at the end of lines. It is
// the only one that isn't cut by an edge: the lower one if the upper edge cuts the picture. A picture whose edge can't
// be told from the card gets a line there.
func (c *Card) TrimPlate(plate image.Rectangle, radius int) {
	r := c.MotifRect(plate.Min.X, plate.Min.Y, plate.Dx(), plate.Dy())
	hanging := plate.Max.Y < c.H
	corner := image.NewAlpha(image.Rect(0, 0, radius, radius))
	for i := range corner.Pix {
		x, y := i%radius, i/radius
		if c.RTL {
			x = radius - 1 - x
		}
		if hanging {
			y = radius - 1 - y
		}
		d := math.Hypot(float64(radius)-float64(x)-.5, float64(radius)-float64(y)-.5) - float64(radius)
		corner.Pix[i] = uint8(255*min(max(d+.5, 0), 1) + .5)
	}
	inner := r.Min.Y // its edge toward the texts
	at, beyond := r.Min, image.Rect(r.Min.X, r.Min.Y, r.Max.X+2*radius, r.Max.Y+2*radius)
	if c.RTL {
		at.X = r.Max.X - radius
		beyond = image.Rect(r.Min.X-2*radius, r.Min.Y, r.Max.X, r.Max.Y+2*radius)
	}
	if hanging {
		at.Y, inner = r.Max.Y-radius, r.Max.Y-1
		beyond.Min.Y, beyond.Max.Y = r.Min.Y-2*radius, r.Max.Y
	}
	faint := c.fadesInto(r, inner)
	c.canvas.Mask(at.X, at.Y, corner, c.Theme.BG)
	if faint {
		c.canvas.Border(beyond, float64(radius), 2, c.Theme.Line)
	}
}

// faintEdge is the contrast to the background under which a pixel of an edge can't be told from it, and faintShare the
// fraction of such pixels above which the edge gets a line.
const (
	faintEdge  = 1.15
	faintShare = .25
)

// fadesInto reports whether the edges of a box on the canvas toward the texts, one of which is at a y, can't be told
// from the background of the card.
func (c *Card) fadesInto(r image.Rectangle, y int) bool {
	img, ok := c.canvas.Image().(*image.RGBA)
	if !ok {
		return false
	}
	side := r.Min.X
	if c.RTL {
		side = r.Max.X - 1
	}
	faint, all := 0, 0
	look := func(x, y int) {
		p := img.Pix[img.PixOffset(x, y):][:3:3]
		all++
		if palette.Contrast(color.NRGBA{R: p[0], G: p[1], B: p[2], A: 255}, c.Theme.BG) < faintEdge {
			faint++
		}
	}
	for x := r.Min.X; x < r.Max.X; x += paint.CellSide {
		look(x, y)
	}
	for y := r.Min.Y; y < r.Max.Y; y += paint.CellSide {
		look(side, y)
	}
	return float64(faint) > faintShare*float64(all)
}
