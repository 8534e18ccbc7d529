package page

import (
	"slices"
	"strings"

	"masthead/pkg/cleantext"
)

// Placeholders of unfilled templates, and what programs print for missing values.
var (
	leftoverParts  = []string{"{{", "}}", "${", "[object Object]"}
	leftoverValues = []string{"undefined", "null", "NaN"}
)

// Leftover reports whether a text shows an unfilled template ({{title}}, ${title}), or a missing value as programs
// print it (undefined, null, NaN, [object Object]).
func Leftover(text string) bool {
	return slices.Contains(leftoverValues, strings.TrimSpace(text)) ||
		slices.ContainsFunc(leftoverParts, func(part string) bool { return strings.Contains(text, part) })
}

// WithoutLeftover returns text, or "" if it is a [Leftover].
func WithoutLeftover(text string) string {
	if Leftover(text) {
		return ""
	}
	return text
}

// minHeadingWords is the number of words next to braces from which a heading is about them, as in “How to use ${var} in
// Bash”: no template has so many words around a title.
const minHeadingWords = 3

// filledTitle returns the page's title for a card, cleaned: the first of its titles that isn't a [Leftover], otherwise
// its first heading if that is about such braces, otherwise "".
func (p *Page) filledTitle(h1 string) string {
	titles := []string{p.Metadata.Title}
	if Leftover(p.Metadata.Title) {
		titles = append(titles, p.Meta.Get("og:title"), p.Meta.Get("twitter:title"))
		titles = append(titles, p.Titles...)
		titles = append(titles, ldText(p.MainNode().Get("headline")), h1)
	}
	for _, title := range titles {
		if title != "" && !Leftover(title) {
			return cleantext.Clean(title, cleantext.MaxTitle)
		}
	}
	words := slices.DeleteFunc(strings.Fields(h1), func(word string) bool { return strings.ContainsAny(word, "{}[]") })
	if len(words) >= minHeadingWords {
		return cleantext.Clean(h1, cleantext.MaxTitle)
	}
	return ""
}
