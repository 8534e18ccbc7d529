package render_test

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"masthead/render"
	"masthead/render/encode"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// zone is where text may stand.
type zone struct{ essential, repeated text.Rect }

// Zones by kind. Titles may hang a quote or a bracket outside the edge, half a size at most.
var zones = map[render.Kind]zone{
	render.OG: {
		essential: text.Rect{X0: 72, Y0: 60, X1: 1128, Y1: 528}, repeated: text.Rect{X0: 72, Y0: 60, X1: 1128, Y1: 576},
	},
	render.BlogHero: {
		essential: text.Rect{X0: 128, Y0: 112, X1: 1472, Y1: 800},
		repeated:  text.Rect{X0: 128, Y0: 112, X1: 1472, Y1: 800},
	},
}

const (
	edge   = 1.5  // px by which the side bearing of a letter may pass an edge
	round  = .014 // of the size of a title, by which a round letter may
	minGap = 16   // px between texts, and between a text and a logo
)

// TestTemplates_anyPageKeepsTheRules checks what must be true of every template: nothing cut, nothing overlapping,
// nothing that cannot be read, and few bytes, which are equal when a card is drawn again.
func TestTemplates_anyPageKeepsTheRules(t *testing.T) {
	for _, info := range render.Templates() {
		for _, in := range looksOf(info) {
			kind := in.kind
			t.Run(info.Slug+"/"+in.name, func(t *testing.T) {
				t.Parallel()
				engine, sizes := text.NewEngine(), []int{}
				cards := cardsIn(t, info.Slug, kind, in.format)
				slices.SortStableFunc(cards, byTheme) // neighbors then share what is cached, such as a picture in its tones
				for i, c := range cards {
					t.Run(c.name, func(t *testing.T) {
						pic := keepsTheRules(t, &c, engine)
						fewBytes(t, &c, pic)
						if pic.ContentType == "image/png" {
							sizes = append(sizes, len(pic.Bytes))
						}
						if i%5 == 0 {
							again, err := render.Draw(t.Context(), c.Request)
							if err != nil || again.Template == info.Slug && !bytes.Equal(again.Bytes, pic.Bytes) {
								t.Errorf("it is not drawn alike twice (%v)", err)
							}
						}
					})
				}
				fewBytesInTheMiddle(t, info.Slug, in, sizes)
			})
		}
	}
}

// byTheme compares cards by their shape and colors.
func byTheme(a, b card) int {
	theme := func(c card) string { return fmt.Sprint(c.AspectRatio, c.Dark, palette.Hex(c.Accent)) }
	return strings.Compare(theme(a), theme(b))
}

// look is a kind, or a format of the kind Custom.
type look struct {
	kind   render.Kind
	format *kit.Format
	name   string
}

// looksOf returns everything in which a design is drawn.
func looksOf(info render.Template) (all []look) {
	for _, kind := range info.Kinds {
		all = append(all, look{kind, nil, string(kind)})
	}
	for _, format := range kit.Formats() {
		if slices.Contains(info.Sizes, format.Sides()) {
			all = append(all, look{render.Custom, format, format.Name()})
		}
	}
	return all
}

// keepsTheRules checks a card's layout and pixels, and returns it encoded.
func keepsTheRules(t *testing.T, c *card, engine *text.Engine) encode.File {
	t.Helper()
	b := allBuffers.Get().(*buffers)
	defer allBuffers.Put(b)
	tmpl, spec, err := render.Spec(c.Request)
	if err != nil {
		t.Fatal(err)
	}
	drawn := kit.Open(tmpl, spec, engine)
	defer drawn.Close()
	drawn.Layout()
	background := b.background.of(drawn.Canvas().Image())
	stayInZones(t, c, drawn)
	keepApart(t, drawn)
	canBeRead(t, drawn, background)
	missNothing(t, c, drawn)
	readsSmall(t, c, drawn)
	fewStyles(t, drawn)
	logoStands(t, c, drawn, background)
	squareIsWhole(t, c, drawn)
	drawn.DrawTexts()
	drawnWhereSaid(t, drawn, background, b)
	pic, err := render.EncodeCard(t.Context(), drawn, &c.Request)
	if err != nil {
		t.Fatal(err)
	}
	return pic
}

