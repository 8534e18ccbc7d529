package checks_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/rule/checks"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const pageURL = "https://www.example.com/blog/perfect-page"

// perfectHTML is a page that every rule is content with.
var perfectHTML = `<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<title>A page that has all that it should have</title>
<meta name="description" content="This page shows what a page looks like that every rule of an audit is content with, from top to end.">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="max-image-preview:large">
<link rel="canonical" href="https://www.example.com/blog/perfect-page">
<link rel="icon" href="/icon.png"><link rel="apple-touch-icon" href="/touch.png"><meta name="theme-color" content="#14532d">
<meta property="og:title" content="A page that has all that it should">
<meta property="og:description" content="What a page looks like that every rule of an audit is content with.">
<meta property="og:image" content="https://www.example.com/share.jpg">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="A drawing of a page">
<meta property="og:url" content="https://www.example.com/blog/perfect-page">
<meta property="og:type" content="article">
<meta property="og:site_name" content="Example">
<meta property="og:locale" content="en_GB">
<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:site" content="@example">
<meta name="twitter:creator" content="@author">
<link rel="alternate" hreflang="en-GB" href="https://www.example.com/blog/perfect-page">
<link rel="alternate" hreflang="de" href="https://www.example.com/de/perfect">
<link rel="alternate" hreflang="x-default" href="https://www.example.com/blog/perfect-page">
<script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Article", "headline": "A page", "image": "https://www.example.com/share.jpg",
"datePublished": "2026-10-01T09:00:00Z", "dateModified": "2026-11-01T09:00:00Z",
"author": {"@type": "Person", "name": "Ada"}, "publisher": {"@type": "Organization", "name": "Example"}}
</script>
</head>
<body>
<h1>A page</h1><h2>First part</h2><h3>Detail</h3><h2>Second part</h2>
<img src="/drawing.png" alt="A drawing"><a href="/about">About the example</a>
<p>` + strings.Repeat("Words of the page that stand there without any script. ", 8) + `</p>
</body>
</html>`

