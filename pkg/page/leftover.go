package page

import (
	"slices"
	"strings"

	"masthead/pkg/cleantext"
)

// What a template that was not filled shows, and what programs print for a value that there is not.
var (
	leftoverParts  = []string{"{{", "}}", "${", "[object Object]"}
	leftoverValues = []string{"undefined", "null", "NaN"}
)

// Leftover reports whether a text shows an unfilled template ({{title}}, ${title}), or what a program prints for
// nothing (undefined, null, NaN, [object Object]).
func Leftover(text string) bool {
	return slices.Contains(leftoverValues, strings.TrimSpace(text)) ||
		slices.ContainsFunc(leftoverParts, func(part string) bool { return strings.Contains(text, part) })
}

// WithoutLeftover returns text, or "" for one that is a [Leftover].
func WithoutLeftover(text string) string {
	if Leftover(text) {
		return ""
	}
	return text
}

// minHeadingWords is how many words a heading has beside braces for them to be its subject, as in “How to use ${var} in
// Bash”: no template writes so many around a title.
const minHeadingWords = 3

// filledTitle returns the page's title for a card, cleaned: the first of its titles that is no [Leftover], else its
// first heading if it is about such braces; "" when there is none.
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
