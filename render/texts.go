package render

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"masthead/render/template/kit"
	"masthead/render/text"
)

// Bounds of texts, in bytes. What is longer could not be set anyway; layout takes time with length.
const (
	maxTitle       = 2000
	maxDescription = 4000
	maxShortText   = 800 // the 200 characters that a name or an item may have, in a script of four bytes each
	maxVersion     = 24
	maxLang        = 35 // RFC 5646, 4.4.1
)

// displayTexts returns the texts of a request ready to be set: bounded, in the typography of the page's language,
// each said once. A host is no text: it is bounded and shown in small letters, as [shownHost] has it.
func displayTexts(raw kit.Texts, lang string) kit.Texts {
	t := raw // what is not named below is shown as it is
	host := strings.ToLower(bounded(raw.Host, maxShortText))
	t.Host = shownHost(host, lang)
	t.SiteName = siteNameOr(raw.SiteName, host, t.Host, lang)
	t.Title = text.DisplayTitle(bounded(raw.Title, maxTitle), text.Publisher{Name: t.SiteName, Host: host, Lang: lang})
	t.Description = bounded(raw.Description, maxDescription) // its rules need the room that it gets, which text knows
	t.Quote = bounded(raw.Quote, maxDescription)
	t.QuoteAuthor, t.Version = shortText(raw.QuoteAuthor, lang), bounded(raw.Version, maxVersion)
	t.Path = bounded(raw.Path, maxShortText)
	t.Owner, t.Repo = bounded(raw.Owner, maxShortText), bounded(raw.Repo, maxShortText)
	t.Project.Language = bounded(raw.Project.Language, maxShortText)
	t.Project.License = bounded(raw.Project.License, maxLang)
	t.Sections = nil
	for _, s := range raw.Sections[:min(len(raw.Sections), maxSections)] {
		t.Sections = append(t.Sections, shortText(s, lang))
	}
	t.Eyebrow, t.Author = shortText(raw.Eyebrow, lang), shortText(raw.Author, lang)
	if text.Same(t.Eyebrow, t.Title) {
		t.Eyebrow = ""
	}
	t.Crumb, t.Items = listed(raw.Crumb, lang), listed(raw.Items, lang)
	t.Session = nil
	for _, line := range raw.Session[:min(len(raw.Session), maxSession)] {
		t.Session = append(t.Session, bounded(line, maxShortText))
	}
	t.Code.Lines = nil
	for _, line := range raw.Code.Lines[:min(len(raw.Code.Lines), maxSession)] {
		t.Code.Lines = append(t.Code.Lines, bounded(line, maxShortText))
	}
	return t
}

// date returns the day of a request in words, "" for none.
func (r *Request) date(lang string) string {
	if r.Published.IsZero() {
		return ""
	}
	return longDate(r.Published, lang)
}

// dayAndMonth returns the two parts of the day of a request that stand apart: its number, and month and year in words.
func (r *Request) dayAndMonth(lang string) (day, month string) {
	if r.Published.IsZero() {
		return "", ""
	}
	return strconv.Itoa(r.Published.Day()), monthAndYear(r.Published, lang)
}

// maxReading is how many minutes are believed.
const maxReading = 999

// readingTime returns the reading time of a request in words, "" for none.
func (r *Request) readingTime(lang string) string {
	if r.ReadingMinutes <= 0 || r.ReadingMinutes > maxReading {
		return ""
	}
	return readingTime(r.ReadingMinutes, lang)
}

// siteNameOr returns the name of a site, or where it has none its host as it is shown. A name that is the host is
// shortened with it, and is no more a text than the host is.
func siteNameOr(name, host, shown, lang string) string {
	if name = bounded(name, maxShortText); isAddress(name) {
		return shown
	}
	if !strings.EqualFold(name, host) && !strings.EqualFold(name, shown) {
		name = withoutMotto(shortText(name, lang))
	}
	if name == "" || strings.EqualFold(name, host) && !strings.EqualFold(name, shown) {
		return shown
	}
	return name
}

// isAddress reports whether the name of a site is an address, as many themes fill it in.
func isAddress(name string) bool {
	return !strings.Contains(name, " ") && (strings.Contains(name, "://") ||
		strings.HasPrefix(strings.ToLower(name), "www.") || strings.Contains(name, ".") && strings.Contains(name, "/"))
}

// longName is the length, in characters, from which a site's name is taken to bring its motto along.
const longName = 24

// withoutMotto returns a name without the motto that many sites put into theirs: “Acme - All the news that fits”.
func withoutMotto(s string) string {
	if utf8.RuneCountInString(s) <= longName {
		return s
	}
	for _, sep := range []string{" | ", " - ", " – ", " — ", " · ", " :: ", ": ", "｜"} {
		if name, _, found := strings.Cut(s, sep); found && utf8.RuneCountInString(name) > 1 {
			return name
		}
	}
	return s
}

// maxSession is how many lines of a session or of code any template shows.
const maxSession = 8

// maxSections is how many headings any template shows.
const maxSections = 4

// maxListed is how many entries of a list any template shows.
const maxListed = 3

// listed returns the entries of a list that are shown, ready to be set.
func listed(list []string, lang string) []string {
	var out []string
	for _, s := range list {
		if s = shortText(s, lang); s != "" && len(out) < maxListed {
			out = append(out, s)
		}
	}
	return out
}

// shortText bounds a text and sets it as titles in this language are set, without a site to drop.
func shortText(s, lang string) string {
	return text.DisplayTitle(bounded(s, maxShortText), text.Publisher{Lang: lang})
}

// bounded cuts a text to at most maxBytes of valid UTF-8, between characters.
func bounded(s string, maxBytes int) string {
	if len(s) > maxBytes {
		for maxBytes > 0 && !utf8.RuneStart(s[maxBytes]) {
			maxBytes--
		}
		s = s[:maxBytes]
	}
	return strings.ToValidUTF8(s, "")
}
