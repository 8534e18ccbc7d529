package icon

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"masthead/render/palette"
)

// This file places a mark on an asset: where, how large, and on what.

// Measures, as fractions of the asset's side.
const (
	tileRounded  = .22 // radius of a tile
	frameKept    = .88 // fraction of its own frame from which a mark keeps the frame on large assets
	inset        = .04 // around a mark on a transparent background, on large assets
	onBackground = .74 // a mark on a background
	onSmall      = .80 // on small assets, where each pixel counts
	plainSmall   = .86 // the mark of a plain picture on small assets
	plainLarge   = .78
	// maxCrop is the maximum of each side of its own frame that small assets leave out around a mark, unless it is smaller
	// in it than leastFramed.
	maxCrop, leastFramed = .20, .30
	onTile               = .70 // maximum for a small mark on a tile
	badgeOnTile          = .84 // a small mark with its own background
	// leastOnTile is the minimum size of the content of a badge, if the tile continues the badge's background.
	leastOnTile = .22
	discOnTouch = .82 // a disc of several colors, on a background
	safeRadius  = .40 // the zone of a maskable icon that no mask cuts. Source: W3C, Web Application Manifest, 3.2
)

const (
	// maxEnlarged is the maximum enlargement of a raster: beyond it, edges are visibly soft.
	maxEnlarged = 3
	// smallSide is the maximum side of assets shown at their own size.
	smallSide = 48
	// plainKept is the fraction of its frame from which a mark on a plain background keeps the frame on large assets.
	plainKept = .5
	// leastAlone is the minimum size of a mark that stays on a transparent background although it can't be as large as
	// others.
	leastAlone = .6
	// lettered is the maximum side of assets that show a letter in place of a wordmark.
	lettered = 32
	// mayBeLost is the maximum fraction of a mark that may be invisible.
	mayBeLost = .3
	// sharpenedLarge is how much an enlarged mark is sharpened.
	sharpenedLarge = .5
)

// use is the purpose of an asset.
type use uint8

const (
	anywhere use = iota // on any background: its own may be transparent
	touch               // an opaque square whose corners the platform rounds
	maskable            // an opaque square of which only a disc is certainly visible
)

var (
	white       = palette.RGB(0xFFFFFF)
	black       = palette.RGB(0x000000)
	darkTab     = palette.RGB(0x202124) // a browser in dark mode, or a dark home screen
	transparent color.NRGBA
)

// composer draws the assets of a request.
type composer struct {
	request Request
	theme   palette.Theme
	mark    *mark
}

// asset draws an asset of side×side pixels.
func (c *composer) asset(side int, u use) *image.NRGBA {
	switch {
	case c.mark == nil, c.mark.word && side <= lettered && c.letter() != 0:
		return c.monogram(side, u)
	case c.mark.cut != nil && u == anywhere:
		one := *c
		one.mark = c.mark.cut
		return one.asset(side, u)
	}
	if img := c.itself(side, u); img != nil {
		return img
	}
	switch c.mark.form {
	case plain:
		return c.plain(side, u)
	case full:
		return c.full(side, u)
	case badge:
		return c.badge(side, u)
	}
	return c.glyph(side, u)
}

// glyph draws a mark without a background of its own: on a transparent background if it is visible on any, otherwise on
// a tile.
func (c *composer) glyph(side int, u use) *image.NRGBA {
	m := c.mark
	if u == anywhere && max(m.lostOn(white), m.lostOn(darkTab)) < mayBeLost {
		part, want := m.ink, m.uncropped(side)
		if m.framed(side) {
			part, want = m.img.Rect, side
		} else if side > smallSide {
			want = int(float64(side)*(1-2*inset) + .5)
		}
		if img, ok := m.alone(part, want, side); ok {
			return centered(clear(side), img)
		}
	}
	background := white
	if m.lostOn(white) >= mayBeLost {
		background = c.background(c.theme.Background, c.darkBackground(), white)
	}
	if img, ok := m.fit(m.ink, c.room(side, u)); ok {
		return centered(c.tile(side, u, background), img)
	}
	return c.onTile(side, u, m.ink, background)
}

