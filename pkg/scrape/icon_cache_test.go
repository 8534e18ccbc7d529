package scrape_test

import (
	"image/color"
	"testing"

	"masthead/pkg/scrape"
)

// TestScrape_iconOfManyPages_isDecodedOnce takes pages with one icon, and with the same at another address.
func TestScrape_iconOfManyPages_isDecodedOnce(t *testing.T) {
	picture := pngOf(t, 48, 48, red)
	s := serve(t, map[string]response{
		"/a": pageOf(`<link rel=icon sizes=48x48 href=/one.png>`), "/b": pageOf(`<link rel=icon sizes=48x48 href=/two.png>`),
		"/c":       pageOf(`<link rel=icon sizes=48x48 href=/three.png>`),
		"/one.png": picture, "/two.png": picture, "/three.png": pngOf(t, 48, 48, grey),
	})
	scraped := func(page string, need scrape.Need) *scrape.Result {
		t.Helper()
		site := s.scraper.Scrape(t.Context(), s.at(t, page), need)
		return &site
	}
	colored := scrape.Need{Icon: icon, Colors: true}
	first, second := scraped("/a", colored), scraped("/b", colored)
	a, b := first.Icon.Value, second.Icon.Value
	if a.Image == nil || a.Image != b.Image || a.Facts != b.Facts {
		t.Errorf("got %v and %v, want one picture for both", a.Facts, b.Facts)
	}
	if a.URL != s.at(t, "/one.png") || b.URL != s.at(t, "/two.png") {
		t.Errorf("got the icons of %v and %v, want each where it was found", a.URL, b.URL)
	}
	if got := scrape.SignalsOf(second).Palette; len(got) != 1 || got[0].Color != red {
		t.Errorf("got the colors %v, want the icon's red", got)
	}
	if other := scraped("/c", colored).Icon.Value; other.Image.NRGBAAt(9, 9) != (color.NRGBA{0x80, 0x80, 0x80, 0xff}) {
		t.Error("got the picture of another file")
	}
	small := colored
	small.Icon.Side = 32
	if got := scraped("/a", small).Icon.Value; got.Image.Rect.Dx() != 32 {
		t.Errorf("got a side of %d, want the one that was asked for", got.Image.Rect.Dx())
	}
	large := colored
	large.Icon.MinSide = 64
	if got := scraped("/a", large).Icon; got.Got() {
		t.Error("got a known icon that is too small now")
	}
}
