package refcard

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"time"

	"github.com/fogleman/gg"

	"masthead/render/encode"
	"masthead/render/html"
	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/text"
)

// The reference card, as a page would lay it out: 1200×630, padding 64 80, a diagonal gradient, the logo at the top,
// title and description in the middle of what is left, a rule and the domain at the bottom.
const (
	defaultTitle = "Measuring how quickly a social card can be laid out, drawn and encoded"
	defaultText  = "One card, six renderers, the same two cores: a diagonal gradient, a rounded logo, " +
		"wrapped text in two weights and a thin accent rule."
	domain = "example.org/notes"

	cardW, cardH       = 1200, 630
	padX, padY         = 80, 64
	logoSide           = 64
	logoRadius         = 14
	titlePx, titleLine = 64, 1.15
	textPx, textLine   = 28, 1.40
	domainPx           = 24
	textGap            = 24 // over the description
	ruleHeight         = 4
	ruleGap            = 20 // under the rule
)

var (
	gradient = paint.Linear{
		Angle: paint.DownRight, Colors: []color.NRGBA{palette.RGB(0x0F172A), palette.RGB(0x4338CA)},
	}
	titleInk  = palette.RGB(0xFFFFFF)
	textInk   = palette.RGB(0xCBD5E1)
	ruleInk   = palette.RGB(0x22D3EE)
	domainInk = palette.RGB(0xE2E8F0)
)

// Inter's ascent, descent and height of capitals, in em. Source: hhea and OS/2 of Inter 4.
const (
	ascent, descent = .96875, .2412
	capital         = .7273
)

// renderer draws reference cards: as a template does, or from a document if it has one. It is safe for concurrent use.
type renderer struct {
	logo     *image.NRGBA
	document *html.Design
}

// newRenderer returns a renderer with the logo in a PNG file, else with one of its own.
func newRenderer(file string) (*renderer, error) {
	logo := ownLogo()
	if file != "" {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("open logo: %w", err)
		}
		defer f.Close()
		img, err := png.Decode(f)
		if err != nil {
			return nil, fmt.Errorf("decode logo %s: %w", file, err)
		}
		logo = image.NewNRGBA(image.Rectangle{Max: img.Bounds().Size()})
		draw.Draw(logo, logo.Rect, img, img.Bounds().Min, draw.Src)
	}
	return &renderer{logo: paint.Scale(logo, logoSide, logoSide)}, nil
}

// ownLogo draws the logo of the reference card: a triangle in a disc on orange, 128×128.
func ownLogo() *image.NRGBA {
	g := gg.NewContext(128, 128)
	g.SetColor(palette.RGB(0xF97316))
	g.Clear()
	g.SetColor(palette.RGB(0xFFFFFF))
	g.DrawCircle(64, 64, 38)
	g.Fill()
	g.SetColor(palette.RGB(0xBE123C))
	g.MoveTo(64, 34)
	g.LineTo(90, 79)
	g.LineTo(38, 79)
	g.Fill()
	logo := image.NewNRGBA(image.Rect(0, 0, 128, 128))
	draw.Draw(logo, logo.Rect, g.Image(), image.Point{}, draw.Src)
	return logo
}

// timings are the time of each stage.
type timings struct{ layout, paint, encode time.Duration }

// cardLayout is a card that is laid out.
type cardLayout struct{ title, text, domain *text.Block }

// render lays out, paints and encodes one card.
func (r *renderer) render(title, format string) (encode.File, timings, error) {
	if r.document != nil {
		return r.renderDocument(title, format)
	}
	var s timings
	engine := text.Get()
	defer text.Put(engine)
	start := time.Now()
	blocks := layout(engine, title)
	s.layout = time.Since(start)

	canvas := r.paint(engine, blocks)
	defer canvas.Release()
	s.paint = time.Since(start) - s.layout

	pic, err := encode.Encode(canvas.Image(), limitsOf(format))
	s.encode = time.Since(start) - s.layout - s.paint
	return pic, s, err
}

func limitsOf(format string) encode.Limits {
	if format == "jpeg" {
		return encode.Limits{MaxPNG: 1, MaxJPEG: encode.OG.MaxJPEG}
	}
	return encode.Lossless
}

// layout sets the three texts.
func layout(engine *text.Engine, title string) cardLayout {
	style := func(weight int, px, line float64) text.Style {
		return text.Style{Family: text.Inter, Weight: weight, SizePx: px, LineHeight: line, Exact: true, Lang: "en"}
	}
	const w = cardW - 2*padX
	return cardLayout{
		title:  engine.Wrap(title, style(700, titlePx, titleLine), w, 0),
		text:   engine.Wrap(defaultText, style(400, textPx, textLine), w, 0),
		domain: engine.Line(domain, style(400, domainPx, 1), w),
	}
}

// paint draws a card that is laid out. The canvas is the caller's to release.
func (r *renderer) paint(engine *text.Engine, b cardLayout) *paint.Canvas {
	c := paint.New(cardW, cardH, gradient, titleInk, textInk, ruleInk, domainInk)
	c.Picture(r.logo, image.Rect(padX, padY, padX+logoSide, padY+logoSide), logoRadius)

	domainTop := cardH - padY - (ascent+descent)*domainPx
	ruleTop := int(domainTop+.5) - ruleGap - ruleHeight
	c.Fill(image.Rect(padX, ruleTop, cardW-padX, ruleTop+ruleHeight), ruleInk)

	titleH := float64(len(b.title.Lines)) * titlePx * titleLine
	textH := float64(len(b.text.Lines)) * textPx * textLine
	free := float64(ruleTop) - padY - logoSide
	top := padY + logoSide + (free-titleH-textGap-textH)/2
	set := func(block *text.Block, top float64, ink color.NRGBA) {
		engine.Draw(block, padX, top, func(x, y int, m *image.Alpha) { c.Mask(x, y, m, ink) })
	}
	set(b.title, top+capitalsTop(titlePx, titleLine), titleInk)
	set(b.text, top+titleH+textGap+capitalsTop(textPx, textLine), textInk)
	set(b.domain, domainTop+capitalsTop(domainPx, ascent+descent), domainInk)
	return c
}

// capitalsTop returns how far the capitals of a line stand below the top of its box: half of the leading, and what
// the ascent leaves.
func capitalsTop(px, lineHeight float64) float64 {
	return px * ((lineHeight-ascent-descent)/2 + ascent - capital)
}
