package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clauses returns the prefixes of s that end with a sentence, longest first, then those that end with a clause, without
// the final comma or dash. All have at least 24 characters. The first word of a list after a colon ends none, nor do
// one or two words after another mark, such as the second one of a list, or the words before what a sentence says:
// “Despite the rain, …”.
func clauses(s, lang string) []string {
	var sentences, parts []string
	previous := rune(0)
	var size, colon, sentence, part int // where the last ones began
	joined := false                     // the last part ended in a conjunction
	var pairs pairCount
	aside := false // after a subject and a comma, until the next comma
	for i := 0; i < len(s); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(s[i:])
		end := i + size
		next, _ := utf8.DecodeRuneInString(s[end:])
		closes := next == utf8.RuneError || unicode.IsSpace(next) || wide(r)
		pairs.add(r)
		switch r {
		case '.', '!', '?', '。', '！', '？', '؟', '۔', '।', '…':
			abbreviated := r == '.' && !endsYear(s[:i], s[end:]) &&
				(endsAbbreviation(s[:i], s[end:], lang) || beginsSmall(s[end:]) || endsOrdinal(s[:i], s[end:], lang))
			if closes && end < len(s) && !abbreviated {
				if !pairs.open() {
					sentences = append(sentences, s[:end])
				}
				colon, sentence, part, aside = 0, end, end, false
			}
		case ',', ';', ':', '；', '：', '，', '،', '؛': // and not '、', after which a sentence or a list goes on
			open := joined
			joined = joins[s[strings.LastIndexByte(s[:i], ' ')+1:i]]
			if closes && !open && !joined && !pairs.open() && !points(s[:i]) &&
				!(r == ',' && (aside || incomplete(s[end:], lang) || inDate(s[end:]))) && !(colon > 0 && beginsList(s[colon:i])) &&
				!fragment(s[part:i], part > 0, part == sentence, r, lang) {
				parts = append(parts, s[:i])
			}
			if r == ':' {
				colon = end
			}
			if closes {
				aside = r == ',' && part == sentence && subject(s[part:i], lang)
				part = end
			}
		case '–', '—':
			number := unicode.IsDigit(previous) && unicode.IsDigit(next) // 80—120
			spaced := unicode.IsSpace(previous)
			if (spaced && !rangeDash(s[:i], s[end:]) || !spaced && r == '—' && !number) && !pairs.open() {
				parts = append(parts, strings.TrimSpace(s[:i]))
			}
		}
		previous = r
	}
	var out []string
	for _, list := range [][]string{sentences, parts} {
		for i := len(list) - 1; i >= 0; i-- {
			if letterCount(list[i]) >= minDescription {
				out = append(out, list[i])
			}
		}
	}
	return out
}

// pairCount counts the brackets and quotes of a text that are still open.
type pairCount struct {
	brackets, pointed, low, high int
}

func (c *pairCount) add(r rune) {
	switch r {
	case '(', '[', '（':
		c.brackets++
	case ')', ']', '）':
		c.brackets--
	case '«':
		c.pointed++
	case '»':
		c.pointed--
	case '„':
		c.low++
	case '“', '”':
		switch { // “ closes in German and opens in English
		case c.low > 0:
			c.low--
		case r == '“':
			c.high++
		default:
			c.high--
		}
	}
}

// open reports whether a bracket or a quote is open. Danish quotes point the other way: »…«.
func (c *pairCount) open() bool {
	return c.brackets > 0 || c.pointed != 0 || c.low > 0 || c.high > 0
}

// opensPair reports whether a bracket or a quote is open at the end of a text.
func opensPair(runes []rune) bool {
	var pairs pairCount
	for _, r := range runes {
		pairs.add(r)
	}
	return pairs.open()
}

// subjectArticles begin a subject.
var subjectArticles = wordSet("el la los las un una le les l il lo gli i der die das ein eine the a an o os as um uma")

// subject reports whether the words before the first comma of a sentence are probably only its subject, about which the
// words before the next comma say something: “The report, published in The Lancet, …”. Without articles it's what has
// one or two words.
func subject(part, lang string) bool {
	words := strings.Fields(part)
	if len(words) == 0 {
		return false
	}
	switch primaryLanguage(lang) {
	case "pl", "cs", "sk", "ru", "uk", "be", "bg":
		const most = 2
		return len(words) <= most
	}
	const most = 3
	return len(words) > 1 && len(words) <= most && subjectArticles[strings.ToLower(words[0])]
}

