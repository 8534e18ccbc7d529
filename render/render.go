// Package render turns values into pictures: share images and article heroes. It has no network, no database and no
// clock; what it draws depends on the [Request] alone, so equal requests give equal bytes.
//
//	pic, err := render.Draw(ctx, render.Request{Texts: render.Texts{Title: "Hello", Host: "example.com"}, Dark: true})
//	os.WriteFile("card"+pic.Ext, pic.Bytes, 0o644)
//
// Below it: template (one file for each design), text (shaping, line breaking, fitting), paint (the canvas), palette
// (color), encode (PNG and JPEG), golden (a test helper). This package owns what lies between a request and a card:
// bounds, dates in the page's language, defaults, and the order of the stages.
//
// What it keeps is bounded: 21 MB are in use after a thousand different cards in Latin, 36 MB with all scripts, and 13
// MB more where a dozen themes come again and again. By Go's defaults a process that draws two at once has 140 and up
// to 230 MB resident (165 and 240 with such themes); bound as the service bounds itself it has up to 135 and 185.
// `bench memory` prints those of different cards.
//
// To add a design, see package template.
package render

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"image/draw"
	"math"

	"masthead/render/encode"
	"masthead/render/template"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// Draw returns the picture of a request, in its format: as a rule a PNG where it is small, else a JPEG.
//
// It is safe for concurrent use, and takes one core while it runs: the caller bounds how many run at once. ctx is
// looked at between the stages, of which each takes a few milliseconds. Errors: ErrNoTemplate and ErrStyle for a
// request that cannot be drawn, ErrUnreadable for one whose background spoils its texts, that of ctx, and others for a
// fault of this package.
func Draw(ctx context.Context, r Request) (Card, error) {
	var pic Card
	err := draws(ctx, &r, func(c *kit.Card) error {
		out, err := encodeCard(ctx, c, &r)
		if err != nil {
			return fmt.Errorf("draw template %s: %w", r.Template, err)
		}
		pic = Card{
			File: out, Marked: marks(c, &r), Width: c.W, Height: c.H,
			Template: c.Slug(), Title: c.Title, SiteName: c.SiteName,
			Warnings: c.Warnings(), Texts: textsOf(c),
		}
		return nil
	})
	return pic, err
}

// textsOf returns the texts on a card that are seen.
func textsOf(c *kit.Card) []PlacedText {
	texts := make([]PlacedText, 0, len(c.PlacedTexts()))
	for _, p := range c.PlacedTexts() {
		if box := p.InkBox().Intersect(c.Canvas().Bounds()); !p.Empty() && !box.Empty() {
			texts = append(texts, PlacedText{Of: TextRole(p.Role), Box: box})
		}
	}
	return texts
}

// The roles of this package are those of package kit.
var (
	_ = [1]struct{}{}[TitleText-TextRole(kit.Title)]
	_ = [1]struct{}{}[OtherText-TextRole(kit.Essential)]
	_ = [1]struct{}{}[SiteText-TextRole(kit.Repeated)]
	_ = [1]struct{}{}[LetterText-TextRole(kit.Monogram)]
)

// Figures of softening: by how much at least a background that takes too many bytes is reduced more than before, and
// how often that is tried. White noise takes two tries.
const (
	softenStep  = 1.35
	softenTries = 7
)

// encodeCard encodes a drawn card. A card over a picture that is too large in the lowest quality is drawn again, with
// less detail in the picture: text stays sharp.
func encodeCard(ctx context.Context, c *kit.Card, r *Request) (encode.File, error) {
	softness := 1.0
	for try := 0; ; try++ {
		limits := limitsOf(c, r.Format)
		if marks(c, r) {
			limits.MaxPNG, limits.MaxJPEG = max(limits.MaxPNG-encode.MarkSize, 0), max(limits.MaxJPEG-encode.MarkSize, 0)
		}
		out, err := encode.Encode(c.Canvas().Image(), limits)
		if err == nil && marks(c, r) {
			out = encode.Mark(out)
		}
		if err != nil || !c.HasPicture() || limits.MaxJPEG == 0 || len(out.Bytes) <= limits.MaxJPEG || try == softenTries {
			return out, err
		}
		if err := ctx.Err(); err != nil {
			return out, err
		}
		softness *= max(math.Sqrt(float64(len(out.Bytes))/float64(limits.MaxJPEG)), softenStep)
		c.Soften(softness)
		if c.Layout(); c.Unreadable() {
			return out, ErrUnreadable
		}
		c.DrawTexts()
	}
}

