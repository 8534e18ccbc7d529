package icon

import (
	"image"
	"image/color"

	"masthead/render/palette"
)

// This file derives the variant for dark tabs: a mark that elsewhere needs a background, without it.

// Figures of the derivation.
const (
	inkLight = .96 // lightness of what was black
	gray     = .05 // chroma up to which a color is turned rather than kept
	lifted   = .72 // least lightness of a color that would be lost
)

// dark returns the favicon for dark tabs, nil where the one for all is as good or nothing can be derived: where the
// mark is seen everywhere, has a background of its own, or a lost color that is none of its neutrals.
func (c *composer) dark(side int) *image.NRGBA {
	m := c.mark
	if m == nil || m.form != glyph || max(m.lostOn(white), m.lostOn(darkTab)) < mayBeLost {
		return nil
	}
	img, ok := m.fit(m.ink, side)
	if !ok {
		return nil
	}
	img = centered(clear(side), img)
	if m.lostOn(darkTab) >= mayBeLost {
		if m.lightNeutrals() {
			return nil // in a drawing that has both, turning one gives its negative
		}
		img = turned(img)
	}
	if l := lookAt(img); l.lostOn(darkTab) >= mayBeLost {
		return nil
	}
	return img
}

// lightNeutrals reports whether there is white or light gray in the mark.
func (l *look) lightNeutrals() bool {
	share := 0.0
	for _, s := range l.shades {
		if lch := palette.ToLCH(s.color); lch.C < gray && lch.L > lifted {
			share += s.share
		}
	}
	return share > .03
}

// turned makes the dark neutrals of a mark light, and lifts its dark colors.
func turned(img *image.NRGBA) *image.NRGBA {
	known := map[[3]uint8]color.NRGBA{}
	for i := 0; i < len(img.Pix); i += 4 {
		p := img.Pix[i : i+4 : i+4]
		if p[3] == 0 {
			continue
		}
		key := [3]uint8(p[:3])
		to, ok := known[key]
		if !ok {
			lch := palette.ToLCH(color.NRGBA{R: p[0], G: p[1], B: p[2], A: 255})
			switch {
			case lch.C < gray:
				lch.L = max(inkLight-lch.L, 0)
			case lch.L < lifted:
				lch.L = lifted
			}
			to = lch.Color()
			known[key] = to
		}
		p[0], p[1], p[2] = to.R, to.G, to.B
	}
	return img
}
