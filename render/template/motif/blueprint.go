package motif

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fogleman/gg"
	"golang.org/x/text/unicode/norm"

	"masthead/render/cache"
	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// PlanInk is the color of lines. A dark yellow would look olive, so it becomes amber.
func PlanInk(th *palette.Theme, background color.NRGBA) color.NRGBA {
	if th.Dark {
		return th.Ramp(.86, .5, 0)
	}
	turn := 0.0
	if !th.Neutral && th.LCH.H >= YellowFrom && th.LCH.H <= YellowTo {
		turn = -25
	}
	for l := .48; l > .2; l -= .02 {
		if ink := th.Ramp(l, 1, turn); palette.Contrast(ink, background) >= palette.MinText {
			return ink
		}
	}
	return th.Text
}

// DrawGrid draws the lines of a plan 32 px apart, every fifth of them stronger.
func DrawGrid(c *kit.Card) {
	const pitch = 32
	line := c.Theme.Ramp(.92, .2, 0)
	if c.Theme.Dark {
		line = c.Theme.Ramp(.31, .8, 0)
	}
	for i := 1; i*pitch < max(c.W, c.H); i++ {
		strong := 1
		if i%5 == 0 {
			strong = 2
		}
		c.Canvas().Fill(image.Rect(i*pitch, 0, i*pitch+strong, c.H), line)
		c.Canvas().Fill(image.Rect(0, i*pitch, c.W, i*pitch+strong), line)
	}
}

// Measures of the drawing; those below 1 are fractions of the cap height.
const (
	PlanLeft     = 900  // from here to the edge of the card
	planMiddle   = 1220 // of the letter's ink
	planCJK      = .72  // size of ideograms
	planMaxW     = 600
	planMaxBelow = .084 // ink below the baseline
	planMaxH     = .80  // of a capital with a tail
	planHigh     = .686 // of letters that aren't capitals
	planRise     = .08  // of a mark over the cap height of others
	planStroke   = 4
	planNode     = 16 // side of the square at a point
	planDisc     = 6  // radius of the disc at a control point
	planNear     = 20 // minimum distance of drawn points
	planCorner   = .5 // minimum angle in radians at a corner of an ideogram's outline
)

// PlanPlace is the size of a letter and its baseline.
type PlanPlace struct{ Size, Base float64 }

// planKey is everything that a plan depends on; letter 0 is the arch.
type planKey struct {
	letter rune
	lang   string // of a letter that has other forms in other languages
	PlanPlace
}

// letterPlan is a letter drawn as a plan, at its place on a card of the usual height, without colors.
type letterPlan struct {
	fill, lines *paint.Stencil
	nodes       []text.Point
	handles     []text.Point
	base, top   float64
}

// letterPlans caches the plans: 50 KB each, and 10 ms to draw.
var letterPlans = cache.NewPart(cache.Pieces, func(_ planKey, p *letterPlan) int {
	return p.fill.Bytes() + p.lines.Bytes() + 16*(len(p.nodes)+len(p.handles)) + 200
})

// DrawLetterPlan draws the plan of the site's initial.
func DrawLetterPlan(c *kit.Card, on kit.Surface, at PlanPlace) {
	key := planKey{letter: planLetter(c.SiteName, c.Lang), PlanPlace: at}
	if unicode.Is(unicode.Han, key.letter) {
		key.lang = c.Lang
	}
	p, ok := letterPlans.Get(key)
	if !ok {
		p = newLetterPlan(key)
		letterPlans.Put(key, p)
	}
	dx, dy := 0, int(c.Lowered())
	if c.RTL { // the letter itself is not mirrored
		dx = c.W - 2*planMiddle
	}
	for _, y := range [2]float64{p.base, p.top} {
		for x := PlanLeft + 24; x < c.W; x += 24 { // apart from the row of the site
			dash := image.Rect(x, int(y)+dy, min(x+16, c.W), int(y)+dy+2)
			if c.RTL {
				dash.Min.X, dash.Max.X = c.W-dash.Max.X, c.W-dash.Min.X
			}
			c.Canvas().Fill(dash, palette.Fade(on.Accent, .7))
		}
	}
	c.Canvas().Stencil(p.fill.Add(image.Pt(dx, dy)), palette.Fade(on.Accent, .14))
	c.Canvas().Stencil(p.lines.Add(image.Pt(dx, dy)), on.Accent)
	for _, h := range p.handles {
		c.Canvas().Disc(h.X+float64(dx), h.Y+float64(dy), planDisc, on.Accent)
	}
	for _, n := range p.nodes {
		x, y := int(math.Round(n.X))+dx, int(math.Round(n.Y))+dy
		node := image.Rect(x-planNode/2, y-planNode/2, x+planNode/2, y+planNode/2)
		c.Canvas().Fill(node, on.Accent)
		c.Canvas().Fill(node.Inset(3), on.Color)
	}
}

