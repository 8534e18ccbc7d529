package page

import (
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Least size, in pixels, of a picture of the page that a card may show.
const (
	heroWidth  = 600
	heroHeight = 315
)

// Speeds of reading, per minute: words, and characters of scripts without spaces.
const (
	wordsPerMinute      = 220
	ideographsPerMinute = 500
)

// Facts are the details of a page that templates show when they are known. A wrong one is worse than none, so what is
// doubtful is left empty. Texts are cleaned and cut (see [Clean]).
type Facts struct {
	// Eyebrow is the section that the page belongs to: article:section, or the first part of the path in words.
	Eyebrow string
	// Author names who wrote the page, several people with a comma between them; AuthorImage is the address of a portrait.
	Author, AuthorImage string
	// Published is the zero time when the page does not say.
	Published time.Time
	// ReadingTime is in whole minutes, at least one; zero for a page that is no article.
	ReadingTime time.Duration
	// Items are the first items, at most 3, of the first list of the main content that is no menu.
	Items []string
	// Quote is the first quotation of the main content; QuoteAuthor is whom it names.
	Quote, QuoteAuthor string
	// HeroImage is the address of the page's picture: its share image or the first large picture of the main content.
	HeroImage string
	// Crumb holds the parts of the path in words, at most 3.
	Crumb []string
	// Version is the version number that the title or the path names, with its "v" if it has one.
	Version string
	// Owner and Repo are the names in the address of a page of a code forge.
	Owner, Repo string
	// Lead is the first paragraph after the main heading, when it has 20 to 200 characters.
	Lead string
	// Headline is the first h1 with text.
	Headline string
}

// minutes returns the time it takes to read n, in whole minutes, rounded up.
func (n count) minutes() int {
	const scale = wordsPerMinute * ideographsPerMinute
	return (n.words*ideographsPerMinute + n.ideographs*wordsPerMinute + scale - 1) / scale
}

func (p *Page) facts(c *content, main *Value) {
	f := &p.Facts
	segments := pathSegments(p.URL)
	f.Headline = Clean(c.h1, MaxTitle)
	f.Eyebrow = p.eyebrow(segments)
	f.Author, f.AuthorImage = p.author(main)
	f.Published = p.Published.Time
	if p.isArticle(main) {
		f.ReadingTime = time.Duration(c.readable().minutes()) * time.Minute
	}
	for _, item := range c.items {
		f.Items = append(f.Items, Clean(item, MaxOther))
	}
	f.Quote, f.QuoteAuthor = Clean(c.quoteText, 2*MaxOther), Clean(c.quoteBy, MaxSite)
	if f.HeroImage = p.Metadata.Image; f.HeroImage == "" && c.hero != "" {
		f.HeroImage, _ = p.Resolve(c.hero)
	}
	for _, s := range segments {
		if words := humanise(s); words != "" && len(f.Crumb) < 3 {
			f.Crumb = append(f.Crumb, words)
		}
	}
	f.Version = version(p.Metadata.Title)
	for i := len(segments) - 1; i >= 0 && f.Version == ""; i-- {
		f.Version = version(segments[i])
	}
	f.Owner, f.Repo = repository(p.URL, segments)
	f.Lead = Clean(c.lead, MaxOther)
}

// readable returns the amount of text of the main content: the longest article, unless the main element holds far more.
func (c *content) readable() count {
	best := c.bestArticle
	if c.mainWords.minutes() > 3*best.minutes() {
		best = c.mainWords
	}
	if best == (count{}) {
		best = c.paraWords
	}
	if best.words+best.ideographs < wordsPerMinute/2 {
		return count{} // a teaser
	}
	return best
}

// isArticle reports whether the page says that it is one.
func (p *Page) isArticle(main *Value) bool {
	return strings.EqualFold(p.Meta.Get("og:type"), "article") || main.anyType(isArticle) || p.Meta.Find("article:published_time") != nil
}

// eyebrow returns the section of the page. The path tells it only when it has more parts than the page's own.
func (p *Page) eyebrow(segments []string) string {
	if s := Clean(p.Meta.Get("article:section"), MaxSite); s != "" && utf8.RuneCountInString(s) <= 40 && !strings.Contains(s, "://") {
		return s
	}
	if len(segments) < 2 {
		return ""
	}
	for i, s := range segments[:len(segments)-1] {
		if i == 0 && locale(s) {
			continue
		}
		if words := humanise(s); utf8.RuneCountInString(words) <= 24 && strings.Count(words, " ") < 3 {
			return words
		}
		break
	}
	return ""
}

// author returns who wrote the page: article:author, unless that is an address, the author of the main node, or the author
// meta element.
func (p *Page) author(main *Value) (name, image string) {
	for _, pair := range p.Meta.All("article:author") {
		if name = p.personal(pair.Value); name != "" {
			break
		}
	}
	var names []string
	for _, v := range main.Get("author").Each() {
		v = p.follow(v)
		person := p.personal(p.ldName(v))
		if person == "" || len(names) == 3 {
			names = nil
			break
		}
		if names = append(names, person); len(names) == 1 {
			image = p.ldImage(v.Get("image"))
		}
	}
	if name == "" {
		if name = strings.Join(names, ", "); utf8.RuneCountInString(name) > 80 {
			name = ""
		}
	}
	if name == "" && main != nil || p.isArticle(main) {
		if name == "" {
			name = p.personal(p.Meta.Get("author"))
		}
	}
	if len(names) != 1 || names[0] != name {
		image = ""
	}
	return name, image
}

// personal returns name when it can be that of a person or a desk: no address, not the site's own name, and short.
func (p *Page) personal(name string) string {
	name = Clean(name, MaxOther)
	n := utf8.RuneCountInString(name)
	if n < 2 || n > 60 || strings.ContainsAny(name, "/@<>{}|") || strings.Contains(name, "www.") ||
		strings.EqualFold(name, p.Metadata.SiteName) || strings.EqualFold(name, "admin") || strings.EqualFold(name, "undefined") ||
		strings.EqualFold(name, "null") || strings.Trim(name, "0123456789 .-_") == "" {
		return ""
	}
	return name
}

// pathSegments returns the decoded parts of the path, at most 16, that are not empty.
func pathSegments(u *url.URL) []string {
	var out []string
	for _, s := range strings.Split(u.Path, "/") {
		if s != "" && len(out) < 16 {
			out = append(out, s)
		}
	}
	return out
}

// humanise returns a part of a path as words, "release-notes" as "Release notes"; "" when it is a number, a date, a code, a
// file or too long for a name.
func humanise(segment string) string {
	if ext := strings.LastIndexByte(segment, '.'); ext > 0 {
		switch strings.ToLower(segment[ext:]) {
		case ".html", ".htm", ".php", ".asp", ".aspx", ".jsp", ".shtml", ".md":
			segment = segment[:ext]
		default:
			return ""
		}
	}
	words := strings.Join(strings.FieldsFunc(segment, func(r rune) bool { return r == '-' || r == '_' || r == '+' || unicode.IsSpace(r) }), " ")
	words = Clean(words, MaxOther)
	letters, digits := 0, 0
	for _, r := range words {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r), unicode.IsMark(r):
			letters++
		case r != ' ':
			return ""
		}
	}
	first, size := utf8.DecodeRuneInString(words)
	ideographic := first >= 0x2E80
	if n := utf8.RuneCountInString(words); n > 60 || digits*3 > letters || letters < 3 && !(ideographic && letters > 0) {
		return ""
	}
	if strings.EqualFold(words, "index") || strings.EqualFold(words, "default") || strings.EqualFold(words, "home") {
		return ""
	}
	return string(unicode.ToUpper(first)) + words[size:]
}

