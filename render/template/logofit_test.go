package template

import (
	"image"
	"image/color"
	"testing"

	"masthead/render/palette"
	"masthead/render/text"
)

// painted returns a picture of w×h; paint gives the colour of each pixel, with x and y from 0 to 1.
func painted(w, h int, paint func(x, y float64) color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, paint((float64(x)+.5)/float64(w), (float64(y)+.5)/float64(h)))
		}
	}
	return img
}

// ring paints a ring on a ground; the lower half of it may have a colour of its own.
func ring(ink, lower, ground color.NRGBA) func(x, y float64) color.NRGBA {
	return func(x, y float64) color.NRGBA {
		d := (x-.5)*(x-.5) + (y-.5)*(y-.5)
		switch {
		case d > .2 || d < .05:
			return ground
		case y > .5:
			return lower
		}
		return ink
	}
}

// TestFitLogo checks what is done for foreign icons and logos so that they can be seen and look meant.
func TestFitLogo(t *testing.T) {
	white, black, navy, orange := palette.RGB(0xFFFFFF), palette.RGB(0x0A0A0E), palette.RGB(0x14204A), palette.RGB(0xF97316)
	none := color.NRGBA{}
	checks := func(x, y float64) color.NRGBA { // flat colours, hard edges
		if int(x*8)%2 == int(y*8)%2 {
			return orange
		}
		return none
	}
	soft := func(x, y float64) color.NRGBA { return palette.Fade(orange, x) }
	spectrum := func(x, y float64) color.NRGBA {
		return palette.LCH{L: .6, C: .15, H: 360 * x}.Color()
	}
	for _, c := range []struct {
		name   string
		img    *image.NRGBA
		dark   bool
		oneInk bool
		ok     bool
		inked  bool // in one ink
		plated bool
		w, h   int // 0: any
	}{
		{name: "none", img: nil},
		{name: "no pixels", img: image.NewNRGBA(image.Rectangle{})},
		{name: "all clear", img: image.NewNRGBA(image.Rect(0, 0, 64, 64))},
		{name: "a line", img: painted(2000, 2, spectrum)},
		{name: "an orange ring", img: painted(200, 200, ring(orange, orange, none)), dark: true, ok: true, w: 56, h: 56},
		{name: "a black ring on dark", img: painted(200, 200, ring(black, black, none)), dark: true, ok: true, inked: true, w: 56, h: 56},
		{name: "a black ring on light", img: painted(200, 200, ring(black, black, none)), ok: true},
		{name: "a white ring on light", img: painted(200, 200, ring(white, white, none)), ok: true, inked: true},
		{name: "two dark colours on dark", img: painted(200, 200, ring(black, navy, none)), dark: true, ok: true, plated: true, h: 56},
		{name: "half of it dark on dark", img: painted(200, 200, ring(orange, navy, none)), dark: true, ok: true, plated: true},
		{name: "an orange ring where one ink is asked for", img: painted(200, 200, ring(orange, orange, none)), oneInk: true, ok: true, inked: true},
		{name: "two colours where one ink is asked for", img: painted(200, 200, ring(orange, black, none)), oneInk: true, ok: true},
		{name: "white ground on dark", img: painted(200, 200, ring(orange, navy, white)), dark: true, ok: true, plated: true},
		{name: "white ground on light", img: painted(200, 200, ring(orange, navy, white)), ok: true},
		{name: "a picture without a ground", img: painted(200, 200, spectrum), dark: true, ok: true},
		{name: "tiny, in few colours", img: painted(16, 16, checks), dark: true, ok: true, w: 56, h: 56},
		{name: "tiny, with soft edges", img: painted(16, 16, soft), dark: true},
		{name: "wide", img: painted(1000, 100, spectrum), dark: true, ok: true, w: 212, h: 21},
		{name: "high", img: painted(100, 400, spectrum), dark: true, ok: true, w: 14, h: 56},
		{
			name: "part of a larger picture", dark: true, ok: true, w: 56, h: 56,
			img: painted(400, 400, ring(orange, orange, none)).SubImage(image.Rect(13, 13, 387, 387)).(*image.NRGBA),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			editorial, _ := Find("editorial", OG)
			card := Open(editorial, Spec{Kind: OG, Theme: palette.New(palette.RGB(0x4F46E5), c.dark), Family: text.Inter}, text.NewEngine())
			defer card.Close()
			card.OneInk = c.oneInk
			e, ok := card.fitLogo(c.img, 212, 56)
			if ok != c.ok {
				t.Fatalf("ok is %v, want %v", ok, c.ok)
			}
			if !ok {
				return
			}
			if got := e.ink.A != 0; got != c.inked {
				t.Errorf("drawn in one ink: %v, want %v", got, c.inked)
			}
			if got := e.plate.A != 0; got != c.plated {
				t.Errorf("on a plate: %v, want %v", got, c.plated)
			}
			if e.W > 212 || e.H > 56 || c.w != 0 && e.W != c.w || c.h != 0 && e.H != c.h {
				t.Errorf("the size is %dx%d, want %dx%d", e.W, e.H, c.w, c.h)
			}
		})
	}
}