// Rule 1: no essential ink outside its zone.
func stayInZones(t *testing.T, c *card, drawn *kit.Card) {
	t.Helper()
	for _, p := range drawn.PlacedTexts() {
		if p.Role == kit.Monogram {
			continue
		}
		z := zones[c.Kind].essential
		if p.Role == kit.Repeated {
			z = zones[c.Kind].repeated
		}
		if f := c.format; f != nil {
			z = text.Rect{X0: f.X0, Y0: f.Top, X1: f.X1, Y1: f.Bottom}
			if drawn.RTL {
				z.X0, z.X1 = float64(f.W)-f.X1, float64(f.W)-f.X0
			}
		}
		if drawn.Tall { // the whole layout is lower
			z.Y0, z.Y1 = z.Y0+50, z.Y1+50
		}
		hang := edge
		if p.Role == kit.Title {
			hang = max(edge, (round+hanging(p.Block))*p.Block.SizePx)
		}
		b := p.Bounds()
		if b.X0 < z.X0-hang || b.X1 > z.X1+hang || b.Y0 < z.Y0 || b.Y1 > z.Y1+edge {
			t.Errorf("%q covers %.0f, outside of %.0f", p.Block.Text(), b, z)
		}
	}
}

// hanging returns how far a title may hang outside its edge, in sizes.
func hanging(w kit.Block) (hang float64) {
	for _, l := range w.Lines {
		if strings.ContainsAny(firstRune(l.Text), `“„«‚‘"'([「『（`) {
			return .5
		}
		if strings.HasPrefix(l.Text, "j") { // its hook
			hang = .1
		}
	}
	return hang
}

