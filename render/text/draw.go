package text

import (
	"image"
	"math"
)

// Draw passes the mask of each glyph of b to blit, with the position of the mask's top-left pixel. x is the left edge
// of the box and y the top of the capital letters of the first line; x is rounded to quarters of a pixel, baselines to
// whole pixels.
//
// A mask is valid until blit returns, and blit must not change it. With warm caches, Draw doesn't allocate. Masks of
// neighboring glyphs may overlap because of kerning or tracking: blend each over the previous ones.
func (e *Engine) Draw(b *Block, x, y float64, blit func(x, y int, m *image.Alpha)) {
	if b == nil {
		return
	}
	size := float32(b.SizePx)
	for i := range b.Lines {
		line := &b.Lines[i]
		baseline := int(math.Floor(y + line.Baseline + .5))
		for _, g := range b.glyphs[line.g0:line.g1] {
			if g.face == emojiFace {
				continue // see DrawEmoji
			}
			f := e.faces[g.face]
			if f == nil {
				f = e.face(e.source(g.face))
			}
			quarter := int(math.Floor((x+float64(g.x))*subpixels + .5))
			down := int(math.Floor(-float64(g.y)*subpixels + .5))
			key := maskKey{
				gid: g.gid, size: size * g.scale, face: g.face,
				subX: uint8(quarter & (subpixels - 1)), subY: uint8(down & (subpixels - 1)),
			}
			m := e.masks.get(f, key)
			if len(m.alpha.Pix) == 0 {
				continue
			}
			blit(quarter>>2+m.dx, baseline+down>>2+m.dy, &m.alpha)
		}
	}
}