// room is the side of the square that a mark may occupy on a background.
func (c *composer) room(side int, u use) int {
	if u == maskable {
		return c.safe(side, c.mark.ink, c.mark.reach())
	}
	if side <= smallSide {
		return side - 2*int(float64(side)*(1-onSmall)/2)
	}
	return int(float64(side)*onBackground + .5)
}

// safe is the longer side of a mark within the safe zone of a maskable icon; reach is that of the mark.
func (c *composer) safe(side int, part image.Rectangle, reach float64) int {
	longer := float64(max(part.Dx(), part.Dy()))
	return int(min(float64(side)*safeRadius*.96/reach*longer, float64(side)*onBackground))
}

// badge draws a mark with a background of its own.
func (c *composer) badge(side int, u use) *image.NRGBA {
	m := c.mark
	if u == anywhere {
		part, want := m.ink, m.uncropped(side)
		if m.framed(side) {
			part, want = m.img.Rect, side
		}
		if img, ok := m.alone(part, want, side); ok {
			return centered(clear(side), img)
		}
		return c.badgeOnTile(side, u)
	}
	want := side
	switch {
	case m.disc && !m.mostly:
		want = int(float64(side)*discOnTouch + .5)
	case u == maskable && !m.disc:
		want = int(float64(side)*2*safeRadius + .5)
	}
	img, ok := m.fit(m.ink, want)
	switch {
	case !ok:
		return c.badgeOnTile(side, u)
	case m.mostly:
		return centered(c.tile(side, u, m.rim), img)
	case m.disc:
		return centered(c.tile(side, u, c.background(white, c.theme.Background, c.darkBackground())), img)
	}
	return extended(side, img)
}

// badgeOnTile draws a badge of too few pixels on a tile that continues its background, as long as its content remains
// recognizable.
func (c *composer) badgeOnTile(side int, u use) *image.NRGBA {
	m := c.mark
	want := int(min(float64(side)*badgeOnTile, float64(m.side())*maxEnlarged))
	if u == maskable {
		want = min(want, int(float64(side)*safeRadius*2))
	}
	inner := inkOf(m.img.SubImage(m.ink.Inset(m.side()/6)).(*image.NRGBA), m.rim)
	share := float64(max(inner.Dx(), inner.Dy())) * float64(want) / float64(m.side()*side)
	switch {
	case share < leastOnTile, m.disc && !m.mostly, m.mostly && !m.even: // cut by its edge, it would end abruptly
		return c.onTile(side, u, m.ink, c.background(white, c.theme.Background, c.darkBackground()))
	case m.mostly:
		img, _ := m.fit(m.ink, want)
		return centered(c.tile(side, u, m.rim), img)
	}
	img, _ := m.fit(m.ink, want)
	if img = extended(side, img); u == anywhere {
		return rounded(img)
	}
	return img
}

// plain draws a mark on its source's background, with a suitable margin.
func (c *composer) plain(side int, u use) *image.NRGBA {
	m := c.mark
	round := u == anywhere && m.onPaper()
	frame := c.framing(side, u)
	if !m.may(frame.Dx(), side) {
		img, ok := m.fit(m.ink, c.room(side, u))
		if !ok {
			img, _ = m.fit(m.ink, int(float64(m.side())*maxEnlarged))
		}
		img = over(centredOn(side, m.rim), img, image.Pt((side-img.Rect.Dx())/2, (side-img.Rect.Dy())/2))
		if round {
			return rounded(img)
		}
		return img
	}
	img := m.padded(frame, side, m.rim)
	if round {
		return rounded(img)
	}
	return img
}

