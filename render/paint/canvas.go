package paint

import (
	"encoding/binary"
	"image"
	"image/color"

	"masthead/render/cache"
)

// maxSide is the maximum side of a canvas: the largest card is 1600 px wide, and larger sizes aren't safe with imaging
// either.
const maxSide = 4096

// Canvas is a picture being drawn. Create it with [New] or [NewRGBA] and release it with [Canvas.Release]. It belongs
// to one goroutine at a time. Everything drawn outside of it, or of its clip, is ignored.
type Canvas struct {
	w, h   int
	stride int // pixels from one row to the next

	// Exactly one of the two holds the pixels.
	indexed *image.Paletted
	rgba    *image.RGBA
	blends  *blendTable // palette and blends of an indexed canvas

	clip   image.Rectangle
	mask   *image.Alpha // soft clip; nil if there is none
	masked []uint8      // a row of coverage, after the soft clip
	cover  []uint8      // a row of coverage, for shapes to build
	dither bool         // soft inks are rounded by blue noise: the card will be a JPEG
}

// New returns a canvas of w×h pixels (1 to 4096 each) covered by the background.
//
// It is indexed (one byte per pixel, at most 255 colors), which draws and encodes two to four times faster than RGBA. A
// card that turns out too colorful for a palette becomes RGBA on the way, keeping what was drawn. Callers don't need to
// know which it is.
//
// Over a [Linear] background the palette is allocated in advance: inks lists all colors that text and shapes will have
// directly over the background, translucent ones with their alpha (a shadow: palette.Fade(black, .35)). Their blends
// are computed once per theme and cached. Other inks are blended on demand, at two milliseconds per text, with the
// remaining entries of the palette. Over a Solid background inks have no effect.
func New(w, h int, background Background, inks ...color.NRGBA) *Canvas {
	if _, ok := background.(Lit); ok { // a palette cannot hold it
		return NewRGBA(w, h, background)
	}
	c := newCanvas(w, h)
	// One more byte per row, and some at the end, let the encoder compress the pixels in place.
	const spare = 8
	c.stride++
	n := c.stride * c.h
	c.indexed = &image.Paletted{Pix: cache.Pixels.Take(n + spare)[:n], Stride: c.stride, Rect: c.Bounds()}
	c.blends = takeBlendTable(inks)
	background.paint(c, c.Bounds())
	return c
}

// NewRGBA is New for a card that certainly needs all colors, such as one with a large photograph.
func NewRGBA(w, h int, background Background) *Canvas {
	c := NewBlank(w, h)
	background.paint(c, c.Bounds())
	return c
}

// NewBlank is NewRGBA for a canvas of which only parts are used: its initial content is arbitrary.
func NewBlank(w, h int) *Canvas {
	c := newCanvas(w, h)
	c.rgba = &image.RGBA{Pix: cache.Pixels.Take(4 * c.w * c.h), Stride: 4 * c.w, Rect: c.Bounds()}
	return c
}

func newCanvas(w, h int) *Canvas {
	c := &Canvas{w: min(max(w, 1), maxSide), h: min(max(h, 1), maxSide)}
	c.stride = c.w
	c.clip = c.Bounds()
	c.masked = make([]uint8, c.w)
	c.cover = make([]uint8, c.w)
	return c
}

// Release frees the memory of the canvas. Neither the canvas nor its Image may be used afterwards.
func (c *Canvas) Release() {
	blends := c.blends
	c.Abandon()
	if blends != nil {
		blends.release()
	}
}

// Abandon is Release for a canvas whose drawing failed: its pixels are reused, and everything in an unknown state is
// left to the garbage collector.
func (c *Canvas) Abandon() {
	indexed, rgba := c.indexed, c.rgba
	c.indexed, c.rgba, c.blends = nil, nil, nil
	if indexed != nil {
		cache.Pixels.Give(indexed.Pix)
	}
	if rgba != nil {
		cache.Pixels.Give(rgba.Pix)
	}
}

// Bounds returns the rectangle of the canvas, from 0,0.
func (c *Canvas) Bounds() image.Rectangle { return image.Rect(0, 0, c.w, c.h) }

// Indexed reports whether the canvas still has a palette.
func (c *Canvas) Indexed() bool { return c.indexed != nil }

// Image returns the pixels for the encoder: an opaque *image.Paletted or *image.RGBA that shares memory with the
// canvas, and is valid until Release. Between the rows of a Paletted there is a byte of 0, which is the filter byte of
// a PNG row.
func (c *Canvas) Image() image.Image {
	if c.indexed != nil {
		c.indexed.Palette = c.blends.palette()
		for at := c.w; at < len(c.indexed.Pix); at += c.stride {
			c.indexed.Pix[at] = 0
		}
		return c.indexed
	}
	return c.rgba
}

// At returns the color of a pixel, or black outside of the canvas, for measuring the background of text.
func (c *Canvas) At(x, y int) color.NRGBA {
	if !(image.Point{X: x, Y: y}).In(c.Bounds()) {
		return color.NRGBA{A: 255}
	}
	if c.indexed != nil {
		p := c.blends.colors[c.indexed.Pix[y*c.stride+x]]
		return color.NRGBA{R: p.r, G: p.g, B: p.b, A: 255}
	}
	p := c.rgba.Pix[4*(y*c.w+x):]
	return color.NRGBA{R: p[0], G: p[1], B: p[2], A: 255}
}

// Upgrade turns an indexed canvas into an RGBA one with the same pixels, before drawing what a palette can't hold.
func (c *Canvas) Upgrade() {
	if c.indexed == nil {
		return
	}
	pix := cache.Pixels.Take(4 * c.w * c.h)
	var colors [256]uint32
	for i, p := range c.blends.colors {
		colors[i] = uint32(p.r) | uint32(p.g)<<8 | uint32(p.b)<<16 | 255<<24
	}
	for y := range c.h {
		row := pix[4*y*c.w:][:4*c.w]
		for _, v := range c.indexed.Pix[y*c.stride:][:c.w] {
			binary.LittleEndian.PutUint32(row, colors[v])
			row = row[4:]
		}
	}
	indexed := c.indexed
	c.stride, c.indexed, c.rgba = c.w, nil, &image.RGBA{Pix: pix, Stride: 4 * c.w, Rect: c.Bounds()}
	cache.Pixels.Give(indexed.Pix)
	c.blends.release()
	c.blends = nil
}
