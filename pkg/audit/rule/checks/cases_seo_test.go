package checks_test

import (
	"errors"
	"strings"
	"testing"

	"masthead/pkg/audit/rule"
	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
)

// hops are redirects before the page, each an address and a status.
func hops(all ...fetch.Redirect) change {
	return change{site: func(s *scrape.Result) { s.Page.Value.Redirects = all }}
}

func hop(at string, status int) fetch.Redirect {
	return fetch.Redirect{URL: address(&testing.B{}, at), Status: status}
}

// encoded is the perfect page with another Content-Type header.
func undeclared(pairs ...string) change {
	return both(to(pairs...), change{site: func(s *scrape.Result) { s.Page.Value.Encoding.Header = "" }})
}

// elsewhere is a canonical address that was followed.
func elsewhere(t string, status int, err error) change {
	return both(to(`canonical" href="https://www.example.com/blog/perfect-page"`, `canonical" href="`+t+`"`,
		`og:url" content="https://www.example.com/blog/perfect-page"`, `og:url" content="`+t+`"`),
		change{site: func(s *scrape.Result) {
			u, fault := weburl.Parse(t)
			if fault != nil {
				panic(fault)
			}
			page := scrape.LinkedPage{URL: u, Final: u, Status: status}
			s.Canonical = scrape.Part[scrape.LinkedPage]{State: scrape.Got, Value: page}
			if err != nil {
				s.Canonical.State, s.Canonical.Err = scrape.Failed, err
			}
		}})
}

// alone is a canonical address elsewhere that og:url doesn't have.
func alone(t string) change {
	return to(`canonical" href="https://www.example.com/blog/perfect-page"`, `canonical" href="`+t+`"`)
}

// followed is the page of elsewhere with the canonical address fixed alone.
func followed(t string) change {
	return to(`og:url" content="https://www.example.com/blog/perfect-page"`, `og:url" content="`+t+`"`)
}

func favicon(format picture.Format, w, h int) change {
	return change{site: func(s *scrape.Result) {
		s.Favicon.Value.Facts = picture.Facts{Format: format, Width: w, Height: h}
	}}
}

const canonicalLink = `<link rel="canonical" href="https://www.example.com/blog/perfect-page">`

