package page

import (
	"math"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/pkg/cleantext"
)

// Project is what the page of a repository says about it. The zero value is nothing.
type Project struct {
	// Language is the programming language that most of it is written in, or "".
	Language string
	// Stars is how many people have starred it; zero if unknown.
	Stars int
	// License is an identifier of SPDX, or "".
	License string
}

// Limits of the facts of repositories.
const (
	maxStars       = 10_000_000
	maxLanguage    = 24  // characters
	maxProjectText = 120 // bytes of a link
)

// projectFact is a fact that a link of a forge has as its text.
type projectFact uint8

const (
	noFact projectFact = iota
	starsFact
	languageFact
	licenseFact
)

// projectLinks collects the facts of a repository from the links on its page. The first of each counts.
type projectLinks struct {
	begun bool
	path  string // of the repository, in lower case, with a slash at its end; "" for other pages
	fact  projectFact
	text  capture
	found Project
}

// repositoryAddress returns the address of the page of a repository: that of og:url, since a repository may have
// another name now, or else the page's own. It is nil for other pages.
func (p *Page) repositoryAddress() *url.URL {
	isOne := func(u *url.URL) bool {
		segments := pathSegments(u)
		owner, name := repository(u, segments)
		return owner != "" && name != "" && len(segments) == 2
	}
	if !isOne(p.URL) {
		return nil
	}
	if now, err := url.Parse(strings.TrimSpace(p.Meta.Get("og:url"))); err == nil && isOne(now) &&
		strings.EqualFold(now.Hostname(), p.URL.Hostname()) {
		return now
	}
	return p.URL
}

// start handles the start tag of a link.
func (l *projectLinks) start(r *reader) {
	s := &r.sc
	if !l.begun { // the head has been read
		l.begun = true
		if u := r.page.repositoryAddress(); u != nil {
			l.path = strings.ToLower("/" + strings.Join(pathSegments(u), "/") + "/")
		}
	}
	if l.path == "" {
		return
	}
	l.text.open, l.fact = false, noFact
	href, _ := s.attr("href")
	if len(href) == 0 || len(href) > maxAddressBytes {
		return
	}
	if l.fact = l.factOf(strings.ToLower(strings.TrimSpace(string(href)))); l.fact == noFact {
		return
	}
	if label, ok := s.attr("aria-label"); ok && l.fact == starsFact && l.found.Stars == 0 {
		l.found.Stars = starCount(string(limit(label, maxProjectText)))
	}
	l.text.begin(maxProjectText)
}

// factOf returns the fact that the text of a link to an address has.
func (l *projectLinks) factOf(href string) projectFact {
	if strings.HasPrefix(href, "#") && strings.HasSuffix(href, "-ov-file") {
		return licenseFact
	}
	rest, ok := strings.CutPrefix(href, l.path)
	if !ok {
		return noFact
	}
	switch rest {
	case "stargazers", "stars", "-/starrers":
		return starsFact
	}
	file := rest[strings.LastIndexByte(rest, '/')+1:]
	switch {
	case strings.HasPrefix(rest, "search?l="):
		return languageFact
	case (strings.HasPrefix(rest, "blob/") || strings.HasPrefix(rest, "src/") || strings.HasPrefix(rest, "-/blob/")) &&
		(strings.HasPrefix(file, "license") || strings.HasPrefix(file, "licence") || strings.HasPrefix(file, "copying")):
		return licenseFact
	}
	return noFact
}

// end handles the end tag of a link.
func (l *projectLinks) end() {
	if !l.text.open {
		return
	}
	l.text.open = false
	text := cleanText(l.text.buf)
	switch {
	case l.fact == starsFact && l.found.Stars == 0:
		l.found.Stars = starCount(text)
	case l.fact == languageFact && l.found.Language == "":
		name, share, _ := strings.Cut(text, " ")
		if strings.HasSuffix(text, "%") && !strings.HasSuffix(name, "%") && !strings.Contains(share, " ") {
			text = name
		} else if at := strings.LastIndexByte(text, ' '); at > 0 && strings.HasSuffix(text, "%") {
			text = text[:at]
		}
		l.found.Language = languageName(text)
	case l.fact == licenseFact && l.found.License == "":
		l.found.License = licenseID(text)
	}
}

// project returns the facts of the repository that the page is about: those of structured data, otherwise those of its
// links.
func (p *Page) project(links *projectLinks) (f Project) {
	if p.Details.Repo == "" {
		return f
	}
	for _, n := range p.nodes {
		if !n.HasType("SoftwareSourceCode") {
			continue
		}
		f.Language = languageName(p.ldName(n.Get("programmingLanguage")))
		license := n.Get("license")
		if f.License = licenseID(ldText(license)); f.License == "" {
			if f.License = licenseID(p.ldName(license)); f.License == "" {
				f.License = licenseID(ldText(p.Follow(license).Get("url")))
			}
		}
		for _, count := range n.Get("interactionStatistic").Each() {
			kind := count.Get("interactionType")
			if typeName(ldText(kind)) == "LikeAction" || kind.HasType("LikeAction") {
				f.Stars = wholeNumber(ldText(count.Get("userInteractionCount")), maxStars)
			}
		}
		break
	}
	if f.Language == "" {
		f.Language = links.found.Language
	}
	if f.Stars == 0 {
		f.Stars = links.found.Stars
	}
	if f.License == "" {
		f.License = links.found.License
	}
	return f
}

