package check

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"strings"
	"unicode"

	"masthead/render/design"
	"masthead/render/html"
	"masthead/render/palette"
)

// Tolerances in em of the text: ink reaches beyond the advances of its letters and the lines of its box.
const (
	sideSlack   = .15
	heightSlack = .34
	clipSlack   = .05
	coverSlack  = .12 // of texts of different elements
	linesSlack  = .26 // of lines of one text
	slackPx     = 2
)

// adder adds a finding.
type adder func(code Code, line, column int, format string, args ...any)

// measure measures the texts of a card. It returns the lowest contrast of a text, or 0 if none could be measured.
func (c Card) measure(drawn *design.Inspection, add adder) (lowest float64) {
	with, bare := asRGBA(drawn.Picture), asRGBA(drawn.Bare)
	card := html.Box{X1: float64(c.Options.Width), Y1: float64(c.Options.Height)}
	var all strings.Builder
	for i := range drawn.Texts {
		t := &drawn.Texts[i]
		all.WriteString(t.Text)
		if t.Missing != "" {
			add(Missing, t.Line, t.Column, "No typeface has %q, in “%s”.", t.Missing, start(t.Text))
		}
		if c.short && t.Slot == "title" && strings.HasSuffix(strings.TrimSpace(t.Text), "…") &&
			!strings.HasSuffix(c.Title, "…") {
			add(Cut, t.Line, t.Column, "A title of %d characters is cut: “%s”.", len([]rune(c.Title)), t.Text)
		}
		if t.Aside {
			continue
		}
		if worst := contrast(with, bare, t, add); worst > 0 && (lowest == 0 || worst < lowest) {
			lowest = worst
		}
		if !t.Moved {
			places(t, card, add)
		}
	}
	overlaps(drawn.Texts, add)
	if c.Title != "" && !strings.Contains(squeezed(all.String()), firstWord(c.Title)) {
		add(NoTitle, 0, 0, "The card doesn't show the title “%s”.", start(c.Title))
	}
	return lowest
}

// places checks where a text is: within its box, what boxes show, and what platforms show of the card.
func places(t *html.Text, card html.Box, add adder) {
	em := t.Size
	side, height := sideSlack*em+slackPx, heightSlack*em+slackPx
	clip := clipSlack*em + slackPx
	over := func(in html.Box, x, y float64) bool {
		return t.Ink.X0 < in.X0-x || t.Ink.X1 > in.X1+x || t.Ink.Y0 < in.Y0-y || t.Ink.Y1 > in.Y1+y
	}
	switch {
	case over(t.Shown, clip, clip):
		where := "by the box around it"
		if over(card, clip, clip) {
			where = "by the edge of the card"
		}
		add(Clipped, t.Line, t.Column, "“%s” is cut off %s.", start(t.Text), where)
		return
	case over(t.Block, side, height):
		add(Overflow, t.Line, t.Column, "“%s” leaves its box.", start(t.Text))
		return
	case !t.Surface.Empty() && over(t.Surface, slackPx, slackPx):
		add(Overflow, t.Line, t.Column, "“%s” leaves the area with a background around it.", start(t.Text))
		return
	}
	if shown := kept(card); over(shown, 0, 0) {
		add(Crop, t.Line, t.Column,
			"“%s” is where platforms cut the card: keep texts %d px from its sides, and above %d px.",
			start(t.Text), int(shown.X0), int(shown.Y1))
	}
}

// kept returns what all platforms show of a card: they cut up to 40 px of a share image of 1200x630, and show the name
// of the site over its lower edge. Cards of other proportions aren't cut.
func kept(card html.Box) html.Box {
	const least, most = 1.7, 2.1 // proportions of share images
	if ratio := card.X1 / card.Y1; ratio < least || ratio > most {
		return card
	}
	margin := 40 * card.Y1 / 630
	return html.Box{X0: margin, Y0: margin, X1: card.X1 - margin, Y1: card.Y1 * 580 / 630}
}

// overlaps finds texts that cover others.
func overlaps(texts []html.Text, add adder) {
	for i := range texts {
		for j := range i {
			a, b := &texts[j], &texts[i]
			if a.Aside || b.Aside || a.Moved || b.Moved {
				continue
			}
			slack := coverSlack
			if a.Element == b.Element {
				slack = linesSlack
			}
			em := min(a.Size, b.Size)
			both := a.Ink.Intersect(b.Ink)
			if both.Empty() || both.X1-both.X0 <= slackPx || both.Y1-both.Y0 <= slack*em+slackPx {
				continue
			}
			if a.Element == b.Element && both.X1-both.X0 < 4*em { // single letters may reach into another line
				continue
			}
			add(Overlap, b.Line, b.Column, "“%s” covers “%s”.", start(b.Text), start(a.Text))
		}
	}
}