// framing returns the square that an asset shows of a plain picture. Large assets show all of it, unless its margin is
// very wide; small ones less of the margin, evenly on all sides, so that a mark at an edge stays there.
func (c *composer) framing(side int, u use) image.Rectangle {
	m, frame := c.mark, c.mark.img.Rect
	share, longer := plainLarge, float64(m.side())
	if side <= smallSide {
		share = plainSmall
	}
	around := func(want int) image.Rectangle {
		middle := m.ink.Min.Add(m.ink.Max).Div(2)
		return image.Rect(0, 0, want, want).Add(middle.Sub(image.Pt(want/2, want/2)))
	}
	switch {
	case u == maskable:
		return around(int(longer * float64(side) / float64(c.safe(side, m.ink, m.reach()))))
	case frame.Dx() != frame.Dy():
		return around(int(math.Ceil(longer / share)))
	case side > smallSide && longer >= plainKept*float64(frame.Dx()):
		return frame
	}
	margin := min(m.ink.Min.X, m.ink.Min.Y, frame.Max.X-m.ink.Max.X, frame.Max.Y-m.ink.Max.Y)
	edge := (1 - share) / 2
	return frame.Inset(max(int((float64(margin)-edge*float64(frame.Dx()))/(1-2*edge)), 0))
}

// full draws a picture that extends to its edges.
func (c *composer) full(side int, u use) *image.NRGBA {
	m := c.mark
	part := m.img.Rect
	w, h := part.Dx(), part.Dy()
	square := max(w, h)*100 <= min(w, h)*112
	if square { // the slight excess is cut off
		s := min(w, h)
		part = image.Rect(0, 0, s, s).Add(image.Pt((w-s)/2, (h-s)/2))
	}
	want := side
	switch {
	case u == maskable && !square:
		want = c.safe(side, part, math.Hypot(float64(part.Dx()), float64(part.Dy()))/2)
	case u == touch && !square:
		want = int(float64(side)*discOnTouch + .5)
	}
	background := white
	if m.lostOn(white) > .6 {
		background = c.darkBackground()
	}
	if u == anywhere {
		if img, ok := m.alone(part, want, side); ok {
			return centered(clear(side), img)
		}
	}
	img, ok := m.fit(part, want)
	if !ok {
		return c.onTile(side, u, part, background)
	}
	return centered(c.tile(side, u, background), img)
}

// uncropped returns the side that a mark has on small assets, where more of its own margin than [maxCrop] stays. On
// others it has all of the asset's.
func (m *mark) uncropped(side int) int {
	frame, longer := float64(m.img.Rect.Dx()), float64(m.side())
	if side > smallSide || m.img.Rect.Dx() != m.img.Rect.Dy() || longer < leastFramed*frame {
		return side
	}
	return min(side, int(float64(side)*longer/((1-2*maxCrop)*frame)+.5))
}

// background returns the first color on which little of the mark is lost, otherwise the one with the least loss.
func (c *composer) background(colors ...color.NRGBA) color.NRGBA {
	if c.mark.onWhite {
		return white
	}
	best, least := colors[0], 2.0
	for _, g := range colors {
		lost := c.mark.lostOn(g)
		if lost < .2 {
			return g
		}
		if lost < least {
			best, least = g, lost
		}
	}
	return best
}

// darkBackground is the darkest background of the brand.
func (c *composer) darkBackground() color.NRGBA { return palette.New(c.request.Brand, true).BG }

// tile returns the background of an asset, with round corners if they may be transparent.
func (c *composer) tile(side int, u use, background color.NRGBA) *image.NRGBA {
	img := clear(side)
	draw.Draw(img, img.Rect, image.NewUniform(background), image.Point{}, draw.Src)
	if u == anywhere {
		return rounded(img)
	}
	return img
}

// framed reports whether the assets of a size keep the source's square frame around the mark: if the mark fills it, or
// if an asset of about that size is the source itself, whose margin the others then share.
func (m *mark) framed(side int) bool {
	w, h := m.img.Rect.Dx(), m.img.Rect.Dy()
	switch share := float64(m.side()) / float64(w); {
	case w != h || share < plainKept:
		return false
	case side <= smallSide:
		return !m.vector && (w == 16 || w == 32 || w == 48)
	default:
		return share >= frameKept || !m.vector && (w == 192 || w == 512)
	}
}

// alone is like fit for a mark on a transparent background, where it may be smaller: as large as its pixels allow, if
// that fills enough of the asset.
func (m *mark) alone(part image.Rectangle, want, side int) (img *image.NRGBA, ok bool) {
	most := maxEnlarged * max(part.Dx(), part.Dy())
	if !m.may(max(part.Dx(), part.Dy()), want) && float64(most) >= leastAlone*float64(side) {
		want = most
	}
	return m.fit(part, want)
}

