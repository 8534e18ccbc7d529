package icon

import (
	"image"
	"image/color"

	"masthead/render/palette"
)

// This file derives the variant for dark tabs: the mark without the background that it needs elsewhere.

// Parameters of the derivation.
const (
	inkLight = .96 // lightness of former black
	gray     = .05 // maximum chroma of a color that is inverted
	lifted   = .72 // minimum lightness of a color that would be invisible
)

// dark returns the favicon for dark tabs, or nil if the regular one is as good or nothing can be derived: the mark is
// visible everywhere, has a background of its own, or would lose a color that isn't neutral.
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
			return nil // in a drawing with both, inverting one gives its negative
		}
		img = turned(img)
	}
	if l := lookAt(img); l.lostOn(darkTab) >= mayBeLost {
		return nil
	}
	return img
}

// lightNeutrals reports whether the mark has white or light gray.
func (l *look) lightNeutrals() bool {
	share := 0.0
	for _, s := range l.shades {
		if lch := palette.ToLCH(s.color); lch.C < gray && lch.L > lifted {
			share += s.share
		}
	}
	return share > .03
}

// turned makes the dark neutrals of a mark light, and lightens its dark colors.
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