func address(t testing.TB, text string) weburl.URL {
	t.Helper()
	u, err := weburl.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// jpeg is a share image as it should be.
func jpeg(t testing.TB, at string) scrape.Part[scrape.ShareImage] {
	u := address(t, at)
	return scrape.Part[scrape.ShareImage]{State: scrape.Got, Value: scrape.ShareImage{
		URL: u, Final: u, Status: 200, ContentType: "image/jpeg", Size: 120_000,
		Facts: picture.Facts{Format: picture.JPEG, Width: 1200, Height: 630, Orientation: 1},
	}}
}

// siteOf is a site whose page is html, and whose other parts are as they should be.
func siteOf(t testing.TB, html, at string) *scrape.Result {
	t.Helper()
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	const contentType = "text/html; charset=utf-8"
	p := page.Parse([]byte(html), contentType, u)
	document := scrape.Document{
		Page: p, URL: address(t, at), Status: 200, Header: http.Header{"Content-Type": {contentType}},
	}
	site := &scrape.Result{
		URL: address(t, at), Page: scrape.Part[scrape.Document]{State: scrape.Got, Value: document},
	}
	for _, image := range scrape.ShareImageURLs(p) {
		if _, err := weburl.Parse(image); err != nil { // as the scraper says of an address that it cannot ask
			site.ShareImages = append(site.ShareImages, scrape.Part[scrape.ShareImage]{State: scrape.Failed, Err: err})
			continue
		}
		site.ShareImages = append(site.ShareImages, jpeg(t, image))
	}
	site.Robots = scrape.Part[page.Robots]{State: scrape.Got, Value: page.ParseRobots([]byte("User-agent: *\nDisallow: /admin"))}
	site.Favicon = jpeg(t, "https://www.example.com/icon.png")
	site.Favicon.Value.Facts = picture.Facts{Format: picture.PNG, Width: 64, Height: 64}
	site.Canonical.State = scrape.Absent
	for i := range p.Hreflang {
		if href := p.Hreflang[i].Href; href != at {
			if u, err := weburl.Parse(href); err == nil {
				site.Alternates = append(site.Alternates, scrape.Part[scrape.LinkedPage]{
					State: scrape.Got, Value: scrape.LinkedPage{URL: u, Final: u, Status: 200, LinksBack: true},
				})
			}
		}
	}
	return site
}

// change is what makes a perfect site an imperfect one: pairs of a text of the page and what stands there instead, and
// a change of the site's other parts.
type change struct {
	html []string
	site func(*scrape.Result)
	at   string // the address of the page, if it is another
}

// text is the HTML of the changed page.
func (c change) text(t testing.TB) string {
	t.Helper()
	html := perfectHTML
	for i := 0; i+1 < len(c.html); i += 2 {
		if !strings.Contains(html, c.html[i]) {
			t.Fatalf("the page has no %q", c.html[i])
		}
		html = strings.ReplaceAll(html, c.html[i], c.html[i+1])
	}
	return html
}

func (c change) apply(t testing.TB) *scrape.Result {
	t.Helper()
	html := c.text(t)
	at := c.at
	if at == "" {
		at = pageURL
	}
	site := siteOf(t, html, at)
	if c.site != nil {
		c.site(site)
	}
	return site
}

// without is a change that removes a line of the page.
func without(lines ...string) change {
	var c change
	for _, line := range lines {
		at := strings.Index(perfectHTML, line)
		if at < 0 {
			panic("the page has no " + line)
		}
		end := at + strings.IndexByte(perfectHTML[at:], '\n') + 1
		c.html = append(c.html, perfectHTML[at:end], "")
	}
	return c
}

// with is a change that adds to the head.
func with(tags string) change { return change{html: []string{"</head>", tags + "</head>"}} }

// to is a change of one text into another.
func to(pairs ...string) change { return change{html: pairs} }

// shared is a change of the share image.
func shared(edit func(*scrape.ShareImage)) change {
	return change{site: func(s *scrape.Result) { edit(&s.ShareImages[0].Value) }}
}

// sized is a share image of another size, which the page declares truthfully.
func sized(w, h int) func(*scrape.ShareImage) {
	return func(i *scrape.ShareImage) { i.Facts.Width, i.Facts.Height = w, h }
}

// failing is a share image that does not load.
func failing(err error, status int) change {
	return change{site: func(s *scrape.Result) {
		part := &s.ShareImages[0]
		part.State, part.Err, part.Value.Status = scrape.Failed, err, status
		part.Value.Facts = picture.Facts{}
	}}
}

var errUpstream = apperr.New(apperr.UpstreamFailed, "www.example.com did not respond in time.")

func robots(text string) change {
	return change{site: func(s *scrape.Result) { s.Robots.Value = page.ParseRobots([]byte(text)) }}
}

func status(n int) change { return change{site: func(s *scrape.Result) { s.Page.Value.Status = n }} }

func header(name, value string) change {
	return change{site: func(s *scrape.Result) { s.Page.Value.Header.Set(name, value) }}
}

// issueOf returns what a report says of a rule, or nil.
func issueOf(r rule.Report, id string) *rule.Issue {
	for i := range r.Issues {
		if r.Issues[i].ID == id {
			return &r.Issues[i]
		}
	}
	return nil
}

// stateOf returns what comes of one rule: "pass", "partial", "fail", "blocked" or "not applicable".
func stateOf(site *scrape.Result, now time.Time, id string) string {
	switch v := checks.Set().Judge(site, now).Verdict(id); {
	case v.State == rule.Blocked:
		return "blocked"
	case v.State == rule.NotApplicable:
		return "not applicable"
	case v.Credit == 1:
		return "pass"
	case v.Credit == 0:
		return "fail"
	}
	return "partial"
}

// creditsOf returns the credit of each rule that applies to a site, by ID: 0 for a blocked one.
func creditsOf(site *scrape.Result, now time.Time) map[string]float64 {
	judgment, credits := checks.Set().Judge(site, now), map[string]float64{}
	for _, r := range checks.Set().All() {
		if v := judgment.Verdict(r.ID); v.State != rule.NotApplicable {
			credits[r.ID] = v.Credit
		}
	}
	return credits
}

// hiddenOf returns how many of the large networks limit the score of a site.
func hiddenOf(site *scrape.Result, now time.Time) int {
	judgment, hidden := checks.Set().Judge(site, now), rule.Nowhere
	for _, r := range checks.Set().All() {
		if v := judgment.Verdict(r.ID); v.State == rule.Judged && v.Credit < 1 {
			hidden |= v.Hidden
		}
	}
	return hidden.Count()
}
