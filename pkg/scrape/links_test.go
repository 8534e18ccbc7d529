package scrape_test

import (
	"fmt"
	"image/color"
	"net/http"
	"net/url"
	"testing"

	"masthead/pkg/page"
	"masthead/pkg/scrape"
)

// parsed is the document that html and a Link header make at https://example.com/a/b.
func parsed(t *testing.T, html string, link ...string) *scrape.Document {
	t.Helper()
	u, err := url.Parse("https://example.com/a/b")
	if err != nil {
		t.Fatal(err)
	}
	return &scrape.Document{Page: page.Parse([]byte(html), "text/html", u), Header: http.Header{"Link": link}}
}

func TestCanonicals_ofElementsAndHeader(t *testing.T) {
	d := parsed(t, `<link rel=canonical href=/x><body><link rel=canonical href="javascript:1">`,
		`<https://example.com/style.css>; rel=preload; as=style, </h>; title="a"; rel="canonical nofollow"`, `<broken`)
	want := []scrape.Canonical{
		{Written: "/x", URL: "https://example.com/x", InHead: true},
		{Written: "javascript:1"},
		{Written: "/h", URL: "https://example.com/h", InHeader: true},
	}
	got := d.Canonicals()
	if len(got) != len(want) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
}

func TestScrape_linked_saysWhereEachLeads(t *testing.T) {
	s := serve(t, map[string]response{
		"/": pageOf(`<link rel=canonical href=/other><link rel=icon href=/i.png>
			<link rel=alternate hreflang=en href=/><link rel=alternate hreflang=de href=/de>
			<link rel=alternate hreflang=fr href=/fr><link rel=alternate hreflang=it href=/gone>`),
		"/other":      pageOf("<p>other"),
		"/de":         pageOf(`<link rel=alternate hreflang=en href=/>`),
		"/fr":         pageOf(`<p>no link`),
		"/i.png":      pngOf(t, 48, 48, color.White),
		"/robots.txt": {contentType: "text/plain", body: "User-agent: *\nDisallow: /x"},
	})
	got := s.scraper.Scrape(t.Context(), s.at(t, "/"),
		scrape.Need{Robots: true, Favicon: true, Canonical: true, Alternates: true})
	if allowed, _ := got.Robots.Value.Allows("Googlebot", "/x"); !got.Robots.Got() || allowed {
		t.Errorf("got robots.txt %v, want one that disallows /x", got.Robots)
	}
	if i := got.Favicon; !i.Got() || i.Value.Facts.Width != 48 || i.Value.URL != s.at(t, "/i.png") {
		t.Errorf("got favicon %+v, want the measured one", i)
	}
	if c := got.Canonical; !c.Got() || c.Value.Status != 200 || c.Value.Final != s.at(t, "/other") {
		t.Errorf("got canonical %+v, want /other with 200", c)
	}
	if a := got.Alternates; len(a) != 3 || !a[0].Value.LinksBack || a[1].Value.LinksBack || !a[1].Got() ||
		a[2].State != scrape.Failed || a[2].Value.Status != 404 {
		t.Errorf("got alternates %+v, want de linking back, fr not, it missing", a)
	}
}

func TestScrape_shareImageLikeAnIcon_readsTheManifest(t *testing.T) {
	const image, size = `<meta property=og:image content=/%s><link rel=manifest href=/m.json>`,
		`<meta property=og:image:width content=%[1]d><meta property=og:image:height content=%[2]d>`
	for name, c := range map[string]struct {
		head string
		want bool
	}{
		"named so":    {fmt.Sprintf(image, "android-512x512.png"), true},
		"square":      {fmt.Sprintf(image, "share.png") + fmt.Sprintf(size, 512, 512), true},
		"wide":        {fmt.Sprintf(image, "icon.png") + fmt.Sprintf(size, 1200, 630), false},
		"of no name":  {fmt.Sprintf(image, "share.png"), false},
		"no picture":  {`<link rel=manifest href=/m.json>`, false},
		"no manifest": {`<meta property=og:image content=/icon.png>`, false},
	} {
		s := serve(t, map[string]response{
			"/": pageOf(c.head), "/m.json": {contentType: "application/json", body: `{"icons": [{"src": "/i.png"}]}`},
		})
		got := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{ShareImages: true, Favicon: true})
		if got.Manifest.Got() != c.want {
			t.Errorf("%s: got manifest %v, want %v", name, got.Manifest.State, c.want)
		}
	}
}