// openings are words, by language, that begin what a sentence says first and can't end with.
var openings = map[string]string{
	"en": " despite although though while when if after before as since because with without unless until once ",
	"de": " obwohl während wenn nachdem bevor weil da trotz als ohne mit seit ",
	"fr": " malgré bien quand si après avant comme lorsque avec sans depuis ",
	"es": " pese aunque cuando si tras después con sin desde ",
	"pl": " choć mimo gdy kiedy jeśli po od ",
	"ar": " في رغم بعد قبل منذ مع عند عندما حين خلال وسط بينما إذا لو لأن بسبب بمناسبة ",
	"ru": " несмотря хотя когда если после с без ",
	"pt": " apesar embora quando se após antes depois desde com sem ",
	"it": " nonostante sebbene quando se dopo prima con senza ",
	"nl": " ondanks hoewel wanneer als nadat voordat omdat sinds zonder met ",
}

// turns are words that join a sentence to the one before a comma, beside joins.
var turns = wordSet("but aber mais pero ma ale но")

// leadIns are prepositions, by language, that begin a phrase before a sentence, or else the sentence itself.
var leadIns = map[string]string{
	"en": " at by during for from in on to under ",
	"fr": " à au aux dans dès en face lors pendant pour selon ",
}

// fragment reports whether a part of a sentence before a mark can't be the last: it has one or two words and isn't all
// of the text, or is the first of a sentence and begins with one of openings, or is short and begins with one of
// leadIns or in English with a participle: “Writing for the majority, …”. A later one must not begin with one of joins
// or turns and one of openings: “…, and despite having no money, …”.
func fragment(part string, follows, first bool, mark rune, lang string) bool {
	const (
		least   = 3 // words
		most    = 7 // of a phrase before a sentence
		longest = 4 // letters of a word in -ing that is no participle
	)
	words := strings.Fields(part)
	if len(words) == 0 || strings.ContainsFunc(part, eastern) {
		return false
	}
	lang = primaryLanguage(lang)
	word := strings.ToLower(words[0])
	isOpening := func(i int) bool {
		return i < len(words) && strings.Contains(openings[lang], " "+strings.ToLower(words[i])+" ")
	}
	if !first || mark == ';' {
		return follows && len(words) < least || mark != ';' && (joins[word] || turns[word]) && isOpening(1)
	}
	return follows && len(words) < least || isOpening(0) ||
		len(words) <= most && (strings.Contains(leadIns[lang], " "+word+" ") ||
			lang == "en" && len(word) > longest && strings.HasSuffix(word, "ing"))
}

// eastern reports whether r is a letter of a script whose words have no spaces between them, or of Korean.
func eastern(r rune) bool { return r >= firstJoined && unicode.IsLetter(r) }

// beginsList reports whether what is between a colon and a comma is one or two words: the first of a list.
func beginsList(s string) bool {
	const most = 2
	return !strings.ContainsAny(s, ",،") && len(strings.Fields(s)) <= most
}

// endsOrdinal reports whether a number before a full stop is an ordinal, which ends no sentence: “am 13. Juni”, but not
// before an article: “sind es 30. Das”.
func endsOrdinal(before, after, lang string) bool {
	const longest = 3 // digits
	digits := before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]
	if digits == "" || len(digits) > longest || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after, unicode.IsSpace))
	return unicode.IsLower(next) || primaryLanguage(lang) == "de" && !BeginsWithFunctionWord(after, lang)
}

// completions are words, by language, that begin what the words before a comma can't do without: “die Frage, ob”.
var completions = map[string]string{"de": " dass ob warum wie was wer welche "}

// incomplete reports whether a text can't end before a comma, since the rest completes it.
func incomplete(after, lang string) bool {
	words := completions[primaryLanguage(lang)]
	if words == "" {
		return false
	}
	first, _, _ := strings.Cut(strings.TrimLeftFunc(after, unicode.IsSpace), " ")
	return first != "" && strings.Contains(words, " "+first+" ")
}

