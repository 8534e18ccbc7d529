package template

import (
	"cmp"
	"image"
	"image/color"
	"unicode/utf8"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// The curtain goes up.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "launch", Name: "Launch", Mood: "The curtain goes up: an icon in the spotlight.",
		GoodFor: "Launches, apps, products and releases with a short name", Needs: []string{"title", "icon"},
		TextSide: "center", Bare: true,
	},
	OG: launchOG,
	Sized: []kit.Sized{
		{Format: kit.Square, Draw: launchUpright}, {Format: kit.Feed, Draw: launchUpright},
		{Format: kit.Story, Draw: launchUpright},
	},
})

// launchMeasures are those of a size, in the layout.
type launchMeasures struct {
	tile, small image.Rectangle // small is over a title of many lines
	column      kit.Column      // of the title
	high        float64         // most of the title
	ladder      text.Ladder
	lower       float64 // where a title of many lines begins, below the small tile
	lowerHigh   float64
	lowerLadder text.Ladder
	alone       float64 // where a title begins without a tile
	upper, logo kit.LogoLine
	margin      int
	foot        [2]float64 // of the tagline, without a logo below it and with one
	host        [2]float64 // its baseline
	linePx, gap float64    // of the tagline, and over it
	lines       int
	hostPx      float64
	view        kit.View
}

var launchShare = launchMeasures{
	tile: image.Rect(512, 62, 688, 238), small: image.Rect(532, 52, 668, 188),
	column: kit.Column{X: 150, Y: 300, W: 900}, high: 200, ladder: text.Steps(2, 116, 104, 88, 80, 72, 64),
	lower: 232, lowerHigh: 276, lowerLadder: text.Steps(3, 64), alone: 200,
	upper: kit.LogoLine{Middle: 84, MaxH: 48}, logo: kit.LogoLine{Middle: 546, MaxH: kit.LogoH}, margin: 72,
	foot: [2]float64{528, 500}, host: [2]float64{568, 492}, linePx: 32, gap: 48, lines: 1, hostPx: 28,
}

func launchOG(c *kit.Card) { drawLaunch(c, &launchShare) }

// drawLaunch draws the icon on a tile in two beams from above, and the title centered below it.
func drawLaunch(c *kit.Card, m *launchMeasures) {
	bg := c.BG()
	c.Begin(paint.Lit{Light: launchLight(c, m.view)})
	logo := c.PlaceLogo(kit.Corners{Margin: m.margin, Start: bg, End: bg, Upper: m.upper, Lower: m.logo})
	style := c.TitleStyle()
	style.LineHeight, style.Align = 1.04, text.Center
	tile, column := m.tile, m.column
	title := c.Fit(c.Title, style, text.Box{W: column.W, H: m.high}, m.ladder)
	if title.Truncated || !title.Empty() && len(title.Lines) > m.ladder[0].Lines {
		title = c.Fit(c.Title, style, text.Box{W: column.W, H: m.lowerHigh}, m.lowerLadder)
		tile, column.Y = m.small, m.lower
	}
	column.Under = float64(tile.Max.Y)
	if !drawLaunchTile(c, tile) { // there is nothing to show for the site
		column.Y, column.Under = m.alone, 60
	}
	foot, host := m.foot[0], m.host[0]
	if logo.Lower.HasLogo {
		foot, host = m.foot[1], m.host[1]
	}
	bottom := column.Y
	for _, p := range c.PutColumn(column, kit.Item{Block: title, Role: kit.Title, Color: bg.Text}) {
		bottom = p.Bounds().Y1
		line := launchTagline(c, m)
		if line.Empty() {
			break
		}
		if top := p.Y + text.StackOffset(title.Block, line.Block, m.gap); top+line.Ink.Y1 <= foot {
			c.Put(kit.Item{Block: line, Role: kit.Essential, Color: bg.Text}, (float64(c.W)-line.BoxWidth)/2, kit.Top, top)
			bottom = top + line.Ink.Y1
		}
	}
	putLaunchHost(c, m, bg, bottom, host)
	c.Calm(true, bg.Color, image.Rect(0, tile.Max.Y+20, c.W, c.H))
}

// launchTagline returns the description, as far as its first clause that is one short line, or nothing.
func launchTagline(c *kit.Card, m *launchMeasures) kit.Block {
	const most = 64
	said := text.ShownDescription(c.Description, c.Title, c.Lang, c.DescriptionGiven)
	if utf8.RuneCountInString(said) > most {
		said = text.FirstClause(said, most)
	}
	style := c.TextStyle(m.linePx, 400)
	line := c.Line(said, style, 0)
	if m.lines > 1 && !line.Empty() {
		style.Align = text.Center
		line = c.Fit(said, style, text.Box{W: m.column.W}, text.Steps(m.lines, m.linePx))
	}
	if line.Empty() || line.BoxWidth > m.column.W || line.Truncated {
		return kit.Block{}
	}
	return line
}

// putLaunchHost places the host, or the name of the site, at a baseline, if there is room for it below the title.
func putLaunchHost(c *kit.Card, m *launchMeasures, on kit.Surface, below, baseline float64) {
	const gap = 28
	site := kit.SiteOf(&c.Texts)
	line := c.TruncateMiddle(cmp.Or(site.Host, site.Name), c.TextStyle(m.hostPx, 400), m.column.W)
	if line.Empty() {
		return
	}
	if top := baseline - line.Height; top+line.Ink.Y0 >= below+gap {
		c.Put(kit.Item{Block: line, Role: kit.Repeated, Color: on.Muted}, (float64(c.W)-line.BoxWidth)/2, kit.Top, top)
	}
}

// launchLight is two beams, a wide one and a narrow one. On a light card a neutral accent has the blue of daylight:
// gray beams look like dirt.
func launchLight(c *kit.Card, v kit.View) *paint.Light {
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

// drawLaunchTile draws the tile with its shadow and its edge, and the icon of the site on it, otherwise the first
// letter of its name. It returns false, without drawing, if there is neither.
func drawLaunchTile(c *kit.Card, at image.Rectangle) bool {
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
		c.AddText(kit.Placed{
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
