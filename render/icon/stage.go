package icon

import (
	"image"
	"image/color"
	"math"

	"masthead/render/paint"
	"masthead/render/palette"
)

// This file places a mark with too few pixels on a large tile so that it looks intentional. It may not be enlarged, and
// alone it would be a lost speck on an empty tile. So it is drawn on a plate on which it is visible, with rings from
// the plate out to the brand's color: whatever the mark, the whole tile is a figure with the mark in its center.

// Parameters of a stage.
const (
	// staged is the fraction of the tile's side below which a mark is placed on a stage; stagedPicture is that for a mark
	// that looks like a picture on the tile, since it has a background of its own.
	staged, stagedPicture = .45, .6

	plateAbout = 1.32 // radius of the plate relative to the mark's reach
	plateLeast = .13  // minimum, as a fraction of the side
	ringGrows  = 1.42 // approximate ratio of one ring to the next
	ringsEnd   = .64  // fraction of the side: in the corners of a tile
	leastRings = 3
	mostRings  = 6
	// plateApart is the minimum contrast of the plate with the tile; plateStep is how far a plate with less is adjusted.
	plateApart = 1.15
	plateStep  = .16
)

// stage returns a tile with plate and rings for a mark with this reach.
func (c *composer) stage(side int, u use, plate color.NRGBA, reach float64) *image.NRGBA {
	background := c.theme.Background
	plate = c.apart(plate)
	img := c.tile(side, u, background)
	s := float64(side)
	inner := max(plateAbout*reach, plateLeast*s)
	rings := int(min(max(math.Round(math.Log(ringsEnd*s/inner)/math.Log(ringGrows)), leastRings), mostRings))
	grows := math.Pow(ringsEnd*s/inner, 1/float64(rings))
	steps := palette.Gradient(plate, background)
	alpha := image.NewAlpha(img.Rect)
	for i := range alpha.Pix {
		alpha.Pix[i] = img.Pix[4*i+3]
	}
	for k := rings - 1; k >= 0; k-- {
		r := int(math.Round(inner * math.Pow(grows, float64(k))))
		ink := steps[(len(steps)-1)*k/rings]
		disc := paint.RoundMask(image.Rect(side/2-r, side/2-r, side/2+r, side/2+r), float64(r))
		inked(img, disc.Rect.Min.X, disc.Rect.Min.Y, disc, ink)
	}
	for i, a := range alpha.Pix { // the corners of the tile stay transparent
		if img.Pix[4*i+3] = a; a == 0 {
			copy(img.Pix[4*i:4*i+3], []uint8{0, 0, 0})
		}
	}
	return img
}

// apart returns a plate, lighter or darker if it would be invisible on the brand's background: away from the mark,
// which is visible on it unchanged.
func (c *composer) apart(plate color.NRGBA) color.NRGBA {
	if palette.Contrast(c.theme.Background, plate) >= plateApart {
		return plate
	}
	lch := palette.ToLCH(plate)
	if c.mark.lostOn(white) < mayBeLost && lch.L < 1-plateStep {
		lch.L += 2 * plateStep
	}
	lch.L -= plateStep
	return lch.Color()
}

// onTile draws a mark with too few pixels on a tile, enlarged only as far as allowed.
func (c *composer) onTile(side int, u use, part image.Rectangle, background color.NRGBA) *image.NRGBA {
	m := c.mark
	most, least := onTile, staged
	if m.form == full || m.form == badge {
		most, least = badgeOnTile, stagedPicture
	}
	longer := float64(max(part.Dx(), part.Dy()))
	want := int(min(float64(side)*most, longer*maxEnlarged))
	if u == maskable {
		want = min(want, int(float64(side)*safeRadius*2*.7))
	}
	img, _ := m.fit(part, want)
	if m.form == full {
		img = rounded(img)
	}
	if float64(want) < least*float64(side) {
		plate := background
		if m.form != plain {
			plate = c.background(white, c.theme.Background, c.darkBackground())
		}
		reach := m.reach() * float64(want) / longer
		return centered(c.stage(side, u, plate, reach), img)
	}
	if m.form == glyph && m.oneColor && background != c.theme.Background { // it has the brand's color itself
		background, img = c.theme.Background, inOneInk(img, c.theme.OnBackground)
	}
	return centered(c.tile(side, u, background), img)
}
