package checks_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/rule/checks"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
)

// A writtenPage is a page of testdata/pages, written as sites of its kind write theirs.
type writtenPage struct {
	file, at string
	picture  func(*scrape.ShareImage) // what its share images are, if they aren't good
	// finds has what a finding says or advises: "rule: text". lacks has the rules that find nothing.
	finds, lacks []string
}

// pictured is a share image of a format, size and length.
func pictured(format picture.Format, w, h int, bytes int64) func(*scrape.ShareImage) {
	return func(i *scrape.ShareImage) {
		i.Facts.Format, i.Facts.Width, i.Facts.Height, i.Size = format, w, h, bytes
		i.ContentType = "image/" + format.String()
	}
}

var writtenPages = []writtenPage{
	{file: "shop", at: "https://shop.example/p/oak-desk", picture: pictured(picture.WebP, 1000, 1000, 90_000),
		finds: []string{
			"og-image-format: LinkedIn does not show",
			"seo-canonical-target: https://shop.example/p/oak-desk?variant=140), unless this page is a deliberate duplicate",
		}},
	{file: "news", at: "https://news.example/2026/11/flood-barrier", picture: pictured(picture.JPEG, 1200, 675, 300_000),
		lacks: []string{"seo-heading-order", "seo-structured-data-complete"}},
	{file: "docs", at: "https://docs.example/en/latest/install.html", finds: []string{
		"seo-canonical-valid: Write the full address", "seo-meta-description: Add a meta description:",
	}},
	{file: "shell", at: "https://app.example/", finds: []string{
		"og-clean-values: Write the title of the page in place of “Vite + React + TS”.",
	}},
	{file: "recipe-shift-jis", at: "https://ryori.example/recipe/1042", picture: pictured(picture.JPEG, 800, 600, 90_000),
		finds: []string{
			"seo-heading-order: After h1 comes h2, not h3: fix “作り方”", `og-url-valid: content="https://ryori.example/recipe/1042"`,
		}, lacks: []string{"seo-server-rendered"}},
	{file: "arabic", at: "https://souq.example/ar/about", finds: []string{
		"twitter-site: no spaces", "og-image-absolute-url: without a scheme",
	}},
	{file: "pwa", at: "https://tide.example/", picture: pictured(picture.PNG, 512, 512, 40_000), finds: []string{
		`seo-structured-data: "@type":"WebSite","url":"https://tide.example/","name":"Tide"`,
	}},
	{file: "notes", at: "https://notes.example/", finds: []string{"seo-lang: has no lang"}, lacks: []string{"seo-date-present"}},
	{file: "paper", at: "https://papers.example/doi/10.1234/q.7781", picture: pictured(picture.GIF, 240, 320, 40_000),
		finds: []string{"seo-canonical-target: on another site"}, lacks: []string{"seo-date-present"}},
	{file: "login", at: "https://bank.example/account", picture: pictured(picture.PNG, 400, 80, 9_000), finds: []string{
		"seo-indexable: noindex", "og-image-dimensions: not the logo",
	}},
	{file: "escaped", at: "https://backen.example/rezepte/streusel", finds: []string{
		"twitter-card-valid: retired", "og-image-single: remove the other one", "og-site-name: an address, not a name",
	}},
	{file: "podcast", at: "https://cast.example/episodes/88", picture: pictured(picture.JPEG, 3000, 3000, 1_300_000),
		finds: []string{`seo-structured-data: "@type":"WebPage"`, `twitter-site: content="@slowharbour"`}},
	{file: "festival", at: "https://fest.example/2027", picture: pictured(picture.SVG, 1200, 630, 4_000), finds: []string{
		"seo-canonical-valid: Leave out what begins with #", "og-clean-values: Write plain text, without HTML",
		"og-image-declared-size: export in place of the SVG: 1200x630", "seo-hreflang-valid: en-UK",
	}},
	{file: "council", at: "https://council.example/waste", finds: []string{
		`og-image: og:image:alt" content="Bins and recycling | Council"`, "seo-meta-refresh: after 600 seconds",
		"seo-canonical-target: (it points to http://council.example/waste):",
	}},
	{file: "wordpress", at: "https://crumb.example/2026/05/sourdough/", finds: []string{
		"og-clean-values: <title>Sourdough &amp; rye: a baker’s starter — The Crumb</title>",
		`og-description: content="A starter of rye needs a week, a warm shelf and no yeast at all.`,
	}},
	{file: "weather", at: "https://cirrus.example/", picture: pictured(picture.PNG, 192, 192, 9_000), finds: []string{
		"og-image-not-logo: the site's icon (https://cirrus.example/logo192.png)", "seo-server-rendered: script",
	}},
	{file: "entities", at: "https://markup.example/escaping", lacks: []string{"og-clean-values"}, finds: []string{
		`og-description: content="Which characters of HTML have to be escaped`,
	}},
	{file: "zh-news", at: "https://haicheng.example/news/20261120/88213", finds: []string{
		`og-description: content="港務局昨天宣布`, "og-image-absolute-url: without a scheme",
	}},
	{file: "permit", at: "https://ville.example/urbanisme/permis", finds: []string{
		"og-clean-values: l’adresse du service d&#39;urbanisme", `og-description: content="Les pièces à fournir`,
	}},
	{file: "hebrew", at: "https://nagar.example/shelf/", picture: pictured(picture.WebP, 1200, 630, 90_000),
		finds: []string{`og-description: content="לוח אורן`, "og-image-format: LinkedIn does not show"}},
	{file: "launch", at: "https://launch.example/", picture: pictured(picture.PNG, 2880, 1620, 4_100_000), finds: []string{
		"og-markup: og:title is in name=", "seo-viewport: Give the page the width of the screen:",
	}},
}

