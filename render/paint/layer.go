package paint

import (
	"image"
	"image/color"
	"slices"

	"masthead/render/cache"
)

// LayerKey names what is drawn first on all cards of a theme: by what its drawing depends on.
type LayerKey struct {
	Scene  string // of a template
	W, H   int    // of the card
	Accent color.NRGBA
	Dark   bool
	Of     any // what else it depends on, comparable; nil: nothing
}

// layer is what such a drawing left on an indexed canvas.
type layer struct {
	pix        []uint8 // of the parts that were drawn on, one after the other
	background int     // how many of the colors were those of the background before
	colors     []rgb
	base       []bool
}

// layers keeps those of the themes in use: the shadows of a window take 160 KB.
var layers = cache.NewPart(cache.Pieces, func(_ LayerKey, l *layer) int { return len(l.pix) + 4*len(l.colors) + 200 })

// Layer draws on parts of the canvas what is the same on all cards of a key, the background under it included. It is
// kept from the second time on and then copied, as long as the canvas has a palette. The parts are those of the key,
// and nothing is drawn outside of them.
func (c *Canvas) Layer(key LayerKey, parts []image.Rectangle, draw func()) {
	if c.indexed == nil || c.mask != nil {
		draw()
		return
	}
	b := c.blends
	background := b.n
	// Entries are numbered as they came to be: a layer is for the background alone that had the same ones.
	if l, ok := layers.Get(key); ok && slices.Equal(l.colors[:l.background], b.colors[:background]) {
		c.copyLayer(l, parts)
		return
	}
	draw()
	if c.indexed == nil {
		return
	}
	b.dropInks() // blends that were looked up on the way are not kept, and would be looked up anew
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

// fullLayers keeps those of canvases of full color: 1.8 MB of a card with large windows.
var fullLayers = cache.NewPart(cache.Layers, func(_ LayerKey, pix []uint8) int { return len(pix) })

// FullLayer is Layer on a canvas of full color, for one rectangle. The background belongs to the key too: a card over a
// picture has that in its key.
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
