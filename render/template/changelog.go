package template

import (
	"cmp"
	"hash/fnv"
	"image"
	"slices"
	"strings"

	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/template/wording"
	"masthead/render/text"
)

// A release as an event: its number, very large, over a timeline on which it is a point. A page about a release whose
// number isn't known has the month and the year instead. It has no picture behind it.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "changelog", Name: "Changelog", Mood: "A release as an event.",
		GoodFor: "Release notes, changelogs and dated announcements. It takes no AI picture",
		Needs:   []string{"version"}, TextSide: "left", Bare: true, Fallback: []string{"editorial"},
	},
	OG:    changelogOG,
	Sized: []kit.FormatLayout{{Format: kit.Square, Draw: changelogSquare}},
	Lacks: func(c *kit.Card) string {
		if c.Version == "" && (c.Month == "" || !wording.IsOfRelease(c)) {
			return "version, and no date of a release"
		}
		return ""
	},
})

func changelogOG(c *kit.Card) {
	bg, m := c.BG(), &changelogShare
	when, mask, below := beginChangelog(c, m, bg)
	rtl := c.RTL
	c.RTL = false
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: bg, End: bg,
		Upper: kit.LogoLine{Middle: releaseRow, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 554, MaxH: 40},
	})
	beside := float64(mask.Rect.Max.X) + numeralGap
	from := beside
	if below {
		from = logo.Upper.X0
	}
	putBrandAtEnd(c, bg, logo, wording.Release(c), kit.Row{Span: kit.Span{X0: from}, Y: releaseRow}, rtl)
	c.PutRow(kit.Row{Span: kit.Span{X0: beside, X1: m.right}, Anchor: kit.Bottom, Y: m.base + 12}, when)
	c.RTL = rtl

	putRelease(c, bg, logo)
}

// beginChangelog draws the background, the number or else the month, and the timeline. It returns the date and the
// number; below means that the number is below the upper row.
func beginChangelog(
	c *kit.Card, m *changelogMeasures, bg kit.Surface,
) (when kit.RowItem, mask *image.Alpha, below bool) {
	th := &c.Theme
	number, date := strings.TrimLeft(c.Version, "vV"), c.Date
	if number == "" {
		number, date = c.Month, ""
	}
	// The number and the timeline have the same position in every direction of text; a logo moves the number.
	when = kit.RowItem{Text: date, Style: c.TextStyle(m.datePx, 400), Role: kit.Essential, Color: bg.Muted, AtEnd: true}
	mask, below = numeral(c, m, number, when)
	canvas := c.BeginAround(mask, kit.LeadRun(th, m.base-m.most, m.base,
		kit.Tone{L: kit.ByMode(th.Dark, .82, .58), C: kit.ByMode(th.Dark, .6, 1), DH: -14},
		kit.Tone{L: kit.ByMode(th.Dark, .54, .40), C: 1.05, DH: 10}), bg.Color)
	drawScale(c, m, canvas)
	return when, mask, below
}

// putRelease places the title and, if it is one line, what is new; otherwise the description.
func putRelease(c *kit.Card, bg kit.Surface, logo kit.Logo) {
	style, title := c.TitleStyle(), wording.Release(c)
	style.LineHeight = 1.04
	under := float64(changelogShare.scale) + 24
	if logo.Lower.HasLogo {
		c.PutHeading(bg, kit.Column{X: 72, Y: 352, W: 1056, H: 152, Anchor: kit.Middle, Under: under, Foot: 514}, kit.Heading{
			Title: title, Style: style, Ladder: text.Steps(2, 84, 72, 64).Then(3, 52, 48), MaxH: 152,
		})
		return
	}
	if lines := wording.Highlights(c); len(lines) > 0 {
		box := text.Box{W: 1056, H: 72}
		b := c.Fit(title, style, box, text.Steps(1, 84, 72, 64))
		if !b.Empty() && len(b.Lines) == 1 && !b.Truncated && b.BoxWidth <= box.W {
			c.PutHeading(bg, kit.Column{X: 72, Y: 348, W: box.W, H: box.H, Under: under, Foot: 436}, kit.Heading{
				Title: title, Style: style, Ladder: text.Steps(1, 84, 72, 64), Firm: true,
			})
			first := 470
			if len(lines) == 2 {
				first += 6
			}
			putHighlights(c, bg, lines, 30, 72, first, 49)
			return
		}
	}
	column := kit.Column{X: 72, Y: 354, W: 1056, H: 172, Gap: releaseGap, Under: under, Foot: 526}
	heading := kit.Heading{
		Title: title, Style: style, Ladder: text.Steps(2, 84, 72, 64), MaxH: 168,
		Description: kit.Description{SizePx: releasePx, W: 960, Lines: 1, Low: releaseLow},
	}
	heading = forLongTitle(c, bg, column, heading, text.Steps(3, 58, 54, 50, 48))
	described := c.Describes(bg, column, heading)
	placed := c.PutHeading(bg, column, heading)
	if described || placed.Empty() || placed.Truncated {
		return
	}
	line := newsLine(c, c.TextStyle(releasePx, 400), column.W)
	if line.Empty() {
		return
	}
	y := placed.Y - c.Lowered() + text.StackOffset(placed.Block.Block, line.Block, releaseGap)
	if y+line.Height <= releaseLow {
		c.Put(kit.Item{Block: line, Role: kit.Repeated, Color: bg.Muted}, column.X, kit.Top, y)
	}
}

