package render

import (
	"strings"
	"unicode/utf8"

	"masthead/render/template"
	"masthead/render/text"
)

// Bounds of texts, in bytes. What is longer could not be set anyway; layout takes time with length.
const (
	maxTitle       = 2000
	maxDescription = 4000
	maxShortText   = 400
	maxLang        = 35 // RFC 5646, 4.4.1
)

// displayTexts returns the texts of a request ready to be set: bounded, in the typography of the page's language,
// each said once.
func displayTexts(raw template.Texts, lang string) template.Texts {
	host := shortText(raw.Host)
	t := template.Texts{
		SiteName: siteName(shortText(raw.SiteName)), Host: shownHost(host, lang),
		Eyebrow: shortText(raw.Eyebrow), Author: shortText(raw.Author), Quote: bounded(raw.Quote, maxDescription),
		Crumb: listed(raw.Crumb), Items: listed(raw.Items), DescriptionGiven: raw.DescriptionGiven,
	}
	t.Title = text.DisplayTitle(bounded(raw.Title, maxTitle), text.Site{Name: t.SiteName, Host: host, Lang: lang})
	t.Description = bounded(raw.Description, maxDescription) // its rules need the room that it gets, which text knows
	if t.SiteName == "" || strings.EqualFold(t.SiteName, host) && !strings.EqualFold(t.SiteName, t.Host) {
		t.SiteName = t.Host // … and a name that is the host is shortened with it
	}
	if t.Title == "" { // a page without a title is called by where it is
		if t.Title = t.SiteName; t.Title == t.Host && !t.DescriptionGiven {
			t.Description = "" // … and then nothing is known that its description could belong to
		}
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

// maxReading is how many minutes are believed.
const maxReading = 999

// readingTime returns the reading time of a request in words, "" for none.
func (r *Request) readingTime(lang string) string {
	if r.ReadingMinutes <= 0 || r.ReadingMinutes > maxReading {
		return ""
	}
	return readingTime(r.ReadingMinutes, lang)
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

// listed returns the entries of a list that are shown, ready to be set.
func listed(list []string) []string {
	var out []string
	for _, s := range list {
		if s = shortText(s); s != "" && len(out) < maxListed {
			out = append(out, s)
		}
	}
	return out
}

// shortText bounds a text and sets it as titles are set, without a site to drop.
func shortText(s string) string {
	if s == "" {
		return ""
	}
	return text.DisplayTitle(bounded(s, maxShortText), text.Site{})
}

// bounded cuts a text to at most maxBytes of valid UTF-8.
func bounded(s string, maxBytes int) string { return strings.ToValidUTF8(clip(s, maxBytes), "") }

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
