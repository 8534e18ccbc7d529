package page

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/pkg/cleantext"
)

// Limits of the path to a page.
const (
	maxCrumb       = 3
	maxCrumbText   = 40 // characters of a label
	maxBreadcrumbs = 9  // with more, they are no path
)

// crumb returns the path to the page in words: the names of its breadcrumbs, otherwise the parts of its address.
func (p *Page) crumb(segments []string) (path []string) {
	if path = p.breadcrumbs(); path != nil {
		return path
	}
	for _, s := range segments {
		if words := p.words(s); words != "" && len(path) < maxCrumb {
			path = append(path, words)
		}
	}
	return path
}

// breadcrumbs returns the last names of the page's breadcrumbs in structured data, without the site's, if there are two
// or more.
func (p *Page) breadcrumbs() (path []string) {
	i := slices.IndexFunc(p.nodes, func(n *Value) bool { return n.HasType("BreadcrumbList") })
	if i < 0 {
		return nil
	}
	for n, item := range p.nodes[i].Get("itemListElement").Each() {
		if n >= maxBreadcrumbs {
			return nil
		}
		item = p.Follow(item)
		name := ldText(item.Get("name"))
		if name == "" {
			name = p.ldName(item.Get("item"))
		}
		name = cleantext.Clean(name, cleantext.MaxSite)
		first := n == 0 && (noSection[strings.ToLower(name)] || folded(name) == folded(p.Metadata.SiteName))
		if length := utf8.RuneCountInString(name); first || length == 0 {
			continue
		} else if length > maxCrumbText {
			return nil
		}
		path = append(path, name)
	}
	if len(path) < 2 {
		return nil
	}
	return path[max(len(path)-maxCrumb, 0):]
}

// accented are names of sections, by language, that addresses, and systems that name them after addresses, have without
// their accents.
var accented = map[string]string{
	"es": "España Economía Política Educación Tecnología Opinión Televisión Música Fútbol Energía " +
		"Gastronomía Religión Información Formación Construcción Investigación Innovación América Vídeos",
	"fr": "Économie Société Éducation Santé Écologie Météo Télé Vidéos Beauté Événements Région " +
		"Régions Idées Actualités Actualité Sécurité",
	"pt": "Política Opinião Educação Saúde Ciência Negócios Televisão Música Religião Notícias " +
		"Vídeos América",
	"it": "Società Città Attualità Università Novità",
	"pl": "Świat Społeczeństwo Wiadomości Żywność",
}

// words returns a part of the page's address in words, as [humanize] does, with the accents of accented. Those of
// German pages with ae, oe or ue, which may stand for ä, ö and ü, are none: they would be spelled wrong. Nor are
// those in Latin letters above a title without any.
func (p *Page) words(segment string) string {
	words := humanize(segment)
	lang, _, _ := strings.Cut(strings.ToLower(p.Lang), "-")
	latin := func(r rune) bool { return unicode.Is(unicode.Latin, r) }
	if strings.ContainsFunc(words, latin) && strings.ContainsFunc(p.Metadata.Title, unicode.IsLetter) &&
		!strings.ContainsFunc(p.Metadata.Title, latin) {
		return ""
	}
	words = p.withAccents(words)
	if lang != "de" {
		return words
	}
	last := ' '
	for i, r := range strings.ToLower(words) {
		rest := strings.ToLower(words)[i:]
		if !strings.ContainsRune("aeiouyq", last) && !strings.HasPrefix(rest, "uell") &&
			(strings.HasPrefix(rest, "ae") || strings.HasPrefix(rest, "oe") || strings.HasPrefix(rest, "ue")) {
			return ""
		}
		last = r
	}
	return words
}

// foreign reports whether words of an address are in Latin letters, but most of the page's title isn't, of which two
// are as long as a word of them in Chinese or Japanese: they are English, or spelled as nobody does.
func (p *Page) foreign(words string) bool {
	latin, others := 0, 0
	for _, r := range p.Details.Title {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case wide(r):
			others += 3
		case unicode.IsLetter(r):
			others++
		}
	}
	return others > latin && strings.ContainsFunc(words, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
}

// withAccents returns the name of a section with its accents, if it is one of accented.
func (p *Page) withAccents(name string) string {
	lang, _, _ := strings.Cut(strings.ToLower(p.Lang), "-")
	for _, known := range strings.Fields(accented[lang]) {
		if folded(known) == folded(name) {
			return known
		}
	}
	return name
}

// projectTitle returns the title of a page on a code forge without what the forge writes around it: that of a
// repository is its owner and name, without its description; that of a file is its path, without the branch; that of a
// release is its name, after the repository's if it is only a version.
func (p *Page) projectTitle(title string, segments []string) string {
	d := &p.Details
	name := d.Owner + "/" + d.Repo
	bare := strings.TrimPrefix(title, "GitHub - ")
	switch {
	case d.Repo == "" || len(segments) < 2:
	case len(segments) == 2:
		if rest, ok := cutFold(bare, name); ok && strings.HasPrefix(rest, ": ") {
			return bare[:len(name)]
		}
	case slices.Contains(segments[2:], "blob"):
		if file, ok := strings.CutSuffix(bare, " · "+name); ok {
			if file, _, ok = strings.Cut(file, " at "); ok && file != "" {
				return file
			}
		}
	case slices.Contains(segments[2:], "releases"):
		release, ok := strings.CutSuffix(bare, " · "+name)
		for range 2 { // once by the forge
			release = strings.TrimPrefix(release, "Release ")
		}
		if !ok || release == "" {
			break
		}
		if release == version(release) || release == segments[len(segments)-1] {
			return d.Repo + " " + release
		}
		return release
	}
	return title
}

// cutFold is [strings.CutPrefix] regardless of case.
func cutFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// capitalized returns a title that begins with a capital, unless it begins with a name like iPhone.
func capitalized(title string) string {
	first, n := utf8.DecodeRuneInString(title)
	if second, _ := utf8.DecodeRuneInString(title[n:]); unicode.IsUpper(second) {
		return title
	}
	return string(unicode.ToUpper(first)) + title[n:]
}