// may reports whether a part of from pixels may be drawn at to pixels. Pixel art may be drawn at any size: it is
// enlarged by whole factors, and reduced like other pictures.
func (m *mark) may(from, to int) bool {
	return m.vector || m.pixel || float64(to) <= maxEnlarged*float64(from)
}

// fit scales a part so that its longer side is want; ok is false if it has too few pixels for that. Pixel art is
// enlarged by whole factors, so it may be smaller.
func (m *mark) fit(part image.Rectangle, want int) (img *image.NRGBA, ok bool) {
	w, h := part.Dx(), part.Dy()
	longer := max(w, h)
	if m.pixel && want >= longer {
		return enlarged(m.img, part, want/longer), true
	}
	if !m.may(longer, want) {
		return nil, false
	}
	tw, th := evenly(w, longer, want), evenly(h, longer, want)
	if m.vector && want > smallSide { // small sizes are means of more samples than the engine uses
		if img = m.drawn(part, tw, th); img != nil && img.Rect.Dx() == tw && img.Rect.Dy() == th {
			return img, true
		}
	}
	img = m.scales.scaled(part, tw, th)
	switch {
	case want <= smallSide && want < longer:
		img = sharpened(img, sharpness(want))
	case want > longer:
		img = sharpened(img, sharpenedLarge)
	}
	return img, true
}

// evenly returns a side scaled so that the longer one becomes want. It differs from want by an even number, so that it
// can be centered.
func evenly(side, longer, want int) int {
	scaled := float64(side) * float64(want) / float64(longer)
	free := int((float64(want)-scaled)/2 + .5)
	return max(want-2*free, 1)
}

// sharpness is how much a reduced mark is sharpened.
func sharpness(side int) float64 {
	switch {
	case side <= 20:
		return .7
	case side <= 36:
		return .45
	}
	return .3
}

// padded returns a square part of a plain source at side pixels; the area outside of the source has its background.
func (m *mark) padded(frame image.Rectangle, side int, background color.NRGBA) *image.NRGBA {
	inner := frame.Intersect(m.img.Rect)
	if m.pixel && side >= frame.Dx() {
		n := side / frame.Dx()
		img := centredOn(side, background)
		at := image.Pt((side-n*frame.Dx())/2, (side-n*frame.Dy())/2).Add(inner.Min.Sub(frame.Min).Mul(n))
		return over(img, enlarged(m.img, inner, n), at)
	}
	var img *image.NRGBA
	if inner == frame {
		if m.vector && side > smallSide {
			img = m.drawn(frame, side, side)
		}
		if img == nil || img.Rect.Dx() != side || img.Rect.Dy() != side {
			img = m.scales.scaled(frame, side, side)
		}
	} else {
		factor := float64(side) / float64(frame.Dx())
		place := func(v int) int { return int(float64(v)*factor + .5) }
		at := inner.Sub(frame.Min)
		to := image.Rect(place(at.Min.X), place(at.Min.Y), place(at.Max.X), place(at.Max.Y))
		img = over(centredOn(side, background), m.scales.scaled(inner, max(to.Dx(), 1), max(to.Dy(), 1)), to.Min)
	}
	if side <= smallSide && side < frame.Dx() {
		img = sharpened(img, sharpness(side))
	}
	return img
}

// reach is the distance of the mark's farthest pixel from its center.
func (m *mark) reach() float64 {
	cx, cy := float64(m.ink.Min.X+m.ink.Max.X)/2, float64(m.ink.Min.Y+m.ink.Max.Y)/2
	most := 1.0
	for y := m.ink.Min.Y; y < m.ink.Max.Y; y++ {
		row := m.img.Pix[m.img.PixOffset(m.ink.Min.X, y):][:4*m.ink.Dx()]
		for x := m.ink.Min.X; len(row) > 0; x, row = x+1, row[4:] {
			if row[3] >= seen && (m.form != plain || !near(row, m.rim)) {
				dx, dy := float64(x)+.5-cx, float64(y)+.5-cy
				most = max(most, dx*dx+dy*dy)
			}
		}
	}
	return math.Sqrt(most) + .7 // to the corner of the pixel
}
