package template

import (
	"image"
	"slices"
	"testing"

	"masthead/render/template/kit"
)

// TestPoster_longHostIsWhole checks that a host isn't cut beside free room.
func TestPoster_longHostIsWhole(t *testing.T) {
	const host = "careers.tsumugi-pay-holdings.example"
	for _, rtl := range []bool{false, true} {
		c := openCard(t, "poster", kit.Spec{RTL: rtl, Texts: kit.Texts{Title: "Ship it", Host: host, SiteName: "T"}})
		if said := placedTexts(c); !slices.Contains(said, host) {
			t.Errorf("right to left %v: got %q", rtl, said)
		}
	}
}

// TestPoster_figureIsClearOfTheTitle: the edge of a figure never touches a letter, and the figure is large.
func TestPoster_figureIsClearOfTheTitle(t *testing.T) {
	const apart, least = 44, .02
	titles := []string{
		"Why Is Everyone in the U.K. Talking About Heat Pumps?", "Pricing", "Iced Matcha",
		"Dlaczego nie lubimy poniedziałków",
		"Rada Polityki Pieniężnej obniżyła stopy procentowe o 25 pkt bazowych. Co to oznacza dla kredytobiorców?",
		"Sony WH-1000XM6 Wireless Noise-Cancelling Headphones, Midnight Blue",
	}
	for seed := range uint64(20) {
		title := titles[int(seed)%len(titles)]
		texts := kit.Texts{Title: title, Host: "touchline.example", SiteName: "Touchline"}
		c := openCard(t, "poster", kit.Spec{Seed: seed, RTL: seed%3 == 0, Texts: texts})
		c.Layout()
		ground, shown := posterSurface(&c.Theme).Color, 0
		placed := c.PlacedTexts()[0]
		for _, l := range placed.Lines {
			box := placed.Box(l.Ink)
			beside := image.Rect(box.Max.X+4, box.Min.Y, box.Max.X+apart, box.Max.Y)
			if c.RTL {
				beside = image.Rect(box.Min.X-apart, box.Min.Y, box.Min.X-4, box.Max.Y)
			}
			below := image.Rect(box.Min.X, box.Max.Y+4, box.Max.X, box.Max.Y+apart)
			if l.Text != placed.Lines[len(placed.Lines)-1].Text {
				below = image.Rectangle{}
			}
			for _, r := range []image.Rectangle{beside, below} {
				for y := r.Min.Y; y < r.Max.Y; y++ {
					for x := r.Min.X; x < r.Max.X; x++ {
						if c.Canvas().At(x, y) != ground {
							t.Fatalf("seed %d, %q: %v at %d,%d beside %q", seed, title, c.Canvas().At(x, y), x, y, l.Text)
						}
					}
				}
			}
		}
		deep := map[any]int{}
		for y := 0; y < c.H; y += 3 {
			for x := 0; x < c.W; x += 3 {
				deep[c.Canvas().At(x, y)]++
			}
		}
		for color, n := range deep {
			if color != ground && color != posterSurface(&c.Theme).Text {
				shown = max(shown, 9*n)
			}
		}
		if share := float64(shown) / float64(c.W*c.H); share < least {
			t.Errorf("seed %d, %q: the figure covers %.3f of the card", seed, title, share)
		}
	}
}

// TestPoster_strokesOfLettersAreFree: that of ł doesn't run into the letters beside it.
func TestPoster_strokesOfLettersAreFree(t *testing.T) {
	for word, want := range map[string]int{"bło": 3, "ało": 3, "ođo": 3, "bob": 3} {
		c := openCard(t, "poster", kit.Spec{Seed: 2, Texts: kit.Texts{Title: word, SiteName: "Northlane"}})
		c.Layout()
		title := c.PlacedTexts()[0]
		ink := c.InkMask(title.Block.Block, title.X, title.Y)
		letters, inside := 0, false
		for x := ink.Rect.Min.X; x < ink.Rect.Max.X; x++ {
			seen := false
			for y := ink.Rect.Min.Y; y < ink.Rect.Max.Y; y++ {
				seen = seen || ink.AlphaAt(x, y).A > 0
			}
			if seen && !inside {
				letters++
			}
			inside = seen
		}
		if letters != want {
			t.Errorf("%s: %d letters are apart, want %d", word, letters, want)
		}
	}
}

// TestPosterTracking_strokesOfLettersKeepClear, most of all in a word that is as large as can be.
func TestPosterTracking_strokesOfLettersKeepClear(t *testing.T) {
	if a, b, c := posterTracking("Trawa"), posterTracking("Długa trawa"), posterTracking("Źdźbło"); a >= b || b >= c {
		t.Errorf("got %v, %v and %v, want more and more", a, b, c)
	}
}
