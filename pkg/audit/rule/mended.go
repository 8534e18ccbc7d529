package rule

import (
	"html"
	"slices"
	"strings"
	"time"

	"masthead/pkg/cleantext"
	"masthead/pkg/scrape"
)

// Mended is what would become of a page with all tags that its own values can fill.
type Mended struct {
	// Tags are the elements to paste into the head, in its order; none when there is nothing that they would mend.
	Tags []string
	// Overall is the score that auditing again with them gives.
	Overall Score
}

// Mend returns the tags that a site's page lacks, or has wrong, and that can be filled with what the page says itself;
// and the score with them in its head. What takes the author's words is not among them: a handle, a shorter title, what
// a picture shows unless the page says it somewhere. now is when the site was fetched.
func Mend(site *scrape.Site, now time.Time) Mended {
	s, f := registered(), newFacts(site, now)
	verdicts := s.judge(f, nil)
	m := &mending{facts: f, lost: map[string]bool{}}
	for i, r := range s.byID {
		m.lost[r.ID] = verdicts[i].state == blocked || verdicts[i].state == judged && verdicts[i].credit < 1
	}
	m.head()
	m.openGraph()
	m.image()
	m.ofX()
	if len(m.tags) == 0 {
		_, overall := s.score(verdicts)
		return Mended{Overall: Score{overall}}
	}
	after := newFacts(with(site, strings.Join(m.tags, "\n")), now)
	after.quiet = true
	_, overall := s.score(s.judge(after, nil))
	return Mended{Tags: m.tags, Overall: Score{overall}}
}

// with returns the site as it would be with elements in the head of its page. Of what was fetched for the page, only
// what it would still name is there.
func with(site *scrape.Site, head string) *scrape.Site {
	mended := *site
	mended.Page.Value.Page = site.Page.Value.Page.With(head)
	before := scrape.ShareImageURLs(site.Page.Value.Page)
	mended.ShareImages = nil
	for _, address := range scrape.ShareImageURLs(mended.Page.Value.Page) {
		var part scrape.Part[scrape.ShareImage]
		if i := slices.Index(before, address); i >= 0 && i < len(site.ShareImages) {
			part = site.ShareImages[i]
		}
		mended.ShareImages = append(mended.ShareImages, part)
	}
	if canonicals := mended.Page.Value.Canonicals(); len(canonicals) == 0 ||
		comparableURL(canonicals[0].URL) == comparableURL(mended.Page.Value.Page.URL.String()) {
		mended.Canonical = scrape.Part[scrape.Linked]{State: scrape.Absent}
	}
	return &mended
}

// mending collects tags.
type mending struct {
	*facts
	lost map[string]bool // the rules that did not get all their points
	tags []string
}

func (m *mending) add(tag string) { m.tags = append(m.tags, tag) }

// said returns the first of texts that is not empty, without control characters. It is not cut: whoever pastes it wants
// the whole.
func said(texts ...string) string { return cleantext.Clean(first(texts...), maxTag) }

func (m *mending) property(key, value string) {
	m.add(`<meta property="` + key + `" content="` + html.EscapeString(value) + `">`)
}

func (m *mending) named(key, value string) {
	m.add(`<meta name="` + key + `" content="` + html.EscapeString(value) + `">`)
}

// head fills in what search engines read.
func (m *mending) head() {
	title := said(m.ogTitle, m.twTitle, m.page.Details.Headline)
	if m.lost["seo-title"] && len(m.titles) == 0 && title != "" {
		m.add("<title>" + html.EscapeString(title) + "</title>")
	}
	if text := said(m.ogDescription, m.twDescription, m.page.Metadata.Description, m.page.Details.Lead); text != "" &&
		m.lost["seo-meta-description"] && len(m.descriptions) == 0 {
		m.named("description", text)
	}
	if m.lost["seo-canonical"] {
		m.add(`<link rel="canonical" href="` + escapedAddress(withoutFragment(m.final)) + `">`)
	} else if m.lost["seo-canonical-valid"] && !slices.ContainsFunc(m.canonicals, fromHeader) {
		m.add(`<link rel="canonical" href="` + escapedAddress(withoutFragment(m.own())) + `">`)
	}
	if m.lost["seo-viewport"] && m.page.Meta.Get("viewport") == "" {
		m.named("viewport", "width=device-width, initial-scale=1")
	}
}

