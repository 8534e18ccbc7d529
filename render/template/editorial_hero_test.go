package template

import (
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// TestEditorialHero_datesAreWhole: the date of an event or article is above the title if it has no room beside the name
// of the site, in place of the section if it has none beside that either.
func TestEditorialHero_datesAreWhole(t *testing.T) {
	const long = "17 October 2026 – 14 March 2027"
	for _, c := range []struct{ site, section, date, day string }{
		{"Harbor Museum", "", "14 March 2027", ""}, {"Museum by the Harbor", "Art", long, ""},
		{"Museum by the Harbor", "Exhibitions and events", long, ""}, {"Museum of Ships and Tides by the Old Harbor", "Art", long, ""},
		{"Journal of Microgravity and Environment", "Research", "9 July 2026", "9"},
		{"Journal of Microgravity and Environment", "", "9 July 2026", "9"}, {"Museum by the Harbor", "", long, ""},
	} {
		tmpl, ok := Find("editorial", kit.BlogHero)
		if !ok {
			t.Fatal("editorial draws no heroes")
		}
		card := kit.Open(tmpl, kit.Spec{
			Kind: kit.BlogHero, Family: text.Inter, Theme: palette.New(palette.RGB(0x4F46E5), true),
			Texts: kit.Texts{Title: "Color", SiteName: c.site, Eyebrow: c.section}, Date: c.date,
			Day: c.day, Leaf: kit.Leaf{Day: "17", Place: "Rotterdam"},
		}, text.NewEngine())
		said := placedTexts(card)
		card.Close()
		if slices.ContainsFunc(said, func(s string) bool { return strings.HasSuffix(s, "…") }) {
			t.Errorf("%s, %q: the texts are %q, with a cut place", c.site, c.section, said)
		}
		if !slices.ContainsFunc(said, func(s string) bool { return s == c.date || s == c.date+" · Rotterdam" }) {
			t.Errorf("%s, %q: the texts are %q, without %s", c.site, c.section, said, c.date)
		}
	}
}

// wavy is a photograph without an edge or a flat area.
func wavy(w, h int) *image.NRGBA {
	photo := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range photo.Pix {
		x, y := float64(i/4%w), float64(i/4/w)
		photo.Pix[i] = uint8(128 + 90*math.Sin(x/97+float64(i%4))*math.Cos(y/71+x/211))
		if i%4 == 3 {
			photo.Pix[i] = 255
		}
	}
	return photo
}

// TestEditorialHero_smallPhotosAreShownSmall: a photograph that would be blurred in the panel is a part of it, and one
// that is too small for that isn't shown.
func TestEditorialHero_smallPhotosAreShownSmall(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want panelPlace
		none bool
	}{
		{1200, 630, panelPlace{}, false}, {1024, 576, panelPlace{whole: true, crop: true, most: image.Pt(464, 580)}, false},
		{900, 394, panelPlace{whole: true, crop: true, most: image.Pt(464, 531)}, false}, {900, 300, panelPlace{}, true},
	} {
		s := kit.Spec{Texts: kit.Texts{Title: "Mug"}, Pictures: kit.Pictures{Photo: wavy(c.w, c.h)}}
		card := openKind(t, "editorial", kit.BlogHero, s)
		if got := placeInPanel(card); got != c.want || card.OfPage() == c.none {
			t.Errorf("%d×%d: got %+v, shown %v, want %+v", c.w, c.h, got, card.OfPage(), c.want)
		}
	}
}

// TestEditorialHero_thingsAreWhole: of a thing for sale, most is shown, unless the page is an article about it.
func TestEditorialHero_thingsAreWhole(t *testing.T) {
	tmpl, ok := Find("editorial", kit.BlogHero)
	if !ok {
		t.Fatal("editorial draws no heroes")
	}
	photo := wavy(1200, 900)
	thing := kit.Goods{Headline: "€24.90"}
	for _, c := range []struct {
		name   string
		goods  kit.Goods
		author string
		high   int
		want   bool
	}{
		{"a thing", thing, "", 800, true}, {"most of it", thing, "", 900, false}, {"an article", thing, "Ada", 800, false},
		{"a dish", kit.Goods{Headline: "45 min", Dish: true}, "", 800, false}, {"no thing", kit.Goods{}, "", 800, false},
	} {
		part := &image.NRGBA{Pix: photo.Pix, Stride: photo.Stride, Rect: image.Rect(0, 0, 1200, c.high)}
		card := kit.Open(tmpl, kit.Spec{
			Kind: kit.BlogHero, Family: text.Inter, Theme: palette.New(palette.RGB(0x4F46E5), true), Goods: c.goods,
			Texts: kit.Texts{Title: "Mug", Author: c.author}, Pictures: kit.Pictures{Photo: part},
		}, text.NewEngine())
		if got := cutsThing(card, image.Pt(560, 900)); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
		card.Close()
	}
}

