package scrape_test

import (
	"fmt"
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

// TestScrape_photo_nextOneWhereTheFirstIsNone: a site whose share image is a card, of ours or another service, or too
// small, gets the picture that it has besides.
func TestScrape_photo_nextOneWhereTheFirstIsNone(t *testing.T) {
	const ours, theirs = "/og/abcdefghijkl", "/api/og?title=Hello"
	const hero = `<main><img src="/large.png" width=1200 height=600></main>`
	for name, head := range map[string]string{
		"a card of ours":        `<meta property=og:image content="` + ours + `">` + hero,
		"a card of theirs":      `<meta property=og:image content="` + theirs + `">` + hero,
		"another share image":   `<meta property=og:image content="` + ours + `"><meta property=og:image content="/large.png">`,
		"the picture of X":      `<meta property=og:image content="` + ours + `"><meta name=twitter:image content="/large.png">`,
		"one that is too small": `<meta property=og:image content="/small.png">` + hero,
		"one that is missing":   `<meta property=og:image content="/none.png">` + hero,
		"structured data": `<meta property=og:image content="` + ours + `"><script type=application/ld+json>` +
			`{"@type":"WebPage","primaryImageOfPage":{"url":"/large.png"}}</script>`,
		"a thumbnail": `<meta property=og:image content="` + ours + `"><script type=application/ld+json>` +
			`{"@type":"Article","thumbnailUrl":"/large.png"}</script>`,
	} {
		site := serve(t, map[string]response{
			"/": pageOf(`<title>Hello</title>` + head), "/large.png": pngOf(t, 1200, 600, red),
			"/small.png": pngOf(t, 300, 200, red), ours: pngOf(t, 1200, 630, red), "/api/og": pngOf(t, 1200, 630, red),
		})
		got := site.scraper.Scrape(t.Context(), site.at(t, "/"), scrape.Need{PhotoSide: 1600})
		if img := got.Photo.Value.Image; !got.Photo.Got() || img.Rect.Dy() != 600 {
			t.Errorf("%s: got %v (%v), want the large picture", name, got.Photo.State, got.Photo.Err)
		}
		if r := site.requests(); strings.Contains(r, ours) || strings.Contains(r, "/api/og") {
			t.Errorf("%s: a card was fetched: %s", name, r)
		}
	}
}

// TestScrape_photo_ofAThing_mayBeSmall: shops and libraries have small pictures, tall ones and wide ones. A large one
// is preferred, and icons don't count.
func TestScrape_photo_ofAThing_mayBeSmall(t *testing.T) {
	for _, c := range []struct {
		kind, first, second string
		want                string // size, "" for none
	}{
		{"Product", "small", "large", "1200x600"}, {"Product", "small", "", "400x400"},
		{"Product", "small", "none", "400x400"}, {"Book", "tall", "", "300x460"}, {"Recipe", "wide", "", "900x150"},
		{"Product", "icon", "small", "400x400"},
		{"Product", "icon", "", ""}, {"Article", "small", "", ""},
	} {
		head := `<title>Hello</title><script type=application/ld+json>{"@type":"` + c.kind + `","name":"Hello"}</script>`
		for _, name := range []string{c.first, c.second} {
			if name != "" {
				head += `<meta property=og:image content="/` + name + `.png">`
			}
		}
		site := serve(t, map[string]response{
			"/": pageOf(head), "/large.png": pngOf(t, 1200, 600, red), "/small.png": pngOf(t, 400, 400, red),
			"/tall.png": pngOf(t, 300, 460, red), "/wide.png": pngOf(t, 900, 150, red), "/icon.png": pngOf(t, 180, 180, red),
		})
		got := site.scraper.Scrape(t.Context(), site.at(t, "/"), scrape.Need{PhotoSide: 1600}).Photo
		size := ""
		if got.Got() {
			size = fmt.Sprintf("%dx%d", got.Value.Image.Rect.Dx(), got.Value.Image.Rect.Dy())
		}
		if size != c.want {
			t.Errorf("%+v: got %q (%v)", c, size, got.Err)
		}
	}
}

// TestScrape_photo_triesFew: a page that names many broken pictures costs no more than two requests.
func TestScrape_photo_triesFew(t *testing.T) {
	head := `<title>Hello</title>`
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		head += `<meta property=og:image content="/none-` + name + `.png">`
	}
	site := serve(t, map[string]response{"/": pageOf(head)})
	got := site.scraper.Scrape(t.Context(), site.at(t, "/"), scrape.Need{PhotoSide: 1600})
	if n := strings.Count(site.requests(), "/none-"); n != 2 || got.Photo.State != scrape.Failed {
		t.Errorf("%d pictures were requested, want 2; the photo is %v", n, got.Photo.State)
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
