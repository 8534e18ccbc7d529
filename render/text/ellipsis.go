package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const ellipsis = "…"

// minCutShare is the minimum share of the fitting text for a cut at a word; otherwise the cut is at a grapheme.
const minCutShare = .5

// The maximum number of characters that a cut text gives up to avoid a line that ends inside a compound or a number:
// hanYield in Chinese and Japanese.
const (
	compoundYield = 24
	hanYield      = 8
)

// kernRoom is how much narrower, in em, kerning and tracking can make a cut text than the sum of its parts: wider
// candidates need not be tried.
const kernRoom = .15

// clamp lays out as much of p as fits into maxLines lines of width w, ending in “…”: cut at a word, without trailing
// punctuation and function words, or between graphemes if no word boundary is near.
func (e *Engine) clamp(p *paragraph, m metrics, w float64, maxLines int) *Block {
	e.lines, _ = p.wrap(m, w, true, e.lines)
	if len(e.lines) == 0 {
		return e.build(p, nil, m, w)
	}
	last := e.lines[min(maxLines, len(e.lines))-1]
	cut := e.cutPoint(p, m, w, maxLines, last)
	e.cut.wholePhrases = e.cut.phrased
	lines, _ := e.cut.wrap(m, w, true, e.lines)
	e.lines = lines
	if cut == 0 || len(lines) > maxLines {
		e.compose(&e.cut, "", p.style)
		lines = nil
	}
	b := e.finish(&e.cut, m, w, lines)
	b.Truncated, b.Missing, b.MissingShare = true, string(p.missing), p.missingShare()
	return b
}

// cutPoint composes the longest shortened form of p that fits into e.cut and returns how many runes of p it keeps; 0 if
// not even one letter with an ellipsis fits.
func (e *Engine) cutPoint(p *paragraph, m metrics, w float64, maxLines int, last lineRange) int {
	e.compose(&e.cut, ellipsis, p.style)
	dots := e.cut.width(0, len(e.cut.runes), m)
	try := func(end int) bool {
		if end > last.start && p.width(last.start, end, m)+dots > w+kernRoom*m.size {
			return false
		}
		e.compose(&e.cut, string(p.runes[:end])+ellipsis, p.style.uncapped())
		e.cut.wholePhrases = e.cut.phrased // lines don't end inside words
		lines, whole := e.cut.wrap(m, w, true, e.trial)
		e.trial = lines
		if n := len(lines); n > 1 && lines[n-1].end-lines[n-1].start == 1 {
			return false // “…” alone
		}
		return whole && len(lines) <= maxLines
	}
	// Of the cuts that fit: those that part a compound on a line, or after its hyphen, or have few words after a colon.
	longest, inside, barely := 0, 0, 0
	yield := compoundYield
	if p.class == cjk && p.han != korean {
		yield = hanYield
	}
	floor := int(minCutShare * float64(last.end))
	for i := len(p.breaks) - 1; i >= 0; i-- {
		b := p.breaks[i]
		if b.end <= last.end && !p.hangs(b) && !p.splitsWord(b) {
			end := trimCut(p.runes[:b.end], p.style.Lang)
			if end > floor && p.style.Balance && barelyBegins(p.runes[:end]) { // a title
				if barely == 0 && try(end) {
					barely = end
				}
				continue
			}
			if end <= floor || max(longest, inside)-end > yield {
				break
			}
			if end != longest && try(end) {
				switch {
				case e.partsCompound(m, w):
					longest = max(longest, end)
				case p.insideCompound(b):
					inside = max(inside, end)
				default:
					return end
				}
			}
		}
	}
	for _, end := range [...]int{min(inside, max(barely, longest)), inside, max(longest, barely)} {
		if end > 0 && try(end) {
			return end
		}
	}
	for i := last.end; i > 0; i-- {
		if p.flags[i]&graphemeStart == 0 {
			continue
		}
		end := trimPunctuation(p.runes[:i])
		if end > 0 && try(end) {
			return end
		}
	}
	return 0
}

// leansOn reports whether the rune at i is a Chinese word of one character, such as 與, that belongs to the next word.
func (p *paragraph) leansOn(i int) bool {
	return p.han != japanese && i > 0 && (p.leads(i) || p.clings(i) && !p.hanWordAt(i))
}