// inDate reports whether what follows a comma is the day of a date, or the month and the day: “on Friday, March 13”.
func inDate(after string) bool {
	words := strings.Fields(after)
	day := func(i int) bool {
		const longest = 2 // digits
		if i >= len(words) {
			return false
		}
		word := strings.TrimRight(words[i], ".,;")
		return word != "" && len(word) <= longest && strings.Trim(word, "0123456789") == ""
	}
	month := func(i int) bool { return i < len(words) && months[strings.ToLower(strings.TrimRight(words[i], ".,;"))] }
	return month(0) && day(1) || day(0) && (month(1) || len(words) > 2 && words[1] == "de" && month(2))
}

// rangeDash reports whether the dash between two texts is that of a range: digits follow it, and are in one of the last
// two words before it, as in “26 March – 6 April”.
func rangeDash(before, after string) bool {
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after, unicode.IsSpace))
	if !unicode.IsDigit(next) {
		return false
	}
	words := strings.Fields(before)
	return slices.ContainsFunc(words[max(0, len(words)-2):], func(word string) bool {
		return strings.ContainsFunc(word, unicode.IsDigit)
	})
}

// endsSentence reports whether a part from clauses consists of complete sentences.
func endsSentence(part string) bool {
	last, _ := utf8.DecodeLastRuneInString(part)
	return strings.ContainsRune(".!?。！？؟۔।…", last)
}

// wide reports whether r is full-width punctuation, which isn't followed by a space.
func wide(r rune) bool { return r >= 0x3000 && r < 0xff00 || r >= 0xff00 && r < 0xff60 }

// otherStops reports whether a full stop at the end of a text is that of an abbreviation since sentences of the
// language don't end with one: not at all in Thai, and not after other letters in Chinese and Japanese: “明朝体。Ver.
// 2.10では”.
func otherStops(s, lang string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	if unicode.In(last, unicode.Thai, unicode.Lao, unicode.Khmer) {
		return true
	}
	lang = primaryLanguage(lang)
	return (lang == "ja" || lang == "zh") && unicode.Is(unicode.Latin, last) && strings.ContainsFunc(s, eastern)
}

// beforeNumbers are abbreviations of any language, in small letters, that belong to a number after them.
var beforeNumbers = wordSet("ver vol abs art ca cca approx aprox pp pg pág fig ch sec nº bd hl чл рис")

// endsAbbreviation reports whether s ends in a single letter, a title such as “Dr” or another abbreviation: a full stop
// after it, before after, doesn't end a sentence.
func endsAbbreviation(s, after, lang string) bool {
	word := strings.TrimLeft(s[strings.LastIndexFunc(s, unicode.IsSpace)+1:], "(«„“")
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after, unicode.IsSpace))
	if unicode.IsDigit(next) && beforeNumbers[strings.ToLower(word)] {
		return true
	}
	switch strings.ToLower(word) {
	case "dr", "mr", "mrs", "ms", "st", "vs", "nr", "no", "bzw", "z.b", "e.g", "i.e", "u.s", "sr", "sra", "dra", "prof",
		"ee", "uu", "ул", "им", "проф", "корп", "кв", "стр",
		"डॉ", "प्रो", "श्री", "पं", "मो", "कि.मी":
		return true
	}
	return utf8.RuneCountInString(word) == 1 || leadsOnward(word, lang) || otherStops(s, lang)
}

// endsYear reports whether a sentence ends with a year in Polish or Russian, and its abbreviation: “od 1956 r.”
func endsYear(before, after string) bool {
	const digits = 4
	year, ok := strings.CutSuffix(strings.ReplaceAll(before, "\u00a0", " "), " r")
	if !ok {
		year, ok = strings.CutSuffix(year, " г")
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after, unicode.IsSpace))
	return ok && unicode.IsUpper(next) && len(year) >= digits && strings.Trim(year[len(year)-digits:], "0123456789") == ""
}

// beginsSmall reports whether a text begins with a small letter, as after an abbreviation.
func beginsSmall(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " "))
	return unicode.IsLower(r)
}

// pointing are words that announce a clause in Russian, Ukrainian and Polish: “и о том, почему”.
const pointing = " то том тем того тому те так тим tym tego temu "

// points reports whether the last word of a clause announces the next one.
func points(s string) bool {
	return strings.Contains(pointing, " "+s[strings.LastIndexByte(s, ' ')+1:]+" ")
}