// Measures of what is below a title of two lines.
const (
	releasePx  = 30
	releaseGap = 36.0
	releaseLow = 567.0 // lowest baseline
)

// newsLine returns as many entries of what is new as fit into one line, without those that the title has.
func newsLine(c *kit.Card, style text.Style, w float64) (line kit.Block) {
	lines := slices.DeleteFunc(wording.Highlights(c), func(s string) bool { return text.Says(c.Title, s) })
	for n := range lines {
		b := c.Line(strings.Join(lines[:n+1], " · "), style, 0)
		if b.Empty() || b.BoxWidth > w {
			break
		}
		line = b
	}
	return line
}

// putHighlights places what is new in a size, each line after a plus sign at x, from a baseline on and by a pitch.
func putHighlights(c *kit.Card, on kit.Surface, lines []string, size float64, x, first, pitch int) {
	const side, stroke, indent = 20, 5, 40
	ink := c.BarOn(on.Color)
	for i, line := range lines {
		baseline := first + i*pitch
		b := c.Line(line, c.TextStyle(size, 400), float64(c.W-2*x-indent))
		p := c.Put(kit.Item{Block: b, Role: kit.Repeated, Color: on.Muted}, float64(x+indent), kit.Bottom, float64(baseline))
		if p.Empty() {
			continue
		}
		middle := baseline - int(b.CapHeight/2)
		c.Canvas().Fill(c.MotifRect(x, middle-stroke/2, side, stroke), ink)
		c.Canvas().Fill(c.MotifRect(x+(side-stroke+1)/2, middle-side/2, stroke, side), ink)
	}
}

// changelogMeasures are those of the number and the timeline in a size, in the layout.
type changelogMeasures struct {
	left, right float64
	most        float64 // height of the number
	below       float64 // of one below the upper row
	base        float64 // its baseline
	width       float64
	datePx      float64
	alone       bool // the site isn't in the row above
	scale, node int  // y of the timeline, and the usual x of its node
}

var changelogShare = changelogMeasures{
	left: 72, right: 1128, most: 211, below: 128, base: 252, width: 840, datePx: 28, scale: 298, node: 603,
}

const (
	releaseRow    = 84 // middle of the row with the site
	numeralGap    = 32
	edge          = 4 // margin of its mask beyond its ink
	brandIconSide = 40
)

// numeral returns a number at its position: as large as possible, next to the upper row of the card, for which it
// leaves room, or below it. The day next to it is never cut.
func numeral(c *kit.Card, m *changelogMeasures, number string, day kit.RowItem) (mask *image.Alpha, below bool) {
	st := c.Family.Title(290)
	st.Weight, st.Tracking, st.Exact, st.Lang = 800, -.06, true, c.Lang
	if c.Family == text.InstrumentSerif {
		st.Tracking = -.02 // its narrow figures would touch the point
	}
	if number == "" {
		return image.NewAlpha(image.Rectangle{}), false
	}
	b := c.Engine().Line(number, st, 0)
	if b.Empty() {
		return image.NewAlpha(image.Rectangle{}), false
	}
	left, end, brand := m.left, m.right-numeralGap-edge, brandAtEnd(c)
	if day.Text != "" {
		end -= c.Line(day.Text, day.Style, 0).BoxWidth
	}
	if l, ok := kit.FitLogo(c.Logo, c.BG(), kit.MaxLogoW(c.Kind, 72), kit.LogoH); ok && !c.Corner.Bottom && !m.alone {
		if w := float64(l.W); !c.Corner.Right {
			left += w + 48
		} else if brand += kit.LogoGap + w; w > kit.Wordmark*float64(l.H) {
			brand = w
		}
	}
	if m.alone {
		brand = 0
	}
	w := b.Ink.X1 - b.Ink.X0
	k := min(m.most/b.CapHeight, (min(end, m.right-numeralGap-edge-brand, left+m.width)-left)/w)
	if low := min(m.below/b.CapHeight, (min(end, m.left+m.width)-m.left)/w); low > k {
		k, left, below = low, m.left, true
	}
	st.SizePx *= k
	b = c.Engine().Line(number, st, 0)
	return c.InkMask(b, left-b.Ink.X0, m.base-b.CapHeight), below
}

