package motif

import (
	"cmp"
	"image"
	"image/color"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// Beams returns two beams from above, a wide one and a narrow one. On a light card a neutral accent has the blue of
// daylight: gray beams look like dirt.
func Beams(c *kit.Card, v kit.View) *paint.Light {
	th := &c.Theme
	return c.Light("launch", func(lamp *paint.Lamp, _ int) {
		lamp.Down(0, float64(c.H), th.BG)
		l := .72
		if th.Dark {
			l = .62
		}
		s := kit.SoftTone(th, l, 1.05, -10)
		if th.Neutral && !th.Dark {
			s = palette.LCH{L: .80, C: .055, H: 252}.Color()
		}
		fall := func(opacity float64) []paint.LightStop {
			return []paint.LightStop{
				{Color: s, Alpha: .85 * opacity}, {At: .53, Color: s, Alpha: .34 * opacity}, {At: .944, Color: s}, {At: 1, Color: s},
			}
		}
		beam := func(left0, right0, left1, right1, sigma, opacity float64) {
			lamp.Beam(paint.Beam{
				Y0: v.Y(-80), Left0: v.X(left0), Right0: v.X(right0), Y1: v.Y(640), Left1: v.X(left1), Right1: v.X(right1),
				Sigma: v.Len(sigma),
			}, fall(opacity)...)
		}
		beam(470, 730, 20, 1180, 34, .55)
		beam(540, 660, 320, 880, 14, .75)
	})
}

// DrawTile draws a tile with its shadow and its edge, and the icon of the site on it, otherwise the first letter of its
// name. It returns false, without drawing, if there is neither.
func DrawTile(c *kit.Card, at image.Rectangle) bool {
	side := at.Dx()
	radius, iconSide := float64(side*42/176), side*104/176
	th, canvas := &c.Theme, c.Canvas()
	tile := c.MotifRect(at.Min.X, at.Min.Y, side, side)
	colors, ink := launchTileColors(th)
	on := kit.OneColor(colors[len(colors)/2], ink)
	icon, ok := kit.FitIcon(c.Icon, kit.Surface{Color: on.Color, Text: ink}, iconSide)
	own := ok && isTile(c.Icon)
	letter := kit.Block{}
	if first := text.Initial(cmp.Or(c.SiteName, c.Host), c.Lang); !ok && first != 0 {
		st := text.Style{Family: text.Inter, Weight: 700, SizePx: float64(iconSide), Exact: true, Lang: c.Lang}
		letter = c.Line(string(first), st, 0)
	}
	if !ok && letter.Empty() {
		return false
	}
	shadow := .22
	if th.Dark {
		shadow = .45
	}
	canvas.Shadow(tile, radius, 34, 28, palette.Fade(kit.SoftTone(th, .12, .5, 0), shadow))
	if own {
		canvas.Picture(paint.Scale(c.Icon, side, side), tile, radius)
	} else {
		canvas.Picture(tileFace(colors, side), tile, radius)
	}
	canvas.Border(tile, radius, 2, palette.Fade(palette.RGB(0xFFFFFF), .3))
	middle := tile.Min.Add(tile.Max).Div(2)
	switch {
	case own:
	case ok:
		c.DrawLogo(icon, image.Rect(0, 0, icon.W, icon.H).Add(middle.Sub(image.Pt(icon.W/2, icon.H/2))))
	default:
		c.AddText(kit.Text{
			Item: kit.Item{Block: letter, Role: kit.Monogram, Color: ink},
			X:    float64(middle.X) - (letter.Ink.X0+letter.Ink.X1)/2, Y: float64(middle.Y) - (letter.Ink.Y0+letter.Ink.Y1)/2,
		})
	}
	c.AddIcon(kit.PlacedIcon{Box: tile, On: th.BG})
	return true
}

// isTile reports whether an icon has a background of its own: it is opaque but for its corners, and large enough.
func isTile(icon *image.NRGBA) bool {
	const least, corners = 128, .95
	size := icon.Rect.Size()
	if size.X != size.Y || size.X < least {
		return false
	}
	opaque := 0
	for y := range size.Y {
		row := icon.Pix[y*icon.Stride:][:4*size.X]
		for x := 3; x < len(row); x += 4 {
			if row[x] == 255 {
				opaque++
			}
		}
	}
	return float64(opaque) >= corners*float64(size.X*size.Y)
}

// tileFace returns a tile with a gradient from its upper left to its lower right.
func tileFace(colors []color.NRGBA, side int) *image.NRGBA {
	face := image.NewNRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			face.SetNRGBA(x, y, colors[(x+y)*len(colors)/(2*side)])
		}
	}
	return face
}

// launchTileColors returns the colors of the tile from its upper left to its lower right, on which an ink is readable
// at the position of a letter: white, or on a yellow tile a near-black.
func launchTileColors(th *palette.Theme) (colors []color.NRGBA, ink color.NRGBA) {
	const letterFrom, fine = .2, 8 // where a letter begins along the way; steps between two colors of a gradient
	if kit.IsAmber(th) {
		ink = palette.LCH{L: .17, C: .02, H: th.LCH.H}.Color()
		colors = palette.Gradient(kit.SoftTone(th, .90, 1, 0), kit.SoftTone(th, .70, 1, 0))
	} else {
		ink = palette.RGB(0xFFFFFF)
		for down := 0.0; down < .3; down += .02 {
			colors = palette.Gradient(kit.SoftTone(th, .70-down, 1, -18), kit.SoftTone(th, .44-down/2, 1.05, 10))
			if palette.Contrast(colors[int(letterFrom*float64(len(colors)))], ink) >= palette.MinText+.2 {
				break
			}
		}
	}
	smooth := make([]color.NRGBA, 0, fine*len(colors))
	for i := range colors[1:] {
		for k := range fine {
			mix := func(a, b uint8) uint8 { return uint8((int(a)*(fine-k) + int(b)*k + fine/2) / fine) }
			p, q := colors[i], colors[i+1]
			smooth = append(smooth, color.NRGBA{R: mix(p.R, q.R), G: mix(p.G, q.G), B: mix(p.B, q.B), A: 255})
		}
	}
	return smooth, ink
}
