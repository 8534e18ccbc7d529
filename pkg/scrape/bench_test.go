package scrape_test

import (
	"strings"
	"testing"

	"masthead/pkg/scrape"
	"masthead/render/palette"
)

// BenchmarkSignals works out the signals and the accent of a site that shows its colors in every way; nothing is
// fetched in it.
func BenchmarkSignals(b *testing.B) {
	var css strings.Builder
	for i := range 64 {
		css.WriteString("--shade-" + strings.Repeat("x", i%7+1) + ":hsl(" + strings.Repeat("3", i%3+1) + " 60% 40%);")
	}
	site := serve(b, map[string]response{
		"/": pageOf(`<title>T</title><meta name=theme-color content=#0f766e><link rel=apple-touch-icon href=/i.png>
			<meta property=og:image content=/o.png><style>:root{` + css.String() + `}</style><h1>A headline</h1>`),
		"/i.png": pngOf(b, 180, 180, red), "/o.png": pngOf(b, 1200, 630, grey),
	})
	got := site.scraper.Scrape(b.Context(), site.at(b, "/"), scrape.Need{Signals: true})
	if !got.Colors.Got() || !got.SharePicture.Got() {
		b.Fatalf("got %+v", got.Colors)
	}
	for b.Loop() {
		scrape.SignalsOf(&got)
		found := scrape.Candidates(got.Colors.Value, true)
		palette.Choose(found, true)
		palette.Rank(found)
	}
}

// BenchmarkScrapeSignals reads the whole of it from a site on loopback, pictures included.
func BenchmarkScrapeSignals(b *testing.B) {
	site := serve(b, map[string]response{
		"/": pageOf(`<meta name=theme-color content=#0f766e><link rel=apple-touch-icon href=/i.png>
			<meta property=og:image content=/o.png><link rel=stylesheet href=/s.css>`),
		"/i.png": pngOf(b, 180, 180, red), "/o.png": pngOf(b, 1200, 630, grey),
		"/s.css": {contentType: "text/css", body: strings.Repeat(".card{color:#333}\n", 5000) + ":root{--brand:#b91c1c}"},
	})
	for b.Loop() {
		got := site.scraper.Scrape(b.Context(), site.at(b, "/"), scrape.Need{Signals: true})
		if !got.Stylesheet.Got() || !got.SharePicture.Got() {
			b.Fatalf("got %+v", got.Stylesheet)
		}
	}
}
