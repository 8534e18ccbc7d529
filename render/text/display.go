package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Publisher describes the usual ending of a page's titles, and their language.
type Publisher struct {
	// Name is the site's name, Host its host name; either may be empty.
	Name, Host string
	// Lang is a BCP 47 tag, or empty.
	Lang string
}

// minDescription is the minimum length of a description, see letterCount. Source: docs/rendering.md#fit.
const minDescription = 24

// DisplayTitle returns a title as shown: without a trailing “ | Site”, “ - Site” or “ : Site” that repeats the site's
// name or host, or “Site: ” before it, with the quotes of the language instead of straight ones, and a dash for “--”. A
// title that is only the site's name stays.
//
// s must be cleaned text: nothing is decoded (“&amp;” is five letters that someone wrote), and a site's name is
// recognized after single spaces. Remaining white space, controls and invalid bytes are harmless: layout collapses or
// drops them. The work grows with the length of s, which the caller must limit.
func DisplayTitle(s string, site Publisher) string {
	for range 3 {
		shorter, ok := trimSiteName(s, site)
		if !ok {
			break
		}
		s = shorter
	}
	return typeset(withoutPrefix(s, site), site.Lang)
}

// minAfterPrefix is the minimum number of words of a title without the name of its site before it.
const minAfterPrefix = 3

// withoutPrefix removes a leading “Site: ” that repeats the site's name.
func withoutPrefix(s string, site Publisher) string {
	name, rest, found := strings.Cut(s, ": ")
	if !found || !Same(name, site.Name) || strings.Count(strings.TrimSpace(rest), " ") < minAfterPrefix-1 {
		return s
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(rest))
	if unicode.IsLower(first) { // “Acme: the story of a name”
		return s
	}
	return strings.TrimSpace(rest)
}

// displayDescription returns a description as shown, or "" if it isn't worth showing: missing, under 24 characters, or
// a repetition of the title. A title at its start, as a sentence of its own or before a dash, is removed, and so is
// what says no more than the title before something else. One that the page cut ends better. s is as for
// [DisplayTitle].
func displayDescription(s, title, lang string) string {
	s = afterTitle(typeset(s, lang), title)
	if letterCount(s) < minDescription || repeats(s, title) {
		return ""
	}
	return endedWell(afterRepetition(s, title), lang)
}

// minOwnCut is the length, see letterCount, from which a description that ends without a mark was cut by its page.
const minOwnCut = 150

// endedWell returns a description, or if its page cut it, what is before the last sentence of it or, with “…”, before
// the last word, which may be half, or before the mark of the page and the words that leave open what follows.
func endedWell(s, lang string) string {
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	said, marked := withoutCutMark(s, lang)
	last, _ := utf8.DecodeLastRuneInString(said)
	switch {
	case marked && endsSentence(said):
		return said
	case marked:
	case letterCount(s) < minOwnCut, !unicode.In(last, unicode.L, unicode.M, unicode.N), strings.ContainsFunc(s, kana):
		return s
	}
	for _, part := range clauses(said, lang) {
		if endsSentence(part) && float64(len(part)) >= minKept*float64(len(said)) {
			return part
		}
	}
	end := len(said)
	if !marked {
		end = strings.LastIndexFunc(said, unicode.IsSpace)
	}
	if float64(end) >= minKept*float64(len(said)) {
		runes := []rune(said[:end])
		return string(runes[:trimCut(runes, lang)]) + ellipsis
	}
	return s + ellipsis
}

// withoutCutMark returns a description without the mark that its page cut it; marked is false if it has none, or if
// “…” is after a word that a text may end with, as of those that leave something to the reader.
func withoutCutMark(s, lang string) (said string, marked bool) {
	for _, mark := range [...]string{"[…]", "[...]", "(…)", "(...)"} {
		if said, marked = strings.CutSuffix(s, mark); marked {
			return strings.TrimRightFunc(said, unicode.IsSpace), true
		}
	}
	for _, mark := range [...]string{ellipsis, "..."} {
		if said, marked = strings.CutSuffix(s, mark); !marked {
			continue
		}
		said = strings.TrimRightFunc(said, unicode.IsSpace)
		runes := []rune(said)
		if strings.HasSuffix(said, ",") || trimCut(runes, lang) < trimPunctuation(runes) {
			return said, true
		}
	}
	return s, false
}

// letterCount returns the length of a text in characters, of which those of Chinese, Japanese and Korean say as much as
// two of other scripts.
func letterCount(s string) int {
	n := 0
	for _, r := range s {
		if n++; r >= firstEast && r < firstEmoji {
			n++
		}
	}
	return n
}

// givenDescription is displayDescription for a description with an explicitly requested wording. Nothing is removed;
// only a repeated title isn't a description.
func givenDescription(s, title, lang string) string {
	if strings.EqualFold(s, title) {
		return ""
	}
	return typeset(s, lang)
}

// sentenceEnds end a title that a description begins with.
const sentenceEnds = ".:|·•–—-!?…。"