// planLetter returns the initial of a name, or the letter after one that is only bars; 0 if there is none.
func planLetter(name, lang string) rune {
	r := text.Initial(name, lang)
	if kit.OnlyBars(r) {
		r = letterAfter(name, r)
	}
	if !unicode.IsLetter(r) {
		return 0
	}
	if kit.Marked(name, lang) {
		base, language := norm.NFD.String(string(r)), strings.ToLower(strings.SplitN(lang, "-", 2)[0])
		_, ok := text.Outline(text.InstrumentSerif, 700, r, lang)
		stress := strings.ContainsAny(base, stressMarks) && slices.Contains(stressing, language)
		if !ok || stress { // one without its mark is better than none, or the same letter
			r, _ = utf8.DecodeRuneInString(base)
		}
	}
	return r
}

// Marks over capitals in languages in which one is the same letter without them, and may be written so: far above it,
// they look as if they had come loose.
const stressMarks = "\u0300\u0301\u0302"

var stressing = []string{"ca", "es", "fr", "it", "nl", "pt"}

// letterAfter returns the first letter of a name after one that isn't only bars, 0 if there is none in its word.
func letterAfter(name string, first rune) rune {
	const article = "ال"
	_, rest, _ := strings.Cut(strings.TrimPrefix(name, article), string(first))
	for _, r := range rest {
		if !unicode.IsLetter(r) {
			break
		}
		if !kit.OnlyBars(r) {
			return r
		}
	}
	return 0
}

// newLetterPlan draws the plan of a letter.
func newLetterPlan(key planKey) *letterPlan {
	r, at := key.letter, key.PlanPlace
	glyph, ok := text.Outline(text.InstrumentSerif, 700, r, key.lang)
	if r == 0 || !ok || len(glyph.Segments) == 0 {
		glyph = arch
	}
	p := &letterPlan{base: at.Base, top: at.Base - at.Size*capitalHeight()}
	contours, ideogram := p.place(glyph, r, at)
	box := image.Rect(PlanLeft, 0, 1600, 900)
	draw := func(g *gg.Context) {
		for _, c := range contours {
			for _, s := range c {
				a := s.Points
				switch s.Op {
				case text.MoveTo:
					g.MoveTo(a[0].X, a[0].Y)
				case text.LineTo:
					g.LineTo(a[0].X, a[0].Y)
				case text.QuadTo:
					g.QuadraticTo(a[0].X, a[0].Y, a[1].X, a[1].Y)
				case text.CubeTo:
					g.CubicTo(a[0].X, a[0].Y, a[1].X, a[1].Y, a[2].X, a[2].Y)
				}
			}
			g.ClosePath()
		}
	}
	p.fill = paint.PathStencil(box, func(g *gg.Context) { draw(g); g.Fill() })
	p.lines = paint.PathStencil(box, func(g *gg.Context) {
		draw(g)
		g.SetLineWidth(planStroke)
		g.Stroke()
		g.SetLineWidth(1.5)
		for _, c := range contours {
			p.addPoints(c, ideogram, g)
		}
	})
	return p
}

// addPoints adds the points of a contour to the plan, and draws its handles.
func (p *letterPlan) addPoints(contour []text.Segment, ideogram bool, g *gg.Context) {
	ends := make([]text.Point, len(contour))
	for i, s := range contour {
		ends[i] = s.Points[segmentEnd[s.Op]]
	}
	for i, s := range contour {
		next := contour[(i+1)%len(contour)]
		if next.Op == text.MoveTo {
			next = contour[min(1, len(contour)-1)]
		}
		before, after := controlBefore(s, ends, i), next.Points[0]
		if ideogram && turned(before, ends[i], after) < planCorner {
			continue
		}
		if s.Op == text.QuadTo && next.Op == text.QuadTo && midway(before, ends[i], after) {
			continue // a point implied by two control points, which isn't in the font
		}
		if !blotted(p.nodes, ends[i]) {
			p.nodes = append(p.nodes, ends[i])
		}
	}
	if ideogram {
		return
	}
	for i, s := range contour {
		if s.Op != text.QuadTo && s.Op != text.CubeTo {
			continue
		}
		from := ends[(i+len(ends)-1)%len(ends)]
		ctl := s.Points[:segmentEnd[s.Op]]
		for k, h := range ctl {
			if blotted(p.nodes, h) || blotted(p.handles, h) {
				continue
			}
			p.handles = append(p.handles, h)
			if k == 0 {
				g.DrawLine(from.X, from.Y, h.X, h.Y)
			}
			if k == len(ctl)-1 {
				g.DrawLine(h.X, h.Y, ends[i].X, ends[i].Y)
			}
			g.Stroke()
		}
	}
}

