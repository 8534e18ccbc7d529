package card

import (
	"bufio"
	"flag"
	"fmt"
	"image"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"masthead/pkg/page"
	"masthead/pkg/scrape"
	"masthead/pkg/testenv"
	"masthead/pkg/weburl"
	"masthead/render"
	"masthead/render/paint"
	"masthead/render/specimen"
)

// siteOf returns the site of a page, with a picture of a size if it names one.
func siteOf(t *testing.T, p *page.Page, size image.Point) scrape.Result {
	t.Helper()
	at, err := weburl.Parse(p.URL.String())
	if err != nil {
		t.Fatal(err)
	}
	site := scrape.Result{URL: at}
	site.Page = scrape.Part[scrape.Document]{
		State: scrape.Got, Value: scrape.Document{Page: p, URL: at, Status: 200, Texts: scrape.TextsOf(p)},
	}
	if len(p.Details.Pictures) > 0 {
		site.Photo = scrape.Part[scrape.Picture]{State: scrape.Got, Value: scrape.Picture{Image: photoOf(size)}}
	}
	if p.Details.AuthorImage != "" {
		site.Portrait = scrape.Part[scrape.Picture]{
			State: scrape.Got, Value: scrape.Picture{Image: photoOf(image.Pt(300, 300))},
		}
	}
	return site
}

// photoOf returns a picture that has neither words, flat areas nor a face.
func photoOf(size image.Point) *image.NRGBA {
	return paint.Scale(specimen.Picture("forest"), size.X, size.Y)
}