// TestEditorialHero_wideLettersKeepClearOfTheirPanel measures the initial in the panel.
func TestEditorialHero_wideLettersKeepClearOfTheirPanel(t *testing.T) {
	panel := image.Rect(1040, 0, 1600, 900)
	for _, site := range []string{"Marlow", "Wave", "Oslo", "Quill", "Kiln"} {
		c := openKind(t, "editorial", kit.BlogHero, kit.Spec{Texts: kit.Texts{Title: "Color", SiteName: site}})
		letter, ok := panelLetter(c, panel)
		if w := letter.Ink.X1 - letter.Ink.X0; !ok || w > 512.5 || w < 300 {
			t.Errorf("%s: the letter is %.0f wide (%v)", site, w, ok)
		}
	}
}

// TestEditorial_accentsAreApartFromTheSection: the mark of a large capital is not one of the line above it.
func TestEditorial_accentsAreApartFromTheSection(t *testing.T) {
	const least = 24
	for _, kind := range []kit.Kind{kit.OG, kit.BlogHero} {
		for _, title := range []string{"Ёж", "Źdźbło", "Ñandú", "Ở đây"} {
			tmpl, _ := Find("editorial", kind)
			c := kit.Open(tmpl, kit.Spec{
				Kind: kind, Family: text.Inter, Theme: palette.New(palette.RGB(0x4F46E5), true),
				Texts: kit.Texts{Title: title, SiteName: "Northlane", Eyebrow: "Animals"},
			}, text.NewEngine())
			c.Layout()
			top, bottom := 0.0, 0.0
			for _, p := range c.PlacedTexts() {
				switch {
				case p.Role == kit.Title:
					top = p.Bounds().Y0
				case p.Text() == "ANIMALS":
					bottom = p.Bounds().Y1
				}
			}
			if bottom == 0 || top-bottom < least {
				t.Errorf("%s, %s: the title begins at %.0f, the section ends at %.0f", kind, title, top, bottom)
			}
			c.Close()
		}
	}
}

// TestBlueprint_linesAreApartFromTheSite: the dashes at the line of the letter don't continue the row of the site.
func TestBlueprint_linesAreApartFromTheSite(t *testing.T) {
	tmpl, _ := Find("blueprint", kit.BlogHero)
	c := kit.Open(tmpl, kit.Spec{
		Kind: kit.BlogHero, Family: text.Inter, Theme: palette.New(palette.RGB(0x4F46E5), true),
		Texts: kit.Texts{Title: "Color", SiteName: "Northlane"},
	}, text.NewEngine())
	defer c.Close()
	c.Layout()
	for y := 740; y < 780; y++ {
		if y%32 < 2 { // the grid
			continue
		}
		for x := motif.PlanLeft + 1; x < motif.PlanLeft+22; x++ {
			if x%32 >= 2 && c.Canvas().At(x, y) != blueprintSurface(&c.Theme).Color {
				t.Fatalf("a line begins at %d,%d", x, y)
			}
		}
	}
}

// TestEditorial_descriptionHasTheWidthOfItsTitle: below a wide title, no narrow text is cut.
func TestEditorial_descriptionHasTheWidthOfItsTitle(t *testing.T) {
	const (
		title = "Fed Holds Rates at 4.25% as Powell Warns of ‘Stubborn’ Inflation"
		whole = "The central bank kept its benchmark rate unchanged for the third straight meeting, citing prices that " +
			"rose 3.1% in October from a year earlier."
	)
	c := openCard(t, "editorial", kit.Spec{
		Lang: "en", Date: "12 March 2026",
		Texts: kit.Texts{Title: title, Description: whole, SiteName: "The Ledger", Eyebrow: "Economy"},
	})
	c.Layout()
	for _, p := range c.PlacedTexts() {
		if strings.HasPrefix(whole, strings.Fields(p.Text())[0]) && len(p.Text()) > 30 && p.Truncated {
			t.Errorf("cut: %q", p.Text())
		}
	}
}

// TestEditorialHero_wideLettersAreInThePanel: no serif comes near the sides.
func TestEditorialHero_wideLettersAreInThePanel(t *testing.T) {
	const apart = 40
	for _, site := range []string{"Mówimy", "Watt", "Quartz", "Яндекс", "Дача", "Фильм"} {
		tmpl, _ := Find("editorial", kit.BlogHero)
		c := kit.Open(tmpl, kit.Spec{
			Kind: kit.BlogHero, Family: text.Inter, Theme: palette.New(palette.RGB(0x4F46E5), true),
			Texts: kit.Texts{Title: "Color", SiteName: site},
		}, text.NewEngine())
		panel := image.Rect(1040, 0, 1600, 900)
		if letter, ok := panelLetter(c, panel); !ok || letter.Ink.X1-letter.Ink.X0 > float64(panel.Dx()-2*apart) {
			t.Errorf("%s: its letter is %.0f wide", site, letter.Ink.X1-letter.Ink.X0)
		}
		c.Close()
	}
}
