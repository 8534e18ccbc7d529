package page

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/pkg/cleantext"
)

// pathSegments returns the decoded non-empty parts of the path, at most 16.
func pathSegments(u *url.URL) []string {
	var out []string
	for _, s := range strings.Split(u.Path, "/") {
		if s != "" && len(out) < 16 {
			out = append(out, s)
		}
	}
	return out
}

// humanize returns a part of a path as words, "release-notes" as "Release notes", or "" if it is a number, a date, a
// code, a file, or too long for a name.
func humanize(segment string) string {
	if ext := strings.LastIndexByte(segment, '.'); ext > 0 {
		switch strings.ToLower(segment[ext:]) {
		case ".html", ".htm", ".shtml", ".md":
			segment = segment[:ext]
		default:
			return ""
		}
	}
	parts := strings.FieldsFunc(segment, func(r rune) bool {
		return r == '-' || r == '_' || r == '+' || unicode.IsSpace(r)
	})
	for len(parts) > 0 && longNumber(parts[0]) { // an ID or a date
		for parts = parts[1:]; len(parts) > 0 && numeric(parts[0]); parts = parts[1:] {
		}
	}
	for len(parts) > 0 && longNumber(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	if len(parts) > 1 && strings.EqualFold(parts[0], "whats") {
		parts[0] = "What’s"
	}
	words := cleantext.Clean(strings.Join(parts, " "), cleantext.MaxOther)
	letters, digits, capitals := 0, 0, 0
	for _, r := range words {
		switch {
		case unicode.IsDigit(r):
			digits++
		case r >= 'A' && r <= 'Z':
			letters++
			capitals++
		case unicode.IsLetter(r), unicode.IsMark(r):
			letters++
		case r != ' ' && r != '’':
			return ""
		}
	}
	first, size := utf8.DecodeRuneInString(words)
	ideographic := first >= 0x2E80
	if n := utf8.RuneCountInString(words); n > 60 || digits*3 > letters || letters < 3 && !(ideographic && letters > 0) {
		return ""
	}
	if digits > 0 && capitals > 2 { // "BWUDBntl3"
		return ""
	}
	switch strings.ToLower(words) {
	case "index", "default", "home", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "oct", "nov", "dec":
		return ""
	}
	return string(unicode.ToUpper(first)) + words[size:]
}

func numeric(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// longNumber reports whether s is a number of four digits or more.
func longNumber(s string) bool { return len(s) >= 4 && numeric(s) }

// locale reports whether a part of a path is a language, with or without a region: "en", "pt-BR", "zh_hans".
func locale(s string) bool {
	lang, region, _ := strings.Cut(strings.ReplaceAll(s, "_", "-"), "-")
	letters := func(s string) bool {
		return strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz") == ""
	}
	return len(lang) == 2 && letters(lang) && (region == "" || (len(region) == 2 || len(region) == 4) && letters(region))
}

// VersionIn returns the version number in a title, with its "v" if it has one, or "".
func VersionIn(title string) string { return version(title) }

// version returns the first version number in s: at least two numbers with dots between them, including a "v" before
// it. Numbers next to other characters ("192.168.0.1:80", "1.5x", "$3.99") don't count.
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

// namedVersion returns the first number of two parts in a title that follows the name of the site or the first label of
// its host: “Skiplock 3.2”.
func (p *Page) namedVersion() string {
	names := append(strings.Split(p.URL.Hostname(), "."), p.Metadata.SiteName)
	fields := strings.Fields(p.Metadata.Title)
	for i := 1; i < len(fields); i++ {
		number := strings.TrimRight(fields[i], ":,;!?")
		whole, part, ok := strings.Cut(number, ".")
		if !ok || !numeric(whole) || !numeric(part) || len(number) > 8 {
			continue
		}
		for _, name := range names {
			if name = strings.TrimSpace(name); len(name) > 2 && strings.EqualFold(fields[i-1], name) {
				return number
			}
		}
	}
	return ""
}

// boundary reports whether s[i:j] has no other characters directly before or after it.
func boundary(s string, i, j int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[j:])
	free := func(r rune, extra string) bool {
		return r == utf8.RuneError || unicode.IsSpace(r) || strings.ContainsRune(extra, r)
	}
	return free(before, "([-_/:") && free(after, ")],;:!?./_-") && !strings.HasPrefix(s[j:], ":8") &&
		!strings.HasPrefix(s[j:], "/")
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

// repository returns the owner and the repository in the address of a page on a code forge.
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
	case "features", "topics", "orgs", "users", "search", "explore", "settings", "marketplace", "sponsors", "collections",
		"about", "login", "apps", "enterprise", "solutions", "resources", "customer-stories", "groups", "help", "-",
		"dashboard", "projects", "readme", "site", "security", "trending", "stars", "notifications":
		return "", ""
	}
	name = strings.TrimSuffix(segments[1], ".git")
	return cleantext.Clean(segments[0], cleantext.MaxSite), cleantext.Clean(name, cleantext.MaxSite)
}
