package raster

import (
	"image"
	"image/color"

	"masthead/render/paint"
)

// canvas is an indexed canvas: *paint.Canvas, and its slow twin of the tests.
type canvas interface {
	Fill(r image.Rectangle, ink color.NRGBA)
	Mask(x, y int, m *image.Alpha, ink color.NRGBA)
	Picture(img *image.NRGBA, r image.Rectangle, radius float64)
	Clip(r image.Rectangle) (undo func())
	ClipMask(m *image.Alpha) (undo func())
	Indexed() bool
	Upgrade()
	Image() image.Image
}

var _ canvas = (*paint.Canvas)(nil)

// IsSmall reports whether a picture of an area in px on a card of one may have colors of the palette: a logo rather
// than a photograph.
func IsSmall(area float64, card int) bool {
	const largest, share = 30_000, 16
	return area <= largest && area*share <= float64(card)
}

// ink returns the color of a shader of one color.
func (k Solid) ink() color.NRGBA {
	if k.A == 0 || k.A == 255 {
		return color.NRGBA{k.R, k.G, k.B, k.A}
	}
	un := func(v uint8) uint8 { return uint8(min((uint32(v)*255+uint32(k.A)/2)/uint32(k.A), 255)) }
	return color.NRGBA{un(k.R), un(k.G), un(k.B), k.A}
}

// flat returns the canvas of a layer if it can draw the shader; otherwise the layer becomes RGBA.
func (l *Layer) flat(s Shader) (canvas, Solid, bool) {
	if l.Canvas == nil {
		return nil, Solid{}, false
	}
	k, ok := s.(Solid)
	if ok && l.Canvas.Indexed() {
		return l.Canvas, k, true
	}
	l.Upgrade()
	return nil, k, false
}

// Upgrade turns a layer on a canvas into one of RGBA.
func (l *Layer) Upgrade() {
	if l.Canvas == nil {
		return
	}
	l.Canvas.Upgrade()
	img := l.Canvas.Image().(*image.RGBA)
	l.Pix, l.Stride, l.Canvas = img.Pix, img.Stride, nil
}

// Clipped limits a canvas to a clip until undo is called.
func Clipped(c canvas, to Clip) (undo func()) {
	outside := c.Clip(to.R)
	if to.Mask == nil {
		return outside
	}
	inside := c.ClipMask(to.Mask)
	return func() { inside(); outside() }
}

// flatPicture draws a small picture on a canvas; ok is false if it is too large for that.
func (p *Compositor) flatPicture(l *Layer, c Clip, s *PictureShader, r image.Rectangle) bool {
	small := IsSmall(float64(s.W*s.H), l.R.Dx()*l.R.Dy())
	if l.Canvas == nil || !l.Canvas.Indexed() || !s.Exact || !small || r.Dx() != s.W || r.Dy() != s.H {
		return false
	}
	img := image.NewNRGBA(image.Rect(0, 0, s.W, s.H))
	for i := 0; i < len(img.Pix); i += 4 {
		c := Solid{s.Pix[i], s.Pix[i+1], s.Pix[i+2], s.Pix[i+3]}.ink()
		img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = c.R, c.G, c.B, c.A
	}
	undo := Clipped(l.Canvas, c)
	l.Canvas.Picture(img, r, 0)
	undo()
	if !l.Canvas.Indexed() {
		l.Upgrade()
	}
	return true
}