// source reads the page, with everything else that its site has in good order but its pictures.
func (w *writtenPage) source(t *testing.T) source {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", "pages", w.file+".html"))
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(w.at)
	if err != nil {
		t.Fatal(err)
	}
	const contentType = "text/html;" // without a charset, and not what pasting one gives
	site := siteOf(t, string(body), w.at)
	site.Page.Value.Page = page.Parse(body, contentType, u)
	site.Page.Value.Header.Set("Content-Type", contentType)
	for i := range site.ShareImages {
		if w.picture != nil {
			w.picture(&site.ShareImages[i].Value)
		}
	}
	return source{body: body, contentType: contentType, site: site}
}

// TestPages_areToldTheTruth audits pages that no rule was written for: findings say what is the case, pasting the code
// does what is promised, and no score hides an error.
func TestPages_areToldTheTruth(t *testing.T) {
	for i := range writtenPages {
		w := &writtenPages[i]
		t.Run(w.file, func(t *testing.T) {
			s := w.source(t)
			report := checks.Set().Judge(s.site, now).Report()
			wantWellFormed(t, report)
			for _, find := range w.finds {
				id, text, _ := strings.Cut(find, ": ")
				if issue := issueOf(report, id); issue == nil || issue.Pass ||
					!strings.Contains(issue.Message+"\n"+issue.Fix, text) {
					t.Errorf("%s: got %+v, want %q", id, issue, text)
				}
			}
			for _, id := range w.lacks {
				if issue := issueOf(report, id); issue != nil && !issue.Pass {
					t.Errorf("%s: got %q", id, issue.Message)
				}
			}
			hidesNothing(t, report, hiddenOf(s.site, now))
			if holdsPromises(t, s) == 0 && w.file != "news" {
				t.Error("no finding has code")
			}
			holdsPatch(t, s)
		})
	}
}

// TestPages_errors_giveNoCodeOfTheirTexts is the page that a server sends for an address that it doesn't have.
func TestPages_errors_giveNoCodeOfTheirTexts(t *testing.T) {
	site := siteOf(t, "<title>Not found</title><h1>Not found</h1><p>There is no such page on this server.", pageURL)
	site.Page.Value.Status = 404
	judgment := checks.Set().Judge(site, now)
	if tags := judgment.Patch().Tags; len(tags) > 0 {
		t.Errorf("got tags %q", tags)
	}
	for _, i := range judgment.Report().Issues {
		for _, text := range []string{"found", "no such page", "canonical"} {
			if strings.Contains(i.Code, text) {
				t.Errorf("%s: got code %q", i.ID, i.Code)
			}
		}
	}
}

// hidesNothing holds the limits of the overall score: errors, and large networks without a picture or a title.
func hidesNothing(t *testing.T, report rule.Report, hidden int) {
	t.Helper()
	most := 100.0
	for _, i := range report.Issues {
		switch {
		case i.Pass:
		case i.Severity == rule.Error:
			most = min(most, 96)
		default:
			most = min(most, 99)
		}
	}
	most = min(most, []float64{100, 89, 79, 69}[hidden])
	if got := report.Overall.Points; got > most+0.5 {
		t.Errorf("got %.1f points, want at most %v", got, most)
	}
}

// onHere is the address of the dev server in the tests of pages on localhost.
const onHere = "http://localhost:3000"

// TestAdvice_onLocalhost_pastedCode_doesWhatItPromises pastes the code for pages of a dev server, with its address in
// place of the public one where a picture is read.
func TestAdvice_onLocalhost_pastedCode_doesWhatItPromises(t *testing.T) {
	pieces := 0
	for _, c := range cases {
		if c.change.at != "" {
			continue
		}
		c.change.at = localURL
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			text := strings.ReplaceAll(c.change.text(t), "https://www.example.com", onHere)
			site := onThisMachine(t, c.change)
			s := source{body: []byte(text), contentType: "text/html; charset=utf-8", site: site, here: onHere}
			pieces += holdsPromises(t, s)
		})
	}
	if pieces < 100 {
		t.Errorf("got %d pieces of code, want at least 100", pieces)
	}
}
