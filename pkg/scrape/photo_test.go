package scrape_test

import (
	"strings"
	"testing"

	"masthead/pkg/scrape"
)

func TestScrape_photo_isThePagesOwnAndLargeEnough(t *testing.T) {
	const card = "/og/abcdefghijkl"
	for _, c := range []struct {
		name, image string
		state       scrape.State
		width       int
	}{
		{"large", "/large.png", scrape.Got, 1600},
		{"narrow", "/small.png", scrape.Absent, 0},
		{"low", "/low.png", scrape.Absent, 0},
		{"broken", "/broken.png", scrape.Failed, 0},
		{"missing", "/none.png", scrape.Failed, 0},
		{"a card of this service", card, scrape.Absent, 0},
		{"none", "", scrape.Absent, 0},
	} {
		page := pageOf(`<title>Hello</title><meta property=og:image content="` + c.image + `">`)
		site := serve(t, map[string]response{
			"/": page, "/large.png": pngOf(t, 2400, 1200, red), "/small.png": pngOf(t, 599, 400, red),
			"/low.png": pngOf(t, 900, 314, red), "/broken.png": {contentType: "image/png", body: "\x89PNG\r\n\x1a\n"},
			card: pngOf(t, 1200, 630, red),
		})
		got := site.scraper.Scrape(t.Context(), site.at(t, "/"), scrape.Need{PhotoSide: 1600})
		if got.Photo.State != c.state {
			t.Errorf("%s: got %v (%v), want %v", c.name, got.Photo.State, got.Photo.Err, c.state)
		}
		img := got.Photo.Value.Image
		if c.width > 0 && (img == nil || img.Rect.Dx() != c.width || img.Rect.Dy() != c.width/2) {
			t.Errorf("%s: got %v, want it %d wide", c.name, img.Bounds(), c.width)
		}
		if c.image == card && strings.Contains(site.requests(), card) {
			t.Errorf("%s was fetched", c.name)
		}
	}
}

func TestScrape_portrait_isTheAuthors(t *testing.T) {
	site := serve(t, map[string]response{
		"/": pageOf(`<title>Hello</title><script type=application/ld+json>` +
			`{"@type":"Article","author":{"name":"Ada","image":"/ada.png"}}</script>`),
		"/ada.png": pngOf(t, 300, 300, red),
	})
	got := site.scraper.Scrape(t.Context(), site.at(t, "/"), scrape.Need{PortraitSide: 640})
	if img := got.Portrait.Value.Image; !got.Portrait.Got() || img.Rect.Dx() != 300 {
		t.Errorf("got %v (%v), want a picture of 300 px", got.Portrait.State, got.Portrait.Err)
	}
	if got.Photo.State != scrape.NotAsked {
		t.Errorf("the photo is %v, want %v", got.Photo.State, scrape.NotAsked)
	}
}
