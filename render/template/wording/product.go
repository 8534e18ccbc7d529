package wording

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/render/text"
)

// Limits of what a shop adds to the name of a thing, after a comma: a size, a color, what it is made of.
const (
	longProductTitle  = 60 // characters, from which such additions are left out
	leastProductTitle = 12 // … which the rest has at least
	mostProductTitle  = 90 // … for which there is room, as a rule
	wordsOfAddition   = 2
	wordsWithNumber   = 4 // … of one with a number: "set of 4"
	signsOfAddition   = 12
)

// creatorWords are the words between a work and who made it.
var creatorWords = []string{" by", " von", " par", " por", " di", " van", " av", " af"}

// Work returns the title of a work without its year, and without who made it at its end, or before a dash at its
// beginning, which cards show elsewhere; they may be unknown.
func Work(title, creator string, year int) string {
	if year > 0 {
		title = cmp.Or(strings.TrimSuffix(title, " ("+strconv.Itoa(year)+")"), title)
	}
	for _, mark := range [...]string{" – ", " — ", " - "} {
		if work, ok := strings.CutPrefix(title, creator+mark); ok && creator != "" && work != "" {
			return work
		}
	}
	rest, ok := strings.CutSuffix(title, creator)
	if !ok || creator == "" || !strings.HasSuffix(rest, " ") {
		return title
	}
	rest = strings.TrimRight(rest, " ")
	work := strings.TrimRight(rest, "-–—|·")
	for _, word := range creatorWords {
		work = strings.TrimSuffix(work, word)
	}
	if work = strings.TrimRight(work, " ,"); work == "" || work == rest {
		return title
	}
	return work
}

// Product returns a title and, for cards without room for it, what is left of a long one without its last parts, of
// which each loses one more: sizes, colors and the words of shops. What is in brackets, after a dash or a comma may
// make it another thing, so that “…” is in its place; what is after a bar at the end is a shop. A comma of a
// sentence, of a list in a sentence or before an abbreviation parts nothing, since the rest would say something
// else; of a very long title, what is after a dash or in brackets is left out all the same.
func Product(title, lang string) (titles []string) {
	titles = append(titles, title)
	end := ""
	for len([]rune(title)) > longProductTitle {
		at, mark := lastMark(title, ", ", "，", "、", " – ", " — ", " - ", " | ", " (", "（")
		if at >= 0 && strings.ContainsAny(mark, ",，、") && !shopAdds(title[:at], title[at+len(mark):], lang) {
			if at = -1; len([]rune(title)) > mostProductTitle {
				at, mark = lastMark(title, " – ", " — ", " | ", " (", "（")
			}
		}
		if at < 0 || len([]rune(title[:at])) < leastProductTitle || 7*at < 2*len(title) {
			break
		}
		title = strings.TrimSpace(title[:at])
		if mark == " | " && end == "" { // before a shop
			titles[0] = title
			continue
		}
		end = "…"
		titles = append(titles, title+end)
	}
	return titles
}

// lastMark returns where the last of some marks is in a title, or -1. What is in brackets and quotes has none, but a
// bracket with all in it is after one.
func lastMark(title string, marks ...string) (at int, mark string) {
	depth, at := 0, -1
	for i, r := range title {
		for _, m := range marks {
			if depth == 0 && strings.HasPrefix(title[i:], m) {
				at, mark = i, m
			}
		}
		switch {
		case strings.ContainsRune(")]）」』】”»", r), r == '“' && strings.ContainsRune(title[:i], '„'):
			depth = max(depth-1, 0)
		case strings.ContainsRune("([（「『【“„«", r):
			depth++
		}
	}
	return at, mark
}

// shopAdds reports whether what a title has after a comma is what shops add to a name: few words, of no sentence.
func shopAdds(before, after, lang string) bool {
	words := strings.Fields(after)
	if len(words) == 0 || hasClauses(before) || hasClauses(after) || strings.ContainsAny(words[0], "“„«") ||
		text.BeginsWithFunctionWord(after, lang) || abbreviated(words[0]) {
		return false
	}
	numbered := strings.ContainsFunc(after, unicode.IsDigit)
	if len(words) == 1 && strings.ContainsFunc(after, isWide) {
		return numbered && len([]rune(after)) <= signsOfAddition
	}
	return len(words) <= wordsOfAddition || numbered && len(words) <= wordsWithNumber
}

// hasClauses reports whether a part of a title is more than a name: a colon or another mark of a sentence ends in it.
func hasClauses(s string) bool {
	for i, r := range s {
		rest := s[i+utf8.RuneLen(r):]
		ends := rest == "" || rest[0] == ' '
		if strings.ContainsRune("：；？！。", r) || ends && strings.ContainsRune(":;?!", r) {
			return true
		}
	}
	return false
}

// abbreviated reports whether a word is one like “D.C.”, “Inc.” or “Jr.”.
func abbreviated(word string) bool {
	first, size := rune(0), 0
	for _, r := range word {
		if size == 0 {
			first = r
		}
		size++
	}
	return size > 1 && unicode.IsUpper(first) && strings.HasSuffix(word, ".")
}

// isWide reports whether a letter is Chinese or Japanese.
func isWide(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }
