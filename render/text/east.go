package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/language"
)

// This file is for lines of Chinese, Japanese and Korean: where they never end, and where they should.

// boxDash reports whether r is a line of a box, which Japanese pages write for a dash. No face has it.
func boxDash(r rune) bool { return r == '─' || r == '━' }

// dashAfter reports whether a boxDash after these runes is a dash: it follows an East Asian letter or mark, or one
// other dash. A longer line is an ornament.
func dashAfter(runes []rune) bool {
	n := len(runes)
	if n == 0 || n > 1 && runes[n-1] == '—' && runes[n-2] == '—' {
		return false
	}
	return runes[n-1] == '—' || runes[n-1] >= firstEast
}

// firstEast is the first character of the blocks of Chinese, Japanese and Korean.
const firstEast = 0x2e80

// magnitudesHan are between a number and its counter, or the rest of it: 9万8,000円.
const magnitudesHan = "万萬億亿兆千百"

// keepsEast reports whether a line never ends before runes[i]: between a number and its counter, inside a range, before
// a stroke, a single dash, a middle dot, or the end of a syllable in katakana, and before a single letter that belongs
// to the name before it, such as the B of シリーズB.
func keepsEast(runes []rune, i int) bool {
	a, b := runes[i-1], runes[i]
	next := rune(0)
	if i+1 < len(runes) {
		next = runes[i+1]
	}
	switch {
	case a < 0x80 && b < 0x80:
		return false
	case b == '／', b == '｜', i > 1 && a == 'か' && containsRune("月所国年", b) && (unicode.IsDigit(runes[i-2]) ||
		containsRune(hanNumbers, runes[i-2])):
		return true
	case a == '—':
		return i > 1 && unicode.IsDigit(runes[i-2]) && unicode.IsDigit(b) // 9:00—18:00
	case a == '・':
		return i > 1 && unicode.IsDigit(runes[i-2]) && unicode.IsDigit(b) // 4・5歳
	case a == '/', a == '／' && counted(runes[:i-1]) && !isHan(next):
		return i > 1 && isHan(runes[i-2]) && containsRune("小时時秒分天日月年人次", b) // 公里/小时, 1,700回／分。
	case b == '·' && !blank(a), katakana(a) && (b == 'ン' || b == 'ッ' || a == 'ッ'):
		return true
	case b == '—':
		return next != '—' && a >= firstEast
	case unicode.IsDigit(b):
		return containsRune("第約约〜～这這每", a) || containsRune("週月年全各計计", a) && (i < 2 || !numberBefore(runes, i-1)) ||
			containsRune(magnitudesHan, a) && i > 1 && unicode.IsDigit(runes[i-2])
	case b >= 'A' && b <= 'Z':
		return (katakana(a) && a != '・' || isHan(a) && !containsRune(leadsHan, a)) && !alphanumeric(next)
	case unicode.IsDigit(a):
		return countsIn(runes, i, b, next)
	case containsRune(magnitudesHan, a) && isHan(b):
		for i--; i > 0 && containsRune(magnitudesHan, runes[i]); i-- {
		}
		return unicode.IsDigit(runes[i])
	}
	return false
}

// counted reports whether a text ends in digits and their counter.
func counted(runes []rune) bool {
	n := len(runes)
	return n > 1 && isHan(runes[n-1]) && unicode.IsDigit(runes[n-2])
}

// numberBefore reports whether a number is before runes[i], with or without a counter.
func numberBefore(runes []rune, i int) bool {
	return unicode.IsDigit(runes[i-1]) || isHan(runes[i-1]) || katakana(runes[i-1])
}

func isHan(r rune) bool { return r >= firstEast && language.LookupScript(r) == language.Han }

// countsIn reports whether b, which next follows, is the counter of the number before runes[i]. The number of a name,
// such as GPT-4, has none, and a year only a usual one.
func countsIn(runes []rune, i int, b, next rune) bool {
	const yearDigits = 4
	start := i
	for start > 0 && (unicode.IsDigit(runes[start-1]) || runes[start-1] == '.' || runes[start-1] == ',') {
		start--
	}
	before := start
	for before > 0 && (runes[before-1] == '-' || blank(runes[before-1])) {
		before--
	}
	if before > 0 && unicode.IsLetter(runes[before-1]) && runes[before-1] < firstEast {
		return false
	}
	year := i-start == yearDigits && (runes[start] == '1' && runes[start+1] == '9' || runes[start] == '2')
	switch {
	case isHan(b), katakana(b):
		return !year || containsRune(counters, b)
	case b == 'か':
		return containsRune("月所国年", next)
	}
	return b == 'つ'
}

// approximations follow a number and its counter.
var approximations = [...]string{
	"左右", "以上", "以下", "以内", "以降", "未満", "未满", "上下", "前後", "前后",
}