var responseCases = []testCase{
	{rule: "seo-http-status", name: "200 that says 404", change: to("<title>A page that has all that it should have", "<title>404 – the page could not be found here"), credit: 0.5, severity: rule.Warning, says: "“404 – the page could not be found here”"},
	{rule: "seo-http-status", name: "200 that says not found", change: to("<h1>A page</h1>", "<h1>Seite nicht gefunden</h1>"), credit: 0.5, severity: rule.Warning, says: "Seite nicht gefunden"},
	{rule: "seo-http-status", name: "a long page about 404", change: to("<title>A page that has all that it should have", "<title>404 pages that people love to find", "<p>", "<p>"+strings.Repeat("Many words about pages. ", 100)), credit: 1},
	{rule: "seo-meta-refresh", name: "to another page", change: with(`<meta http-equiv=refresh content="3; url=/other">`), says: "leads to /other after 3 seconds", advises: "status 301"},
	{rule: "seo-meta-refresh", name: "the same page", change: with(`<meta http-equiv=refresh content="60">`), credit: 0.5, severity: rule.Warning, says: "again after 60 seconds"},
	{rule: "seo-canonical-indexable", name: "noindex and another page", change: both(alone("https://www.example.com/other"), header("X-Robots-Tag", "noindex")), severity: rule.Warning, says: "another page", fixed: header("X-Robots-Tag", "noindex")},
	{rule: "seo-canonical-indexable", name: "noindex", change: header("X-Robots-Tag", "noindex"), credit: 1, severity: rule.Warning},
	{rule: "seo-canonical-indexable", name: "none", change: without(`<link rel="canonical"`), want: "not applicable"},
	{rule: "seo-http-status", name: "404", change: status(404), says: "404 Not Found", advises: "it returned 404"},
	{rule: "seo-http-status", name: "203", change: status(203), credit: 0.5},
	{rule: "seo-redirects", name: "one", change: hops(hop("http://www.example.com/blog/perfect-page", 301)), credit: 1, severity: rule.Warning},
	{rule: "seo-redirects", name: "two", change: hops(hop("http://www.example.com/blog/perfect-page", 301), hop("https://www.example.com/a", 301)), credit: 0.5, severity: rule.Warning, advises: "2 hops"},
	{rule: "seo-redirects", name: "three", change: hops(hop("https://www.example.com/a", 301), hop("https://www.example.com/b", 301), hop("https://www.example.com/c", 301)), severity: rule.Warning, says: "3 redirects"},
	{rule: "seo-redirects", name: "temporary to https", change: hops(hop("http://www.example.com/blog/perfect-page", 302)), credit: 0.75, severity: rule.Warning, says: "(302)"},
	{rule: "seo-redirects", name: "temporary to another page", change: hops(hop("https://www.example.com/", 302)), credit: 1, severity: rule.Warning},
	{rule: "seo-https", name: "http", change: change{at: "http://www.example.com/blog/perfect-page"}, says: "unencrypted", advises: "https://www.example.com"},
	{rule: "seo-charset", name: "undeclared", change: undeclared("<meta charset=\"utf-8\">\n", ""), severity: rule.Warning, says: "not declare", advises: `<meta charset="utf-8">`},
	{rule: "seo-charset", name: "late",
		change: both(
			undeclared("<meta charset=\"utf-8\">\n", "<!--"+strings.Repeat("x", 1100)+"--><meta charset=\"utf-8\">\n"),
			change{site: func(s *scrape.Result) { s.Page.Value.Encoding.Source = "meta" }},
		),
		credit: 0.5, severity: rule.Warning, says: "1024"},
	{rule: "seo-charset", name: "legacy",
		change: change{site: func(s *scrape.Result) {
			s.Page.Value.Encoding.Name, s.Page.Value.Encoding.Header = "gbk", "gbk"
		}},
		credit: 0.5, severity: rule.Warning, says: "gbk"},
	{rule: "seo-charset", name: "wrong",
		change:   change{site: func(s *scrape.Result) { s.Page.Value.Encoding.Valid = false }},
		severity: rule.Warning, says: "something else"},
	{rule: "seo-robots-txt", name: "silent",
		change: change{site: func(s *scrape.Result) { s.Robots.State = scrape.Failed }},
		credit: 0.5, severity: rule.Warning, says: "did not respond correctly", fixed: change{}},
	{rule: "seo-indexable", name: "meta", change: to(`"max-image-preview:large"`, `"NOINDEX, follow"`), says: "noindex", advises: "the meta element robots"},
	{rule: "seo-indexable", name: "header", change: header("X-Robots-Tag", "otherbot: nofollow, googlebot: none"), says: "none", advises: "X-Robots-Tag"},
	{rule: "seo-indexable", name: "for others", change: header("X-Robots-Tag", "otherbot: noindex, nofollow"), credit: 1},
	{rule: "seo-indexable", name: "expired", change: header("X-Robots-Tag", "unavailable_after: 25 Jun 2024 15:00:00 PST"), says: "2024-06-25"},
	{rule: "seo-indexable", name: "expired, RFC 850", change: header("X-Robots-Tag", "unavailable_after: Tuesday, 25-Jun-24 15:00:00 GMT"), says: "2024-06-25"},
	{rule: "seo-indexable", name: "not yet", change: header("X-Robots-Tag", "unavailable_after: 2099-01-01"), credit: 1},
	{rule: "seo-snippet-allowed", name: "nosnippet", change: header("X-Robots-Tag", "nosnippet"), severity: rule.Warning, says: "nosnippet"},
	{rule: "seo-snippet-allowed", name: "no length", change: to(`"max-image-preview:large"`, `"max-snippet: 0"`), severity: rule.Warning, says: "max-snippet:0"},
	{rule: "seo-canonical", name: "none", change: without(`<link rel="canonical"`), severity: rule.Warning, advises: canonicalLink},
	{rule: "seo-canonical", name: "header", change: both(without(`<link rel="canonical"`), header("Link", "<"+pageURL+`>; rel="canonical"`)), credit: 1, severity: rule.Warning},
	{rule: "seo-canonical-valid", name: "relative", change: to(canonicalLink, `<link rel=canonical href=/blog/perfect-page>`), credit: 0.5, severity: rule.Warning, says: "relative"},
	{rule: "seo-canonical-valid", name: "two", change: header("Link", `<https://www.example.com/b>; rel=canonical`), says: "2 different"},
	{rule: "seo-canonical-valid", name: "fragment", change: to(canonicalLink, `<link rel=canonical href="`+pageURL+`#a">`), says: "fragment", advises: canonicalLink},
	{rule: "seo-canonical-valid", name: "none", change: without(`<link rel="canonical"`), want: "blocked"},
	{rule: "seo-canonical", name: "in the body", change: to(canonicalLink, "", "</body>", canonicalLink+"</body>"), want: "blocked"},
	{rule: "seo-canonical", name: "below what ends the head", change: to(canonicalLink, "<div>Hello</div>"+canonicalLink), want: "blocked"},
	{rule: "seo-canonical", name: "none, with parameters", change: change{html: without(`<link rel="canonical"`, metaTag+"url").html, at: pageURL + "?sort=asc"}, severity: rule.Warning, advises: "without the parameters", fixed: change{html: without(metaTag + "url").html, at: pageURL + "?sort=asc"}},
	{rule: "seo-canonical", name: "none, with tracking", change: change{html: without(`<link rel="canonical"`).html, at: pageURL + "?utm_source=x"}, severity: rule.Warning, advises: canonicalLink},
	{rule: "seo-canonical-target", name: "with parameters", change: change{at: pageURL + "?sort=asc"}, credit: 1, severity: rule.Warning, says: "without its parameters"},
	{rule: "seo-canonical-target", name: "front page, as og:url says", change: elsewhere("https://www.example.com/", 200, nil), want: "blocked"},
	{rule: "seo-canonical-target", name: "front page", change: alone("https://www.example.com/"), severity: rule.Warning, says: "front page"},
	{rule: "seo-canonical-target", name: "http", change: elsewhere("http://www.example.com/blog/perfect-page", 200, nil), severity: rule.Warning, says: "http instead"},
	{rule: "seo-canonical-target", name: "other language", change: elsewhere("https://www.example.com/de/perfect", 200, nil), severity: rule.Warning, says: "language", fixed: followed("https://www.example.com/de/perfect")},
	{rule: "seo-canonical-target", name: "404", change: elsewhere("https://www.example.com/b", 404, errors.New("404")), severity: rule.Warning, says: "404 Not Found", fixed: followed("https://www.example.com/b")},
	{rule: "seo-canonical-target", name: "redirects",
		change: both(
			elsewhere("https://www.example.com/b", 200, nil),
			change{site: func(s *scrape.Result) { s.Canonical.Value.Final = s.URL }},
		),
		severity: rule.Warning, says: "directly", fixed: followed("https://www.example.com/b")},
	{rule: "seo-canonical-target", name: "other page", change: elsewhere("https://www.example.com/b", 200, nil), credit: 0.75, severity: rule.Info, says: "another page", fixed: followed("https://www.example.com/b")},
	{rule: "seo-canonical-target", name: "other site, as og:url says", change: elsewhere("https://example.org/b", 200, nil), want: "blocked"},
	{rule: "seo-canonical-target", name: "other site", change: alone("https://example.org/b"), credit: 0.25, severity: rule.Warning, says: "another site"},
	{rule: "seo-canonical-target", name: "none", change: without(`<link rel="canonical"`), want: "blocked"},
}