func firstRune(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

// Rule 2: no overlap of text boxes, and room between them.
func keepApart(t *testing.T, drawn *kit.Card) {
	t.Helper()
	texts := drawn.PlacedTexts()
	for i, p := range texts {
		for _, q := range texts[i+1:] {
			if p.Role == kit.Monogram || q.Role == kit.Monogram {
				continue
			}
			if g := gap(p.Bounds(), q.Bounds()); g < minGap-edge {
				t.Errorf("%q and %q are %.1f px apart, want %d", p.Block.Text(), q.Block.Text(), g, minGap)
			}
		}
		for _, icon := range drawn.PlacedIcons() {
			m := icon.Box
			r := text.Rect{X0: float64(m.Min.X), Y0: float64(m.Min.Y), X1: float64(m.Max.X), Y1: float64(m.Max.Y)}
			if g := gap(p.Bounds(), r); p.Role != kit.Monogram && g < minGap-4 { // icons have margins of their own
				t.Errorf("%q is %.1f px from the icon at %v, want %d", p.Block.Text(), g, m, minGap)
			}
		}
	}
}

// gap returns how far apart two boxes are along the axis that separates them most; below 0 they overlap.
func gap(a, b text.Rect) float64 {
	return max(b.X0-a.X1, a.X0-b.X1, b.Y0-a.Y1, a.Y0-b.Y1)
}

// Rule 3: contrast as measured on the pixels below each line.
func canBeRead(t *testing.T, drawn *kit.Card, background *shot) {
	t.Helper()
	for _, p := range drawn.PlacedTexts() {
		for _, l := range p.Block.Lines {
			if l.Ink.Empty() {
				continue
			}
			r := inked(p, l, 0).Intersect(background.rect)
			worst := 21.0
			var seen [1 << 10]color.NRGBA // by a hash of the color; colors are opaque, so that none is the zero value
			for y := r.Min.Y; y < r.Max.Y; y++ {
				var last color.NRGBA
				for x := r.Min.X; x < r.Max.X; x++ {
					px := background.at(x, y)
					if px == last {
						continue
					}
					last = px
					if kept := &seen[(uint32(px.R)*31*31+uint32(px.G)*31+uint32(px.B))%uint32(len(seen))]; *kept != px {
						*kept = px
						worst = min(worst, palette.Contrast(px, p.Color))
					}
				}
			}
			if worst < palette.MinText-.005 {
				t.Errorf("%q has a contrast of %.2f, want %.1f", l.Text, worst, palette.MinText)
			}
		}
	}
}

// Rule 4: no missing-glyph box, and nothing left out: the texts are in scripts that the program has faces for.
func missNothing(t *testing.T, c *card, drawn *kit.Card) {
	t.Helper()
	for _, w := range drawn.Warnings() {
		if w.Code == kit.MissingCharacters {
			t.Error(w.Detail)
		}
	}
	for _, p := range drawn.PlacedTexts() {
		if p.Role == kit.Title {
			return
		}
	}
	if c.page.Name != "empty" {
		t.Error("there is no title")
	}
}

// Rule 7: at 30 % of the size the title still reads.
func readsSmall(t *testing.T, c *card, drawn *kit.Card) {
	t.Helper()
	for _, p := range drawn.PlacedTexts() {
		if p.Role == kit.Title && utf8.RuneCountInString(c.Title) <= 60 && p.Block.CapHeight*.30 < 9 {
			t.Errorf("capitals of %q are %.1f px high at 30 %%, want 9", c.Title, p.Block.CapHeight*.30)
		}
	}
}

// Rule 8: at most 3 weights and 4 sizes on one card.
func fewStyles(t *testing.T, drawn *kit.Card) {
	t.Helper()
	weights, sizes := map[int]bool{}, map[float64]bool{}
	for _, p := range drawn.PlacedTexts() {
		if p.Role != kit.Monogram {
			// A size is one, though some faces are drawn larger or smaller for it.
			weights[p.Block.Style.Weight], sizes[cmp.Or(p.Block.Style.SizePx, p.Block.SizePx)] = true, true
		}
	}
	if len(weights) > 3 || len(sizes) > 4 {
		t.Errorf("there are weights %v and sizes %v, want 3 and 4 at most", weights, sizes)
	}
}

// Rule 9: a logo stands in its corner, as it is seen, whole, and can be made out.
func logoStands(t *testing.T, c *card, drawn *kit.Card, background *shot) {
	t.Helper()
	if c.logo == "" {
		return
	}
	at := slices.IndexFunc(drawn.PlacedIcons(), func(i kit.PlacedIcon) bool { return i.Logo })
	if at < 0 {
		t.Fatalf("there are the icons %v, want the logo among them", drawn.PlacedIcons())
	}
	icon := drawn.PlacedIcons()[at]
	r := icon.Box
	mid := r.Min.Add(r.Max).Div(2)
	left, top := mid.X < drawn.W/2, mid.Y < drawn.H/2
	inRow := c.format != nil && c.format.Header // in the row of the site, whatever its corner
	wantLeft, wantTop := strings.HasSuffix(c.LogoPosition, "left"), strings.HasPrefix(c.LogoPosition, "top")
	if !inRow && (left != wantLeft || top != wantTop) {
		t.Errorf("the logo is at %v, want it %s", r, c.LogoPosition)
	}
	if !r.In(image.Rect(40, 40, drawn.W-40, drawn.H-40)) {
		t.Errorf("the logo at %v reaches into the margin", r)
	}
	seen, all := 0, 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if c := palette.Contrast(background.at(x, y), icon.On); c >= 1.8 {
				seen++
			}
			all++
		}
	}
	if share := float64(seen) / float64(all); share < .3 {
		t.Errorf("%.0f %% of the logo's box can be told from the background, want 30", 100*share)
	}
}

// Rule 10: the middle square that chats cut out of a share image cuts no icon.
func squareIsWhole(t *testing.T, c *card, drawn *kit.Card) {
	t.Helper()
	if c.Kind != render.OG {
		return
	}
	square := image.Rect(285, 0, 915, 630)
	for _, icon := range drawn.PlacedIcons() {
		m := icon.Box
		if in := m.Intersect(square); !in.Empty() && in != m {
			t.Errorf("the middle square cuts the icon at %v", m)
		}
	}
}

