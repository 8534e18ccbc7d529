package page

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"masthead/pkg/cleantext"
	"masthead/pkg/weburl"
)

// A card says the site's name in a place of its own, so its title should not say it again. A title alone does not tell
// which part of it that is (“Install – a guide”), so nothing is taken off that only the title shows: either something
// else on the page is called like the tail, and is the site; or something else on the page says the rest and no more.

// Bounds of what is looked at.
const (
	maxTails    = 4  // parts that are taken off a title
	maxJoints   = 12 // separators of a title, from each end
	maxSaid     = 32 // headings that a title is compared with
	maxHomes    = 4  // links to the first page of the site
	maxTries    = 64 // links that are looked at for them: they stand at the top
	maxHomeText = 200
	maxLabels   = 6
	minLabel    = 4  // of a host: “en” of en.wikipedia.org names no site
	minHeadline = 14 // columns: “Install” may be a heading of “Install | Guide”, too
)

// home is a link to the first page of a site: its text, that of its picture, and the host unless it is the page's.
type home struct{ host, text, alt string }

// joint is a separator in a title.
type joint struct {
	from, to int
	firm     bool // seldom stands in a title proper, as a bar does
}

// cardTitle returns the title for cards: as the page gives it, but for what tells of the site. h1 is the first heading.
func (p *Page) cardTitle(homes []home, h1 string) string {
	title := p.filledTitle(h1)
	if len(joints(title)) == 0 {
		return title
	}
	names, said := p.siteNames(homes), p.headlines()
	siteCut := false
	for range maxTails {
		shorter, named := cutSite(title, names, said, siteCut)
		if shorter == "" {
			break
		}
		title, siteCut = shorter, siteCut || named
	}
	return title
}

// cutSite takes one part off a title, "" when there is none to take, and tells whether it named the site. siteCut says
// that one which did is off already: what stood before it may be the section.
func cutSite(title string, names *siteNames, said map[string]bool, siteCut bool) (shorter string, named bool) {
	at := joints(title)
	for i := len(at) - 1; i >= 0; i-- { // the longest headline first
		head, tail := strings.TrimSpace(title[:at[i].from]), strings.TrimSpace(title[at[i].to:])
		if long(head) && said[folded(head)] && !names.is(head) && (at[i].firm || siteCut || names.like(lastPart(tail))) {
			return head, true
		}
	}
	for _, j := range at {
		lead, rest := strings.TrimSpace(title[:j.from]), strings.TrimSpace(title[j.to:])
		if long(rest) && said[folded(rest)] && !names.is(rest) && names.like(lead) {
			return rest, false
		}
	}
	for i := len(at) - 1; i >= 0; i-- {
		head, tail := strings.TrimSpace(title[:at[i].from]), strings.TrimSpace(title[at[i].to:])
		if folded(tail) == "" { // “… :: Acme ::”
			continue
		}
		if folded(head) != "" && names.is(tail) {
			return head, true
		}
		if i < len(at)-2 { // the name itself may hold a separator, seldom two
			break
		}
	}
	return "", false
}

// lastPart returns what stands behind the last separator of s, all of it when there is none.
func lastPart(s string) string {
	for at := joints(s); len(at) > 0; at = at[:len(at)-1] {
		if last := s[at[len(at)-1].to:]; folded(last) != "" {
			return last
		}
	}
	return s
}

// long reports whether s is long enough to be told from the name of a section.
func long(s string) bool {
	columns := 0
	for _, r := range s {
		if columns++; wide(r) {
			columns++
		}
	}
	return columns >= minHeadline
}

// wide reports whether r is an ideograph, kana or hangul.
func wide(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// joints returns the separators of a title in order, at most [maxJoints] from its end.
func joints(s string) []joint {
	var at []joint
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		firm := strings.ContainsRune("|｜_»«›‹", r)
		if !firm && !strings.ContainsRune("-–—－·•:@/", r) {
			i += size
			continue
		}
		j := i + size
		for j < len(s) { // “::”, “——”
			next, n := utf8.DecodeRuneInString(s[j:])
			if next != r {
				break
			}
			j += n
		}
		if separates(s, i, j, r) {
			at = append(at, joint{i, j, firm || r == ':'})
		}
		i = j
	}
	return at[max(0, len(at)-maxJoints):]
}

// separates reports whether the run of r in s[i:j] stands between parts of a title: between spaces, or, since these are
// written without, beside an ideograph, kana or hangul. One colon, stroke or at sign does only between spaces.
func separates(s string, i, j int, r rune) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[j:])
	switch {
	case i == 0 || r == ':' && j-i < 2:
		return false
	case before == ' ' && (after == ' ' || j == len(s)):
		return true
	case strings.ContainsRune("|｜_-–—－", r):
		return wide(before) || wide(after)
	}
	return false
}

// siteNames are what the page calls its site by.
type siteNames struct {
	said   []string // folded; declared by the page, or in the link to the first page
	called []string // folded; headings, which may be called otherwise
	hosts  []weburl.Host
	byHost map[string]bool // folded; what the hosts tell
}

// is reports whether s names the site.
func (n *siteNames) is(s string) bool {
	f := folded(s)
	for _, name := range n.said {
		if f == name {
			return true
		}
	}
	if n.byHost[f] {
		return true
	}
	for _, name := range n.called { // with a word that the host confirms
		if f == name {
			return n.hostWord(s)
		}
	}
	return false
}