// minContrast is that of texts. Its slack is for the edges of letters, of which thin ones have no other pixels.
const (
	minContrast   = palette.MinText
	contrastSlack = .12
	cellPx        = 36 // at least
)

// contrast measures the contrast of a text on what is behind it, in cells of its length. It returns the lowest one, or
// 0 if it can't be measured.
func contrast(with, bare *image.RGBA, t *html.Text, add adder) (lowest float64) {
	r := image.Rect(
		int(math.Floor(t.Ink.X0)), int(math.Floor(t.Ink.Y0)), int(math.Ceil(t.Ink.X1)), int(math.Ceil(t.Ink.Y1)),
	)
	if t.Moved || squeezed(t.Text) == "" { // it is somewhere else, or emoji
		return 0
	}
	if r = r.Intersect(with.Rect); r.Empty() {
		return 0
	}
	cell := max(int(1.5*t.Size), cellPx)
	worst, seen := math.Inf(1), false
	for x := r.Min.X; x < r.Max.X; x += cell {
		from := x
		if x+cell > r.Max.X { // the last one has the end of the text, and as much before it as the others
			from = max(r.Max.X-cell, r.Min.X)
		}
		best, n := 1.0, 0
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for i := from; i < min(from+cell, r.Max.X); i++ {
				a, b := with.RGBAAt(i, y), bare.RGBAAt(i, y)
				if a != b {
					n++
					best = max(best, ratio(luminance(a), luminance(b)))
				}
			}
		}
		if n >= cell {
			worst, seen = min(worst, best), true
		}
	}
	switch {
	case !seen && onlySpace(t.Text):
	case !seen:
		if n := differing(with, bare, r); n == 0 {
			add(Contrast, t.Line, t.Column, "“%s” can't be seen.", start(t.Text))
		}
	case worst < minContrast-contrastSlack:
		add(Contrast, t.Line, t.Column, "The contrast of “%s” is %.1f:1, and at least 4.5:1 is needed.",
			start(t.Text), worst)
	}
	if !seen {
		return 0
	}
	return worst
}

// differing counts the pixels of a text.
func differing(with, bare *image.RGBA, r image.Rectangle) (n int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if with.RGBAAt(x, y) != bare.RGBAAt(x, y) {
				n++
			}
		}
	}
	return n
}

// linear are the values of sRGB in linear light. Source: WCAG 2.2, relative luminance.
var linear = func() (table [256]float64) {
	for i := range table {
		if v := float64(i) / 255; v <= .04045 {
			table[i] = v / 12.92
		} else {
			table[i] = math.Pow((v+.055)/1.055, 2.4)
		}
	}
	return table
}()

func luminance(c color.RGBA) float64 {
	return .2126*linear[c.R] + .7152*linear[c.G] + .0722*linear[c.B]
}

// ratio is the contrast of two luminances.
func ratio(a, b float64) float64 { return (max(a, b) + .05) / (min(a, b) + .05) }

// asRGBA returns a picture as pixels.
func asRGBA(img image.Image) *image.RGBA {
	switch of := img.(type) {
	case *image.RGBA:
		return of
	case *image.Paletted: // which image/draw would take color by color
		return colored(of)
	}
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, out.Rect.Min, draw.Src)
	return out
}

// colored returns a picture of indices as pixels.
func colored(img *image.Paletted) *image.RGBA {
	var table [256][4]uint8
	for i, c := range img.Palette[:min(len(img.Palette), len(table))] {
		r, g, b, a := c.RGBA()
		table[i] = [4]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}
	}
	out := image.NewRGBA(img.Rect)
	w := img.Rect.Dx()
	for y := range img.Rect.Dy() {
		to := out.Pix[y*out.Stride:][:4*w]
		for x, index := range img.Pix[y*img.Stride:][:w] {
			*(*[4]uint8)(to[4*x:]) = table[index]
		}
	}
	return out
}

func onlySpace(s string) bool { return strings.TrimSpace(s) == "" }

// start is the beginning of a text for a message.
func start(s string) string {
	const most = 40
	s = strings.Join(strings.Fields(s), " ")
	if letters := []rune(s); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return s
}

// squeezed is a text with its letters and digits only, in lower case.
func squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// firstWord returns the beginning of the first word of a title, which a cut title still has.
func firstWord(title string) string {
	for _, word := range strings.Fields(title) {
		if word = squeezed(word); word != "" {
			letters := []rune(word)
			return string(letters[:min(len(letters), 3)])
		}
	}
	return ""
}

// placeName names a case.
func placeName(parts ...any) string { return strings.TrimSpace(fmt.Sprintln(parts...)) }