// drawnWhereSaid checks that the ink of texts is where the layout says: the rules above rest on it.
func drawnWhereSaid(t *testing.T, drawn *kit.Card, background *shot, b *buffers) {
	t.Helper()
	after := b.after.see(drawn.Canvas().Image())
	said := &b.said
	w, h := after.rect.Dx(), after.rect.Dy()
	*said = image.Alpha{Pix: cleared(said.Pix, w*h), Stride: w, Rect: after.rect}
	for _, p := range drawn.PlacedTexts() {
		for _, l := range p.Block.Lines {
			r := inked(p, l, 1).Intersect(after.rect)
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					said.Pix[y*said.Stride+x] = 1
				}
			}
		}
	}
	// A canvas of few colors gets more of them with texts, behind those that it had.
	had := background.colors
	alike := after.size == background.size && slices.Equal(after.table[:had], background.table[:had])
	for y := range said.Rect.Dy() {
		a, b, placed := after.row(y), background.row(y), said.Pix[y*said.Stride:][:said.Stride]
		if alike && bytes.Equal(a, b) {
			continue
		}
		for x := 0; x < w; {
			if placed[x] != 0 {
				x++
				continue
			}
			end := w
			if n := bytes.IndexByte(placed[x:], 1); n >= 0 {
				end = x + n
			}
			size := after.size
			if alike && bytes.Equal(a[x*size:end*size], b[x*size:end*size]) {
				x = end
				continue
			}
			for ; x < end; x++ {
				if after.at(x, y) != background.at(x, y) {
					t.Fatalf("text is drawn at %d,%d, where none was placed", x, y)
				}
			}
		}
	}
}

// inked returns the pixels that the ink of a line touches, and a margin round them.
func inked(p kit.Text, l text.Line, margin int) image.Rectangle {
	x0, y0 := int(math.Floor(l.Ink.X0+p.X)), int(math.Floor(l.Ink.Y0+p.Y))
	return image.Rect(x0, y0, int(l.Ink.X1+p.X)+1, int(l.Ink.Y1+p.Y)+1).Inset(-margin)
}

// buffers are the memory that the rules of one card need, which is used again: of thousands of cards, making it takes
// longer than checking them.
type buffers struct {
	background, after shot
	said              image.Alpha
}

var allBuffers = sync.Pool{New: func() any { return new(buffers) }}

// cleared returns n zeros, in b if that is large enough.
func cleared(b []byte, n int) []byte {
	b = slices.Grow(b[:0], n)[:n]
	clear(b)
	return b
}

// shot is what is on a canvas, as the canvas has it: pixels, or indices of colors.
type shot struct {
	rect   image.Rectangle
	pix    []byte
	stride int
	size   int // bytes of a pixel: 4, or 1 for an index
	table  [256]color.NRGBA
	colors int // in the table
}

// of returns what is on a canvas, copied; it is valid until the next use of the memory.
func (s *shot) of(img image.Image) *shot {
	kept := s.pix
	s.see(img)
	s.pix = append(kept[:0], s.pix...)
	return s
}

// see is like of, but what it returns is valid only until somebody draws on the canvas.
func (s *shot) see(img image.Image) *shot {
	if p, opaque := img.(*image.RGBA); opaque {
		*s = shot{rect: p.Rect, pix: p.Pix, stride: p.Stride, size: 4}
		return s
	}
	p := img.(*image.Paletted)
	*s = shot{rect: p.Rect, pix: p.Pix, stride: p.Stride, size: 1, colors: len(p.Palette)}
	for i, c := range p.Palette {
		s.table[i] = color.NRGBAModel.Convert(c).(color.NRGBA)
		s.table[i].A = 255
	}
	return s
}

// at returns the color of a pixel.
func (s *shot) at(x, y int) color.NRGBA {
	if s.size == 1 {
		return s.table[s.pix[y*s.stride+x]]
	}
	p := s.pix[y*s.stride+4*x:][:4]
	return color.NRGBA{R: p[0], G: p[1], B: p[2], A: p[3]}
}

// row returns the bytes of a row.
func (s *shot) row(y int) []byte { return s.pix[y*s.stride:][:s.rect.Dx()*s.size] }
