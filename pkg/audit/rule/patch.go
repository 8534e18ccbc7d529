package rule

import (
	"html"
	"slices"
	"strconv"
	"strings"

	"masthead/pkg/cleantext"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
)

// Patch is a set of tags that fixes a page as far as its own values allow, and the resulting score.
type Patch struct {
	// Card is the address of our card among Tags, if the page's picture is missing or unusable. It is on the page's host,
	// where the card has to be saved first. "" if there is none.
	Card string
	// Tags are the elements to paste into the head, in order; none if tags would fix nothing. Each replaces those of the
	// same kind.
	Tags []string
	// Place says where the tags have to be pasted if the end of the head isn't the place: "above the <div> that ends the
	// head early".
	Place string
	// Overall is the score of an audit with Tags in the head.
	Overall Score
}

// Patch returns the tags that are missing or wrong on the page and that can be filled from the page itself, and the
// score with them in its head. It excludes everything that needs the author's words: a handle, a shorter title, an alt
// text that the page doesn't have elsewhere. The page with the tags is judged as a new one. A page that answers with an
// error has none.
func (j *Judgment) Patch() Patch {
	s, f, verdicts := j.set, j.facts, j.verdicts
	m := &patcher{Facts: f, lost: map[string]bool{}}
	for i, r := range s.byID {
		m.lost[r.ID] = verdicts[i].State == Blocked || verdicts[i].State == Judged && verdicts[i].Credit < 1
	}
	if !f.IsError() {
		m.head()
		m.openGraph()
		m.escaped()
		m.image()
		m.ofX()
	}
	if len(m.tags) == 0 {
		_, overall := s.score(verdicts)
		return Patch{Overall: Score{overall}}
	}
	after := newFacts(m.with(f.Site, strings.Join(m.tags, "\n"), m.ownCard), f.Now, f.memo)
	after.Quiet = true
	_, overall := s.score(s.judge(after, nil, false))
	place, _ := f.place()
	return Patch{Tags: m.tags, Place: place, Overall: Score{overall}, Card: m.ownCard}
}

// CardFile is the file name for the card in a [Patch].
const CardFile = "masthead-card.png"

// ownCardBytes is the assumed size of our card: they have 30 to 280 KB.
const ownCardBytes = 100_000

// offersCard reports whether the page's picture is missing or useless to the networks.
func (m *patcher) offersCard(image *ShareImage) bool {
	if image == nil {
		return true
	}
	return m.OG != nil && (m.lost["og-image-reachable"] || m.lost["og-image-format"] || m.lost["og-image-dimensions"])
}

// offerCard adds our own card as the Open Graph picture, and that of X if it names a bad one.
func (m *patcher) offerCard() {
	if group := m.CardGroup(); group != "" {
		m.ownCard = m.cardAddress()
		m.tags = append(m.tags, strings.Split(group, "\n")...)
	}
}

// cardPart is our card as if it had been fetched from the site.
func cardPart(address string) scrape.Part[scrape.ShareImage] {
	u, err := weburl.Parse(address)
	if err != nil {
		return scrape.Part[scrape.ShareImage]{State: scrape.Failed, Err: err}
	}
	return scrape.Part[scrape.ShareImage]{State: scrape.Got, Value: scrape.ShareImage{
		URL: u, Final: u, Status: 200, ContentType: "image/png", Size: ownCardBytes,
		Facts: picture.Facts{Format: picture.PNG, Width: BestWidth, Height: BestHeight},
	}}
}

