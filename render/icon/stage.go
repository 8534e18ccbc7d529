package icon

import (
	"image"
	"image/color"
	"math"

	"masthead/render/paint"
	"masthead/render/palette"
)

// This file sets a mark of too few pixels onto a large tile so that it looks meant. It may not grow, and alone on an
// empty tile it is a speck that got lost. So it stands on a plate on which it can be seen, and rings lead from the
// plate out to the brand's color: whatever the mark, the whole tile is a figure with the mark in its middle.

// Figures of a stage.
const (
	// staged is the share of the tile's side under which a mark is set on a stage; stagedPicture is that of what is seen
	// as a picture on the tile, since it has a background of its own.
	staged, stagedPicture = .45, .6

	plateAbout = 1.32 // the radius of the plate, of the mark's reach
	plateLeast = .13  // of the side
	ringGrows  = 1.42 // one ring to the next, about
	ringsEnd   = .64  // of the side: in the corners of a tile
	leastRings = 3
	mostRings  = 6
	// plateApart is the least contrast of the plate with the tile; plateStep is by how much a plate of less is moved.
	plateApart = 1.15
	plateStep  = .16
)

// stage returns a tile with plate and rings, for a mark whose farthest pixel is so far from its middle.
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
	for i, a := range alpha.Pix { // the corners of the tile stay clear
		if img.Pix[4*i+3] = a; a == 0 {
			copy(img.Pix[4*i:4*i+3], []uint8{0, 0, 0})
		}
	}
	return img
}

// apart returns a plate, lighter or darker where it would not be seen on the brand's background: away from the mark,
// which is seen on it as it is.
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

// onTile draws a mark of too few pixels on a tile: enlarged no more than it may be.
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