// autoOf returns what auto draws for a page.
func autoOf(t *testing.T, r Request, p *page.Page) Result {
	t.Helper()
	r.URL, r.Template = p.URL.String(), AutoTemplate
	r, err := r.Normalize()
	if err != nil {
		t.Fatal(err)
	}
	site := siteOf(t, p, image.Pt(1600, 900))
	d, err := r.Compose(&site).Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestAuto_pages_getTheDesignOfTheirKind draws pages of each row of the table, and pages that lack what its design
// lives on.
func TestAuto_pages_getTheDesignOfTheirKind(t *testing.T) {
	const code = "<main><pre class=language-go>func f() {\n\treturn\n}</pre></main>"
	const photo = `<meta property="og:image" content="/photo.jpg">`
	news := `<title>Rain</title><script type="application/ld+json">{"@type":"NewsArticle","headline":"Rain"}</script>`
	person := `<title>Ada</title><script type="application/ld+json">{"@type":"ProfilePage",` +
		`"mainEntity":{"@type":"Person","name":"Ada Lovelace","image":"/ada.jpg"}}</script>`
	column := `<title>Rain</title><script type="application/ld+json">{"@type":"OpinionNewsArticle","headline":"Rain",` +
		`"author":{"name":"Ada Lovelace","image":"/ada.jpg"}}</script>`
	for name, c := range map[string]struct {
		at, html string
		request  Request
		want     string
	}{
		"a page":                {"https://a.example/x", `<title>Hello</title>`, Request{}, "editorial"},
		"a repository":          {"https://github.com/o/r", `<title>o/r</title><a href="/o/r/stargazers">12.4k</a>`, Request{}, "repo"},
		"a repository, no more": {"https://github.com/o/r", `<title>o/r</title>`, Request{}, "editorial"},
		"a file of it":          {"https://github.com/o/r/blob/main/a.go", `<title>a.go</title>`, Request{}, "editorial"},
		"a named release":       {"https://skiplock.dev/blog/a", `<title>Skiplock 3.2: faster claims</title>`, Request{}, "changelog"},
		"a log of releases": {"https://a.example/changelog/march", `<title>What’s new in March</title><meta property=og:type content=article>
			<meta property=article:published_time content=2026-03-30>`, Request{}, "changelog"},
		"an update": {"https://a.example/news/1", `<title>An update on the fire</title><meta property=og:type content=article>
			<meta property=article:published_time content=2026-03-30>`, Request{}, "editorial"},
		"an article with a session": {"https://a.example/b/1", `<title>Try it</title><meta property=og:type content=article>
			<main><pre class=language-console>$ make all
ok</pre></main>`, Request{}, "terminal"},
		"a release":           {"https://a.example/blog/acme-3", `<title>Acme v3.2 is out</title>`, Request{}, "changelog"},
		"a manual of one":     {"https://docs.a.example/guide/v3.2/install", `<title>Install Acme 3.2</title>`, Request{}, "docs"},
		"a manual":            {"https://a.example/docs/install/linux", `<title>Linux</title>`, Request{}, "docs"},
		"its first page":      {"https://a.example/docs", `<title>Docs</title>`, Request{}, "editorial"},
		"a manual's hero":     {"https://a.example/docs/install/linux", `<title>Linux</title>`, Request{Kind: BlogHero}, "blueprint"},
		"news":                {"https://a.example/2026/rain", news + photo, Request{}, "cover"},
		"news, its hero":      {"https://a.example/2026/rain", news + photo, Request{Kind: BlogHero}, "cover"},
		"news without photo":  {"https://a.example/2026/rain", news, Request{}, "editorial"},
		"news of a version":   {"https://a.example/2026/rain-2.0", strings.ReplaceAll(news, "Rain", "Rain v2.0"), Request{}, "editorial"},
		"a page with a photo": {"https://a.example/x", `<title>Hello</title>` + photo, Request{}, "editorial"},
		"a product": {
			"https://a.example/mug", `<title>Mug</title><script type="application/ld+json">` +
				`{"@type":"Product","offers":{"price":"24.90","priceCurrency":"EUR"}}</script>` + photo, Request{}, "product",
		},
		"a product without a price": {
			"https://a.example/mug", `<title>Mug</title><script type="application/ld+json">{"@type":"Product"}</script>`, Request{},
			"editorial",
		},
		"an episode": {
			"https://a.example/48", `<title>Bees</title><script type="application/ld+json">` +
				`{"@type":"PodcastEpisode","episodeNumber":48}</script>` + photo, Request{}, "episode",
		},
		"what is heard": {
			"https://a.example/48", `<title>Caffeine</title><meta property="og:type" content="video.other">` +
				`<meta property="og:audio:type" content="audio/mpeg">`, Request{}, "episode",
		},
		"a video": {
			"https://a.example/v", `<title>Night</title><meta property="og:type" content="video.other">` + photo, Request{}, "episode",
		},
		"an event": {
			"https://a.example/conf", `<title>Conf</title><script type="application/ld+json">` +
				`{"@type":"Event","startDate":"2026-10-14"}</script>` + photo, Request{}, "event",
		},
		"an event without a date": {
			"https://a.example/conf", `<title>Conf</title><script type="application/ld+json">{"@type":"Event"}</script>`,
			Request{}, "editorial",
		},
		"an article about a number": {
			"https://a.example/x", `<title>73% of teams ship faster</title><meta property="og:type" content="article">`, Request{},
			"figure",
		},
		"an article with code": {
			"https://a.example/x", `<title>Focus</title><meta property="og:type" content="article">` + code, Request{}, "code",
		},
		"a manual with code":    {"https://a.example/docs", `<title>Focus</title>` + code, Request{}, "code"},
		"a page with code":      {"https://a.example/x", `<title>Focus</title>` + code, Request{}, "editorial"},
		"code under a photo":    {"https://a.example/docs", `<title>Focus</title>` + code + photo, Request{}, "editorial"},
		"a shell session alone": {"https://a.example/docs", "<title>Focus</title><main><pre>$ make\nok\nok</pre>", Request{}, "editorial"},
		"another kind of page":  {"https://a.example/x", `<title>73% of teams ship faster</title>`, Request{}, "editorial"},
		"a number with a photo": {
			"https://a.example/x", `<title>73% of teams</title><meta property="og:type" content="article">` + photo, Request{}, "editorial",
		},
		"a quotation": {
			"https://a.example/q/1", `<title>On patience</title><script type="application/ld+json">{"@type":"Quotation",` +
				`"text":"Patience is only courage that has learned to wait.","creator":{"name":"Ada Marlow"}}</script>`,
			Request{}, "quote",
		},
		"a course": {
			"https://learn.a.example/courses/r", `<title>Statistics</title><script type="application/ld+json">` +
				`{"@type":"Course","name":"Statistics"}</script>`, Request{}, "editorial",
		},
		"a person":           {"https://a.example/ada", person, Request{}, "byline"},
		"a column":           {"https://a.example/rain", column, Request{}, "byline"},
		"a column's hero":    {"https://a.example/rain", column, Request{Kind: BlogHero}, "editorial"},
		"a column with code": {"https://a.example/rain", column + code, Request{}, "code"},
		"a column's photo":   {"https://a.example/rain", column + photo, Request{}, "editorial"},
		"a file with code":   {"https://github.com/o/r/blob/main/a.go", `<title>a.go</title>` + code, Request{}, "code"},
		"a release, with AI": {"https://a.example/blog/acme-3", `<title>Acme v3.2</title>`, Request{AI: &AI{}}, "editorial"},
		"a home page":        {"https://a.example/", `<title>A</title>` + photo, Request{}, "editorial"},
	} {
		at, err := url.Parse(c.at)
		if err != nil {
			t.Fatal(err)
		}
		d := autoOf(t, c.request, page.Parse([]byte(c.html), "text/html", at))
		if d.Page.Template != c.want || d.Page.TemplateReason != reasonFor(c.want) || d.Picture().Template != c.want {
			t.Errorf("%s: got %s, “%s”, want %s", name, d.Page.Template, d.Page.TemplateReason, c.want)
		}
		for _, w := range d.Warnings {
			if w.Code == render.DesignNeeds {
				t.Errorf("%s: %s", name, w.Detail)
			}
		}
	}
}

// TestAuto_facts_thatPagesHaveInPassing checks that an article about a repository isn't one, and that a page isn't
// about a release because it has a version.
func TestAuto_facts_thatPagesHaveInPassing(t *testing.T) {
	for _, c := range []struct {
		path, title, version string
		repository, release  bool
	}{
		{"/ada/tide", "ada/tide", "", true, false}, {"/ada/tide-watch", "ada/tide", "", true, false},
		{"/Ada/Tide/", "ada/tide", "1.2.0", true, false}, {"/lovelace/tide", "ada/tide", "", true, false},
		{"/blog/v2", "Tide v2.0.0 is out", "2.0.0", false, true}, {"/tide", "Tide", "", false, false},
		{"/ada/tide/issues", "A problem", "", false, false}, {"/blog/tide-2.0.0", "What we learned", "v2.0.0", false, true},
		{"/datasets/tide-1200", "Tide-1200: heights of water", "1.1", false, false},
	} {
		r := render.Request{Texts: render.Texts{
			Title: c.title, Path: c.path, Version: c.version, Owner: "ada", Repo: "tide",
		}}
		if repository, release := isRepository(&r), isRelease(&r); repository != c.repository || release != c.release {
			t.Errorf("%s, %q: a repository: %v, a release: %v", c.path, c.title, repository, release)
		}
	}
}

// TestAuto_address_isDrawn draws the card of a page that can't be read.
func TestAuto_address_isDrawn(t *testing.T) {
	r, err := Request{URL: "https://a.example/x", Template: AutoTemplate}.Normalize()
	if err != nil {
		t.Fatal(err)
	}
	r = ofAddress(r)
	site := scrape.Result{URL: r.parsed.page}
	if d, err := r.Compose(&site).Draw(t.Context()); err != nil || d.Page.Template != "editorial" {
		t.Errorf("got %q, %v", d.Page.Template, err)
	}
}

// TestChoices_designs_exist: each row names a design once, and the last suits every page and lacks nothing.
func TestChoices_designs_exist(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range choices {
		if _, ok := render.Lookup(c.design, ""); !ok || seen[c.design] || !strings.HasSuffix(c.reason, ".") {
			t.Errorf("row %q: %q", c.design, c.reason)
		}
		seen[c.design] = true
	}
	if last := choices[len(choices)-1]; last.design != "editorial" || !last.suits(pageFacts{}) {
		t.Errorf("the last row is %s", last.design)
	}
}

// TestChoices_document_hasTheSameTable compares the rows with those of docs/rendering.md.
func TestChoices_document_hasTheSameTable(t *testing.T) {
	text, err := os.ReadFile("../../docs/rendering.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## Choosing a design")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|.*\\| ([^|]+) \\|$").FindAllStringSubmatch(table, -1)
	if len(rows) != len(choices) {
		t.Fatalf("the document has %d rows, the table %d", len(rows), len(choices))
	}
	for i, row := range rows {
		if c := choices[i]; row[1] != c.design || row[2] != c.reason {
			t.Errorf("row %d is %s, “%s”, in the document %s, “%s”", i+1, c.design, c.reason, row[1], row[2])
		}
	}
}

func TestWithBrand_kindsThatItDoesNotDraw_keepTheServices(t *testing.T) {
	for _, c := range []struct {
		of             Request
		template, want string
	}{
		{Request{}, "docs", "docs"}, {Request{Kind: OG}, "docs", "docs"}, {Request{Kind: BlogHero}, "docs", ""},
		{Request{Kind: BlogHero}, "auto", "auto"}, {Request{Template: "mesh"}, "auto", "mesh"}, {Request{}, "", ""},
	} {
		if got := c.of.WithBrand(Brand{Template: c.template}).Template; got != c.want {
			t.Errorf("%+v with %q: got %q, want %q", c.of, c.template, got, c.want)
		}
	}
}

var update = flag.Bool("update", false, "write the expectations of the corpus again")

// expectedChoices are the designs that auto draws for the corpus: name, share image, hero. A picture that a page names
// has 1200×630 pixels here.
const expectedChoices = "testdata/auto.txt"

func TestAuto_corpus_getsTheExpectedDesigns(t *testing.T) {
	pages := testenv.Pages(t)
	if len(pages) == 0 {
		return
	}
	var lines []string
	for _, c := range pages {
		p := page.Parse(c.Body, c.ContentType, c.Address)
		line := c.Name
		for _, kind := range []Kind{OG, BlogHero} {
			r, err := Request{URL: c.Address.String(), Kind: kind, Template: AutoTemplate}.Normalize()
			if err != nil {
				t.Fatal(err)
			}
			site := siteOf(t, p, image.Pt(1200, 630))
			composed := r.Compose(&site)
			slug, err := composed.Chosen()
			if err != nil {
				t.Fatal(err)
			}
			line += " " + slug
		}
		lines = append(lines, line)
	}
	if *update {
		if err := os.WriteFile(expectedChoices, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(expectedChoices)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); n++ {
		if n >= len(lines) || s.Text() != lines[n] {
			t.Errorf("line %d: want %s, got %s", n+1, s.Text(), fmt.Sprint(lines[min(n, len(lines)-1)]))
		}
	}
	if n != len(lines) {
		t.Errorf("there are %d expectations for %d pages", n, len(lines))
	}
}