// afterCount reports whether runes[i] continues what is counted: a smaller unit, as in 3泊4日 and 1小时20分,
// or one of approximations.
func (p *paragraph) afterCount(i int) bool {
	a, b := p.runes[i-1], p.runes[i]
	counted := i > 1 && unicode.IsDigit(p.runes[i-2]) || i > 2 && unicode.IsDigit(p.runes[i-3]) && isHan(p.runes[i-2])
	switch {
	case unicode.IsDigit(b):
		return counted && isHan(a) && a != '年'
	case b == '起':
		return counted && containsRune("年月日元时時点點", a)
	}
	if i+1 == len(p.runes) || !isHan(b) || !counted && a != '%' && a != '％' && !unicode.IsDigit(a) {
		return false
	}
	for _, w := range approximations {
		if w == string(p.runes[i:i+2]) {
			return true
		}
	}
	return false
}

// loneKanji reports whether a break before runes[i] leaves one character of a run of Chinese characters alone in
// Japanese, such as 園 of 動物園: words have two or more of them.
func (p *paragraph) loneKanji(i int) bool {
	return p.han == japanese && isHan(p.runes[i-1]) && isHan(p.runes[i]) &&
		(i < 2 || !isHan(p.runes[i-2]) || i+1 == len(p.runes) || !isHan(p.runes[i+1]))
}

// Marks that end a part of a title in Chinese and Japanese, and those within a part.
const (
	eastStrong = "：；。！？:!?—…｜|／\u3000"
	eastWeak   = "，、・"
)

// Penalties of a break that leaves few letters between it and a mark.
const (
	penaltyLoneSign    = .250 // one before or after a mark, or two after a dash: 肥而不 / 腻，
	penaltyFewSigns    = .100 // two, and a mark that ends a part after them
	penaltyFewAfter    = .130 // two, and such a mark before them
	penaltyFewer       = .100 // two, and another mark
	penaltyThreeSign   = .030 // three, and a mark that ends a part
	penaltyBesideSpace = .160 // three, and a wide space
	penaltyDashed      = .060 // one after a dash, as in ——读 /《…》
	penaltyOpened      = .200 // in Korean, one word after an opening mark
	penaltyAuxiliary   = .160 // before a Japanese word that belongs to the particle before it, as in 史上初と / なる
	penaltyPair        = .220 // a break inside a short pair of brackets or quotes
	penaltyShortPair   = .220 // … with at most shortPair letters between them
)

// eastStray is strayPenalty for Chinese and Japanese: of a break with one to three letters between it and a mark, or
// inside a short pair of marks.
func (p *paragraph) eastStray(b lineBreak) float64 {
	if p.class != cjk || p.han == korean || b.next >= len(p.runes) {
		return 0
	}
	penalty := p.signsTo(b.end-1, -1) + p.signsTo(b.next, 1)
	switch n, lone := p.pairLength(b); {
	case n > 0 && n <= shortPair || lone:
		penalty += penaltyShortPair
	case n > 0:
		penalty += penaltyPair
	}
	return penalty
}

// signsTo returns the penalty for the letters from runes[i] to the next mark in a direction, if they are few.
func (p *paragraph) signsTo(i, step int) float64 {
	for n := 0; n <= 4 && i >= 0 && i < len(p.runes); n++ {
		switch r := p.runes[i]; {
		case r == '・' && i > 0 && i+1 < len(p.runes) && katakana(p.runes[i-1]) && katakana(p.runes[i+1]):
			// a letter of a name: セ・リーグ
		case r == '—' && step < 0 && n == 1:
			return penaltyDashed
		case r == '—' && step < 0 && n == 2:
			return penaltyLoneSign
		case step < 0 && n > 0 && n <= 3 && p.labelTo(i+1):
			return penaltyFewAfter // 【誠徵】數位 / 典藏資料
		case r == '\u3000' && n > 0:
			return [...]float64{0, penaltyLoneSign, penaltyLoneSign, penaltyBesideSpace, penaltyFewSigns}[n]
		case n > 3:
			return 0
		case containsRune(eastStrong, r) && n == 2 && step < 0:
			return penaltyFewAfter
		case containsRune(eastStrong, r):
			return [...]float64{0, penaltyLoneSign, penaltyFewSigns, penaltyThreeSign}[n]
		case containsRune(eastWeak, r):
			return [...]float64{0, penaltyLoneSign, penaltyFewer, penaltyFewer / 2}[n]
		case !unspaced(r) && !unicode.IsDigit(r):
			return 0
		}
		i += step
	}
	return 0
}