// with returns the site as it would be with elements in the head of its page. It keeps only those fetched resources
// that the page would still name, on localhost or as it is published.
func (f *Facts) with(site *scrape.Result, head, card string) *scrape.Result {
	fixed := *site
	_, end := f.place()
	fixed.Page.Value.Page = site.Page.Value.Page.With(head, end)
	before := scrape.ShareImageURLs(site.Page.Value.Page)
	fixed.ShareImages = nil
	for _, address := range scrape.ShareImageURLs(fixed.Page.Value.Page) {
		var part scrape.Part[scrape.ShareImage]
		at := 0
		named := func(b string) bool {
			redirected := false
			if at < len(site.ShareImages) && site.ShareImages[at].Got() {
				redirected = site.ShareImages[at].Value.Final.String() == address
			}
			at++
			return b == address || f.Publicly(b) == address || redirected
		}
		if i := slices.IndexFunc(before, named); i >= 0 && i < len(site.ShareImages) {
			part = site.ShareImages[i]
		} else if card != "" && address == card {
			part = cardPart(address)
		}
		fixed.ShareImages = append(fixed.ShareImages, part)
	}
	if canonicals := fixed.Page.Value.Canonicals(); len(canonicals) == 0 ||
		f.Comparable(canonicals[0].URL) == f.Comparable(fixed.Page.Value.Page.URL.String()) {
		fixed.Canonical = scrape.Part[scrape.LinkedPage]{State: scrape.Absent}
	}
	return &fixed
}

// patcher collects tags.
type patcher struct {
	*Facts
	lost map[string]bool // the rules that didn't get all their points
	tags []string
	// ownCard is the address of our card among the tags, or "".
	ownCard string
}

func (m *patcher) add(tag string) { m.tags = append(m.tags, tag) }

// Said returns the first of texts that is neither empty nor a [page.Leftover], without control characters and without
// references that were escaped twice. It isn't shortened, since it is for a tag to paste.
func (f *Facts) Said(texts ...string) string { return cleantext.Clean(f.legible(texts...), MaxTag) }

func (m *patcher) property(key, value string) {
	m.add(`<meta property="` + key + `" content="` + html.EscapeString(value) + `">`)
}

func (m *patcher) named(key, value string) {
	m.add(`<meta name="` + key + `" content="` + html.EscapeString(value) + `">`)
}

// head adds what search engines read.
func (m *patcher) head() {
	title := m.Said(m.OGTitle, m.TwitterTitle, m.Page.Details.Headline)
	if m.lost["seo-title"] && len(m.Titles) == 0 && title != "" {
		m.add("<title>" + html.EscapeString(title) + "</title>")
	}
	if text := m.Said(m.OGDescription, m.TwitterDescription, m.Page.Metadata.Description,
		m.Page.Details.Lead); text != "" &&
		m.lost["seo-meta-description"] && len(m.Descriptions) == 0 {
		m.named("description", text)
	}
	lost := m.lost["seo-canonical"] || m.lost["seo-canonical-valid"]
	if self := m.Self(); self != "" && lost && !m.CanonicalInHeader() {
		m.add(m.Link("canonical", self))
	}
	if m.lost["seo-viewport"] && m.Page.Meta.Get("viewport") == "" {
		m.named("viewport", "width=device-width, initial-scale=1")
	}
}

// openGraph adds what link previews read, except pictures.
func (m *patcher) openGraph() {
	title := m.Said(m.Page.Metadata.Title, m.Page.Details.Title, m.Page.Details.Headline)
	if m.OGTitle == "" && title != "" {
		m.property("og:title", title)
	}
	if text := m.Said(m.Page.Metadata.Description, m.Page.Details.Lead); m.OGDescription == "" && text != "" {
		m.property("og:description", text)
	}
	if m.OGURL == "" || m.lost["og-url-valid"] || m.lost["og-url-canonical-match"] {
		if self := m.Self(); self != "" && m.Comparable(self) != m.Comparable(m.OGURL) {
			m.property("og:url", cleantext.Clean(m.Publicly(self), 2048))
		}
	}
	if m.lost["og-type"] {
		m.property("og:type", m.OwnType())
	}
	if name := m.Said(m.Page.Metadata.SiteName); name != "" && m.lost["og-site-name"] &&
		m.Page.Metadata.Sources.SiteName != "host" && m.Page.Meta.Get("og:site_name") == "" &&
		m.Columns(name) <= SiteNameMost {
		m.property("og:site_name", name)
	}
	if locale := LocaleOf(m.Lang); m.lost["og-locale"] && m.Lang != "" && Primary(locale) == Primary(m.Lang) {
		m.property("og:locale", locale)
	}
}