func fromHeader(c scrape.Canonical) bool { return c.InHeader }

// openGraph fills in what link previews read, pictures aside.
func (m *mending) openGraph() {
	if title := said(m.page.Metadata.Title, m.page.Details.Headline); m.ogTitle == "" && title != "" {
		m.property("og:title", title)
	}
	if text := said(m.page.Metadata.Description, m.page.Details.Lead); m.ogDescription == "" && text != "" {
		m.property("og:description", text)
	}
	if m.ogURL == "" || m.lost["og-url-valid"] || m.lost["og-url-canonical-match"] {
		address := withoutFragment(m.own())
		if m.lost["seo-canonical-target"] || !sameSite(address, m.final) {
			address = withoutFragment(m.final)
		}
		m.property("og:url", cleantext.Clean(address, 2048))
	}
	if m.lost["og-type"] {
		m.property("og:type", m.ownType())
	}
	if name := said(m.page.Metadata.SiteName); m.lost["og-site-name"] && m.page.Metadata.Sources.SiteName != "host" &&
		m.page.Meta.Get("og:site_name") == "" && columns(name) <= siteNameMost {
		m.property("og:site_name", name)
	}
	if locale := localeOf(m.lang); m.lost["og-locale"] && m.lang != "" && primary(locale) == primary(m.lang) {
		m.property("og:locale", locale)
	}
}

// image writes the picture of Open Graph with all that belongs to it, when any of that can be bettered.
func (m *mending) image() {
	image := m.og
	if image == nil && m.tagged != nil && m.tagged.file.known() {
		image = m.tagged // pictures of X do elsewhere, too
	}
	if image == nil {
		return
	}
	alt := said(m.ogAlt, m.twAlt)
	short := formOf(image.written) < absoluteHTTP
	measured := image.file.known() && image.file.facts.Width > 0 && image.file.facts.Height > 0
	if m.og != nil && !short && !(measured && m.lost["og-image-declared-size"]) && (m.ogAlt != "" || alt == "") {
		return
	}
	m.property("og:image", cleantext.Clean(image.url, 2048))
	width, height := image.width, image.height
	if measured {
		width, height = itoa(image.file.facts.Width), itoa(image.file.facts.Height)
	}
	if positive(width) > 0 && positive(height) > 0 {
		m.property("og:image:width", width)
		m.property("og:image:height", height)
	}
	if alt != "" {
		m.property("og:image:alt", alt)
	}
}

// ofX fills in what X alone reads. Its texts and its picture come from Open Graph.
func (m *mending) ofX() {
	if m.lost["twitter-card"] || m.lost["twitter-card-valid"] || m.lost["twitter-card-fits-image"] && m.card == "summary" {
		card := "summary_large_image"
		if image := m.imageOfX(); image == nil || image.file.known() && image.file.ratio() < wideRatio {
			card = "summary"
		}
		if card != m.card {
			m.named("twitter:card", card)
		}
	}
	if m.tagged == nil {
		return
	}
	if m.lost["twitter-image-url"] && strings.HasPrefix(m.tagged.url, "https://") {
		m.named("twitter:image", cleantext.Clean(m.tagged.url, 2048))
	}
	if alt := said(m.ogAlt); m.twAlt == "" && alt != "" && m.sameFile() {
		m.named("twitter:image:alt", alt)
	}
}

// sameFile reports whether X shows the picture of Open Graph by a tag of its own.
func (m *mending) sameFile() bool { return m.og != nil && m.tagged != nil && m.og.url == m.tagged.url }