// japaneseAuxiliaries follow a particle, with which they are read: と in となる and という, の in のため.
var japaneseAuxiliaries = map[rune][]string{
	'と': {"なる", "なっ", "なり", "なら", "いう", "いっ", "する", "して", "した", "され", "とも", "ともに"},
	'の': {"ため", "よう", "ほう", "とき", "ところ", "なか", "まま", "もと", "うち"},
	'に': {"よる", "より", "よっ", "つい", "おけ", "おい", "とっ", "対す", "関す", "向け", "なる", "なっ", "なり", "なら"},
	'て': {"いる", "いた", "いま", "ある", "おり", "くれ", "もら", "しま", "きた", "いく"},
}

// japaneseAuxiliary reports whether a line would begin with one of japaneseAuxiliaries.
func (p *paragraph) japaneseAuxiliary(b lineBreak) bool {
	if b.end != b.next || b.weak {
		return false
	}
	for _, w := range japaneseAuxiliaries[p.runes[b.end-1]] {
		if r := []rune(w); len(p.runes) >= b.next+len(r) && slices.Equal(p.runes[b.next:b.next+len(r)], r) {
			return true
		}
	}
	return false
}

// Kana and characters inside nouns made of two verbs, such as 問い合わせ and 取り組み.
const (
	verbKana  = "いきぎしちにびみりえけげせてねべめれ"
	verbJoins = "合込出入上下組替付直扱返取切越換寄掛立抜消届放比続継始"
)

// insideVerbNoun reports whether a break before runes[i] is inside such a noun, or in one that says how, such as 使い方.
func (p *paragraph) insideVerbNoun(i int) bool {
	if p.han == japanese && i > 1 && p.runes[i] == '方' && containsRune(verbKana, p.runes[i-1]) && isHan(p.runes[i-2]) {
		return i+1 == len(p.runes) || !isHan(p.runes[i+1])
	}
	return p.han == japanese && i > 1 && containsRune(verbKana, p.runes[i-1]) && containsRune(verbJoins, p.runes[i]) &&
		!(p.runes[i-1] == 'に' && p.runes[i] == '比') && isHan(p.runes[i-2]) && i+1 < len(p.runes) &&
		language.LookupScript(p.runes[i+1]) == language.Hiragana
}

// kanaNouns are nouns in hiragana that begin a compound with a word in Chinese characters, such as ふるさと納税, and
// whose end looks like that of a phrase.
var kanaNouns = []string{
	"あおぞら", "あさり", "あじさい", "いじめ", "いちご", "いちょう", "いのしし", "いのち", "いるか", "いろり", "いわし", "うさぎ", "うつ", "うどん", "うなぎ", "えび",
	"おくすり", "おせち", "おでん", "おにぎり", "おまもり", "おみくじ", "おむつ", "おもちゃ", "おもてなし", "おやつ", "かき", "かつお", "かぶとむし", "かまど", "からだ",
	"かるた", "かんぽ", "がん", "きのこ", "くじら", "けが", "けやき", "けん", "こころ", "こだわり", "ことば", "こども", "ごぼう", "ごみ", "さくら", "さつまいも",
	"さば", "さんま", "しじみ", "しょうゆ", "じゃがいも", "すし", "すだれ", "すみれ", "そば", "たけのこ", "たばこ", "たまねぎ", "だいこん", "ちょうちん", "つくば",
	"つつじ", "とうもろこし", "とんぼ", "どんぐり", "にんじん", "ねじ", "ねずみ", "のれん", "はがき", "ひきこもり", "ひとり", "ひな", "ひのき", "ひまわり", "ふぐ",
	"ふすま", "ふところ", "ふとん", "ふるさと", "ぶどう", "ぺんぎん", "ほうき", "ほたて", "ほたる", "まぐろ", "まちづくり", "まつり", "まないた", "みかん", "みずほ",
	"みそ", "みどり", "みなと", "みらい", "もつ", "ものづくり", "もみじ", "やかん", "やけど", "ゆうちょ", "ゆず", "よもぎ", "りそな", "りんご", "ろうそく", "わかめ",
	"わさび", "わらじ",
}

// afterKanaNoun reports whether a break before runes[i] is between one of kanaNouns and a word in Chinese characters,
// or between two hiragana that begin a clause and katakana, as in ゆるキャン.
func (p *paragraph) afterKanaNoun(i int) bool {
	if p.han != japanese || language.LookupScript(p.runes[i-1]) != language.Hiragana {
		return false
	}
	start := i - 1
	for start > 0 && language.LookupScript(p.runes[start-1]) == language.Hiragana {
		start--
	}
	switch {
	case katakana(p.runes[i]):
		return i-start == 2 && (start == 0 || unicode.IsPunct(p.runes[start-1]))
	case isHan(p.runes[i]):
		word := p.runes[start:i]
		return slices.ContainsFunc(kanaNouns, func(noun string) bool {
			before, ok := strings.CutSuffix(string(word), noun)
			return ok && (before == "" || utf8.RuneCountInString(before) == 1 && strings.Contains(particles, before))
		})
	}
	return false
}

