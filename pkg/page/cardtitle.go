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

// Cards show the site's name separately, so their titles shouldn't repeat it. A title alone doesn't tell which part is
// the name (“Install – a guide”), so a part is removed only with evidence from the rest of the page: either the tail
// matches the site's name given elsewhere, or the remainder is a headline elsewhere on the page.

// Limits of the search.
const (
	maxTails    = 4  // parts removed from a title
	maxJoints   = 12 // separators of a title, from its end
	maxSaid     = 32 // headings compared with a title
	maxHomes    = 4  // links to the site's home page
	maxTries    = 64 // links checked for being one: they are near the top
	maxHomeText = 200
	maxLabels   = 6
	minLabel    = 4  // of a host: “en” of en.wikipedia.org doesn't name a site
	minHeadline = 14 // columns: “Install” may also be a heading of “Install | Guide”
)

// home is a link to a site's home page: its text, its image's text, and the host unless it is the page's own.
type home struct{ host, text, alt string }

// joint is a separator in a title.
type joint struct {
	from, to int
	firm     bool // rare inside an actual title, such as a bar
}

// cardTitle returns the page's title for cards, without the name of the site. h1 is the first heading.
func (p *Page) cardTitle(homes []home, h1 string) string {
	title := p.filledTitle(h1)
	label, rest, labeled := strings.Cut(strings.TrimPrefix(title, "【"), "】") // 【Acme】 before a Japanese title
	labeled = labeled && strings.HasPrefix(title, "【") && long(rest)
	if !labeled && len(joints(title)) == 0 {
		return title
	}
	names, said := p.siteNames(homes), p.headlines()
	if labeled && names.is(label) {
		title = strings.TrimSpace(rest)
	}
	siteCut := false
	for range maxTails {
		shorter, named := cutSite(title, names, said, siteCut)
		if shorter == "" {
			break
		}
		title, siteCut = shorter, siteCut || named
	}
	if at := joints(title); len(at) > 0 && len(pathSegments(p.URL)) == 0 { // of a home page, the rest says what it is
		lead, rest := strings.TrimSpace(title[:at[0].from]), strings.TrimSpace(title[at[0].to:])
		if long(rest) && names.is(lead) {
			return capitalized(rest)
		}
	}
	return title
}

// cutSite removes one part of a title and reports whether that part named the site. It returns "" if there is none to
// remove. siteCut means that the site's name has been removed already: the part before it may be the section.
func cutSite(title string, names *siteNames, said map[string]bool, siteCut bool) (shorter string, named bool) {
	at := joints(title)
	for i := len(at) - 1; i >= 0; i-- { // longest headline first
		head, tail := strings.TrimSpace(title[:at[i].from]), strings.TrimSpace(title[at[i].to:])
		if long(head) && said[folded(head)] && !names.is(head) && (at[i].firm || siteCut || names.like(lastPart(tail))) {
			return head, true
		}
	}
	for _, j := range at {
		lead, rest := strings.TrimSpace(title[:j.from]), strings.TrimSpace(title[j.to:])
		if long(rest) && said[folded(rest)] && !names.is(rest) && names.like(lead) {
			return capitalized(rest), false
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
		if i < len(at)-2 { // the name itself may contain a separator, seldom two
			break
		}
	}
	return "", false
}

// lastPart returns the part after the last separator of s, or all of s without one.
func lastPart(s string) string {
	for at := joints(s); len(at) > 0; at = at[:len(at)-1] {
		if last := s[at[len(at)-1].to:]; folded(last) != "" {
			return last
		}
	}
	return s
}

// long reports whether s is too long to be the name of a section.
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

// joints returns the last separators of a title in order, at most [maxJoints].
func joints(s string) []joint {
	var at []joint
	quotes := strings.Contains(s, "«") && strings.Contains(s, "»") // and no separators
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		firm := strings.ContainsRune("|｜_›‹", r) || !quotes && (r == '»' || r == '«')
		if !firm && !strings.ContainsRune("-–—－·•:：@/", r) {
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

// separates reports whether the run of r in s[i:j] separates parts of a title: it has spaces around it or is next to an
// ideograph, kana or hangul, which are written without spaces. A single colon, slash or at sign needs the spaces.
func separates(s string, i, j int, r rune) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[j:])
	switch {
	case i == 0 || r == ':' && j-i < 2:
		return false
	case before == ' ' && (after == ' ' || j == len(s)):
		return true
	case strings.ContainsRune("|｜_-–—－：", r):
		return wide(before) || wide(after)
	}
	return false
}

// siteNames are the names that the page gives its site.
type siteNames struct {
	said   []string // folded; declared by the page, or in the link to the home page
	called []string // folded; headings, which may be something else
	hosts  []weburl.Host
	byHost map[string]bool // folded; from the hosts
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
	for _, name := range n.called { // with a word that is also in the host
		if f == name {
			return n.hostWord(s)
		}
	}
	return false
}

// like reports whether s names the site or a part of it, as “Acme Sports” does. It is for titles with a known headline.
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

// siteNames collects the site's names from the page.
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

// addHost adds the names in an address's host: the label that its owner registered, and the host and each of its parent
// domains, with and without the last label.
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

// add adds a name that the page declares.
func (n *siteNames) add(name string) {
	if name = folded(cleantext.Clean(name, cleantext.MaxSite)); name != "" {
		n.said = append(n.said, name)
	}
}

// ours reports whether a host belongs to the page's site.
func (n *siteNames) ours(host string) bool {
	h, err := weburl.ParseHost(host)
	return err == nil && slices.ContainsFunc(n.hosts, h.SameSite)
}

// headlines returns, folded, the other texts on the page that may be its title without the site.
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

// folded returns the letters and digits of s, in lower case and without accents.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mc, r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFD.String(s))
}

// homeStart handles the start tag of a link that may lead to the site's home page.
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

// firstPage reports whether an address is that of a host's home page. host is "" for the page's own host.
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

// homeEnd handles the end tag of a link.
func (c *content) homeEnd() {
	if !c.home.open {
		return
	}
	c.home.open = false
	c.homes = append(c.homes, home{c.homeHost, cleanText(c.home.buf), c.homeAlt})
}
