package kit

import (
	"image"
	"image/color"
	"testing"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/text"
)

// whisper is a template whose text nobody can read: its color has no contrast to any background that it may get.
var whisper = &Template{
	Info: Info{Slug: "whisper", TextSide: "left"},
	OG: func(c *Card) {
		c.Begin(paint.Solid(palette.RGB(0x777777)))
		c.PutHeading(OneColor(palette.RGB(0x777777), palette.RGB(0x808080)), Column{X: 72, Y: 168, W: 984, H: 264},
			Heading{Style: c.TitleStyle(), Ladder: text.Steps(2, 104, 92)})
	},
}

// murmur is one whose text needs a panel: in a color that the background of the card is too near to.
var murmur = &Template{
	Info: Info{Slug: "murmur", TextSide: "left"},
	OG: func(c *Card) {
		c.Begin(paint.Solid(palette.RGB(0x5A5A5A)))
		c.PutHeading(OneColor(palette.RGB(0x5A5A5A), palette.RGB(0xB8B8B8)), Column{X: 72, Y: 168, W: 984, H: 264},
			Heading{Style: c.TitleStyle(), Ladder: text.Steps(2, 104, 92)})
	},
}

func plain(ink color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 600, 400))
	for i := range 600 * 400 {
		img.SetNRGBA(i%600, i/600, ink)
	}
	return img
}

func openOver(t *testing.T, tmpl *Template, picture image.Image, dark bool) *Card {
	t.Helper()
	c := Open(tmpl, Spec{
		Kind: OG, Theme: palette.New(palette.RGB(0x4F46E5), dark), Family: text.Inter, Background: picture,
		Texts: Texts{Title: "Queues are tables", SiteName: "Northlane", Host: "northlane.dev", Author: "Mina Okafor"},
	}, text.NewEngine())
	t.Cleanup(c.Close)
	c.Layout()
	return c
}

func TestLayout_textThatNothingHelpsIsUnreadable(t *testing.T) {
	for name, ink := range map[string]color.NRGBA{"black": {A: 255}, "white": {R: 255, G: 255, B: 255, A: 255}} {
		if c := openOver(t, whisper, plain(ink), true); !c.Unreadable() {
			t.Errorf("gray on gray over %s counts as readable", name)
		}
	}
}

func TestLayout_panelWhereTheVeilDoesNotDo(t *testing.T) {
	c := openOver(t, murmur, plain(color.NRGBA{R: 255, G: 255, B: 255, A: 255}), true)
	if c.Unreadable() {
		t.Error("text on a panel counts as unreadable")
	}
	box := c.PlacedTexts()[0].InkBox().Inset(-panelPadding)
	inside, outside := c.Canvas().At(box.Min.X+30, box.Max.Y-10), c.Canvas().At(box.Max.X+200, box.Max.Y-10)
	if palette.Contrast(inside, c.Theme.Surface1) > 1.4 || palette.Contrast(outside, c.Theme.Surface1) < 2 {
		t.Errorf("within its box there is %v and beside it %v, want the panel and the picture", inside, outside)
	}
}

func TestLayout_anyTemplateIsReadableOverWhatItIsGiven(t *testing.T) {
	for _, side := range []string{"left", "center", "right"} {
		tmpl := *note
		tmpl.TextSide = side
		for _, ink := range []color.NRGBA{{A: 255}, {R: 255, G: 255, B: 255, A: 255}, {R: 255, A: 255}, {B: 255, A: 255}} {
			for _, dark := range []bool{true, false} {
				c := openOver(t, &tmpl, plain(ink), dark)
				if c.Unreadable() {
					t.Errorf("%s, dark %v: text over %v cannot be read", side, dark, ink)
				}
			}
		}
	}
}

// TestLayout_textsStandAlike checks that a picture changes nothing of where texts stand in a template that knows of
// none.
func TestLayout_textsStandAlike(t *testing.T) {
	over, alone := openOver(t, note, plain(color.NRGBA{G: 90, A: 255}), true), openOver(t, note, nil, true)
	if len(over.PlacedTexts()) != len(alone.PlacedTexts()) || len(over.PlacedIcons()) != len(alone.PlacedIcons()) {
		t.Fatalf("%d texts and %d icons, want %d and %d", len(over.PlacedTexts()), len(over.PlacedIcons()),
			len(alone.PlacedTexts()), len(alone.PlacedIcons()))
	}
	for i, p := range over.PlacedTexts() {
		if q := alone.PlacedTexts()[i]; p.X != q.X || p.Y != q.Y || p.Text() != q.Text() {
			t.Errorf("%q stands at %.1f,%.1f, want %q at %.1f,%.1f", p.Text(), p.X, p.Y, q.Text(), q.X, q.Y)
		}
	}
}
