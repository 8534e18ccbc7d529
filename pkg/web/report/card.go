package report

import (
	"fmt"
	"image"
	"image/color"
	"net/url"
	"strconv"
	"strings"

	"masthead/pkg/audit"
	"masthead/pkg/audit/rule"
	"masthead/pkg/cleantext"
	"masthead/render/encode"
	"masthead/render/paint"
	"masthead/render/text"
)

// This file draws the picture that a report is shared with: the head of its page as a card. It uses the parts of the
// drawing library but isn't one of its designs: those are for pages, and have no scores or letters.

// Size of the card, in pixels.
const (
	CardWidth  = 1200
	CardHeight = 630
)

// Inks of the card: those of the light theme, whatever the reader's, since platforms cache one picture.
var (
	paper = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	ink   = color.NRGBA{0x15, 0x18, 0x1a, 0xff}
	faint = color.NRGBA{0x66, 0x6d, 0x71, 0xff}
	line  = color.NRGBA{0xdd, 0xe0, 0xde, 0xff}
	edge  = color.NRGBA{0x86, 0x8d, 0x90, 0xff}
	spot  = color.NRGBA{0x1a, 0x3f, 0xb8, 0xff}
)

// Measures of the card, in pixels: it is shown at half its size and less, so no text is below 24.
const (
	cardLeft, cardRight = 64, 1136
	nameTop, nameSize   = 44, 50 // of the capitals of the nameplate
	ruleTop             = 102    // 6 px, a gap of 4, 2 px: the double rule at twice its size
	siteTop             = 150
	headTop             = 206
	gradeBase           = 566 // baseline of the score, the letter and the last bar
	gradeSize           = 304
	letterSize          = 128
	axisLeft, axisRight = 778, 1018 // 0 and 100
	barsLeft            = 586
	barRow              = 58
)

// Verdict returns the card that a report is shared with: its verdict, score and letter, the site, and the scores of the
// categories. It depends only on the report.
func Verdict(r *audit.Report) (card encode.File, err error) {
	canvas := paint.New(CardWidth, CardHeight, paint.Solid(paper))
	engine := text.Get()
	// Shaping processes untrusted text: after a panic, the engine and the canvas are left to the garbage collector.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("draw the card of report %s: panic: %v", r.ID, p)
		}
	}()
	drawVerdict(&pen{engine, canvas}, r)
	card, err = encode.Encode(canvas.Image(), encode.OG)
	text.Put(engine)
	canvas.Release()
	return card, err
}

// VerdictAlt describes the card in a sentence.
func VerdictAlt(r *audit.Report) string {
	return fmt.Sprintf("%s: %s. Score %d of 100, %s.", Host(r), r.Headline(), r.Overall.Score, r.Overall.Letter)
}

func drawVerdict(p *pen, r *audit.Report) {
	p.line("Masthead", serif(nameSize), ink, cardLeft, nameTop)
	p.ending(r.FetchedAt.UTC().Format("2 January 2006"), sans(26, 400), faint, cardRight, nameTop+17)
	p.Fill(image.Rect(cardLeft, ruleTop, cardRight, ruleTop+6), ink)
	p.Fill(image.Rect(cardLeft, ruleTop+10, cardRight, ruleTop+12), ink)

	p.site(r)
	head := p.Fit(r.Headline(), serif(0), text.Box{W: cardRight - cardLeft, H: 120}, text.Steps(1, 100, 90, 80))
	p.block(head, ink, cardLeft, headTop)

	score := p.Line(strconv.Itoa(r.Overall.Score), serif(gradeSize), 0)
	p.block(score, ink, cardLeft-score.Ink.X0, gradeBase-score.CapHeight)
	letter := serif(letterSize)
	letter.Italic = true
	grade := p.Line(r.Overall.Letter, letter, 0)
	p.block(grade, spot, cardLeft+score.Ink.X1-score.Ink.X0+18-grade.Ink.X0, gradeBase-grade.CapHeight)
	p.bars(r)
}