// Measures of the timeline.
const (
	scaleThick                 = 4
	tickStep, tickW            = 24, 3
	tickH, longTickH, longTick = 11, 22, 5
	nodeSpread                 = 5 // by how many ticks the seed may move the node
)

// drawScale draws the axis, its ticks and the node, whose position depends on the seed.
func drawScale(c *kit.Card, m *changelogMeasures, canvas *paint.Canvas) {
	th := &c.Theme
	h := fnv.New64a()
	_, _ = h.Write([]byte{byte(c.Seed >> 16), byte(c.Seed >> 24), byte(c.Seed >> 40)}) // it never fails
	node := m.node + (int(h.Sum64()%(2*nodeSpread+1))-nodeSpread)*tickStep
	ink, line := c.BarOn(th.BG), th.Line
	canvas.Fill(image.Rect(0, m.scale, node, m.scale+scaleThick), ink)
	canvas.Fill(image.Rect(node, m.scale, c.W, m.scale+scaleThick), line)
	for i, x := 0, 2; x < c.W; i, x = i+1, x+tickStep {
		tall, col := tickH, ink
		if i%longTick == 0 {
			tall = longTickH
		}
		if x > node {
			col = line
		}
		if x <= node-tickStep || x >= node+tickStep { // none behind the node
			canvas.Fill(image.Rect(x, m.scale+scaleThick, x+tickW, m.scale+scaleThick+tall), col)
		}
	}
	canvas.Disc(float64(node), float64(m.scale+2), 20, th.BG)
	canvas.Disc(float64(node), float64(m.scale+2), 13, ink)
}

// putBrandAtEnd places the site's icon, and its name after it in the direction of the card, at the end of the upper
// row, of which a start and the middle are given.
func putBrandAtEnd(c *kit.Card, on kit.Surface, logo kit.Logo, title string, row kit.Row, rtl bool) {
	row.X1, row.Anchor, row.Gap = logo.Upper.X1, kit.Middle, kit.BrandGap
	name := nameAtEnd(c, on, title)
	if logo.Upper.HasLogo && logo.AtEnd && logo.Wordmark() {
		name.Text = ""
	}
	putNameAtEnd(c, row, name, c.BrandIcon(on, logo, brandIconSide), rtl)
}

// putNameAtEnd places a name and the icon before it, in its direction or that of the card, at the end of a row.
func putNameAtEnd(c *kit.Card, row kit.Row, name, icon kit.RowItem, rtl bool) {
	icon.AtEnd = true
	if !c.RTL && (rtl || kit.HasRTL(name.Text)) {
		c.PutRow(row, icon, name)
		return
	}
	c.PutRow(row, besideSquare(c, row, name, icon), icon)
}

// besideSquare returns the name in a slightly smaller or larger size if the middle square of a chat would cut the icon
// before it, in a row that both end.
func besideSquare(c *kit.Card, row kit.Row, name, icon kit.RowItem) kit.RowItem {
	const cut, step = 1200.0 - kit.SquareEdge, .25
	px := name.Style.SizePx
	for off := 0.0; name.Text != "" && icon.Icon > 0 && off <= px/6; off += step {
		for _, size := range [...]float64{px - off, px + off} {
			name.Style.SizePx = size
			x := row.X1 - min(c.Line(name.Text, name.Style, 0).BoxWidth, row.X1-row.X0) - row.Gap - float64(icon.Icon)
			if x >= cut || x+float64(icon.Icon) <= cut {
				return name
			}
		}
	}
	name.Style.SizePx = px
	return name
}

// nameAtEnd is the site's name as an item of the upper row, unless the title is it.
func nameAtEnd(c *kit.Card, on kit.Surface, title string) kit.RowItem {
	texts := c.Texts
	texts.Title = title
	s := kit.SiteOf(&texts)
	return kit.RowItem{
		Text: cmp.Or(s.Name, s.Host), Style: c.TextStyle(28, 600), Role: kit.Repeated, Color: on.Text, AtEnd: true,
	}
}

// brandAtEnd is the width of the site's icon and name, without a logo in their row.
func brandAtEnd(c *kit.Card) float64 {
	w := 0.0
	if c.Logo == nil {
		w = brandIconSide + kit.BrandGap
	}
	if name := nameAtEnd(c, c.BG(), wording.Release(c)); name.Text != "" {
		w += c.Line(name.Text, name.Style, 0).BoxWidth
	}
	return w
}
