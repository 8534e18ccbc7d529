package template

import (
	"image"
	"image/color"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// A project at a glance.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "repo", Name: "Repo", Mood: "A project as a city.",
		GoodFor: "Code repositories, libraries and developer tools", Needs: []string{"repository"}, TextSide: "left",
		Bare: true, Fallback: []string{"editorial"},
	},
	OG: repoOG,
	Lacks: func(c *kit.Card) string {
		switch {
		case c.Owner == "" || c.Repo == "":
			return "repository"
		case c.Project == kit.Project{}:
			return "language, stars or license of the repository"
		}
		return ""
	},
})

// repoOG draws the name of a project, and its owner, next to its own skyline.
func repoOG(c *kit.Card) {
	bg := c.BG()
	c.Begin(paint.Solid(bg.Color))
	heading := kit.Heading{
		Title: c.Repo, Style: c.TitleStyle(), MaxH: 236,
		Ladder:      text.Steps(2, 132, 116, 100, 88, 76).Then(3, 64, 60),
		Description: kit.Description{SizePx: 28, W: 520, Lines: 3, More: 1},
	}
	heading.Style.LineHeight = 1
	column, down := kit.Column{X: 72, Y: 172, W: 620, H: 298, Gap: 44, Under: 128}, 0.0
	if b := c.Fit(c.Repo, heading.Style, text.Box{W: column.W, H: heading.MaxH}, heading.Ladder); len(b.Lines) > 1 {
		whole := text.Steps(1, 116, 104, 92, 84, 76) // over the skyline
		one := c.Fit(c.Repo, heading.Style, text.Box{W: repoWide, H: repoHigh}, whole)
		if len(one.Lines) == 1 && !one.Truncated && one.Width <= repoWide {
			column.W, heading.Ladder, heading.MaxH, down = repoWide, whole, repoHigh, repoDown
		}
	}
	baseline := 522.0
	if c.Logo != nil && c.Corner.Bottom && c.Corner.Right == c.RTL {
		baseline, column.H = baseline-44, column.H-44
	}
	c.PutHeading(bg, column, heading)
	putProject(c, bg, baseline)
	motif.DrawSkyline(c, down)
	end := bg
	if c.Corner.Bottom {
		end = kit.Surface{Color: c.Theme.Surface2, Text: bg.Text, Muted: bg.Muted, Accent: bg.Accent}
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: bg, End: end, ChipAtEnd: c.Corner.Bottom,
		Upper: kit.LogoLine{Middle: 100, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 546, MaxH: kit.LogoH},
	})

	row := kit.Row{Span: logo.Upper.Span, Anchor: kit.Middle, Y: 100, Gap: 20}
	if logo.Upper.HasLogo && !logo.AtEnd {
		row.X0 = float64(logo.X+logo.W) + row.Gap
	}
	c.PutRow(row, c.BrandIcon(bg, logo, 56), kit.RowItem{
		Text: c.Owner + "\u00a0/", Style: c.TextStyle(36, 400), Role: kit.Repeated, Color: bg.Muted, MaxW: 620,
	})
}

// Measures of repo, in the layout.
const (
	repoWide     = 1056 // of a name on one line
	repoHigh     = 112  // its height
	repoDown     = 48   // by how much the skyline is lower under it
	projectGap   = 34   // between two facts
	projectReach = 480  // width of the row of facts
)

// putProject places what the page says about the repository: its language, its stars and its license, as far as there
// is room.
func putProject(c *kit.Card, bg kit.Surface, baseline float64) {
	x, middle := 72.0, baseline-10
	put := func(s string, st text.Style, ink color.NRGBA, mark float64) (ok bool) {
		b := c.Line(s, st, 0)
		if b.Empty() || x+mark+b.BoxWidth > 72+projectReach {
			return false
		}
		c.Put(kit.Item{Block: b, Role: kit.Essential, Color: ink}, x+mark, kit.Bottom, baseline)
		x += mark + b.BoxWidth + projectGap
		return true
	}
	const dot, star = 30, 38 // widths of the marks before a text
	at := x
	if put(c.Project.Language, c.TextStyle(28, 400), bg.Text, dot) {
		c.Canvas().Disc(c.MotifX(at+9), middle, 9, c.BarOn(bg.Color))
	}
	at = x
	if put(c.Project.StarsShort(c.Lang), c.TextStyle(30, 700), bg.Text, star) {
		cx := c.MotifX(at + 14)
		box := image.Rect(int(cx)-18, int(middle)-18, int(cx)+18, int(middle)+18)
		c.Canvas().Path(box, c.BarOn(bg.Color), func(g *gg.Context) {
			motif.StarPath(g, cx, middle, 15)
			g.Fill()
		})
	}
	put(c.Project.License, c.TextStyle(28, 400), bg.Muted, 0)
}
