package page

import (
	"strings"
	"unicode/utf8"

	"masthead/pkg/cleantext"
)

// siteName returns the name of the site for cards. A page that doesn't declare one, or just its publisher, often says
// it in its title: “Nuthatch – Wikipedia” is a page of Wikipedia, of en.wikipedia.org and of the Wikimedia Foundation.
// The first or last part of a title is a name of the site if the host has it.
func (p *Page) siteName() string {
	m := &p.Metadata
	if m.Sources.SiteName != "host" && m.Sources.SiteName != "json-ld" {
		return m.SiteName
	}
	for _, n := range p.nodes {
		if n.HasType("WebSite") && ldText(n.Get("name")) != "" {
			return m.SiteName
		}
	}
	names := &siteNames{byHost: make(map[string]bool)}
	names.addHost(p.URL)
	titles := []string{m.Title}
	if len(p.Titles) > 0 {
		titles = append(titles, p.Titles[0])
	}
	for _, title := range titles {
		title = cleantext.Clean(title, cleantext.MaxTitle)
		at := joints(title)
		if len(at) == 0 {
			continue
		}
		for _, part := range [...]string{title[at[len(at)-1].to:], title[:at[0].from]} {
			if part = strings.TrimSpace(part); !strings.Contains(part, ".") && names.byHost[folded(part)] {
				return part
			}
		}
	}
	return m.SiteName
}

// newsrooms are what follows or precedes the name of a site, folded, in that of its editors.
var newsrooms = func() map[string]bool {
	words := make(map[string]bool)
	for _, word := range [...]string{
		"社", "新聞社", "編集部", "取材班", "编辑部", "편집국", "편집부", "취재팀", "staff", "newsroom", "team", "editors",
		"editorial team", "redaktion", "redacción", "redação", "redazione", "rédaction", "la rédaction",
		"la rédaction de", "redactie", "редакция",
	} {
		words[folded(word)] = true
	}
	return words
}()

// isNewsroom reports whether a name is that of the site's editors as a whole, which the card has already.
func (p *Page) isNewsroom(name string) bool {
	site := folded(p.Metadata.SiteName)
	if utf8.RuneCountInString(site) < 2 {
		return false
	}
	after, isFirst := strings.CutPrefix(folded(name), site)
	before, isLast := strings.CutSuffix(folded(name), site)
	return isFirst && newsrooms[after] || isLast && newsrooms[before]
}

// isWiki reports whether the page is one of a wiki, whose date is that of its first version, and whose author is
// everybody.
func (p *Page) isWiki() bool { return strings.HasPrefix(p.Meta.Get("generator"), "MediaWiki") }
