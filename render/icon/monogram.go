package icon

import (
	"image"
	"image/color"

	"masthead/render/paint"
	"masthead/render/text"
)

// Measures of a monogram, as fractions of the side.
const (
	letterPx      = .62 // size of the letter
	letterPxSmall = .76
	letterBox     = .58 // the square that its ink may fill
	letterSmall   = .72
	letterSafe    = .46 // if only a disc is certainly visible
	dotRadius     = .2  // for a name without a letter
)

// letter returns the initial of the site's name, or 0.
func (c *composer) letter() rune {
	name := c.request.Name
	return text.Initial(name[:min(len(name), maxName)], c.request.Lang)
}

// monogram draws the initial of the name on a tile of the brand's color, or a disc if there is none.
func (c *composer) monogram(side int, u use) *image.NRGBA {
	img := c.tile(side, u, c.theme.Background)
	c.drawLetter(img, u, c.theme.OnBackground)
	return img
}

// drawLetter draws the initial, or a disc, in the middle of a square picture.
func (c *composer) drawLetter(img *image.NRGBA, u use, ink color.NRGBA) {
	side := img.Rect.Dx()
	px, box := letterPx*float64(side), letterBox*float64(side)
	switch {
	case u == maskable:
		px, box = letterSafe/letterBox*px, letterSafe*float64(side)
	case side <= smallSide:
		px, box = letterPxSmall*float64(side), letterSmall*float64(side)
	}
	engine := text.Get()
	defer text.Put(engine)
	line := c.letterLine(engine, px)
	if line == nil || line.Empty() {
		r := int(dotRadius*float64(side) + .5)
		m := paint.RoundMask(image.Rect(side/2-r, side/2-r, side/2+r, side/2+r), float64(r))
		inked(img, m.Rect.Min.X, m.Rect.Min.Y, m, ink)
		return
	}
	w, h := line.Ink.X1-line.Ink.X0, line.Ink.Y1-line.Ink.Y0
	if over := max(w, h) / box; over > 1 {
		line = c.letterLine(engine, px/over)
	}
	x := float64(side)/2 - (line.Ink.X0+line.Ink.X1)/2
	y := float64(side)/2 - (line.Ink.Y0+line.Ink.Y1)/2
	engine.Draw(line, x, y, func(x, y int, m *image.Alpha) { inked(img, x, y, m, ink) })
}

func (c *composer) letterLine(engine *text.Engine, px float64) *text.Block {
	r := c.letter()
	if r == 0 {
		return nil
	}
	style := text.Style{Family: text.Inter, Weight: 700, SizePx: px, Exact: true, Lang: c.request.Lang}
	return engine.Line(string(r), style, 0)
}

// inked draws an ink over a picture by the coverage of a mask.
func inked(img *image.NRGBA, x, y int, m *image.Alpha, ink color.NRGBA) {
	for dy := range m.Rect.Dy() {
		for dx := range m.Rect.Dx() {
			if at := image.Pt(x+dx, y+dy); at.In(img.Rect) {
				a := m.Pix[dy*m.Stride+dx]
				blend(img.Pix[img.PixOffset(at.X, at.Y):][:4], []uint8{ink.R, ink.G, ink.B, a})
			}
		}
	}
}