// marks reports whether the file of a card says that a model made its background.
func marks(c *kit.Card, r *Request) bool { return r.Generated && c.HasPicture() && !c.OfPage() }

// smallText is the size up to which a text is small: its strokes are a few pixels wide.
const smallText = 44

// limitsOf returns how large the picture of a card may become, and in which form.
func limitsOf(c *kit.Card, format Format) encode.Limits {
	limits := encode.OG
	if c.W*c.H > 1200*630 {
		limits = encode.Hero
	}
	switch format {
	case PNG:
		limits = encode.Lossless
	case JPEG:
		limits.NoPNG = true
	default: // a picture is three times as large as PNG, and no better to look at
		_, flat := c.Canvas().Image().(*image.Paletted) // a design may draw the picture in few colors
		limits.NoPNG = c.SoftLight() || (c.HasPicture() || c.ShowsPortrait()) && !flat
	}
	limits.Text = make([]image.Rectangle, 0, 8)
	for _, p := range c.PlacedTexts() {
		if p.Role != kit.Monogram && p.SizePx <= smallText {
			limits.Text = append(limits.Text, p.InkBox())
		}
	}
	return limits
}

// Paint returns the pixels of a request, before they are encoded: for goldens, and for callers that go on drawing.
// The image is the caller's. Everything else is as with Draw.
func Paint(ctx context.Context, r Request) (image.Image, error) {
	var img *image.NRGBA
	err := draws(ctx, &r, func(c *kit.Card) error {
		img = image.NewNRGBA(c.Canvas().Bounds())
		draw.Draw(img, img.Rect, c.Canvas().Image(), image.Point{}, draw.Src)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return img, nil
}

// draws runs the stages up to the finished card, which use may read until it returns.
func draws(ctx context.Context, r *Request, use func(*kit.Card) error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	t, spec, err := r.spec()
	if err != nil {
		return err
	}
	designs, err := r.designs(t, &spec)
	if err != nil {
		return err
	}
	var card *kit.Card
	// Shaping runs over fonts of ours and texts of strangers. Should it panic, one card fails rather than the
	// program, and the engine and the canvas, whose state nobody knows then, are left to the collector.
	defer func() {
		if p := recover(); p != nil {
			card.Abandon()
			err = fmt.Errorf("draw template %s: panic: %v", t.Slug, p)
		}
	}()
	engine := r.Fonts.Get()
	card = openCard(designs, spec, engine)
	card.Layout()
	if card.Unreadable() {
		err = fmt.Errorf("draw template %s: %w", t.Slug, ErrUnreadable)
	}
	if err = cmp.Or(err, ctx.Err()); err == nil {
		card.DrawTexts()
		if err = ctx.Err(); err == nil {
			err = use(card)
		}
	}
	card.Close()
	text.Put(engine)
	return err
}

// openCard returns a card of the first of the designs that the page has the facts for.
func openCard(designs []*kit.Template, spec kit.Spec, engine *text.Engine) *kit.Card {
	return kit.OpenFirst(designs, spec, engine, func(slug string) *kit.Template {
		found, _ := template.FindSized(slug, spec.Kind, spec.Sides)
		return found
	})
}

// Chosen returns the slug of the design that is drawn for a request: of its Choice, or what stands in for its Template
// if the page lacks the facts for that. The errors are those of [Draw].
func Chosen(r Request) (slug string, err error) {
	t, spec, err := r.spec()
	if err != nil {
		return "", err
	}
	designs, err := r.designs(t, &spec)
	if err != nil {
		return "", err
	}
	defer func() {
		if p := recover(); p != nil { // see draws
			err = fmt.Errorf("choose a template: panic: %v", p)
		}
	}()
	engine := r.Fonts.Get()
	card := openCard(designs, spec, engine)
	slug = card.Slug()
	text.Put(engine)
	return slug, nil
}
