package scrape_test

import (
	"net/url"
	"testing"

	"masthead/pkg/page"
	"masthead/pkg/scrape"
)

// TestTextsOf_description_ofArticlesIsTheirLead: an article that has no description shows its first paragraph; another
// page doesn't, since that may be about anything.
func TestTextsOf_description_ofArticlesIsTheirLead(t *testing.T) {
	const article = `<meta property="og:type" content="article">`
	const body = `<main><h1>Nuthatch</h1><p>The nuthatch climbs down trunks headfirst.</p></main>`
	at, err := url.Parse("https://birds.example/nuthatch")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ head, want string }{
		{article, "The nuthatch climbs down trunks headfirst."}, {"", ""},
		{article + `<meta name=description content="A small bird.">`, "A small bird."},
	} {
		p := page.Parse([]byte("<title>Nuthatch</title>"+c.head+body), "text/html; charset=utf-8", at)
		if got := scrape.TextsOf(p).Description; got != c.want {
			t.Errorf("%q: got %q, want %q", c.head, got, c.want)
		}
	}
}