// site writes the site's name: the complete host if possible, and as much of the path as fits.
func (p *pen) site(r *audit.Report) {
	const gap, least = 1, 160
	width := float64(cardRight - cardLeft)
	host := p.TruncateMiddle(Host(r), sans(30, 600), width)
	p.block(host, ink, cardLeft, siteTop)
	at := host.Width + gap
	if path := shownPath(r.FinalURL); path != "" && width-at >= least {
		p.block(p.TruncateMiddle(path, sans(30, 400), width-at), faint, cardLeft+at, siteTop)
	}
}

// shownPath returns the path of an address in readable form, or "" for the root. Queries may contain secrets and are
// omitted.
func shownPath(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return cleantext.Clean(strings.TrimSuffix(u.Path, "/"), cleantext.MaxOther)
}

// bars draws the score lines: overall and the categories on one axis, with its marks and their letters.
func (p *pen) bars(r *audit.Report) {
	x := func(score int) int { return axisLeft + (axisRight-axisLeft)*score/100 }
	rows := []bar{barOf("Overall", r.Overall)}
	for _, c := range rule.Categories {
		rows = append(rows, barOf(categoryNames[string(c)], r.Categories.Of(c)))
	}
	top := gradeBase - barRow*(len(rows)-1) - 19
	for i, letter := range []string{"F", "D", "C", "B", "A"} {
		from, to := 0, 60
		if i > 0 {
			from, to = 50+10*i, 60+10*i
		}
		set := p.Line(letter, sans(24, 400), 0)
		p.block(set, faint, float64(x(from)+x(to))/2-set.Width/2, float64(top)-54)
	}
	for i := range rows {
		b, middle, half, weight := &rows[i], gradeBase-10-barRow*(len(rows)-1-i), 10, 400
		if i == 0 {
			half, weight = 18, 600
		}
		cap := float64(middle) - 10 // half the capitals of 28 px
		p.line(b.Name, sans(28, weight), ink, barsLeft, cap)
		p.Fill(image.Rect(axisLeft, middle-1, axisRight, middle+1), line)
		p.Fill(image.Rect(axisLeft, middle-half, x(b.Score), middle+half), ink)
		for _, c := range b.Cuts {
			mark := image.Rect(x(c.At)-1, middle-half, x(c.At)+2, middle+half)
			if c.Over {
				p.Fill(mark, paper)
			} else {
				p.Fill(image.Rect(x(c.At)-1, middle-13, x(c.At)+1, middle+13), edge)
			}
		}
		p.ending(strconv.Itoa(b.Score), sans(28, weight), ink, axisRight+66, cap)
		p.line(b.Letter, sans(28, 400), faint, axisRight+78, cap)
	}
}

// pen writes on a canvas.
type pen struct {
	*text.Engine
	*paint.Canvas
}

// block draws a text whose box begins at x and whose first capitals begin at y.
func (p *pen) block(b *text.Block, c color.NRGBA, x, y float64) {
	p.Engine.Draw(b, x, y, func(x, y int, m *image.Alpha) { p.Mask(x, y, m, c) })
}

func (p *pen) line(s string, st text.Style, c color.NRGBA, x, y float64) {
	p.block(p.Line(s, st, 0), c, x, y)
}

// ending draws a text that ends at x.
func (p *pen) ending(s string, st text.Style, c color.NRGBA, x, y float64) {
	b := p.Line(s, st, 0)
	p.block(b, c, x-b.Width, y)
}

// serif is the style of headlines and large numbers, sans that of the rest, as on the pages.
func serif(size float64) text.Style {
	return text.Style{
		Family: text.InstrumentSerif, Weight: 400, SizePx: size, LineHeight: 1, Exact: true,
		OpticalMargin: true, Dir: text.LeftToRight,
	}
}

func sans(size float64, weight int) text.Style {
	return text.Style{
		Family: text.Inter, Weight: weight, SizePx: size, LineHeight: 1.4, Exact: true, Dir: text.LeftToRight,
	}
}