// afterTitle returns the rest of a description that begins with the title, otherwise all of it.
func afterTitle(s, title string) string {
	if title == "" || len(s) < len(title) || !strings.EqualFold(s[:len(title)], title) {
		return s
	}
	rest := s[len(title):]
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(rest, unicode.IsSpace))
	if !strings.ContainsRune(sentenceEnds, first) {
		return s
	}
	if strings.HasPrefix(rest, "-") { // a longer word
		return s
	}
	return strings.TrimLeftFunc(rest, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(sentenceEnds, r)
	})
}

// afterRepetition returns a description without its first part, up to a mark, if that only has words of the title, in
// their order, and what follows can begin a text: “Areca palm in a pot, 90 cm high”.
func afterRepetition(s, title string) string {
	const least = .6 // of the title, that the part has
	for i, r := range s {
		if !strings.ContainsRune(sentenceEnds+",", r) {
			continue
		}
		rest := s[i+utf8.RuneLen(r):]
		if first, _ := utf8.DecodeRuneInString(rest); !unicode.IsSpace(first) {
			continue
		}
		rest = strings.TrimLeftFunc(rest, func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune("|·•–—-", r)
		})
		first, _ := utf8.DecodeRuneInString(rest)
		if part := s[:i]; !unicode.In(first, unicode.Lu, unicode.Nd) || letterCount(rest) < minDescription ||
			!inOrder(foldedWords(part), foldedWords(title)) {
			return s
		} else if float64(len(folded(part))) >= least*float64(len(folded(title))) {
			return rest
		}
		return s
	}
	return s
}

// inOrder reports whether all words of a text are among those of another one, in the same order.
func inOrder(words, of string) bool {
	for word := range strings.FieldsSeq(words) {
		i := strings.Index(of, " "+word+" ")
		if i < 0 {
			return false
		}
		of = of[i+1+len(word):]
	}
	return true
}

// kana reports whether r is a letter of Japanese that isn't Chinese.
func kana(r rune) bool { return r >= 0x3041 && r <= 0x30fe }

// repeatShare is the share of a description that the words of the title, in their order, have in one that repeats it.
const repeatShare = .45

// repeats reports whether a description says no more than the title: the same words, some of them ("owner/name:
// description"), or the title and few others, also between its words.
func repeats(s, title string) bool {
	words, of := folded(s), folded(title)
	if words == "" || of == "" {
		return words == of
	}
	if strings.Contains(of, words) {
		return true
	}
	long, short := utf8.RuneCountInString(words), utf8.RuneCountInString(of)
	if short < minDescription {
		return false
	}
	return strings.Contains(words, of) && long-short < minDescription ||
		float64(short) >= repeatShare*float64(long) && inOrder(foldedWords(title), foldedWords(s))
}

// saysLittle reports whether a description that is cut has hardly any word that the title hasn't.
func saysLittle(cut, title, lang string) bool {
	const most, stem = 3, 4 // new words, fewer than known ones; letters of a word that counts
	if strings.ContainsFunc(cut, eastern) {
		return false
	}
	fresh, known, of := 0, 0, foldedWords(title)
	for word := range strings.FieldsSeq(foldedWords(cut)) {
		runes := []rune(word)
		switch {
		case len(runes) < stem, functionWords(lang)[word]:
		case strings.Contains(of, " "+string(runes[:min(len(runes), max(stem, len(runes)-2))])):
			known++
		default:
			fresh++
		}
	}
	return fresh <= most && known > most
}

// siteSeparators separate a title from the name of its site.
var siteSeparators = []string{" | ", " - ", " – ", " — ", " · ", " • ", " :: ", " : ", " » ", " / ", " ｜ ", "｜", " ‹ ", " « "}

// trimSiteName removes one trailing “ | Site”.
func trimSiteName(s string, site Publisher) (string, bool) {
	at, sep := -1, ""
	for _, candidate := range siteSeparators {
		if i := strings.LastIndex(s, candidate); i > at {
			at, sep = i, candidate
		}
	}
	if at <= 0 {
		return s, false
	}
	tail := s[at+len(sep):]
	if !Same(tail, site.Name) && !sameHost(tail, site.Host) {
		return s, false
	}
	head := strings.TrimSpace(s[:at])
	return head, head != ""
}

// minHostLabel is the minimum length of a host's label that counts as the name of a site: "en" of en.wikipedia.org
// doesn't.
const minHostLabel = 4

// sameHost reports whether s names a host: the host or a parent domain, with or without its last label ("Acme",
// "acme.com" and "blog.acme.com" for blog.acme.com).
func sameHost(s, host string) bool {
	labels := strings.Split(strings.ToLower(host), ".")
	for i := range labels {
		if i > maxHostLabels || i == len(labels)-1 && i > 0 {
			break
		}
		whole := strings.Join(labels[i:], ".")
		bare := strings.Join(labels[i:max(i+1, len(labels)-1)], ".")
		if Same(s, whole) || len(bare) >= minHostLabel && Same(s, bare) {
			return true
		}
	}
	return false
}

// maxHostLabels is the maximum number of labels compared.
const maxHostLabels = 6

