package checks_test

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/rule/checks"
	"masthead/pkg/page"
	"masthead/pkg/scrape"
)

func codes(findings []rule.Finding) string {
	var list []string
	for _, f := range findings {
		list = append(list, f.Code)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

const canonicalTag = `<link rel="canonical" href="https://www.example.com/blog/perfect-page">`

func TestDiscover_canonicalIssues(t *testing.T) {
	other := func(href string) change { return to(canonicalTag, `<link rel="canonical" href="`+href+`">`) }
	target := func(href string, state scrape.State, status int, final string) change {
		return both(other(href), change{site: func(s *scrape.Result) {
			s.Canonical = scrape.Part[scrape.LinkedPage]{State: state, Value: scrape.LinkedPage{
				URL: address(t, href), Final: address(t, final), Status: status,
			}}
			if state == scrape.Failed {
				s.Canonical.Err = errors.New("failed")
			}
		}})
	}
	const page, elsewhere = "https://www.example.com/blog/perfect-page", "https://www.example.com/other"
	for name, c := range map[string]struct {
		change change
		want   string
	}{
		"none is wrong":         {change{}, ""},
		"missing":               {without(`<link rel="canonical"`), "missing"},
		"multiple":              {with(`<link rel="canonical" href="` + elsewhere + `">`), "multiple"},
		"relative":              {other("/blog/perfect-page"), "relative"},
		"in the body":           {both(without(`<link rel="canonical"`), to("<h1>", canonicalTag+"<h1>")), "in-body"},
		"fragment":              {other(page + "#part"), "fragment"},
		"other site":            {other("https://example.org/a"), "conflicts-with-og-url other-site"},
		"front page":            {other("https://www.example.com/"), "conflicts-with-og-url site-root"},
		"http":                  {other("http://www.example.com/blog/perfect-page"), "http-downgrade"},
		"redirects":             {target(elsewhere, scrape.Got, 200, page), "conflicts-with-og-url redirects"},
		"404":                   {target(elsewhere, scrape.Failed, 404, elsewhere), "conflicts-with-og-url not-200"},
		"silent":                {target(elsewhere, scrape.Failed, 0, elsewhere), "conflicts-with-og-url not-200"},
		"well":                  {target(elsewhere, scrape.Got, 200, elsewhere), "conflicts-with-og-url"},
		"another language":      {other("https://www.example.com/de/perfect"), "conflicts-with-og-url points-to-alternate"},
		"noindex":               {to(`content="max-image-preview:large"`, `content="noindex"`), "noindex-with-canonical"},
		"noindex in the header": {header("X-Robots-Tag", "noindex"), "noindex-with-canonical"},
		"header differs":        {header("Link", `<`+elsewhere+`>; rel="canonical"`), "header-and-html-differ multiple"},
		"header alone": {
			both(without(`<link rel="canonical"`), header("Link", `<`+page+`>; rel="canonical"`)), "",
		},
	} {
		if got := codes(checks.Set().Judge(c.change.apply(t), now).Discoverability().Canonical); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestDiscover_hreflangRecommendations(t *testing.T) {
	type linked = scrape.LinkedPage
	alternate := func(edit func(*linked)) change {
		return change{site: func(s *scrape.Result) { edit(&s.Alternates[0].Value) }}
	}
	for name, c := range map[string]struct {
		change change
		want   string
	}{
		"none is wrong":  {change{}, ""},
		"no hreflang":    {without(`<link rel="alternate" hreflang="en-GB"`, `<link rel="alternate" hreflang="de"`, `<link rel="alternate" hreflang="x-default"`), ""},
		"code":           {to(`hreflang="de"`, `hreflang="en-UK"`), "invalid-code"},
		"relative":       {to(`href="https://www.example.com/de/perfect"`, `href="/de/perfect"`), "relative-url"},
		"two addresses":  {with(`<link rel="alternate" hreflang="de" href="https://www.example.com/de/2">`), "duplicate-code"},
		"without itself": {without(`<link rel="alternate" hreflang="en-GB"`, `<link rel="alternate" hreflang="x-default"`), "no-self no-x-default"},
		"no default":     {without(`<link rel="alternate" hreflang="x-default"`), "no-x-default"},
		"one-way":        {alternate(func(l *linked) { l.LinksBack = false }), "no-return-link"},
		"redirects": {
			alternate(func(l *linked) { l.Final = address(t, "https://www.example.com/de/2") }), "points-to-redirect",
		},
		"not canonical": {
			alternate(func(l *linked) { l.Canonical = "https://www.example.com/de/2" }), "points-to-non-canonical",
		},
		"canonical":      {alternate(func(l *linked) { l.Canonical = l.Final.String() }), ""},
		"another lang":   {to(`<html lang="en-GB">`, `<html lang="fr">`), "lang-mismatch"},
		"another region": {to(`<html lang="en-GB">`, `<html lang="en-US">`), ""},
	} {
		if got := codes(checks.Set().Judge(c.change.apply(t), now).Discoverability().Hreflang); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestMissingTypes(t *testing.T) {
	block := func(json string) string { return `<script type="application/ld+json">` + json + `</script>` }
	const article = `{"@context": "https://schema.org", "@type": "BlogPosting", "headline": "A"`
	for name, c := range map[string]struct{ at, html, want string }{
		"front page":                   {"/", "", "WebSite Organization"},
		"front page with a graph":      {"/", block(`{"@context": "https://schema.org", "@graph": [{"@type": "WebSite"}, {"@type": "Restaurant"}]}`), ""},
		"front page with microdata":    {"/", `<div itemscope itemtype="https://schema.org/WebSite"></div>`, "Organization"},
		"article":                      {"/a", `<meta property="og:type" content="article">`, "Article Person"},
		"article in a folder":          {"/blog/a", `<meta property="og:type" content="article">`, "Article Person BreadcrumbList"},
		"a kind of article":            {"/a", block(article + `}`), "Person"},
		"author by name alone":         {"/a", block(article + `, "author": "Ada"}`), "Person"},
		"author, a person":             {"/a", block(article + `, "author": {"@type": "Person", "name": "Ada"}}`), ""},
		"author, by reference":         {"/a", block(`{"@context": "https://schema.org", "@graph": [{"@type": "Article", "author": {"@id": "#p"}}, {"@id": "#p", "@type": "NGO"}]}`), ""},
		"product":                      {"/p/1", `<meta property="og:type" content="product">`, "Product Offer BreadcrumbList"},
		"product with offers and path": {"/p/1", block(`[{"@context": "https://schema.org", "@type": "ProductGroup", "offers": {"@type": "AggregateOffer"}}, {"@context": "https://schema.org", "@type": "BreadcrumbList"}]`), ""},
		"video":                        {"/v", `<meta name="twitter:card" content="player">`, "VideoObject BreadcrumbList"},
		"profile":                      {"/me", `<meta property="og:type" content="profile">`, "ProfilePage Person"},
		"another page":                 {"/about", "", ""},
		"questions":                    {"/about", "<h2>Why?</h2><h2>何故？</h2><h3>لماذا؟</h3>", "FAQPage"},
		"two questions":                {"/about", "<h1>Which?</h1><h2>Why?</h2><h2>When?</h2>", ""},
	} {
		u, err := url.Parse("https://www.example.com" + c.at)
		if err != nil {
			t.Fatal(err)
		}
		p := page.Parse([]byte(c.html), "text/html; charset=utf-8", u)
		if got := strings.Join(rule.MissingTypes(p), " "); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
