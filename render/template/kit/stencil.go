package kit

import (
	"image"

	"masthead/render/cache"
	"masthead/render/paint"
	"masthead/render/text"
)

// StencilKey is all that the shape of a figure depends on; a figure uses the fields that it needs.
type StencilKey struct {
	Figure, letter, lang string
	Variant              int
	family               text.Family
	Size                 float64
	W, H                 int
	RTL                  bool
}

// stencils keeps the shapes of figures, for all colors that they are drawn in: of letters as large as a card (60 KB
// each, and a site's cards all have the same), of a poster's figures, of a skyline's columns.
var stencils = cache.NewPart(cache.Pieces, func(_ StencilKey, s *paint.Stencil) int { return s.Bytes() + 200 })

// Stencil returns the shape of a key, which draw makes where it is not kept. draw may give the mask another place.
func Stencil(key StencilKey, draw func() *image.Alpha) *paint.Stencil {
	return KeptStencil(key, func() *paint.Stencil { return paint.NewStencil(draw()) })
}

// KeptStencil is stencil for a shape that is made as such.
func KeptStencil(key StencilKey, draw func() *paint.Stencil) *paint.Stencil {
	s, ok := stencils.Get(key)
	if !ok {
		s = draw()
		stencils.Put(key, s)
	}
	return s
}

// LetterKey names the shape of a letter as large as a card.
func (c *Card) LetterKey(figure string, b Block) StencilKey {
	key := StencilKey{Figure: figure, W: c.W, H: c.H, RTL: c.RTL}
	if !b.Empty() {
		key.letter, key.lang, key.family, key.Size = b.Text(), c.Lang, b.Style.Family, b.Style.SizePx
	}
	return key
}