// endsAtDash reports whether a break is inside a word, after its dash: “Paris–Nice”.
func (p *paragraph) endsAtDash(b lineBreak) bool {
	return b.end == b.next && b.end < len(p.runes) && p.runes[b.end-1] == '–'
}

// hangs reports whether a cut at b would end before what its last word is about: “400…” of what?
func (p *paragraph) hangs(b lineBreak) bool {
	return p.endsInCount(b) || p.endsInsideName(b) || p.endsAtDash(b) || thaiPrepositions[p.thaiWordBefore(b)] ||
		p.leadsToName(b) || p.class == cjk && p.han != korean && b.end > 0 &&
		(p.signsTo(b.end-1, -1) == penaltyLoneSign || p.leansOn(b.end-1))
}

// endsInsideName reports whether a cut at b would end in the first part of a name, as “an interview with Ana María…” or
// “from Saint…” (-Étienne).
func (p *paragraph) endsInsideName(b lineBreak) bool {
	if p.insideCompound(b) && unicode.IsUpper(p.runes[b.end]) {
		return true
	}
	switch p.penaltyOf(b) {
	case penaltyName, penaltyFullName, penaltyModel:
		return true
	}
	return false
}

// barelyBegins reports whether a cut text has no more than two words after a colon or an opening bracket, as “Tenancy
// law 2027: What…”, or one after a semicolon.
func barelyBegins(runes []rune) bool {
	const least = 3
	words := 1
	for i := len(runes) - 1; i > 0 && words < least; i-- {
		if runes[i] != ' ' {
			continue
		}
		if runes[i-1] == ':' || runes[i+1] == '(' || words == 1 && runes[i-1] == ';' {
			return true
		}
		words++
	}
	return false
}

// insideCompound reports whether a break is after a hyphen: “First…” isn't how “First-Time Visitors” begins.
func (p *paragraph) insideCompound(b lineBreak) bool {
	return b.end == b.next && b.end > 1 && b.end < len(p.runes) && p.runes[b.end-1] == '-' &&
		unicode.IsLetter(p.runes[b.end-2]) && unicode.IsLetter(p.runes[b.end])
}

// splitsWord reports whether a break is inside a Chinese or Japanese word.
func (p *paragraph) splitsWord(b lineBreak) bool {
	return b.weak && !b.joint && b.next < len(p.runes) && p.phrasePenalty(b.end) >= penaltyWord
}

// partsCompound reports whether a line of the trial cut would end inside a compound or between two words that are never
// parted, or in a title inside a word.
func (e *Engine) partsCompound(m metrics, w float64) bool {
	if !e.cut.style.Balance {
		return false
	}
	fault := float64(penaltyBound)
	if e.cut.style.HangingPunctuation { // a title
		fault = penaltyWord
	}
	lines := e.balance(&e.cut, m, w, e.trial)
	for i := range len(lines) - 1 {
		for _, b := range e.cut.breaks {
			if b.end == lines[i].end && e.cut.penaltyOf(b) >= fault {
				return true
			}
		}
	}
	return false
}

// trimCut returns how much of a cut text remains without trailing punctuation and function words of a language.
func trimCut(runes []rune, lang string) int {
	words, hindi := functionWords(lang), primaryLanguage(lang) == "hi"
	end := len(runes)
	for {
		end = trimPunctuation(runes[:end])
		start := end
		for start > 0 && (unicode.In(runes[start-1], unicode.L, unicode.M) || apostrophe(runes[start-1])) {
			start--
		}
		if start == end || start == 0 || !opens(runes[start-1]) {
			return end
		}
		word := strings.ToLower(string(runes[start:end]))
		if !words[word] && !(end-start == 1 && strings.Contains(letterWords, word)) && !englishWords[word] &&
			!(hindi && hindiCases[word]) {
			return end
		}
		end = start
	}
}

// letterWords are one-letter function words of any language, since pages don't always declare theirs correctly.
const letterWords = "aàeéèioóuyаиоувксяй"

