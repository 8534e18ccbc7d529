package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/render/template"
	"masthead/render/text"
)

// Bounds of texts, in bytes. What is longer could not be set anyway; layout takes time with length.
const (
	maxTitle       = 2000
	maxDescription = 4000
	maxFact        = 400
	maxLang        = 35 // RFC 5646, 4.4.1
)

// texts returns the texts of a request ready to be set: cleaned, bounded, in the language of the page.
func (r *Request) texts() template.Texts {
	lang, host := clip(r.Lang, maxLang), fact(r.Host)
	f := template.Texts{
		SiteName: siteName(fact(r.SiteName)), Host: shownHost(host, lang),
		Eyebrow: fact(r.Eyebrow), Author: fact(r.Author), Quote: clean(r.Quote, maxDescription),
		Crumb: facts(r.Crumb), Items: facts(r.Items),
	}
	f.Title = text.DisplayTitle(clean(r.Title, maxTitle), text.Site{Name: f.SiteName, Host: host, Lang: lang})
	f.Description = clean(r.Description, maxDescription) // the rest of its rules need the room that it gets; text knows them
	if !r.Published.IsZero() {
		f.Date = longDate(r.Published, lang)
	}
	if r.ReadingMinutes > 0 && r.ReadingMinutes < 1000 {
		f.ReadingTime = readingTime(r.ReadingMinutes, lang)
	}
	if f.SiteName == "" || strings.EqualFold(f.SiteName, host) && !strings.EqualFold(f.SiteName, f.Host) {
		f.SiteName = f.Host // … and a name that is the host is shortened with it
	}
	if f.Title == "" { // a page without a title is called by where it is
		if f.Title = f.SiteName; f.Title == f.Host {
			f.Description = "" // … and then nothing is known that its description could belong to
		}
	}
	return f
}

// longName is the length, in characters, from which a site's name is taken to bring its motto along.
const longName = 24

// siteName returns a name without the motto that many sites put into theirs: “Acme - All the news that fits”.
func siteName(s string) string {
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

// maxListed is how many entries of a list any template shows.
const maxListed = 3

func facts(list []string) []string {
	var out []string
	for _, s := range list {
		if s = fact(s); s != "" && len(out) < maxListed {
			out = append(out, s)
		}
	}
	return out
}

// fact cleans a short text as titles are cleaned, without a site to drop.
func fact(s string) string {
	if s == "" {
		return ""
	}
	return text.DisplayTitle(clean(s, maxFact), text.Site{})
}

// clean bounds a text, makes it valid UTF-8 and turns control characters into spaces.
func clean(s string, maxBytes int) string {
	s = strings.ToValidUTF8(clip(s, maxBytes), "")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s))
}

// clip cuts s to at most n bytes, between characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