func TestScrape_pageOnThisMachine_asksNothingOfThePublishedSite(t *testing.T) {
	s := serve(t, map[string]response{
		"/": pageOf(`<link rel=canonical href="https://www.example.com/"><link rel=alternate hreflang=de href=/de>` +
			`<link rel=alternate hreflang=fr href="https://www.example.com/fr">`),
		"/de": pageOf(`<link rel=alternate hreflang=en href=/>`),
	})
	got := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{Canonical: true, Alternates: true})
	if a := got.Alternates; got.Canonical.State != scrape.Absent || len(a) != 2 || !a[0].Value.LinksBack ||
		a[1].State != scrape.NotAsked {
		t.Errorf("got canonical %v, alternates %+v, want only /de requested", got.Canonical.State, a)
	}
}

func TestScrape_siteWithoutLinkedThings_saysSo(t *testing.T) {
	s := serve(t, map[string]response{
		"/":           pageOf(`<link rel=canonical href=/>`),
		"/robots.txt": {status: 503},
	})
	need := scrape.Need{Robots: true, Favicon: true, Canonical: true, Alternates: true}
	got := s.scraper.Scrape(t.Context(), s.at(t, "/"), need)
	if got.Robots.State != scrape.Failed || got.Canonical.State != scrape.Absent || len(got.Alternates) != 0 ||
		got.Favicon.State != scrape.Failed || got.Favicon.Value.Status != 404 {
		t.Errorf("got %v, %v, %v, %+v", got.Robots.State, got.Canonical.State, got.Alternates, got.Favicon)
	}
	s = serve(t, map[string]response{"/": pageOf("")})
	if got := s.scraper.Scrape(t.Context(), s.at(t, "/"), need).Robots; got.State != scrape.Absent {
		t.Errorf("got robots.txt %v, want absent", got.State)
	}
}

func TestScrape_oEmbed_saysWhetherItAnswers(t *testing.T) {
	link := `<link rel=alternate type="application/json+oembed" href=/embed>`
	for name, c := range map[string]struct {
		page   string
		answer response
		state  scrape.State
		status int
	}{
		"JSON":    {link, response{contentType: "application/json", body: ` {"type": "link"}`}, scrape.Got, 200},
		"XML":     {link, response{contentType: "text/xml", body: `<?xml version="1.0"?><oembed/>`}, scrape.Got, 200},
		"HTML":    {link, response{contentType: "text/html", body: "<!doctype html>"}, scrape.Failed, 200},
		"gone":    {link, response{status: 410}, scrape.Failed, 410},
		"no link": {`<link rel=alternate type="application/rss+xml" href=/embed>`, response{}, scrape.Absent, 0},
		"unusable": {`<link rel=alternate type="application/json+oembed" href="mailto:a@example.com">`, response{},
			scrape.Absent, 0},
	} {
		s := serve(t, map[string]response{"/": pageOf(c.page), "/embed": c.answer})
		got := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{OEmbed: true}).OEmbed
		if got.State != c.state || got.Value.Status != c.status {
			t.Errorf("%s: got %v with status %d, want %v with %d", name, got.State, got.Value.Status, c.state, c.status)
		}
	}
}

func TestScrape_whatAgentsLookFor(t *testing.T) {
	s := serve(t, map[string]response{
		"/": pageOf(""), "/llms.txt": {contentType: "text/plain", body: "# Example\n"},
		"/many": pageOf(`<link rel=alternate hreflang=de href=/a><link rel=alternate hreflang=fr href=/b>` +
			`<link rel=alternate hreflang=it href=/c><link rel=alternate hreflang=es href=/d>`),
	})
	got := s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{Agents: true})
	if !got.LLMs.Got() || got.Markdown.State != scrape.Absent {
		t.Errorf("got llms.txt %v, Markdown %v, want one and none", got.LLMs.State, got.Markdown.State)
	}
	got = s.scraper.Scrape(t.Context(), s.at(t, "/many"), scrape.Need{Agents: true, Alternates: true})
	if got.LLMs.State != scrape.NotAsked || got.Markdown.State != scrape.NotAsked {
		t.Errorf("with many versions: got %v, %v, want none requested", got.LLMs.State, got.Markdown.State)
	}
	s = serve(t, map[string]response{
		"/": {contentType: "text/markdown; charset=utf-8", body: "# Example"}, "/llms.txt": pageOf("Not found"),
	})
	s.scraper.Scrape(t.Context(), s.at(t, "/"), scrape.Need{Agents: true})
}
