package page_test

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"
	"time"

	"masthead/pkg/page"
)

func TestParse_details_chosenOrLeftEmpty(t *testing.T) {
	const article = `<meta property="og:type" content="article"><title>Title</title><body>`
	words := strings.Repeat("word ", 100)
	for name, c := range map[string]struct {
		url, html string
		get       func(d page.Details) string
		want      string
	}{
		"eyebrow of the tag":         {"", `<meta property=article:section content=" Science ">`, eyebrow, "Science"},
		"eyebrow that says nothing":  {"", `<meta property=article:section content=Uncategorized>`, eyebrow, "Blog"},
		"eyebrow of the path":        {"https://x.example/release-notes/v2", ``, eyebrow, "Release notes"},
		"eyebrow after the language": {"https://x.example/pt-BR/ciência/a", ``, eyebrow, "Ciência"},
		"no eyebrow of one part":     {"https://x.example/a-post", ``, eyebrow, ""},
		"no eyebrow of a year":       {"https://x.example/2024/05/a-post", ``, eyebrow, ""},
		"no eyebrow of the site":     {"https://x.example/acme/a", `<meta property=og:site_name content=ACME>`, eyebrow, ""},
		"no eyebrow of its address": {
			"https://x.example/go-zurich/a", `<meta property=og:site_name content="Go Zürich">`, eyebrow, "",
		},

		"no eyebrow of a part of the site's name": {
			"https://x.example/pcuser/a", `<meta property=og:site_name content="Acme PC USER">`, eyebrow, "",
		},
		"no eyebrow in other letters": {"https://x.example/blog/a", `<title>新竹尖石賞楓 PIXNET</title>`, eyebrow, ""},
		"eyebrow in the same letters": {"https://x.example/技術/a", `<title>新竹尖石賞楓 PIXNET</title>`, eyebrow, "技術"},
		"eyebrow of mixed letters":    {"https://x.example/blog/a", `<title>What 新竹 looks like in autumn</title>`, eyebrow, "Blog"},

		"reading time of a tag": {"", article + `<meta name=twitter:label1 content="Written by"><meta name=twitter:data1 content=Ada>` +
			`<meta name=twitter:label2 content="Est. reading time"><meta name=twitter:data2 content="10 minutes">`, reading, "10m0s"},
		"reading time of structured data": {"", ld(`{"@type":"Article","timeRequired":"PT7M"}`), reading, "7m0s"},
		"reading time above the text":     {"", article + `<h1>A</h1><p>5 minute read</p><p>Text</p>`, reading, "5m0s"},
		"reading time in German":          {"", article + `<h1>A</h1><p>4 Min. Lesezeit</p><p>Text</p>`, reading, "4m0s"},
		"reading time that is none":       {"", article + `<h1>A</h1><p>A 5 minute walk away, I read</p>`, reading, "0s"},
		"reading time above the title":    {"", article + `<header><p>5 minute read</p></header><h1>A</h1><p>Text</p>`, reading, "5m0s"},
		"reading times of a list":         {"", article + `<h1>A</h1><p>5 min read</p><a>6 min read</a><a>5 min read</a>`, reading, "0s"},
		"reading time of a book":          {"", ld(`{"@type":"Article","timeRequired":"PT900M"}`), reading, "0s"},

		"author of the tag":    {"", `<meta property=article:author content="By Ada Lovelace">`, author, "Ada Lovelace"},
		"author is an address": {"", article + `<meta property=article:author content="https://facebook.com/ada"><meta name=author content="Ada L.">`, author, "Ada L."},
		"authors of JSON-LD":   {"", ld(`{"@graph":[{"@type":"Article","author":[{"@id":"#a"},{"@type":"Person","name":"B &amp; C"}]},{"@id":"#a","@type":"Person","name":"Ada"}]}`), author, "Ada, B & C"},
		"portrait": {"", ld(`{"@type":"Article","author":{"name":"Ada","image":{"url":"/ada.jpg"}}}`),
			portrait, "https://www.example.com/ada.jpg"},
		"author is the site": {"", article + `<meta property=og:site_name content=Acme><meta name=author content=acme>`,
			author, ""},
		"author is the site in brackets": {"", article + `<meta property=og:site_name content=Acme><meta name=author content="Acme (staff)">`,
			author, ""},
		"author is the newsroom": {"", article +
			`<meta property=og:site_name content="El Faro"><meta name=author content="Redacción El Faro">`,
			author, ""},
		"author is the publisher": {"", article + `<meta property=og:site_name content=港新聞><meta name=author content=港新聞社>`,
			author, ""},
		"author begins like the site": {"", article +
			`<meta property=og:site_name content=Ada><meta name=author content="Ada Lovelace">`,
			author, "Ada Lovelace"},
		"no author of a wiki": {"", `<meta name=generator content="MediaWiki 1.46">` +
			ld(`{"@type":"Article","author":{"name":"Contributors"},"datePublished":"2003-05-01"}`), author, ""},
		"no date of a wiki": {"", `<meta name=generator content="MediaWiki 1.46">` +
			ld(`{"@type":"Article","author":{"name":"Contributors"},"datePublished":"2003-05-01"}`), published, "0001-01-01"},

		"site of the title, not its publisher": {
			"https://en.wikipedia.org/wiki/Nuthatch", `<title>Nuthatch - Wikipedia</title>` +
				ld(`{"@type":"Article","publisher":{"name":"Wikimedia Foundation, Inc."}}`), site, "Wikipedia",
		},
		"site of the title, not its host": {
			"https://www.osteria-ponte.example/", `<title>Osteria Ponte – Cucina veneta</title>`, site, "Osteria Ponte",
		},
		"site that is declared": {
			"https://osteria.example/", `<title>Osteria – Menu</title><meta property=og:site_name content="Da Ponte">`, site,
			"Da Ponte",
		},
		"site of the host": {
			"https://www.osteria.example/", `<title>Cucina veneta – Treviso</title>`, site, "osteria.example",
		},
		"publisher": {"https://a.example/x", `<title>Nuthatch - birds</title>` +
			ld(`{"@type":"Article","publisher":{"name":"Bird Society"}}`), site, "Bird Society"},

		"guide to a town": {"https://x.example/guide/lisbon", article +
			`<meta property=article:published_time content=2026-04-05>`, kind, "article"},
		"guide of a manual": {"https://x.example/guide/install", article, kind, "docs"},
		"guide of a manual with a date": {"https://docs.x.example/guide/install", article +
			`<meta property=article:published_time content=2026-04-05>`, kind, "docs"},

		"label of a section": {"", article + `<meta property=article:section content="Channel: MarTech Today">`, eyebrow,
			"MarTech Today"},
		"eyebrow with its accent": {"https://x.example/espana/a", `<html lang=es>` + article, eyebrow,
			"España"},
		"eyebrow of a tag, spelled": {"", `<html lang=es-ES><meta property=article:section content=Espana>`, eyebrow,
			"España"},
		"eyebrow in another script": {"https://x.example/art/a", `<title>مسرح في البحر</title>`, eyebrow,
			""},
		"author without article": {"", `<meta name=author content="Some Agency">`, author, ""},

		"reading time of the article": {"", article + "<nav>" + words + words + "</nav><article>" +
			strings.Repeat(words, 5) + "</article>", reading, "3m0s"},
		"reading time without comments": {"", article + "<article>" + strings.Repeat(words, 3) + "<article>" +
			strings.Repeat(words, 2) + "</article><div id=comments>" + strings.Repeat(words, 9) + "</div></article>", reading,
			"2m0s"},
		"reading time of paragraphs": {"", article + "<div>" + words + "</div><p>" + words + "</p><p>" + words, reading,
			"1m0s"},
		"reading time of ideographs":  {"", article + "<article>" + strings.Repeat("日本語", 400), reading, "3m0s"},
		"no reading time of a page":   {"", "<article>" + strings.Repeat(words, 5), reading, "0s"},
		"no reading time of a teaser": {"", article + "<article>" + words, reading, "0s"},
		"scripts are not read": {"", article + "<article>" + words + "<script>" + strings.Repeat(words, 9) +
			"</script>", reading, "0s"},

		"items":                    {"", "<nav><ul><li>one two three<li>four five six</ul></nav><main><ul><li>First thing <b>done</b><li>Second thing &amp; more</li><li>Third of <a href=x>them</a></li><li>Fourth thing</ul>", items, "First thing done|Second thing & more|Third of them"},
		"items with a list inside": {"", "<main><ol><li>First thing done<ul><li>a part of it</ul></li><li>Second thing done</ol>", items, "First thing done|Second thing done"},
		"no items of links":        {"", "<main><ul><li><a href=x>First thing done</a><li><a href=y>Second thing done</a></ul>", items, ""},
		"no items of buttons":      {"", "<main><ul><li>Share<li>Print it</ul>", items, ""},
		"no items beside the page": {"", "<ul><li>First thing done<li>Second thing done</ul>", items, ""},
		"items of the next list":   {"", "<main><ul><li>Share<li>Print</ul><ul><li>First thing done<li>Second thing done</ul>", items, "First thing done|Second thing done"},

		"quote": {"", "<main><blockquote><p>To be or not to be, that is<br>the question.</p><footer>— <cite>Hamlet</cite></footer></blockquote>", quote, "To be or not to be, that is the question.|Hamlet"},
		"quote with a title": {"", "<blockquote>The play <cite>Hamlet</cite> has this famous line.</blockquote>", quote,
			"The play Hamlet has this famous line.|"},
		"quote of a network": {"", `<blockquote class="twitter-tweet">This is a tweet that nobody wants</blockquote><blockquote>This is what somebody said</blockquote>`, quote, "This is what somebody said|"},
		"quote of links": {"", `<blockquote><a href=x>A list of links</a> <a href=y>and no quotation</a></blockquote>`,
			quote, "|"},

		"quote after a dash": {"", `<main><blockquote>We never looked back.<br>— Ada Lovelace</blockquote></main>`, quote,
			"We never looked back.|Ada Lovelace"},
		"quote with a caption": {"", `<main><figure><blockquote>We never looked back, not once.</blockquote><figcaption>— Ada, <cite>CTO</cite></figcaption></figure></main>`,
			quote, "We never looked back, not once.|Ada, CTO"},
		"quote with another caption": {"", `<main><figure><blockquote>We never looked back, not once.</blockquote><figcaption>A photo of 2024</figcaption></figure></main>`,
			quote, "We never looked back, not once.|"},
		"quote beside a later caption": {"", `<main><blockquote>We never looked back, not once.</blockquote><p>More</p><figure><figcaption>— Ada</figcaption></figure></main>`,
			quote, "We never looked back, not once.|"},
		"quote with a footnote": {"", `<blockquote>We never looked back, not once.<sup>[452]</sup></blockquote>`, quote,
			"We never looked back, not once.|"},
		"no quote of addresses": {"", `<blockquote>example.com · GitHub @example · Mastodon @example</blockquote>`, quote, "|"},
		"no quote of the description": {"", `<meta name=description content="We never looked back, not once."><blockquote>“We never looked back, not once.”</blockquote>`,
			quote, "|"},
		"no quote of code":      {"", `<blockquote>This runs the program: <pre>go run .</pre></blockquote>`, quote, "|"},
		"no quote of a mail":    {"", `<blockquote type="cite">On Monday somebody wrote to all of us</blockquote>`, quote, "|"},
		"no quote of a reader":  {"", `<div id="comments"><blockquote>This is what a reader said here</blockquote></div>`, quote, "|"},
		"no quote that is long": {"", `<blockquote>` + strings.Repeat("many words ", 21) + `</blockquote>`, quote, "|"},
		"quote of structured data": {"", ld(`{"@type":"Quotation","text":"The page itself is the brief.","creator":{"name":"Ada"}}`) +
			`<blockquote>This is what somebody said</blockquote>`, quote, "The page itself is the brief.|Ada"},

		"session by language": {"", `<main><pre class="other"><code class="language-console">$ make
<span>ok</span>
  <b>done</b> &lt;1s
</code></pre><pre>$ later</pre></main>`, session, "$ make|ok|  done <1s"},
		"session by prompt":     {"", "<main><pre>\n\n$ make all\r\n\tok</pre>", session, "$ make all|    ok"},
		"session by command":    {"", "<main><pre>npm install masthead</pre>", session, "npm install masthead"},
		"session in lines":      {"", "<main><pre class=bash>make<br>make check</pre>", session, "make|make check"},
		"no session of code":    {"", "<main><pre><code class=language-go>$ x := 1</code></pre>", session, ""},
		"no session of text":    {"", "<main><pre>Roses are red</pre><pre>$ make</pre>", session, ""},
		"no session beside":     {"", "<nav><pre>$ make</pre></nav>", session, ""},
		"session without keys":  {"", "<main><pre>$ export API_KEY=abc\n$ curl -H 'Authorization: x'\n$ make</pre>", session, "$ make"},
		"no session of secrets": {"", "<main><pre>$ export TOKEN=abc</pre>", session, ""},
		"session of eight": {"", "<main><pre>" + strings.Repeat("$ a\n", 20) + "</pre>", session,
			strings.TrimSuffix(strings.Repeat("$ a|", 8), "|")},
		"session of controls": {"", "<main><pre>$ a\u202eb\x01c</pre>", session, "$ abc"},
		"session of a long line": {"", "<main><pre>$ " + strings.Repeat("x", 9000) + "</pre>", session,
			"$ " + strings.Repeat("x", 118)},

		"crumb": {"https://x.example/docs/getting-started/install.html", ``, crumb,
			"Docs|Getting started|Install"},
		"crumb without codes": {"https://x.example/2024/jul/p/BWUDBntl3_Z/4711-caf%C3%A9-au_lait-123456/", ``, crumb,
			"Café au lait"},
		"version of title":     {"", "<title>Release v1.22.0-beta: what is new</title>", version, "v1.22.0"},
		"version of path":      {"https://x.example/releases/tag/v2.0", "", version, "v2.0"},
		"version with a word":  {"", "<title>Go 1.26 is released</title>", version, "1.26"},
		"version after a name": {"https://skiplock.dev/blog/a", "<title>Skiplock 3.2: faster claims</title>", version, "3.2"},
		"version of the site": {"", "<meta property=og:site_name content=Astro><title>Astro 5.0 is out</title>", version,
			"5.0"},
		"number after another name":  {"https://skiplock.dev/a", "<title>Room 4.2 and 3.5 million others</title>", version, ""},
		"price":                      {"", "<title>Only $3.99 for 1.5 litres</title>", version, ""},
		"address":                    {"", "<title>Router at 192.168.0.1/admin</title>", version, ""},
		"repository":                 {"https://github.com/golang/go/issues/1", "", repo, "golang/go"},
		"repository renamed":         {"https://github.com/acme/old", `<meta property=og:url content="https://github.com/acme/new">`, repo, "acme/new"},
		"repository of another site": {"https://github.com/acme/old", `<meta property=og:url content="https://gitlab.com/acme/new">`, repo, "acme/old"},
		"project of links": {"https://github.com/acme/x", `<a href="/acme/x/stargazers" aria-label="12400 users starred this">12.4k</a>
			<a href="/acme/x/search?l=go"><svg/><span>Go</span> <span>95.8%</span></a><a href="/acme/x/search?l=c"><span>C</span></a>
			<a href="/acme/x/blob/main/LICENSE.md"><svg/> MIT License </a>`, project, "Go|12400|MIT"},
		"project of other links": {"https://github.com/acme/x", `<a href="/acme/y/stargazers">9</a><a href="/acme/x/blob/main/a.go">MIT License</a>
			<a href="/acme/x/stargazers">none</a><a href="/acme/x/blob/main/LICENSE">View license</a>`, project, "|0|"},
		"project of a share alone": {"https://github.com/acme/x", `<a href="/acme/x/search?l=go"><span>Go</span><span>97.1%</span></a>`,
			project, "|0|"},
		"project of short numbers": {"https://codeberg.org/acme/x", `<a href="/acme/x/stars">1.2k</a><a href="#gpl-3.0-1-ov-file">GPL-3.0 license</a>`,
			project, "|1200|GPL-3.0"},
		"project of structured data": {"https://github.com/acme/x", `<a href="/acme/x/stargazers">9</a>` +
			ld(`{"@type":"SoftwareSourceCode","programmingLanguage":{"name":"Rust"},"license":"https://spdx.org/licenses/Apache-2.0.html",
			"interactionStatistic":{"interactionType":"https://schema.org/LikeAction","userInteractionCount":77}}`), project, "Rust|77|Apache-2.0"},
		"project off a forge": {"https://x.example/acme/x", `<a href="/acme/x/stargazers">9</a>` +
			ld(`{"@type":"SoftwareSourceCode","programmingLanguage":"Rust"}`), project, "|0|"},
		"project of a part": {"https://github.com/acme/x/issues", `<a href="/acme/x/stargazers">9</a>`, project, "|0|"},
		"sections": {"", `<title>Webhooks</title><nav><h2>Products</h2></nav><main><h1>Webhooks</h1><h2>On this page</h2><h2>Register ¶</h2>
			<h2>Verify signatures</h2><h3>In Go</h3><h2>Register</h2><h2>A heading that is far too long for a list</h2><h2>Retries</h2></main><h2>Beside</h2>`,
			sections, "Register|Verify signatures|Retries"},
		"one section is none":  {"", `<main><h2>Retries</h2></main>`, sections, ""},
		"forge, no repository": {"https://github.com/topics/go", "", repo, "/"},
		"no forge":             {"https://x.example/golang/go", "", repo, "/"},
		"date of the page":     {"", `<article><time datetime=2024-05-06>x</time></article>`, published, "2024-05-06"},
		"date of a teaser": {"", `<article><time datetime=2024-05-06>x</time></article><article></article>`, published,
			"0001-01-01"},
		"date of an article": {"https://x.example/", article +
			`<meta name=date content=2024-05-06><article></article><article></article>`, published, "2024-05-06"},
		"lead":                      {"", "<p>This stands before the heading.</p><h1>H</h1><p>Too short</p><p>This is the first real paragraph.</p>", lead, "This is the first real paragraph."},
		"lead after a byline":       {"", "<h1>H</h1><p>By Jane Doe, 3 May 2026 · 5 min read</p><p>This is the first real paragraph.</p>", lead, "This is the first real paragraph."},
		"lead after a dated byline": {"", "<h1>H</h1><p>By Jane Doe, Thursday 3 May 2026, 10:30 a.m.</p><p>This is the first real paragraph.</p>", lead, "This is the first real paragraph."},
		"lead after a German one":   {"", "<h1>H</h1><p>Von Max Muster, veröffentlicht am 3. Mai 2026</p><p>Der erste richtige Absatz.</p>", lead, "Der erste richtige Absatz."},
		"lead after a Chinese one":  {"", "<h1>H</h1><p>文／王小明 2026年5月3日 10:30 更新於5月4日</p><p>這是文章的第一個真正的段落，說明它的主題是什麼。</p>", lead, "這是文章的第一個真正的段落，說明它的主題是什麼。"},
		"lead after an Arabic one":  {"", "<h1>H</h1><p>بقلم: سارة الأحمد ٣ مايو ٢٠٢٦</p><p>هذه هي الفقرة الأولى الحقيقية من المقال.</p>", lead, "هذه هي الفقرة الأولى الحقيقية من المقال."},
		"lead after a date":         {"", "<h1>H</h1><p>Last updated on 3 May 2026 by the web team</p><p>This is the first real paragraph.</p>", lead, "This is the first real paragraph."},
		"lead after a credit":       {"", "<h1>H</h1><p>Photo: Reuters / Jane Doe.</p><p>This is the first real paragraph.</p>", lead, "This is the first real paragraph."},
		"lead about JavaScript":     {"", "<h1>H</h1><p>JavaScript closures keep the variables around them alive.</p>", lead, "JavaScript closures keep the variables around them alive."},
		"lead about cookies":        {"", "<h1>H</h1><p>Cookies with oats and rye, baked until their edges are crisp.</p>", lead, "Cookies with oats and rye, baked until their edges are crisp."},
		"lead after other notices":  {"", "<h1>H</h1><p>JavaScript is disabled in your browser.</p><p>You need JavaScript for this map.</p><p>This is the first real paragraph.</p>", lead, "This is the first real paragraph."},
		"lead after notices":        {"", "<h1>H</h1><p>Please enable JavaScript to use this page.</p><p>We use cookies to improve it.</p><p>This is the first real paragraph.</p>", lead, "This is the first real paragraph."},
		"lead after a row of links": {"", "<h1>H</h1><p><a>Overview</a> | <a>Reviews</a> | <a>Prices</a></p><p>This is the first real paragraph.</p>", lead, "This is the first real paragraph."},
		"lead begins with By":       {"", "<h1>H</h1><p>By Friday 3 May 2026, all residents must register.</p>", lead, "By Friday 3 May 2026, all residents must register."},
		"lead without a period":     {"", "<h1>H</h1><p>Handmade boots from Leeds, sent everywhere</p>", lead, "Handmade boots from Leeds, sent everywhere"},
		"lead of a long paragraph": {"", "<h1>H</h1><p>Dr. Lee opened the bridge on Monday. It is the longest of the country. " +
			strings.Repeat("More of it follows here and ", 8) + "ends.</p><p>Another paragraph of the page.</p>", lead,
			"Dr. Lee opened the bridge on Monday. It is the longest of the country."},
	} {
		u := pageURL
		if c.url != "" {
			u = mustParse(c.url)
		}
		if got := c.get(page.Parse([]byte(c.html), "text/html; charset=utf-8", u).Details); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func ld(json string) string { return `<script type="application/ld+json">` + json + `</script>` }

func eyebrow(d page.Details) string  { return d.Eyebrow }
func sections(d page.Details) string { return strings.Join(d.Sections, "|") }
func project(d page.Details) string {
	return fmt.Sprintf("%s|%d|%s", d.Project.Language, d.Project.Stars, d.Project.License)
}
func author(d page.Details) string   { return d.Author }
func site(d page.Details) string     { return d.SiteName }
func kind(d page.Details) string     { return string(d.Kind) }
func portrait(d page.Details) string { return d.AuthorImage }
func reading(d page.Details) string  { return d.ReadingTime.String() }
func items(d page.Details) string    { return strings.Join(d.Items, "|") }
func quote(d page.Details) string    { return d.Quote + "|" + d.QuoteAuthor }
func session(d page.Details) string  { return strings.Join(d.Session, "|") }
func crumb(d page.Details) string    { return strings.Join(d.Crumb, "|") }
func version(d page.Details) string  { return d.Version }
func repo(d page.Details) string     { return d.Owner + "/" + d.Repo }
func published(d page.Details) string {
	return d.Published.Format(time.DateOnly)
}
func lead(d page.Details) string { return d.Lead }

// TestParse_paths_inWords checks what the address, breadcrumbs and the title of a page give a card.
func TestParse_paths_inWords(t *testing.T) {
	crumbs := func(names string) string {
		list := ""
		for name := range strings.SplitSeq(names, "|") {
			list += `,{"@type":"ListItem","name":"` + name + `"}`
		}
		return ld(`{"@type":"BreadcrumbList","itemListElement":[` + list[1:] + `]}`)
	}
	title := func(d page.Details) string { return d.Title }
	for _, c := range []struct {
		at, html, want string
		of             func(page.Details) string
	}{
		{"https://a.example/docs/k8s-intro", crumbs("Home|Guides|Kubernetes basics"), "Guides|Kubernetes basics", crumb},
		{"https://a.example/docs/k8s-intro", crumbs("Guides"), "Docs|K8s intro", crumb},
		{"https://a.example/a/b", crumbs("A|B|C|D"), "B|C|D", crumb},
		{"https://a.example/docs/k8s-intro", crumbs("1|2|3|4|5|6|7|8|9"), "7|8|9", crumb},
		{"https://a.example/docs/k8s-intro", crumbs("1|2|3|4|5|6|7|8|9|10"), "Docs|K8s intro", crumb},
		{"https://a.example/docs/k8s-intro", crumbs(strings.Repeat("|", 200) + "A|B"), "Docs|K8s intro", crumb},
		{"https://a.example/whats-on/quartets", "", "What’s on", eyebrow},
		{"https://a.example/watch/first-ascent", "", "", eyebrow},
		{"https://a.example/gespraeche/chef", `<html lang=de>`, "", eyebrow},
		{"https://a.example/buecher/stille", `<html lang=de-AT>`, "", eyebrow},
		{"https://a.example/aktuelles/feuer", `<html lang=de>`, "Aktuelles", eyebrow},
		{"https://a.example/steuern/feuer", `<html lang=de>`, "Steuern", eyebrow},
		{"https://a.example/gespraeche/chef", `<html lang=en>`, "Gespraeche", eyebrow},
		{"https://github.com/o/tide-watch", `<title>GitHub - o/tide-watch: Watch the tides</title>`, "o/tide-watch", title},
		{"https://github.com/o/r/releases/tag/v2.4.0", `<title>Release v2.4.0 · o/r · GitHub</title>
			<meta property=og:site_name content=GitHub>`, "r v2.4.0", title},
		{"https://github.com/o/r/releases/tag/v2.4.0", `<title>Release Release v2.4.0 · o/r</title>`, "r v2.4.0", title},
		{"https://github.com/o/r/releases/tag/v2.4.0", `<title>Release Harbor lights · o/r</title>`, "Harbor lights", title},
		{"https://github.com/o/r/issues/1", `<title>o/r: a problem · Issue</title>`, "o/r: a problem · Issue", title},
		{"https://ledger.example/", `<title>Ledger – invoicing that gets you paid</title>
			<meta property=og:site_name content=Ledger><h1>Invoicing that gets you paid</h1>`,
			"Invoicing that gets you paid", title},
	} {
		p := page.Parse([]byte(c.html), "text/html; charset=utf-8", mustParse(c.at))
		if got := c.of(p.Details); got != c.want {
			t.Errorf("%s, %.40s: got %q, want %q", c.at, c.html, got, c.want)
		}
	}
}

// TestParse_escapedTexts_elementsAreDecodedOnceAttributesOnceMore has what readers see decoded as their browsers do: a
// page about markup says "&amp;" by escaping it. In attributes and JSON-LD, which nobody reads, what was escaped twice
// is decoded twice, and no further.
func TestParse_escapedTexts_elementsAreDecodedOnceAttributesOnceMore(t *testing.T) {
	for _, c := range []struct{ written, element, attribute string }{
		{"How to write &amp; in HTML", "How to write & in HTML", "How to write & in HTML"},
		{"How to write &amp;amp; in HTML", "How to write &amp; in HTML", "How to write & in HTML"},
		{"How to write &amp;amp;amp; in HTML", "How to write &amp;amp; in HTML", "How to write &amp; in HTML"},
		{"The &amp;lt;b&amp;gt; element of HTML", "The &lt;b&gt; element of HTML", "The <b> element of HTML"},
		{"&amp;copy; 1 as it is written", "&copy; 1 as it is written", "&copy; 1 as it is written"},
	} {
		block, err := json.Marshal(html.UnescapeString(c.written))
		if err != nil {
			t.Fatal(err)
		}
		p := parse("<title>" + c.written + "</title><h1>" + c.written + "</h1><p>" + c.written + "</p><main><ul><li>" +
			c.written + "</li><li>another</li></ul><blockquote>" + c.written + "</blockquote></main>")
		meta := parse(`<meta property=og:title content="` + c.written + `"><title>x</title>`)
		linked := parse(ld(`{"@type": "Article", "headline": ` + string(block) + `}`))
		for name, got := range map[string]string{
			"title": p.Metadata.Title, "h1": p.Details.Headline, "heading": p.Headings[0].Text, "lead": p.Details.Lead,
			"quote": p.Details.Quote, "item": strings.Join(p.Details.Items[:1], ""),
		} {
			if got != c.element {
				t.Errorf("%s of %s: got %q, want %q", name, c.written, got, c.element)
			}
		}
		for name, got := range map[string]string{"og:title": meta.Metadata.Title, "headline": linked.Metadata.Title} {
			if got != c.attribute {
				t.Errorf("%s of %s: got %q, want %q", name, c.written, got, c.attribute)
			}
		}
	}
}

func TestParse_structure_keptForAudits(t *testing.T) {
	p := parse(`<html lang=" pt-BR " dir=ltr><head>
<link rel="stylesheet alternate" href=/dark.css><link rel=stylesheet href=/first.css><link rel=stylesheet href=/second.css><link rel=preload href=/x>
<link rel="Canonical" href="/c#f"><link rel=alternate hreflang=en-GB href=https://example.com/en><link rel=alternate type=application/rss+xml href=/feed>
<link rel=manifest href=/site.webmanifest><meta name=robots content="NoIndex, max-snippet:0"><meta name=googlebot content=none>
<meta property=og:title content="&amp;amp;quot;x"><meta name=og:title content=y></head>
<body dir=rtl itemscope itemtype="https://schema.org/Product"><form role=Search><h1><img alt="The logo"></h1><h3>Skipped a level</h3>
<p>Vis&iacute;vel <span>te</span>xt</p><link rel=canonical href=/second>`)
	got := fmt.Sprintln(p.Lang, p.Dir, p.Stylesheet, p.Manifest, len(p.Links), p.Canonicals[0].Href,
		p.Canonicals[0].InHead, p.Canonicals[1].InHead,
		p.Hreflang[0].Hreflang, p.Hreflang[0].Href, p.Meta.Robots("robots"), p.Meta.Robots("googlebot"), p.Microdata,
		p.SearchForm,
		p.Headings, p.TextChars, p.Meta.All("og:title")[0].Escaped, p.Meta.All("og:title")[1].Attr,
		p.Meta.Find("og:title").Attr)
	want := fmt.Sprintln("pt-BR", "ltr", "https://www.example.com/first.css", "https://www.example.com/site.webmanifest",
		6, "/c#f", true, false,
		"en-GB", "https://example.com/en", "[noindex max-snippet:0]", "[none]", "[https://schema.org/Product]", true,
		"[{1  The logo false false} {3 Skipped a level  false false}]", 13+len("Visível")-1+4, true, "name", "property")
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if d := p.Published; !d.Time.Equal(time.Time{}) {
		t.Errorf("got a date %v", d)
	}
}

func TestParse_brandColors_keptAsWritten(t *testing.T) {
	p := parse(`<meta name=theme-color media="(prefers-color-scheme: dark)" content="#111"><meta name=theme-color content=" #FE0 "><meta name=msapplication-TileColor content=#abc>
<link rel=mask-icon href=/m.svg color="#123456">
<style>@import "x"; /* --not: #000 */ :root{--brand-color:#f40;--x-primary: 222 47% 11% ;--bg:var(--brand);--gap:4px;--wp--preset--color--red:#f00;--Accent:hsl(1 2% 3%)} .a{color:var(--brand)}
@media (min-width:1px){ body , x{font-family: "Foo Sans", serif !important;--late:teal} .btn-primary{padding:0;background : #00F!important} .btn:hover{background:#eee}}
button{background:linear-gradient(red,blue)} a{background-color:var(--brand)}</style>
<a style="color:red;background:rgb(1,2,3)">x</a><div style="background:#999">y</div><button style="background-color: gold">z</button>`)
	got := fmt.Sprintf("%q", p.Brand)
	want := `{[{"#111" "(prefers-color-scheme: dark)"} {"#FE0" ""}] "#123456" "#abc" {[{"brand-color" "#f40"} {"x-primary" "222 47% 11%"} {"Accent" "hsl(1 2% 3%)"} {"late" "teal"}] [{".btn-primary" "#00F"} {"a" "var(--brand)"} {"style" "rgb(1,2,3)"} {"style" "gold"}] "\"Foo Sans\", serif"}}`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if s := page.ReadStyle([]byte(".button { background: #0a0 }")); len(s.Buttons) != 1 || s.Buttons[0].Value != "#0a0" {
		t.Errorf("a style sheet: got %v", s)
	}
}

func TestFromImage_picture_isAPageOfItsOwn(t *testing.T) {
	for contentType, want := range map[string]page.ContentClass{
		"text/html": page.PageContent, "TEXT/HTML; charset=utf-8": page.PageContent,
		"application/xhtml+xml": page.PageContent, "": page.PageContent,
		"text/html; charset": page.PageContent, "text/html;;": page.PageContent,
		"image/png": page.ImageContent, "image/svg+xml; charset=utf-8": page.ImageContent, "image/": page.OtherContent,
		"application/pdf": page.OtherContent, "text/plain": page.OtherContent, "application/json": page.OtherContent,
		"text/htmlx": page.OtherContent,
	} {
		if got := page.ClassOf(contentType); got != want {
			t.Errorf("%q: got %d, want %d", contentType, got, want)
		}
	}
	p := page.FromImage("image/jpeg", mustParse("https://www.example.com/photos/My%20cat.jpg?w=9"))
	m := p.Metadata
	if m.Title != "My cat.jpg" || m.Image != "https://www.example.com/photos/My%20cat.jpg?w=9" || m.URL != m.Image ||
		m.SiteName != "example.com" ||
		m.Favicon != "https://www.example.com/favicon.ico" || m.Description != "" || m.TwitterCardType != "" {
		t.Errorf("got %+v", m)
	}
	if m := page.FromImage("image/png", mustParse("https://x.example/")).Metadata; m.Title != "" ||
		m.Image != "https://x.example/" {
		t.Errorf("an image without a name: got %+v", m)
	}
}

func TestProse_isTheTextOfThePage(t *testing.T) {
	p := parse(`<title>T</title><body><nav>Home About</nav><header><h2>Site</h2></header><main><h1>Boats &amp; tides</h1>
		<p>Every <b>har</b>bour has one.</p><script>let x = "script"</script><style>p { color: red }</style>
		<aside>Advertisement</aside><ul><li>One</li><li>Two</li></ul></main><footer>Imprint</footer>`)
	if got, want := p.Prose(8000), "Boats & tides Every harbour has one. One Two"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := p.Prose(5), "Boats"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	long := parse("<body><p>" + strings.Repeat("word ", 100_000))
	if got := len(long.Prose(8000)); got < 7990 || got > 8000 {
		t.Errorf("got %d characters, want some 8000", got)
	}
}
