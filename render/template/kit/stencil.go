package kit

import (
	"image"

	"masthead/render/cache"
	"masthead/render/paint"
	"masthead/render/text"
)

// StencilKey identifies a shape; each figure sets the fields that it depends on.
type StencilKey struct {
	Figure, letter, lang string
	Variant              int
	family               text.Family
	own                  uint64 // of the engine: see [text.Engine.Own]
	Size                 float64
	W, H                 int
	RTL                  bool
}

// stencils caches the shapes of figures, for all their colors: letters as large as a card (60 KB each, and the same on
// all cards of a site), a poster's figures, a skyline's columns.
var stencils = cache.NewPart(cache.Pieces, func(_ StencilKey, s *paint.Stencil) int { return s.Bytes() + 200 })

// Stencil returns the shape of a key from the cache, or the one that draw returns. draw may move its mask.
func Stencil(key StencilKey, draw func() *image.Alpha) *paint.Stencil {
	return KeptStencil(key, func() *paint.Stencil { return paint.NewStencil(draw()) })
}

// KeptStencil is Stencil for a draw that returns a stencil.
func KeptStencil(key StencilKey, draw func() *paint.Stencil) *paint.Stencil {
	s, ok := stencils.Get(key)
	if !ok {
		s = draw()
		stencils.Put(key, s)
	}
	return s
}

// LetterKey returns the key of a letter as large as the card.
func (c *Card) LetterKey(figure string, b Block) StencilKey {
	key := StencilKey{Figure: figure, W: c.W, H: c.H, RTL: c.RTL}
	if !b.Empty() {
		key.letter, key.lang, key.family, key.Size = b.Text(), c.Lang, b.Style.Family, b.Style.SizePx
		key.own = c.engine.Own()
	}
	return key
}