// languageName returns the name of a programming language, or "" for a text that can't be one.
func languageName(s string) string {
	s = cleantext.Clean(s, cleantext.MaxOther)
	first, _ := utf8.DecodeRuneInString(s)
	n := utf8.RuneCountInString(s)
	if n == 0 || n > maxLanguage || strings.Count(s, " ") > 2 {
		return ""
	}
	if !unicode.IsLetter(first) || strings.HasSuffix(s, "%") { // a share of the code
		return ""
	}
	return s
}

// starCount returns the number that a text begins with, as forges write it: “37 users”, “12,400”, “12.4k”. It is zero
// if there is none.
func starCount(s string) int {
	s = strings.ToLower(strings.TrimSpace(s))
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.' || s[end] == ',') {
		end++
	}
	digits, rest, scale := strings.ReplaceAll(s[:end], ",", ""), s[end:], 1.0
	switch {
	case strings.HasPrefix(rest, "k"):
		scale = 1e3
	case strings.HasPrefix(rest, "m"):
		scale = 1e6
	case rest != "" && rest[0] != ' ':
		return 0
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || len(digits) > maxNumberLen || n*scale > maxStars {
		return 0
	}
	return int(math.Round(n * scale))
}

// licenseNames are the SPDX identifiers of licenses by what pages call them, in lower case and without the word license
// at the end.
var licenseNames = func() map[string]string {
	names := map[string]string{
		"apache license 2.0": "Apache-2.0", "apache 2.0": "Apache-2.0", "the unlicense": "Unlicense",
		`bsd 2-clause "simplified"`: "BSD-2-Clause", `bsd 3-clause "new" or "revised"`: "BSD-3-Clause",
		"gnu general public license v2.0": "GPL-2.0", "gnu general public license v3.0": "GPL-3.0",
		"gnu general public license v3.0 or later": "GPL-3.0-or-later",
		"gnu lesser general public license v2.1":   "LGPL-2.1", "gnu lesser general public license v3.0": "LGPL-3.0",
		"gnu affero general public license v3.0": "AGPL-3.0", "mozilla public license 2.0": "MPL-2.0",
		"creative commons zero v1.0 universal": "CC0-1.0", "boost software license 1.0": "BSL-1.0",
		"eclipse public license 2.0": "EPL-2.0",
	}
	for id := range strings.FieldsSeq(`MIT Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD ISC Zlib Unlicense WTFPL CC0-1.0
		CC-BY-4.0 CC-BY-SA-4.0 MPL-2.0 EPL-2.0 EUPL-1.2 BSL-1.0 OFL-1.1 Artistic-2.0 PostgreSQL NCSA MIT-0 BlueOak-1.0.0
		GPL-2.0 GPL-3.0 LGPL-2.1 LGPL-3.0 AGPL-3.0 GPL-2.0-only GPL-2.0-or-later GPL-3.0-only GPL-3.0-or-later
		LGPL-2.1-only LGPL-2.1-or-later LGPL-3.0-only LGPL-3.0-or-later AGPL-3.0-only AGPL-3.0-or-later`) {
		names[strings.ToLower(id)] = id
	}
	return names
}()

// licenseID returns the identifier of SPDX of a license by its name or address, or "" for one that isn't known.
func licenseID(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if strings.Contains(s, "spdx.org/licenses/") || strings.Contains(s, "opensource.org/license") {
		s = strings.TrimRight(s, "/")
		s = s[strings.LastIndexByte(s, '/')+1:]
		for _, ext := range [...]string{".html", ".json", ".php"} {
			s = strings.TrimSuffix(s, ext)
		}
	}
	return licenseNames[strings.TrimSuffix(s, " license")]
}

// noSectionTitle are headings that say nothing about their page.
var noSectionTitle = map[string]bool{
	"on this page": true, "in this article": true, "table of contents": true, "contents": true, "see also": true,
	"next steps": true, "related": true, "related articles": true, "feedback": true, "was this page helpful?": true,
	"more": true, "navigation": true, "search": true, "comments": true, "references": true, "footnotes": true,
	"auf dieser seite": true, "inhalt": true, "siehe auch": true, "sommaire": true, "voir aussi": true,
}

// sections returns the first headings of the page's parts, if there are two or more that are short.
func (p *Page) sections() (list []string) {
	const least, most, count, firstWide = 4, 28, 4, 0x2E80
	inMain := false
	for _, h := range p.Headings {
		inMain = inMain || h.InMain && h.Level == 2
	}
	seen := map[string]bool{strings.ToLower(p.Details.Title): true}
	for _, h := range p.Headings {
		text := strings.TrimRight(h.Text, " ¶#§🔗")
		first, _ := utf8.DecodeRuneInString(text)
		n, lower := utf8.RuneCountInString(text), strings.ToLower(text)
		if h.Level != 2 || h.InNav || inMain && !h.InMain || n > most || n < least && first < firstWide || n == 0 ||
			seen[lower] || noSectionTitle[lower] {
			continue
		}
		seen[lower] = true
		if list = append(list, text); len(list) == count {
			break
		}
	}
	if len(list) < 2 {
		return nil
	}
	return list
}
