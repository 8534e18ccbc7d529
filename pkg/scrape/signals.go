package scrape

import (
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/text/language"

	"masthead/pkg/cleantext"
	"masthead/pkg/page"
	"masthead/pkg/picture"
)

// Signals are what a site says about itself in words and colors, and what it is recognized by. They are computed from
// the scraped parts without further requests.
type Signals struct {
	// Headline is the page's main line, Tagline the sentence after it, or "". Both are cleaned.
	Headline, Tagline string
	Mood              Mood
	// Palette has one to five colors.
	Palette []Swatch
	// Theme is the color that the site declares as its own; Source is "" if there is none.
	Theme Color
	// Language is the page's language as a BCP 47 tag, or "".
	Language string
	// Sources says where the texts come from.
	Sources SignalSources
	// Confidence is from 0 to 1: the share of possible signals that were found.
	Confidence float64
}

// SignalSources names the source of each signal without a source field of its own: "h1", "og:title", "html lang"; for
// the mood, its sign. "" means that there is no such signal.
type SignalSources struct {
	Headline, Tagline, Mood, Language string
}

// Maximum lengths in columns. A wide character takes two.
const (
	minHeadline = 3
	maxHeadline = 80
	maxTagline  = 140
)

// sureIcon is the minimum side, in pixels, of an icon that counts for the confidence.
const sureIcon = 64

// SignalsOf returns the signals of a site. Those of the page are missing if the page is. For all signals, set
// [Need.Signals]; otherwise only the requested parts count.
func SignalsOf(site *Result) Signals {
	var s Signals
	var colorSources int
	s.Palette, colorSources = paletteOf(site)
	if site.Page.Got() {
		p := site.Page.Value.Page
		s.Headline, s.Sources.Headline = headlineOf(p)
		s.Tagline, s.Sources.Tagline = taglineOf(p)
		s.Language, s.Sources.Language = languageOf(&site.Page.Value)
		s.Theme, _ = themeColorOf(site)
	}
	s.Mood, s.Sources.Mood = moodOf(site, s)
	s.Confidence = share(
		site.hasLargeIcon(), s.Theme.Source != "", colorSources >= 2, s.Headline != "", s.Tagline != "",
	)
	return s
}

// hasLargeIcon reports whether there is an icon for large sizes.
func (s *Result) hasLargeIcon() bool {
	large := func(f picture.Facts) bool { return f.Format == picture.SVG || min(f.Width, f.Height) >= sureIcon }
	if best, ok := s.BestIcon(); ok {
		return large(best.Facts)
	}
	return s.Icon.Got() && large(s.Icon.Value.Facts)
}

// BestIcon returns the first of the icons if it can represent the site at large size.
func (s *Result) BestIcon() (*IconFile, bool) {
	if len(s.Icons) == 0 || !s.Icons[0].Got() || !s.Icons[0].Value.Useful() {
		return nil, false
	}
	return &s.Icons[0].Value, true
}

// share returns the fraction of all that is true, from 0 to 1.
func share(all ...bool) float64 {
	n := 0
	for _, is := range all {
		if is {
			n++
		}
	}
	return float64(n) / float64(len(all))
}

// languageOf returns the page's declared language as a normalized tag.
func languageOf(d *Document) (tag, source string) {
	for _, said := range []struct{ tag, source string }{
		{d.Lang, "html lang"}, {strings.ReplaceAll(d.Meta.Get("og:locale"), "_", "-"), "og:locale"},
		{d.Header.Get("Content-Language"), "Content-Language"}, {d.Meta.Get("content-language"), "content-language"},
	} {
		first, _, _ := strings.Cut(said.tag, ",")
		if first = strings.TrimSpace(first); first == "" || len(first) > maxLanguageTag {
			continue
		}
		if parsed, err := language.Parse(first); err == nil && parsed != language.Und {
			return parsed.String(), said.source
		}
	}
	return "", ""
}

// maxLanguageTag is the maximum length of a tag. Source: BCP 47, 4.4.1.
const maxLanguageTag = 35

// headlineOf returns the first h1 that is neither a single word nor a paragraph, otherwise the title without the site's
// name.
func headlineOf(p *page.Page) (headline, source string) {
	for i := range p.Headings {
		if h := &p.Headings[i]; h.Level == 1 {
			text := cleantext.Clean(h.Text, cleantext.MaxTitle)
			if n := uniseg.StringWidth(text); n >= minHeadline && n <= maxHeadline {
				return withoutSite(text, p.Metadata.SiteName), "h1"
			}
		}
	}
	titles := []struct{ text, source string }{{p.Meta.Get("og:title"), "og:title"}}
	if len(p.Titles) > 0 {
		titles = append(titles, struct{ text, source string }{p.Titles[0], "title"})
	}
	for _, t := range append(titles, struct{ text, source string }{p.Metadata.Title, p.Metadata.Sources.Title}) {
		if text := withoutSite(cleantext.Clean(t.text, cleantext.MaxTitle), p.Metadata.SiteName); text != "" {
			return text, t.source
		}
	}
	return "", ""
}

// siteSeparators separate a title from the name of its site.
var siteSeparators = []string{" | ", " - ", " :: ", " — ", " – ", " · "}

// withoutSite removes the name of the site from either end of a title.
func withoutSite(title, site string) string {
	site = strings.TrimSpace(site)
	if site == "" {
		return title
	}
	for _, separator := range siteSeparators {
		if i := strings.LastIndex(title, separator); i > 0 && strings.EqualFold(title[i+len(separator):], site) {
			return strings.TrimSpace(title[:i])
		}
		if i := strings.Index(title, separator); i > 0 && strings.EqualFold(title[:i], site) {
			return strings.TrimSpace(title[i+len(separator):])
		}
	}
	return title
}

// taglineOf returns the description, or the paragraph after the main heading, cut to a sentence.
func taglineOf(p *page.Page) (tagline, source string) {
	for _, t := range []struct{ text, source string }{
		{p.Meta.Get("og:description"), "og:description"}, {p.Meta.Get("description"), "description"},
		{p.Details.Lead, "paragraph"},
	} {
		if text := cleantext.Clean(t.text, cleantext.MaxDescription); text != "" {
			return cutSentence(text, maxTagline), t.source
		}
	}
	return "", ""
}

// cutSentence cuts a text to the sentences that fit into the columns, otherwise to the words that do.
func cutSentence(text string, columns int) string {
	if uniseg.StringWidth(text) <= columns {
		return text
	}
	fits, sentence, word := 0, 0, 0 // ends, in bytes
	width, state := 0, -1
	for rest := text; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if width += w; width > columns {
			break
		}
		end := len(text) - len(rest)
		switch {
		case strings.ContainsAny(cluster, "。！？"), strings.ContainsAny(cluster, ".!?…") && strings.HasPrefix(rest, " "):
			sentence = end
		case cluster == " ":
			word = fits
		}
		fits = end
	}
	for _, end := range []int{sentence, word} {
		if end > 0 {
			return strings.TrimSpace(text[:end])
		}
	}
	return text[:fits]
}