// segmentEnd is the index of the end point of a segment.
var segmentEnd = [...]int{text.MoveTo: 0, text.LineTo: 0, text.QuadTo: 1, text.CubeTo: 2}

// controlBefore returns the point from which a segment reaches its end.
func controlBefore(s text.Segment, ends []text.Point, i int) text.Point {
	if end := segmentEnd[s.Op]; end > 0 {
		return s.Points[end-1]
	}
	return ends[(i+len(ends)-1)%len(ends)]
}

// turned returns the angle between the directions into and out of a point.
func turned(before, at, after text.Point) float64 {
	in := math.Atan2(at.Y-before.Y, at.X-before.X)
	out := math.Atan2(after.Y-at.Y, after.X-at.X)
	return math.Abs(math.Remainder(out-in, 2*math.Pi))
}

func midway(a, at, b text.Point) bool {
	return math.Abs(a.X+b.X-2*at.X) < 2 && math.Abs(a.Y+b.Y-2*at.Y) < 2
}

// blotted reports whether a point is so close to one of the others that they would merge.
func blotted(points []text.Point, p text.Point) bool {
	for _, q := range points {
		if math.Hypot(p.X-q.X, p.Y-q.Y) < planNear {
			return true
		}
	}
	return false
}

// capitalHeight is that of the serif, in em.
func capitalHeight() float64 {
	if h, ok := text.Outline(text.InstrumentSerif, 400, 'H', ""); ok {
		return -h.Ink.Y0
	}
	return .7
}

// place returns the contours of a glyph at its position on the card. Capitals are on the baseline, which is higher for
// one with a tail; other letters have the same height, centered where a capital would be.
func (p *letterPlan) place(glyph text.Glyph, r rune, at PlanPlace) (contours [][]text.Segment, ideogram bool) {
	ideogram = unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	ink, size, base := glyph.Ink, at.Size, at.Base
	capital := r == 0 || unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic)
	switch {
	case ideogram:
		size = planCJK * at.Size
	case !capital:
		size = planHigh * at.Size / (ink.Y1 - ink.Y0)
	case ink.Y1 > planMaxBelow: // a tail, as in Q
		size = min(size, planMaxH*at.Size/(ink.Y1-ink.Y0))
	}
	if capital && r != 0 && -ink.Y0 > capitalHeight()+planRise { // a mark
		size = min(size, (capitalHeight()+planRise)*at.Size/-ink.Y0)
	}
	size = min(size, planMaxW/(ink.X1-ink.X0))
	switch {
	case capital:
		base = min(base, base+planMaxBelow*at.Size-size*ink.Y1)
		p.base, p.top = base, base-size*capitalHeight()
	default:
		base = at.Base - at.Size*capitalHeight()/2 - size*(ink.Y0+ink.Y1)/2
	}
	left := planMiddle - size*(ink.X0+ink.X1)/2
	for _, s := range glyph.Segments {
		for i := range s.Points {
			s.Points[i] = text.Point{X: left + size*s.Points[i].X, Y: base + size*s.Points[i].Y}
		}
		if s.Op == text.MoveTo {
			contours = append(contours, nil)
		}
		if n := len(contours); n > 0 {
			contours[n-1] = append(contours[n-1], s)
		}
	}
	return contours, ideogram
}

// arch is drawn for a site without a letter: an open arch, in em.
var arch = func() text.Glyph {
	const w, h, t, k = .56, .70, .16, .5523 // width, height, thickness; k approximates a quarter circle by a cubic
	p := func(x, y float64) text.Point { return text.Point{X: x, Y: -y} }
	line := func(x, y float64) text.Segment {
		return text.Segment{Op: text.LineTo, Points: [3]text.Point{p(x, y)}}
	}
	cube := func(ax, ay, bx, by, x, y float64) text.Segment {
		return text.Segment{Op: text.CubeTo, Points: [3]text.Point{p(ax, ay), p(bx, by), p(x, y)}}
	}
	const outer, inner = w / 2, w/2 - t
	const spring = h - outer
	return text.Glyph{Ink: text.Rect{X0: 0, Y0: -h, X1: w, Y1: 0}, Segments: []text.Segment{
		{Op: text.MoveTo, Points: [3]text.Point{p(0, 0)}},
		line(0, spring),
		cube(0, spring+k*outer, outer-k*outer, h, outer, h),
		cube(outer+k*outer, h, w, spring+k*outer, w, spring),
		line(w, 0), line(w-t, 0), line(w-t, spring),
		cube(w-t, spring+k*inner, outer+k*inner, h-t, outer, h-t),
		cube(outer-k*inner, h-t, t, spring+k*inner, t, spring),
		line(t, 0),
	}}
}()