// like reports whether s names the site or one of its parts, as “Acme Sports” does: for where the headline is known.
func (n *siteNames) like(s string) bool {
	f := folded(s)
	for _, name := range n.said {
		if utf8.RuneCountInString(name) > 1 && strings.HasPrefix(f, name) {
			return true
		}
	}
	for _, name := range n.called {
		if f == name {
			return true
		}
	}
	return n.is(s) || n.hostWord(s)
}

// hostWord reports whether a word of s names a host.
func (n *siteNames) hostWord(s string) bool {
	for word := range strings.FieldsSeq(s) {
		if word = folded(word); len(word) >= minLabel && n.byHost[word] {
			return true
		}
	}
	return false
}

// siteNames collects the names of the site that the page itself gives.
func (p *Page) siteNames(homes []home) *siteNames {
	n := &siteNames{byHost: make(map[string]bool)}
	n.addHost(p.URL)
	addresses := []string{p.Metadata.URL}
	if len(p.Canonicals) > 0 {
		addresses = append(addresses, p.Canonicals[0].Href)
	}
	for _, address := range addresses {
		if u, err := url.Parse(address); err == nil {
			n.addHost(u)
		}
	}
	n.add(p.Metadata.SiteName)
	for _, key := range [...]string{"og:site_name", "application-name", "apple-mobile-web-app-title", "publisher",
		"dc.publisher", "al:android:app_name", "al:ios:app_name"} {
		n.add(p.Meta.Get(key))
	}
	for _, node := range p.nodes {
		if node.HasType("WebSite") || node.HasType("Organization") {
			n.add(ldText(node.Get("name")))
		}
		n.add(p.ldName(node.Get("publisher")))
	}
	for i := range p.Links {
		if p.Links[i].Has("search") {
			n.add(p.Links[i].Title)
		}
	}
	for _, h := range homes {
		if h.host == "" || n.ours(h.host) {
			n.add(h.text)
			n.add(h.alt)
		}
	}
	for i := range p.Headings[:min(len(p.Headings), maxSaid)] {
		if h := &p.Headings[i]; h.Level == 1 {
			n.called = append(n.called, folded(h.Text))
		}
	}
	return n
}

// addHost takes the host of an address: whole, from any label on, or by what its owner registered, with or without what
// stands behind that.
func (n *siteNames) addHost(u *url.URL) {
	host, err := weburl.ParseHost(u.Hostname())
	if err != nil || slices.Contains(n.hosts, host) {
		return
	}
	n.hosts = append(n.hosts, host)
	if label := host.Label(); utf8.RuneCountInString(label) > 1 {
		n.byHost[folded(label)] = true
	}
	rest := host.Readable()
	for range maxLabels {
		dot := strings.LastIndexByte(rest, '.')
		if dot < 0 {
			break
		}
		if n.byHost[folded(rest)] = true; dot >= minLabel {
			n.byHost[folded(rest[:dot])] = true
		}
		_, rest, _ = strings.Cut(rest, ".")
	}
}

// add takes a name that the page declares.
func (n *siteNames) add(name string) {
	if name = folded(cleantext.Clean(name, cleantext.MaxSite)); name != "" {
		n.said = append(n.said, name)
	}
}

// ours reports whether a host is of the page's site.
func (n *siteNames) ours(host string) bool {
	h, err := weburl.ParseHost(host)
	return err == nil && slices.ContainsFunc(n.hosts, h.SameSite)
}

// headlines returns, folded, what else on the page may be its title without the site.
func (p *Page) headlines() map[string]bool {
	said := make(map[string]bool)
	main := p.MainNode()
	for _, s := range [...]string{p.Meta.Get("og:title"), p.Meta.Get("twitter:title"), ldText(main.Get("headline"))} {
		said[folded(cleantext.Clean(s, cleantext.MaxTitle))] = true
	}
	for _, s := range p.Titles {
		said[folded(cleantext.Clean(s, cleantext.MaxTitle))] = true
	}
	for i := range p.Headings[:min(len(p.Headings), maxSaid)] {
		if h := &p.Headings[i]; h.Level <= 2 {
			said[folded(h.Text)] = true
		}
	}
	delete(said, "")
	return said
}

// folded returns the letters and digits of s, small and without accents.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mc, r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFD.String(s))
}

// homeStart takes a link for one to the first page of a site, if it is one.
func (c *content) homeStart(s *scanner) {
	if c.home.open = false; c.tries >= maxTries || len(c.homes) >= maxHomes {
		return
	}
	c.tries++
	href, _ := s.attr("href")
	if len(href) == 0 || len(href) > maxHomeText {
		return
	}
	host, ok := firstPage(strings.TrimSpace(string(href)))
	if ok {
		c.homeHost, c.homeAlt = host, ""
		c.home.begin(maxHomeText)
	}
}

// firstPage reports whether an address is that of a host's first page, and of which, "" for the page's own.
func firstPage(href string) (host string, ok bool) {
	if href == "/" {
		return "", true
	}
	_, rest, found := strings.Cut(href, "//")
	if host = strings.TrimSuffix(rest, "/"); !found || host == "" || strings.ContainsAny(host, "/?#@") {
		return "", false
	}
	host, _, _ = strings.Cut(host, ":")
	return strings.ToLower(host), true
}

// homeEnd ends a link.
func (c *content) homeEnd() {
	if !c.home.open {
		return
	}
	c.home.open = false
	c.homes = append(c.homes, home{c.homeHost, cleanText(c.home.buf), c.homeAlt})
}
