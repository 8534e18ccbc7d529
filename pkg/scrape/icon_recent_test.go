package scrape_test

import (
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/scrape"
)

// TestScrape_iconOfManyPages_isFetchedAsOftenAsItsSiteWants takes two pages of a site with one icon.
func TestScrape_iconOfManyPages_isFetchedAsOftenAsItsSiteWants(t *testing.T) {
	t.Parallel()
	moved := response{status: http.StatusFound, header: map[string]string{"Location": "/other.png"}}
	for name, c := range map[string]struct {
		header  map[string]string
		icon    *response // in place of a picture
		afresh  bool      // the caller wants it so
		fetched int
	}{
		"a site that says nothing":   {nil, nil, false, 1},
		"a caller who wants it anew": {nil, nil, true, 2},
		"max-age":                    {map[string]string{"Cache-Control": "public, max-age=600"}, nil, false, 1},
		"no-store":                   {map[string]string{"Cache-Control": "No-Store"}, nil, false, 2},
		"max-age of 0":               {map[string]string{"Cache-Control": "max-age=0, must-revalidate"}, nil, false, 2},
		"an icon that has moved":     {nil, &moved, false, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			picture := pngOf(t, 48, 48, red)
			picture.header = c.header
			responses := map[string]response{
				"/a": pageOf(`<link rel=icon href=/icon.png>`), "/b": pageOf(`<link rel=icon href=/icon.png>`),
				"/icon.png": picture, "/other.png": picture,
			}
			if c.icon != nil {
				responses["/icon.png"] = *c.icon
			}
			s := serve(t, responses)
			need := scrape.Need{Icon: icon, Colors: true}
			need.Icon.Reuse = !c.afresh
			for _, page := range []string{"/a", "/b"} {
				site := s.scraper.Scrape(t.Context(), s.at(t, page), need)
				if got := site.Icon; !got.Got() || got.Value.Image.NRGBAAt(64, 64) != red || got.Value.Facts.Width != 48 {
					t.Fatalf("got %+v of %s, want the icon", got, page)
				}
				if at := site.Icon.Value.URL; c.icon == nil && at != s.at(t, "/icon.png") {
					t.Errorf("got the icon of %v", at)
				}
			}
			if got := strings.Count(s.requests(), "/icon.png"); got != c.fetched {
				t.Errorf("it was asked for %d times, want %d", got, c.fetched)
			}
			large := need
			large.Icon.MinSide = 64
			if site := s.scraper.Scrape(t.Context(), s.at(t, "/a"), large); site.Icon.Got() {
				t.Error("got a remembered icon that is too small now")
			}
		})
	}
}
