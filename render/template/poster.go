package template

import (
	"image/color"
	"strings"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/text"
)

// One shout, on the accent.
var _ = register(Template{
	Info: Info{
		Slug: "poster", Name: "Poster", Mood: "One shout.", Kinds: []Kind{OG},
		GoodFor: "Announcements, events and manifestos with a short title", Needs: []string{"title"}, TextSide: "left",
	},
	OG: posterOG,
})

func posterOG(c *Card) {
	c.posterGround()
	c.Ground(paint.Solid(c.GroundColor))
	discs := c.arcDiscs()
	c.canvas.Disc(c.mirror(1040, 0), 600, 420, discs[0])
	c.canvas.Disc(c.mirror(1040, 0), 600, 250, discs[1])

	top, row := c.posterRow()
	st := c.TitleStyle()
	st.Weight, st.LineHeight, st.Tracking = 800, .96, st.Tracking-.01
	ladder := text.Steps(3, 168, 148, 132, 116, 104).Then(4, 92, 80).Then(5, 70)
	if !strings.ContainsFunc(c.Title, isSpace) {
		ladder = append(text.Steps(1, 240, 228, 216, 204, 192, 180), ladder...)
	}
	title := c.Fit(st, text.Box{W: 1056, H: 472 - top}, ladder)
	inkTop := 60.0 // marks over the capitals stay in the zone of text, and clear of a logo over them
	if top > 72 {
		inkTop = 112 + 16
	}
	c.Put(Title, title, 72, max(top, inkTop-title.Ink.Y0), c.GroundText)
	c.PutMiddle(Repeated, c.TruncateMiddle(c.siteLabel(), c.TextStyle(30, 600), 620), row, 555, c.GroundText)
}

func isSpace(r rune) bool { return r == ' ' || r == '\u00a0' }

// brightAccent is the lightness from which an accent would dazzle as the ground of a dark card.
const brightAccent = .92

// posterGround chooses what everything stands on: the accent, in both modes, but for dark cards of a brand that is white, grey or black.
func (c *Card) posterGround() {
	th := &c.Theme
	c.OneInk, c.GroundColor, c.GroundText = true, th.Ground, th.OnGround
	if th.Dark && (th.Neutral || th.LCH.L > brightAccent) {
		c.GroundColor, c.GroundText = th.BG, th.Text
	}
}

// arcDiscs returns the colours of the larger and the smaller disc: steps of lightness from the ground, lighter on dark grounds. The title
// runs over them, so where lighter ones would take its contrast, the steps are made smaller or go the other way.
func (c *Card) arcDiscs() [2]color.NRGBA {
	ground := palette.ToLCH(c.GroundColor)
	first := 1.0
	if ground.L >= .6 {
		first = -1
	}
	for _, k := range []float64{first, .8 * first, .65 * first, -first, -.8 * first} {
		var discs [2]color.NRGBA
		for i, step := range [2]float64{.055, .10} {
			d := ground
			d.L += k * step
			discs[i] = d.Color()
		}
		if palette.Contrast(discs[1], c.GroundText) >= palette.MinText && palette.Contrast(discs[0], c.GroundText) >= palette.MinText {
			return discs
		}
	}
	return [2]color.NRGBA{c.GroundColor, c.GroundColor}
}

// posterRow draws the logo. It returns where the title begins, which makes room for a logo above it, and where the host does.
func (c *Card) posterRow() (top, host float64) {
	top, host = 72, 72
	logo, at := c.logo()
	switch at {
	case topStart:
		c.draw(logo, 72, 84-logo.H/2)
		top = 152
	case topEnd:
		c.draw(logo, 1128-logo.W, 84-logo.H/2)
		top = 152
	case bottomStart:
		c.draw(logo, 72, 555-logo.H/2)
		host = 72 + float64(logo.W) + logoGap
	case bottomEnd:
		c.draw(logo, 1128-logo.W, 555-logo.H/2)
	}
	return top, host
}
