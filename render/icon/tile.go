package icon

import (
	"image"
	"image/color"
)

// This file draws marks with too few pixels for an asset: a mark stays recognizable, on a plain background and in its
// own colors, but isn't enlarged beyond what its pixels give.

// itself returns the source unchanged where an asset has its size, and each of its pixels as four where a small asset
// has twice its size, since that is how the site's owner drew it; otherwise nil. A touch icon must be opaque.
func (c *composer) itself(side int, u use) *image.NRGBA {
	m := c.mark
	w, h := m.img.Rect.Dx(), m.img.Rect.Dy()
	opaque := m.form == plain || m.form == full
	switch {
	case m.vector, w != h, u == maskable, u == touch && !opaque:
		return nil
	case !opaque && max(m.lostOn(white), m.lostOn(darkTab)) >= mayBeLost:
		return nil // it needs a background
	case u == anywhere && m.form == plain && m.onPaper() && side > smallSide:
		return nil // it has round corners, as at other sizes
	case w == side:
		return enlarged(m.img, m.img.Rect, 1)
	case 2*w == side && side <= smallSide:
		return enlarged(m.img, m.img.Rect, 2)
	}
	return nil
}

// onTile draws a mark with too few pixels on a tile, enlarged only as far as allowed.
func (c *composer) onTile(side int, u use, part image.Rectangle, background color.NRGBA) *image.NRGBA {
	m := c.mark
	most := onTile
	if m.form == full || m.form == badge {
		most = badgeOnTile
	}
	want := int(min(float64(side)*most, float64(max(part.Dx(), part.Dy()))*maxEnlarged))
	if u == maskable {
		want = min(want, int(float64(side)*safeRadius*2*.7))
	}
	img, _ := m.fit(part, want)
	if m.form == full {
		img = rounded(img)
	}
	return centered(c.tile(side, u, background), img)
}
