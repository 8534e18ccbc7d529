package paint

import (
	"image"
	"image/color"
	"slices"

	"masthead/render/cache"
)

// LayerKey identifies what is drawn first on all cards of a theme by what its drawing depends on.
type LayerKey struct {
	Scene  string // of a template
	W, H   int    // of the card
	Accent color.NRGBA
	Dark   bool
	Of     any // other dependencies, comparable; nil: none
}

// layer is the result of such a drawing on an indexed canvas.
type layer struct {
	pix        []uint8 // of the parts that were drawn on, one after the other
	background int     // how many of the colors were those of the background before
	colors     []rgb
	base       []bool
}

// layers caches those of the themes in use: the shadows of a window take 160 KB.
var layers = cache.NewPart(cache.Pieces, func(_ LayerKey, l *layer) int { return len(l.pix) + 4*len(l.colors) + 200 })

// Layer draws on parts of the canvas what is the same on all cards with this key, including the background under it. It
// is cached from the second time on and then copied, as long as the canvas has a palette. The parts belong to the key,
// and nothing may be drawn outside of them.
func (c *Canvas) Layer(key LayerKey, parts []image.Rectangle, draw func()) {
	if c.indexed == nil || c.mask != nil {
		draw()
		return
	}
	b := c.blends
	background := b.n
	// Entries are numbered in order of creation: a layer is valid only for a background with the same ones.
	if l, ok := layers.Get(key); ok && slices.Equal(l.colors[:l.background], b.colors[:background]) {
		c.copyLayer(l, parts)
		return
	}
	draw()
	if c.indexed == nil {
		return
	}
	b.dropInks() // blends that were looked up on the way aren't cached
	if !layers.Again(key) {
		return
	}
	l := &layer{background: background, colors: slices.Clone(b.colors[:b.n]), base: slices.Clone(b.base[:b.n])}
	for _, r := range parts {
		r = r.Intersect(c.clip)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			l.pix = append(l.pix, c.indexed.Pix[y*c.stride+r.Min.X:][:r.Dx()]...)
		}
	}
	l.pix = slices.Clip(l.pix)
	layers.Put(key, l)
}

func (c *Canvas) copyLayer(l *layer, parts []image.Rectangle) {
	b, pix := c.blends, l.pix
	b.dropInks()
	b.n = copy(b.colors[:], l.colors)
	copy(b.base[:], l.base)
	for _, r := range parts {
		r = r.Intersect(c.clip)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			pix = pix[copy(c.indexed.Pix[y*c.stride+r.Min.X:][:r.Dx()], pix):]
		}
	}
}

// fullLayers caches those of full-color canvases: 1.8 MB for a card with large windows.
var fullLayers = cache.NewPart(cache.Layers, func(_ LayerKey, pix []uint8) int { return len(pix) })

// FullLayer is Layer on a full-color canvas, for one rectangle. The key must include the background: that of a card
// over a picture does.
func (c *Canvas) FullLayer(key LayerKey, r image.Rectangle, draw func()) {
	r = r.Intersect(c.clip)
	if c.rgba == nil || c.mask != nil || r.Empty() {
		draw()
		return
	}
	row := func(y int) []uint8 { return c.rgba.Pix[4*(y*c.w+r.Min.X):][:4*r.Dx()] }
	pix, ok := fullLayers.Get(key)
	if ok && len(pix) == 4*r.Dx()*r.Dy() {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			pix = pix[copy(row(y), pix):]
		}
		return
	}
	if draw(); !fullLayers.Again(key) {
		return
	}
	pix = make([]uint8, 0, 4*r.Dx()*r.Dy())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		pix = append(pix, row(y)...)
	}
	fullLayers.Put(key, pix)
}