// escaped adds what is escaped twice in the page, except properties of its picture.
func (m *patcher) escaped() {
	if !m.lost["og-clean-values"] {
		return
	}
	twice := m.EscapedTwice()
	for _, text := range twice[:min(len(twice), MaxEscaped)] {
		before, _, _ := strings.Cut(text.Code, ` content=`)
		again := slices.ContainsFunc(m.tags, func(tag string) bool { return strings.HasPrefix(tag, before) })
		if text.Code != "" && !again && !strings.HasPrefix(text.Name, "og:image") {
			m.add(text.Code)
		}
	}
}

// image adds the Open Graph picture with all its properties if any of them can be improved.
func (m *patcher) image() {
	image := m.OG
	if image == nil && m.TaggedX != nil && m.TaggedX.File.Measured() {
		image = m.TaggedX // other platforms also use the picture of X
	}
	if m.offersCard(image) {
		m.offerCard()
		return
	}
	alt := m.Said(m.OGAlt, m.TwitterAlt)
	short := FormOf(image.Written) < AbsoluteHTTP
	measured := image.File.Measured() && image.File.Facts.Width > 0 && image.File.Facts.Height > 0
	escaped := m.lost["og-clean-values"] && slices.ContainsFunc(m.EscapedTwice(), func(t EscapedText) bool {
		return strings.HasPrefix(t.Name, "og:image")
	})
	if m.OG != nil && !short && !escaped && !(measured && m.lost["og-image-declared-size"]) &&
		(m.OGAlt != "" || alt == "") {
		return
	}
	m.property("og:image", cleantext.Clean(m.Publicly(image.URL), 2048))
	width, height := image.Width, image.Height
	if measured {
		width, height = strconv.Itoa(image.File.Facts.Width), strconv.Itoa(image.File.Facts.Height)
	}
	if Positive(width) > 0 && Positive(height) > 0 {
		m.property("og:image:width", width)
		m.property("og:image:height", height)
	}
	if alt != "" {
		m.property("og:image:alt", alt)
	}
}

// ofX adds what only X reads. Its texts and its picture come from Open Graph.
func (m *patcher) ofX() {
	bad := m.lost["twitter-image-reachable"] || m.lost["twitter-image-format"] || m.lost["twitter-image-dimensions"]
	own := m.ownCard != "" && (m.TaggedX == nil || bad) // what X would show
	if m.lost["twitter-card"] || m.lost["twitter-card-valid"] || own && m.Card != "summary_large_image" ||
		m.lost["twitter-card-fits-image"] && m.Card == "summary" {
		card := "summary_large_image"
		if image := m.ImageOfX(); !own && image == nil || !own && image.File.Measured() && image.File.Ratio() < WideRatio {
			card = "summary"
		}
		if card != m.Card {
			m.named("twitter:card", card)
		}
	}
	if m.TaggedX == nil {
		return
	}
	if own {
		m.named("twitter:image", m.ownCard)
		return
	}
	if m.lost["twitter-image-url"] && strings.HasPrefix(m.TaggedX.URL, "https://") {
		m.named("twitter:image", cleantext.Clean(m.Publicly(m.TaggedX.URL), 2048))
	}
	if alt := m.Said(m.OGAlt); m.TwitterAlt == "" && alt != "" && m.sameFile() {
		m.named("twitter:image:alt", alt)
	}
}

// sameFile reports whether X shows the Open Graph picture through a tag of its own.
func (m *patcher) sameFile() bool {
	return m.OG != nil && m.TaggedX != nil && m.OG.URL == m.TaggedX.URL
}