// TestShrunkIsBounded checks that pictures are kept by what they show, few of them, and apart from those of the caller.
func TestShrunkIsBounded(t *testing.T) {
	s := scaledCache{kept: make(map[scaledKey]*image.NRGBA)}
	fill := func(v uint8) *image.NRGBA {
		return painted(56, 56, func(x, y float64) color.NRGBA { return color.NRGBA{R: v, G: uint8(255 * x), B: uint8(255 * y), A: 255} })
	}
	mine := fill(1)
	first, ok := s.get(mine, 56, 56)
	if !ok || first == mine {
		t.Fatalf("ok is %v and the picture the caller's own: %v, want a copy", ok, first == mine)
	}
	if again, _ := s.get(fill(1), 56, 56); again != first {
		t.Error("an equal picture is scaled anew, want the one that is kept")
	}
	if other, _ := s.get(fill(2), 56, 56); other == first {
		t.Error("another picture gets the one that is kept")
	}
	for v := range 100 {
		s.get(fill(uint8(v)), 40, 40)
	}
	if len(s.kept) != maxScaled || len(s.order) != maxScaled {
		t.Errorf("%d pictures are kept, and %d listed, want %d", len(s.kept), len(s.order), maxScaled)
	}
}

// TestGhostLetter checks what a site is remembered by.
func TestGhostLetter(t *testing.T) {
	for name, want := range map[string]rune{
		"Northlane": 'N', "northlane.dev": 'N', "“Quoted”": 'Q', "Ền": 'E', "Österreich": 'O', "Нортлейн": 'H', "Букви": 'Б',
		"نورثلين": 'ن', "4chan": 'C', "42": 0, "": 0, "🚀🚀": 0, "北巷": '北',
	} {
		if got := backdropRune(name, ""); got != want {
			t.Errorf("backdropRune(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestRegistryRefuses checks that what only a programmer gets wrong stops the program at start.
func TestRegistryRefuses(t *testing.T) {
	draw := func(*Card) {}
	for name, bad := range map[string]Template{
		"a slug that is taken":      {Info: Info{Slug: "editorial", Kinds: []Kind{OG}}, OG: draw},
		"no slug":                   {Info: Info{Kinds: []Kind{OG}}, OG: draw},
		"no kind":                   {Info: Info{Slug: "x"}},
		"a kind without a function": {Info: Info{Slug: "x", Kinds: []Kind{OG}}},
		"a function without a kind": {Info: Info{Slug: "x", Kinds: []Kind{OG}}, OG: draw, BlogHero: draw},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("register returned, want a panic")
				}
			}()
			register(bad)
		})
	}
}

// TestWithoutStop checks which titles end in a disc.
func TestWithoutStop(t *testing.T) {
	for _, c := range []struct {
		title, want string
		stops       bool
	}{
		{"Hello", "Hello", true}, {"Hello.", "Hello", true}, {"Hello?", "Hello?", false}, {"Hello!", "Hello!", false},
		{"Hello…", "Hello…", false}, {"", "", false}, {".", ".", false}, {"終わり。", "終わり", true}, {"ما هذا؟", "ما هذا؟", false},
	} {
		if got, stops := withoutStop(c.title); got != c.want || stops != c.stops {
			t.Errorf("withoutStop(%q) = %q, %v, want %q, %v", c.title, got, stops, c.want, c.stops)
		}
	}
}

// TestInitial checks that a name is remembered by its first word, not by the article before it.
func TestInitial(t *testing.T) {
	for _, c := range []struct {
		name, lang string
		want       rune
	}{
		{"The Guardian", "en", 'G'}, {"The Guardian", "tr", 'G'}, {"A List Apart", "", 'L'}, {"Der Spiegel", "de", 'S'}, {"Die Zeit", "de-DE", 'Z'},
		{"Die Hard", "en", 'D'}, {"El País", "es", 'P'}, {"EL PAÍS", "es", 'P'}, {"Los Angeles Times", "en", 'L'}, {"LA Times", "en", 'L'},
		{"Le Monde.fr", "fr", 'M'}, {"La Repubblica", "it", 'R'}, {"O Globo", "pt-BR", 'G'}, {"The", "en", 'T'}, {"The 100", "en", 'T'},
		{"Theory Today", "en", 'T'}, {"", "", 0}, {"…", "", 0}, {"A ", "", 'A'}, {"24 Heures", "fr", 'H'}, {"9to5", "", 'T'}, {"42", "", '4'},
	} {
		if got := initial(c.name, c.lang); got != c.want {
			t.Errorf("initial(%q, %q) = %q, want %q", c.name, c.lang, got, c.want)
		}
	}
}