// Same reports whether two texts say the same: it compares only letters and digits, ignoring case and accents (hosts
// have none). Texts without any never match.
func Same(a, b string) bool {
	a = folded(a)
	return a != "" && a == folded(b)
}

// Says reports whether a text has a name in it, with or without its accents: as whole words, unless its script has no
// spaces between words, which some write between the parts of a name all the same, or endings that join them.
func Says(s, name string) bool {
	s, name = foldedWords(s), foldedWords(name)
	if strings.ContainsFunc(name, func(r rune) bool { return r >= firstJoined }) {
		s, name = strings.ReplaceAll(s, " ", ""), strings.ReplaceAll(name, " ", "")
	}
	return strings.TrimSpace(name) != "" && strings.Contains(s, name)
}

// firstJoined is the first character of the blocks of Thai and of the scripts of East Asia.
const firstJoined = 0x0E00

// foldedWords returns the words of s, folded, with a space before and after each.
func foldedWords(s string) string {
	var b strings.Builder
	between := func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) }
	for _, word := range strings.FieldsFunc(s, between) {
		b.WriteString(" " + folded(word))
	}
	return b.String() + " "
}

// folded returns the letters and digits of s, in lower case and without accents.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		switch r = unicode.ToLower(r); {
		case r == 'ł': // which hosts write without its stroke; Unicode doesn't decompose it
			return 'l'
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.Mc, r):
			return r
		}
		return -1
	}, norm.NFD.String(s))
}

// typeset replaces keyboard characters by typographic ones: quotes, apostrophes, dashes, the ellipsis.
func typeset(s, lang string) string {
	if strings.Contains(s, "--") {
		s = smartDashes(s)
	}
	s = spaced(strings.ReplaceAll(s, "...", "…"))
	if strings.Contains(s, wideMark) || strings.Contains(s, ideographicMark) {
		s = withoutWideGaps(s)
	}
	if strings.ContainsRune(s, fractionSlash) {
		s = plainSlashes(s)
	}
	if strings.ContainsAny(s, `"'`) {
		arabic := func(r rune) bool { return unicode.Is(unicode.Arabic, r) }
		if lang == "" && Direction(s) == RightToLeft && strings.ContainsFunc(s, arabic) {
			lang = "ar"
		}
		s = smartQuotes(s, quotesOf(lang))
	}
	return s
}

// The first two bytes, in UTF-8, of full-width punctuation (！，：；？) and of ideographic punctuation (、。).
const (
	wideMark        = "\xef\xbc"
	ideographicMark = "\xe3\x80"
)

// withoutWideGaps removes spaces beside wide punctuation, which has its own: “音乐？ 对” looks like a word left out. In a
// text without letters of Chinese or Japanese, colons and semicolons, which have it on both sides, are the usual ones.
func withoutWideGaps(s string) string {
	mark := func(r rune) bool { return strings.ContainsRune("！，：；？、。", r) }
	runes, foreign := []rune(s), !strings.ContainsFunc(s, eastLetter)
	kept := make([]rune, 0, len(runes)+1)
	previous := rune(0)
	for i, r := range runes {
		if r == ' ' && (mark(previous) || i+1 < len(runes) && mark(runes[i+1])) {
			continue
		}
		if foreign && (r == '：' || r == '；') && previous > ' ' {
			kept = append(kept, r-fullWidthOffset)
			if strings.TrimLeft(string(runes[i+1:]), " ") != "" {
				kept = append(kept, ' ')
			}
		} else {
			kept = append(kept, r)
		}
		previous = r
	}
	return string(kept)
}

// fullWidthOffset is the difference between a full-width character and the usual one.
const fullWidthOffset = '：' - ':'

// fractionSlash is the slash of fractions. It is so narrow that it overlaps all but small digits beside it.
const fractionSlash = '\u2044'

// plainSlashes turns fraction slashes into plain ones, but for those between digits, as in 7⁄16: faces set these small.
func plainSlashes(s string) string {
	runes := []rune(s)
	digit := func(i int) bool { return i >= 0 && i < len(runes) && runes[i] >= '0' && runes[i] <= '9' }
	for i, r := range runes {
		if r == fractionSlash && !(digit(i-1) && digit(i+1)) {
			runes[i] = '/'
		}
	}
	return string(runes)
}

// smartDashes turns "--" and "---" between words into a dash: a spaced en dash if there were spaces, otherwise an em
// dash. A "--" at the start of a word is a command-line option and stays.
func smartDashes(s string) string {
	runes := []rune(s)
	out := make([]rune, 0, len(runes))
	for i := 0; i < len(runes); {
		if runes[i] != '-' {
			out = append(out, runes[i])
			i++
			continue
		}
		j := i
		for j < len(runes) && runes[j] == '-' {
			j++
		}
		before := i > 0 && runes[i-1] == ' '
		after := j < len(runes) && runes[j] == ' '
		inside := i > 0 && j < len(runes) && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[j])
		switch n := j - i; {
		case (n == 2 || n == 3) && before && after:
			out = append(out, '–')
		case (n == 2 || n == 3) && inside:
			out = append(out, '—')
		default:
			out = append(out, runes[i:j]...)
		}
		i = j
	}
	return string(out)
}