// shortPair is the number of letters between two marks that are hardly ever on two lines.
const shortPair = 7

// pairLength returns the number of letters between two marks of a pair that are close to each other, such as 《》, if a
// break is between them, and otherwise 0; a colon may be in brackets: （ゲスト：山田さん）. lone is true if the break leaves
// one letter beside one of them.
func (p *paragraph) pairLength(b lineBreak) (n int, lone bool) {
	const most = 12 // letters between them
	open, end := b.end-1, b.next
	for ; open >= 0 && !unicode.In(p.runes[open], unicode.Ps, unicode.Pi); open-- {
		if unicode.IsPunct(p.runes[open]) && p.runes[open] != '：' || b.end-open > most {
			return 0, false
		}
	}
	for ; end < len(p.runes) && !closesWord(p.runes[end]); end++ {
		if unicode.IsPunct(p.runes[end]) && p.runes[end] != '：' {
			return 0, false
		}
	}
	if open < 0 || end == len(p.runes) || end-open-1 > most ||
		p.runes[open] != '（' && slices.Contains(p.runes[open:end], '：') {
		return 0, false // 「山海之間：東部鐵道百年」
	}
	return end - open - 1, b.end-open == 2 || end-b.next == 1
}

// shortPairAt reports whether a break is inside a short pair of marks.
func (p *paragraph) shortPairAt(b lineBreak) bool {
	n, _ := p.pairLength(b)
	return n > 0
}

// longBrackets reports whether several words are between the brackets that open at i, as in 양념(고춧가루 2kg·새우젓 600g).
func (p *paragraph) longBrackets(i int) bool {
	const long = 10 // characters
	end := slices.Index(p.runes[i:], ')')
	return end > long && slices.Contains(p.runes[i:i+end], ' ')
}

// eastPenalty is penaltyOf for breaks that only Chinese, Japanese and Korean have; ok is false for others.
func (p *paragraph) eastPenalty(b lineBreak, last, next rune) (penalty float64, ok bool) {
	switch {
	case b.end == 0: // before the text, or behind its first space
		return 0, true
	case b.end < b.next && p.runes[b.end] == '\u3000':
		return penaltyHeadline, true
	case last == '：' && b.end == b.next && p.shortPairAt(b):
		return penaltyPair, true
	case last == '／':
		return penaltyHeadline, true
	case last == '｜', b.end < b.next && p.runes[b.end] == '｜':
		return penaltySentence, true
	case p.han == japanese && p.japaneseAuxiliary(b):
		return penaltyAuxiliary, true
	case last == '—' && b.end > 1 && p.runes[b.end-2] == '—' && b.end == b.next:
		return penaltyLetter, true
	case next == '—' && b.end == b.next && last >= firstEast:
		return penaltySentence, true
	case next == '(' && b.end == b.next && hangul(last) && p.longBrackets(b.end):
		return penaltyClause, true
	case last == '…' && b.end > 1 && (b.end == b.next && hangul(p.runes[b.end-2]) || p.isKorean() && next > 0):
		return penaltyHeadline, true
	case (last == '个' || last == '個') && b.end > 1 && isHan(next):
		if r := p.runes[b.end-2]; unicode.IsDigit(r) || containsRune(hanNumbers, r) {
			if p.insideWord(b.next) {
				return penaltyWord, true // 0.5个百分点
			}
			return penaltyCompound, true
		}
	case b.end < b.next && last < 0x80 && next < 0x80 && alphanumeric(last) && alphanumeric(next) &&
		(p.eastern || (p.class == tall || p.class == rtlScripts) &&
			!slices.ContainsFunc(p.runes[b.next:min(b.next+2, len(p.runes))], unicode.IsDigit)):
		switch version := p.wordAfter(b.next); {
		case p.clausal() && p.bound(b.end, b.next):
			return penaltyBound, true // 50 mm
		case len(version) <= modelDigits && p.numeral(version) && !unicode.IsDigit(last):
			return penaltyCompound, true // Next.js 16
		case !p.eastern && (unicode.IsDigit(last) || p.stacked):
			return penaltyPerson, true // iPhone 17 Pro
		case !p.eastern:
			return penaltyModel, true
		}
		if p.clausal() || p.isKorean() && p.runes[b.end] == ' ' && unicode.IsLetter(last) && unicode.IsLetter(next) {
			return penaltyPerson, true // Docker Compose
		}
		return penaltyLatin, !p.bound(b.end, b.next)
	}
	return 0, false
}
