package template

import (
	"image"

	"masthead/render/cache"
	"masthead/render/paint"
	"masthead/render/text"
)

// stencilKey is all that the shape of a figure depends on; a figure uses the fields that it needs.
type stencilKey struct {
	figure, letter, lang string
	variant              int
	family               text.Family
	size                 float64
	w, h                 int
	rtl                  bool
}

// stencils keeps the shapes of figures, for all colours that they are drawn in: of letters as large as a card (60 KB
// each, and a site's cards all have the same), of a poster's figures, of a skyline's columns.
var stencils = cache.NewPart(cache.Pieces, func(_ stencilKey, s *paint.Stencil) int { return s.Bytes() + 200 })

// stencil returns the shape of a key, which draw makes where it is not kept. draw may give the mask another place.
func stencil(key stencilKey, draw func() *image.Alpha) *paint.Stencil {
	return keptStencil(key, func() *paint.Stencil { return paint.NewStencil(draw()) })
}

// keptStencil is stencil for a shape that is made as such.
func keptStencil(key stencilKey, draw func() *paint.Stencil) *paint.Stencil {
	s, ok := stencils.Get(key)
	if !ok {
		s = draw()
		stencils.Put(key, s)
	}
	return s
}

// letterKey names the shape of a letter as large as a card.
func (c *Card) letterKey(figure string, b Block) stencilKey {
	key := stencilKey{figure: figure, w: c.W, h: c.H, rtl: c.RTL}
	if !b.Empty() {
		key.letter, key.lang, key.family, key.size = b.Text(), c.Lang, b.Style.Family, b.Style.SizePx
	}
	return key
}
