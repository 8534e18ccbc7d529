package wording

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/render/template/kit"
	"masthead/render/text"
)

// Guest returns the guest, "" if the title names them.
func Guest(c *kit.Card) string {
	if text.Says(Episode(c), c.Play.GuestName) {
		return ""
	}
	return c.Play.Guest
}

// Episode returns the title without the show and the number before it, which are elsewhere on the card. A show
// that only a space parts from other words than a number is a part of the title.
func Episode(c *kit.Card) string {
	title := c.Title
	numbers := []string{c.Play.Number, strings.Replace(c.Play.Number, " ", " № ", 1)}
	if at := strings.LastIndexByte(c.Play.Number, ' '); at >= 0 { // “Ep. 48”, “#48”, as languages share them
		short := c.Play.Number[at+1:]
		numbers = append(numbers, "Ep. "+short, "Ep "+short, "#"+short)
	}
	said := append(append([]string{c.Play.Show}, numbers...), c.Play.Show)
	for _, s := range said {
		left, ok := cutPrefixFold(title, s)
		if !ok {
			continue
		}
		cut := strings.TrimLeft(left, " :–—-|·,.#")
		if cut == "" || len(cut) == len(left) { // in the middle of a word
			continue
		}
		begins := func(number string) bool { _, ok := cutPrefixFold(cut, number); return ok }
		if s == c.Play.Show && strings.TrimLeft(left, " ") == cut && !slices.ContainsFunc(numbers, begins) {
			continue
		}
		title = capitalized(cut)
	}
	return title
}

// cutPrefixFold returns s without a prefix, in any case; ok is false if s doesn't begin with it, or it is empty.
func cutPrefixFold(s, prefix string) (rest string, ok bool) {
	lower, ok := strings.CutPrefix(strings.ToLower(s), strings.ToLower(prefix))
	if prefix == "" || !ok || len(lower) >= len(s) {
		return s, false
	}
	return s[len(s)-len(lower):], true
}

// capitalized returns a text that begins with a capital, as a title does that went on after a colon: not iPhone.
func capitalized(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if second, _ := utf8.DecodeRuneInString(s[n:]); unicode.IsUpper(second) {
		return s
	}
	return string(unicode.ToUpper(first)) + s[n:]
}