const headings = "<h1>A page</h1><h2>First part</h2><h3>Detail</h3><h2>Second part</h2>"

var documentCases = []testCase{
	{rule: "seo-touch-icon", name: "none", change: to(`<link rel="apple-touch-icon" href="/touch.png">`, ""), severity: rule.Info, advises: "180x180"},
	{rule: "seo-image-alt", name: "one of two", change: to(`alt="A drawing">`, `alt="A drawing"><img src="/second.png">`), credit: 0.5, severity: rule.Warning, says: "1 of 2 pictures has no alt, the first is /second.png"},
	{rule: "seo-image-alt", name: "decoration", change: to(`alt="A drawing">`, `alt="">`), credit: 1, severity: rule.Warning},
	{rule: "seo-image-alt", name: "no pictures", change: to(`<img src="/drawing.png" alt="A drawing">`, ""), want: "not applicable"},
	{rule: "seo-link-text", name: "read more", change: to("About the example</a>", "Read more »</a>"), severity: rule.Info, says: "“read more”"},
	{rule: "seo-link-text", name: "no links", change: to(`<a href="/about">About the example</a>`, ""), want: "not applicable"},
	{rule: "seo-links-crawlable", name: "half", change: to("<a href", `<a href="javascript:open()">Shop</a><a href`), credit: 0.5, severity: rule.Warning, says: `1 of 2 links can't be followed without scripts, the first has href="javascript:open()"`},
	{rule: "seo-links-crawlable", name: "no links", change: to(`<a href="/about">About the example</a>`, ""), want: "not applicable"},
	{rule: "seo-lang", name: "none", change: to(`<html lang="en-GB">`, "<html>"), severity: rule.Warning, advises: `<html lang="en-GB">`},
	{rule: "seo-lang", name: "no tag", change: to(`<html lang="en-GB">`, "<html lang=english>"), severity: rule.Warning, says: "english"},
	{rule: "seo-viewport", name: "none", change: without(`<meta name="viewport"`), severity: rule.Warning, advises: "width=device-width"},
	{rule: "seo-viewport", name: "fixed width", change: to("width=device-width, initial-scale=1", "width=1024"), severity: rule.Warning, says: "width=1024"},
	{rule: "seo-viewport", name: "no zoom", change: to("initial-scale=1\"", "maximum-scale=1.0\""), credit: 0.5, severity: rule.Warning, says: "zooming"},
	{rule: "seo-h1", name: "none", change: to("<h1>A page</h1>", ""), severity: rule.Warning, advises: "<h1>A page that has all that it should</h1>"},
	{rule: "seo-h1", name: "two", change: to("<h1>A page</h1>", "<h1>A page</h1><h1>Two</h1>"), credit: 0.5, severity: rule.Warning, says: "2 main"},
	{rule: "seo-h1", name: "picture", change: to("<h1>A page</h1>", `<h1><img src=/l.png alt="The page"></h1>`), credit: 1, severity: rule.Warning},
	{rule: "seo-heading-order", name: "one skip", change: to("<h3>Detail</h3>", "<h4>Detail</h4>"), credit: 0.5, severity: rule.Warning, says: "“Detail” (h2 to h4)", advises: "1 skip"},
	{rule: "seo-heading-order", name: "three skips", change: to(headings, "<h1>A</h1><h3>B</h3><h5>C</h5><h2>D</h2><h6>E</h6>"), severity: rule.Warning, says: "3 times"},
	{rule: "seo-heading-order", name: "begins at h4", change: to("<h1>A page</h1>", "<h4>Menu</h4><h1>A page</h1>"), credit: 0.5, severity: rule.Warning, says: "first is h4"},
	{rule: "seo-heading-order", name: "skips in navigation", change: to("<h1>A page</h1>", "<nav><h5>Menu</h5></nav><h1>A page</h1>"), credit: 1, severity: rule.Warning},
	{rule: "seo-heading-order", name: "skips outside the main part", change: to("<body>", "<body><h5>Menu</h5><main>", "</body>", "</main><h6>Legal</h6></body>"), credit: 1, severity: rule.Warning},
	{rule: "seo-heading-order", name: "h1 before the main part", change: to(headings, "<h1>A page</h1><main><h3>Detail</h3></main>"), credit: 0.5, severity: rule.Warning, says: "h1 to h3"},
	{rule: "seo-heading-order", name: "no headings", change: to(headings, ""), want: "not applicable"},
	{rule: "seo-h1", name: "no headings", change: to(headings, ""), severity: rule.Warning},
	{rule: "seo-favicon", name: "32", change: favicon(picture.PNG, 32, 32), credit: 0.6, severity: rule.Warning, says: "32x32", advises: "48x48"},
	{rule: "seo-favicon", name: "8", change: favicon(picture.PNG, 8, 8), severity: rule.Warning},
	{rule: "seo-favicon", name: "not square", change: favicon(picture.PNG, 64, 48), credit: 0.5, severity: rule.Warning, says: "not square"},
	{rule: "seo-favicon", name: "svg", change: favicon(picture.SVG, 0, 0), credit: 1, severity: rule.Warning},
	{rule: "seo-favicon", name: "ico", change: favicon(picture.ICO, 48, 48), credit: 1, severity: rule.Warning},
	{rule: "seo-favicon", name: "404",
		change:   change{site: func(s *scrape.Result) { s.Favicon.State, s.Favicon.Value.Status = scrape.Failed, 404 }},
		severity: rule.Warning, says: "404"},
	{rule: "seo-server-rendered", name: "empty", change: to("Words of the page that stand there without any script. ", ""), severity: rule.Warning, advises: "at least 200"},
	{rule: "seo-head-integrity", name: "stray element", change: to("<title>", "<div>Hello</div><title>"), severity: rule.Warning, says: "stray <div>", fixed: change{}},
	{rule: "seo-head-integrity", name: "canonical in the body", change: to("</body>", canonicalLink+"</body>"), severity: rule.Warning, says: "canonical link is in the body"},
	{rule: "seo-head-integrity", name: "microdata in the body", change: to("</body>", `<meta itemprop=position content=1></body>`), credit: 1, severity: rule.Warning},
	{rule: "seo-hreflang-valid", name: "bad code", change: to(`hreflang="de"`, `hreflang="en-UK"`), credit: 2. / 3, severity: rule.Warning, says: "“en-UK”"},
	{rule: "seo-hreflang-valid", name: "relative", change: to(`href="https://www.example.com/de/perfect"`, `href="/de/perfect"`), credit: 2. / 3, severity: rule.Warning, says: "not a full one"},
	{rule: "seo-hreflang-valid", name: "two addresses", change: with(`<link rel=alternate hreflang=de href="https://www.example.com/de2">`), credit: 3. / 4, severity: rule.Warning, says: "two addresses"},
	{rule: "seo-hreflang-valid", name: "no x-default", change: without(`<link rel="alternate" hreflang="x-default"`), credit: 0.75, severity: rule.Warning, advises: `<link rel="alternate" hreflang="x-default" href="https://www.example.com/blog/perfect-page">`},
	{rule: "seo-hreflang-valid", name: "without itself", change: change{html: []string{`hreflang="en-GB" href="https://www.example.com/blog/perfect-page"`, `hreflang="en-GB" href="https://www.example.com/en"`, `hreflang="x-default" href="https://www.example.com/blog/perfect-page"`, `hreflang="x-default" href="https://www.example.com/en"`}}, credit: 0.75, severity: rule.Warning, says: "itself is not listed"},
	{rule: "seo-hreflang-valid", name: "none", change: change{html: withoutAll("hreflang")}, want: "not applicable"},
	{rule: "seo-hreflang-reciprocal", name: "one way",
		change:   change{site: func(s *scrape.Result) { s.Alternates[0].Value.LinksBack = false }},
		severity: rule.Warning, says: "https://www.example.com/de/perfect", advises: "hreflang link to this page"},
	{rule: "seo-hreflang-reciprocal", name: "none", change: change{html: withoutAll("hreflang")}, want: "not applicable"},
}

var noData = change{html: []string{perfectHTML[strings.Index(perfectHTML, `<script type="app`):strings.Index(perfectHTML, "</head>")], ""}}

// dated is the page with other dates.
func dated(published, modified string) change {
	return to("2026-10-01T09:00:00Z", published, "2026-11-01T09:00:00Z", modified)
}

var dataCases = []testCase{
	{rule: "seo-structured-data", name: "none", change: both(noData, with(`<meta property=article:published_time content=2026-10-01>`)), severity: rule.Warning, says: "no structured data", advises: `{"@context":"https://schema.org","@type":"Article"`},
	{rule: "seo-structured-data", name: "microdata", change: both(both(noData, to("<p>", `<p itemscope itemtype="https://schema.org/Article">`)), with(`<meta property=article:published_time content=2026-10-01>`)), credit: 0.75, severity: rule.Warning, says: "only as microdata"},
	{rule: "seo-structured-data-valid", name: "broken", change: both(to(`"headline": "A page",`, `"headline": "A page"`), with(`<meta property=article:published_time content=2026-10-01>`)), says: "The block of JSON-LD has a fault", advises: "line 28"},
	{rule: "seo-structured-data-valid", name: "half", change: with("<script type=application/ld+json>{\"@type\": \"Thing\"}</script>"), credit: 0.5, says: "@context"},
	{rule: "seo-structured-data-valid", name: "graph without type", change: with("<script type=application/ld+json>{\"@context\":[\"https://schema.org\"],\"@graph\":[{\"name\":\"x\"}]}</script>"), credit: 0.5, says: "@graph"},
	{rule: "seo-structured-data-valid", name: "none", change: noData, want: "not applicable"},
	{rule: "seo-structured-data-complete", name: "author without a name", change: to(`"name": "Ada"`, `"url": "/ada"`), credit: 5. / 6, severity: rule.Warning, says: "lacks author"},
	{rule: "seo-structured-data-complete", name: "unknown type", change: to(`"@type": "Article"`, `"@type": "Thing"`), want: "not applicable"},
	{rule: "seo-date-present", name: "none", change: dated("", ""), severity: rule.Info, says: "no machine-readable date", advises: "datePublished"},
	{rule: "seo-date-present", name: "words", change: dated("yesterday", "2026-11-01T09:00:00Z"), credit: 0.5, severity: rule.Info, says: "“yesterday”"},
	{rule: "seo-date-present", name: "future", change: dated("2026-10-01T09:00:00Z", "2027-11-01T09:00:00Z"), credit: 0.5, severity: rule.Info, says: "future"},
	{rule: "seo-date-present", name: "modified before", change: dated("2026-10-01T09:00:00Z", "2026-09-01T09:00:00Z"), credit: 0.5, severity: rule.Info, says: "before it was published"},
	{rule: "seo-date-present", name: "home", change: change{at: "https://www.example.com/"}, want: "not applicable"},
	{rule: "seo-freshness", name: "two years", change: dated("2024-10-01", "2025-11-01"), credit: 0.5, severity: rule.Info, says: "384 days"},
	{rule: "seo-freshness", name: "old", change: dated("2014-10-01", "2015-11-01"), severity: rule.Info, says: "2015-11-01"},
	{rule: "seo-freshness", name: "header", change: both(dated("2014-10-01", "2015-11-01"), header("Last-Modified", "Sun, 01 Nov 2026 08:00:00 GMT")), credit: 1, severity: rule.Info},
	{rule: "seo-freshness", name: "rendered just now", change: both(dated("2014-10-01", "2015-11-01"), header("Last-Modified", "Fri, 20 Nov 2026 11:59:00 GMT")), severity: rule.Info},
	{rule: "seo-freshness", name: "none", change: dated("", ""), want: "not applicable"},
}
