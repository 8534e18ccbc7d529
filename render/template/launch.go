package template

import (
	"cmp"
	"image"
	"strings"
	"unicode/utf8"

	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
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
	Sized: []kit.FormatLayout{
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
	full        text.Ladder // of a title that would be cut, which has the tagline's place
	fullHigh    float64
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
	lower: 232, lowerHigh: 276, lowerLadder: text.Steps(4, 64, 60, 56), alone: 200,
	full: text.Steps(4, 64, 58, 54, 50).Then(5, 50), fullHigh: 284,
	upper: kit.LogoLine{Middle: 84, MaxH: 48}, logo: kit.LogoLine{Middle: 546, MaxH: kit.LogoH}, margin: 72,
	foot: [2]float64{528, 500}, host: [2]float64{568, 492}, linePx: 32, gap: 48, lines: 1, hostPx: 28,
}

func launchOG(c *kit.Card) { drawLaunch(c, &launchShare) }

// drawLaunch draws the icon on a tile in two beams from above, and the title centered below it.
func drawLaunch(c *kit.Card, m *launchMeasures) {
	bg := c.BG()
	c.Begin(paint.Lit{Light: motif.Beams(c, m.view)})
	logo := c.PlaceLogo(kit.Corners{Margin: m.margin, Start: bg, End: bg, Upper: m.upper, Lower: m.logo})
	style := c.TitleStyle()
	style.LineHeight, style.Align = 1.04, text.Center
	tile, column := m.tile, m.column
	title := c.Fit(c.Title, style, text.Box{W: column.W, H: m.high}, m.ladder)
	if title.Truncated || !title.Empty() && len(title.Lines) > m.ladder[0].Lines {
		title = c.Fit(c.Title, style, text.Box{W: column.W, H: m.lowerHigh}, m.lowerLadder)
		tile, column.Y = m.small, m.lower
		if title.Truncated && m.full != nil && !logo.Lower.HasLogo {
			full := c.Fit(c.Title, style, text.Box{W: column.W, H: m.fullHigh}, m.full)
			if kit.SaysMore(full.Block, title.Block) {
				title = full
			}
		}
	}
	column.Under = float64(tile.Max.Y)
	if !motif.DrawTile(c, tile) { // there is nothing to show for the site
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
		if line.Empty() || title.Truncated { // what a title says is worth more than another sentence
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

// launchTagline returns the description if it is one line between the margins or a few below the title, or else as far
// as its last sentence or clause that is one short line, or nothing.
func launchTagline(c *kit.Card, m *launchMeasures) kit.Block {
	const (
		most  = 64
		least = 38 // of what is cut at a clause: fewer words say too little
	)
	said := text.ShownDescription(c.Description, c.Title, c.Lang, c.DescriptionGiven)
	style := c.TextStyle(m.linePx, 400)
	if whole := c.Line(said, style, 0); m.lines == 1 && !whole.Empty() && whole.BoxWidth <= float64(c.W-2*m.margin) {
		return whole
	}
	if utf8.RuneCountInString(said) > most {
		said = text.FirstClause(said, c.Lang, most)
		if strings.HasSuffix(said, "…") && utf8.RuneCountInString(said) < least {
			return kit.Block{}
		}
	}
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