// locale reports whether a part of a path is a language, with or without a region: "en", "pt-BR", "zh_hans".
func locale(s string) bool {
	lang, region, _ := strings.Cut(strings.ReplaceAll(s, "_", "-"), "-")
	letters := func(s string) bool {
		return strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz") == ""
	}
	return len(lang) == 2 && letters(lang) && (region == "" || (len(region) == 2 || len(region) == 4) && letters(region))
}

// version returns the first version number in s: at least two numbers with dots between them, "v" before it kept. A number
// that something else is glued to ("192.168.0.1:80", "1.5x", "$3.99") is none.
func version(s string) string {
	for i := 0; i < len(s) && i < 1024; i++ {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		j, dots := i, 0
		for j < len(s) && (s[j] >= '0' && s[j] <= '9' || s[j] == '.' && j+1 < len(s) && s[j+1] >= '0' && s[j+1] <= '9') {
			if s[j] == '.' {
				dots++
			}
			j++
		}
		start := i
		if start > 0 && (s[start-1] == 'v' || s[start-1] == 'V') {
			start--
		}
		if dots >= 1 && dots <= 3 && j-i <= 20 && boundary(s, start, j) && (start < i || dots >= 2 || named10(s, start)) {
			return s[start:j]
		}
		i = j
	}
	return ""
}

// boundary reports whether nothing is glued to s[i:j].
func boundary(s string, i, j int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[j:])
	free := func(r rune, extra string) bool {
		return r == utf8.RuneError || unicode.IsSpace(r) || strings.ContainsRune(extra, r)
	}
	return free(before, "([-_/:") && free(after, ")],;:!?./_-") && !strings.HasPrefix(s[j:], ":8") && !strings.HasPrefix(s[j:], "/")
}

// named10 reports whether a number of two parts ("1.25") follows a word that makes it a version.
func named10(s string, i int) bool {
	word := strings.ToLower(strings.TrimRight(s[:i], " -_/:"))
	for _, w := range [...]string{"version", "release", "releases", "ver", "go"} {
		if rest, ok := strings.CutSuffix(word, w); ok {
			r, _ := utf8.DecodeLastRuneInString(rest)
			return !unicode.IsLetter(r)
		}
	}
	return false
}

// repository returns the owner and the name in the address of a page of a code forge.
func repository(u *url.URL, segments []string) (owner, name string) {
	switch strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") {
	case "github.com", "gitlab.com", "codeberg.org", "bitbucket.org":
	default:
		return "", ""
	}
	if len(segments) < 2 {
		return "", ""
	}
	switch segments[0] {
	case "features", "topics", "orgs", "users", "search", "explore", "settings", "marketplace", "sponsors", "collections", "about",
		"login", "apps", "enterprise", "solutions", "resources", "customer-stories", "groups", "help", "-", "dashboard", "projects", "readme", "site", "security", "trending", "stars", "notifications":
		return "", ""
	}
	return Clean(segments[0], MaxSite), Clean(strings.TrimSuffix(segments[1], ".git"), MaxSite)
}