// englishWords end no cut title of any language, since many pages in English declare another one.
var englishWords = wordSet("of the and with from")

// hindiCases are postpositions, after which a cut title leaves open what follows.
var hindiCases = wordSet("का की के ने को से में पर")

// joins are conjunctions of any language that end no clause: what is between commas follows, as in “planning and,
// above all, restoring”.
var joins = wordSet("and or und oder et ou och og e y o u i и или और")

func apostrophe(r rune) bool { return r == '\'' || r == '’' }

// opens reports whether a word can begin after r.
func opens(r rune) bool {
	return unicode.IsSpace(r) || apostrophe(r) || unicode.In(r, unicode.Ps, unicode.Pi)
}

// trailing reports whether r isn't allowed before an ellipsis: spaces, punctuation and opening brackets.
func trailing(r rune) bool {
	if strings.ContainsRune("%‰°٪％", r) || closes(r) {
		return false
	}
	return unicode.IsSpace(r) || unicode.IsPunct(r) || r == '|' || r == '+' || r == '=' || r == '<' || r == 0x200b
}

// closes reports whether r is a closing quote or bracket: it is allowed before an ellipsis, but not after other
// punctuation.
func closes(r rune) bool {
	return r == '"' || r == '\'' || unicode.In(r, unicode.Pe, unicode.Pf)
}

// trimPunctuation returns the length of a text without its trailing punctuation.
func trimPunctuation(runes []rune) int {
	end := len(runes)
	for end > 0 {
		before := end - 1
		for before > 0 && closes(runes[before]) {
			before--
		}
		if !trailing(runes[before]) {
			break
		}
		end = before
	}
	return end
}

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
			abbreviated := r == '.' &&
				(endsAbbreviation(s[:i], lang) || beginsSmall(s[end:]) || endsOrdinal(s[:i], s[end:], lang))
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
				!(r == ',' && (aside || incomplete(s[end:], lang))) && !(colon > 0 && beginsList(s[colon:i])) &&
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
}

// conjunctions are words that join a sentence to the one before a comma.
var conjunctions = wordSet("and but or und aber oder et mais ou y pero o i ale lub и но или")

// leadIns are prepositions, by language, that begin a phrase before a sentence, or else the sentence itself.
var leadIns = map[string]string{
	"en": " at by during for from in on to under ",
	"fr": " à au aux dans dès en face lors pendant pour selon ",
}

// fragment reports whether a part of a sentence before a mark can't be the last: it has one or two words and isn't all
// of the text, or is the first of a sentence and begins with one of openings, or is short and begins with one of
// leadIns or in English with a participle: “Writing for the majority, …”. A later one must not begin with a conjunction
// and one of openings: “…, and despite having no money, …”.
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
	isOpening := func(i int) bool {
		return i < len(words) && strings.Contains(openings[lang], " "+strings.ToLower(words[i])+" ")
	}
	if !first || mark == ';' {
		return follows && len(words) < least || mark != ';' && conjunctions[strings.ToLower(words[0])] && isOpening(1)
	}
	word := strings.ToLower(words[0])
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

// endsOrdinal reports whether a number before a full stop is an ordinal, which ends no sentence: “am 13. Juni”.
func endsOrdinal(before, after, lang string) bool {
	const longest = 3 // digits
	digits := before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]
	if digits == "" || len(digits) > longest || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after, unicode.IsSpace))
	return unicode.IsLower(next) || primaryLanguage(lang) == "de"
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

// endsAbbreviation reports whether s ends in a single letter, a title such as “Dr” or another abbreviation: a full stop
// after it doesn't end a sentence.
func endsAbbreviation(s, lang string) bool {
	word := s[strings.LastIndexFunc(s, unicode.IsSpace)+1:]
	switch strings.ToLower(word) {
	case "dr", "mr", "mrs", "ms", "st", "vs", "nr", "no", "bzw", "z.b", "e.g", "i.e", "u.s", "sr", "sra", "dra", "prof",
		"ee", "uu", "ул", "им", "проф", "корп", "кв", "стр":
		return true
	}
	return utf8.RuneCountInString(word) == 1 || leadsOnward(strings.TrimLeft(word, "(«„“"), lang)
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
