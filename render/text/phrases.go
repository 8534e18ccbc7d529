package text

import (
	"embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/language"
)

// phraseFiles has BudouX's models of Japanese and Chinese: a feature, its letters and their score on a line. Source:
// the npm package budoux 0.9.2, © Google LLC, whose license is words/BudouX.LICENSE.
//
// .ci/tools/fonts/budoux.mjs generates the files.
//
//go:embed words/budoux-*.txt.gz
var phraseFiles embed.FS

// phraseModel finds the phrases of a text (Japanese: words with their particles and endings; Chinese: mostly words): a
// phrase ends where the scores of the letters around a position are positive. Source: BudouX, Parser.parseBoundaries.
type phraseModel struct {
	scores map[uint64]int32
	base   int32 // of every position
}

// phraseFeatures are what a model scores: the letters from and to these distances from a position.
var phraseFeatures = [...]struct {
	name     string
	from, to int
}{
	{"UW1", -3, -2}, {"UW2", -2, -1}, {"UW3", -1, 0}, {"UW4", 0, 1}, {"UW5", 1, 2}, {"UW6", 2, 3},
	{"BW1", -2, 0}, {"BW2", -1, 1}, {"BW3", 0, 2},
	{"TW1", -3, 0}, {"TW2", -2, 1}, {"TW3", -1, 2}, {"TW4", 0, 3},
}

// phraseModels reads the model of a language when it is first used. Korean has spaces.
var phraseModels = [...]func() *phraseModel{
	simplified:     sync.OnceValue(func() *phraseModel { return readPhrases("zh-hans") }),
	traditionalHan: sync.OnceValue(func() *phraseModel { return readPhrases("zh-hant") }),
	japanese:       sync.OnceValue(func() *phraseModel { return readPhrases("ja") }),
	korean:         sync.OnceValue(func() *phraseModel { return readPhrases("zh-hant") }),
}

// readPhrases reads a model. It panics if there is none: that is a broken build.
func readPhrases(lang string) *phraseModel {
	packed, err := phraseFiles.ReadFile("words/budoux-" + lang + ".txt.gz")
	if err != nil {
		panic("text: model of phrases of " + lang + ": " + err.Error())
	}
	number := make(map[string]int, len(phraseFeatures))
	for i, f := range phraseFeatures {
		number[f.name] = i
	}
	m := &phraseModel{scores: make(map[uint64]int32, 8<<10)}
	for line := range strings.Lines(unpack(string(packed))) {
		feature, rest, _ := strings.Cut(line, " ")
		letters, value, _ := strings.Cut(rest, " ")
		score, err := strconv.ParseInt(strings.TrimSuffix(value, "\n"), 10, 16)
		if err != nil {
			panic("text: model of phrases of " + lang + ": " + err.Error())
		}
		key := phraseKey(number[feature], []rune(letters))
		m.scores[key] = int32(2 * score) // so that half of them all is a whole number
		m.base -= int32(score)
	}
	return m
}

// phraseKey identifies a feature with its letters, of which there are at most three in 20 bits each.
func phraseKey(feature int, letters []rune) uint64 {
	key := uint64(feature)
	for _, r := range letters {
		key = key<<20 | uint64(r)&0xfffff
	}
	return key
}

// score returns how surely a phrase ends before runes[i]: it probably does above 0.
func (m *phraseModel) score(runes []rune, i int) int32 {
	score := m.base
	for k, f := range phraseFeatures {
		if i+f.from >= 0 && i+f.to <= len(runes) {
			score += m.scores[phraseKey(k, runes[i+f.from:i+f.to])]
		}
	}
	return score
}

// pairScore is how much the model's score must exceed, in units of the model, for a phrase to end between two
// characters of a common Chinese word: the model often parts rare ones. Such words don't overlap.
const pairScore = 12000

// longestJapanese is the length of the longest words that are kept whole in Japanese, in characters.
const longestJapanese = 3

// trailingHan are characters that mostly follow a word, and seldom end one.
const trailingHan = "到在于於是有为為成出"

// findPhrases fills p.phraseEnds once: for each position whether a Chinese or Japanese phrase ends there. In Chinese
// these are the phrases of the highest total score, in which common words count. p.insideWords has the positions inside
// those.
func (p *paragraph) findPhrases() {
	if p.phrased {
		return
	}
	p.phrased = true
	n := len(p.runes)
	p.phraseEnds, p.insideWords = zeroed(p.phraseEnds, n+1), zeroed(p.insideWords, n+1)
	model := phraseModels[p.han]()
	score := make([]int32, n+1)
	for i := 1; i < n; i++ {
		score[i] = model.score(p.runes, i)
		p.phraseEnds[i] = score[i] > 0
	}
	longest := longestHanWord
	if p.han == japanese {
		longest = longestJapanese
	}
	// The best total of the positions after i, less one for each lone character, and how many characters the word or the
	// character at i has.
	best, length := make([]int32, n+1), make([]uint8, n+1)
	for i := n - 1; i >= 0; i-- {
		length[i], best[i] = 1, -1
		if i+1 < n {
			best[i] += max(score[i+1], -score[i+1]) + best[i+1]
		}
		var inside int32
		for l := shortestHanWord; l <= longest && i+l <= n && isHan(p.runes[i+l-1]); l++ {
			inside -= score[i+l-1]
			if !p.hanWordFrom(i, l) {
				continue
			}
			total := inside + p.wordScore(i, l)
			if i+l < n {
				total += max(score[i+l], -score[i+l]) + best[i+l]
			}
			if total >= best[i] {
				best[i], length[i] = total, uint8(l)
			}
		}
	}
	p.endPhrases(length)
}

// wordScore is what a common word of runes[i:i+l] adds to the total score.
func (p *paragraph) wordScore(i, l int) int32 {
	if l == shortestHanWord && containsRune(trailingHan, p.runes[i+1]) {
		return pairScore / 2
	}
	return pairScore * int32(l-1)
}

// clingsHan are Chinese words of one character that belong to the next word, and may belong to the preceding one too.
const clingsHan = "大小新首双雙副总總可仍至再已未必须須应應需超近约約逾仅僅凭憑靠因还還也都就才只又便且曾正刚剛太极極几幾该該此其何" +
	"怎没沒无無非不微抵帶带选選拟擬获獲遭料现現原"

// endPhrases sets p.phraseEnds and p.insideWords by the length of the word that begins at a position. In Chinese a word
// of one character that belongs to the next one ends no phrase, nor does 前 (former) that begins a clause.
func (p *paragraph) endPhrases(length []uint8) {
	last, chinese := 1, p.han != japanese
	for i := 0; i < len(p.runes); i += last {
		l := int(length[i])
		if chinese {
			p.phraseEnds[i] = (p.phraseEnds[i] || l == 1 && p.leads(i)) &&
				!(i > 0 && last == 1 && (p.leads(i-1) || p.clings(i-1)))
		}
		for k := i + 1; k < i+l; k++ {
			p.insideWords[k], p.phraseEnds[k] = true, p.phraseEnds[k] && !chinese
		}
		last = l
	}
	for i := range p.runes {
		if chinese && p.hanSuffixAt(i) && !p.insideWords[i] && !p.insideWords[i+1] {
			p.phraseEnds[i], p.phraseEnds[i+1] = false, true
		}
	}
}

// insideFoundWord reports whether a break before runes[i] is inside one of the words that findPhrases chose.
func (p *paragraph) insideFoundWord(i int) bool {
	p.findPhrases()
	return p.insideWords[i]
}

// leads reports whether the rune at i is a Chinese word of one character that belongs to the next word, and isn't part
// of a common one, such as 用 in 使用.
func (p *paragraph) leads(i int) bool {
	return p.han != japanese && containsRune(leadsHan, p.runes[i]) &&
		(i == 0 || !p.hanWordAt(i)) && (i+1 == len(p.runes) || !p.hanWordAt(i+1))
}

// clings reports whether the character at i, a word of its own, is one of clingsHan, or 前 that begins a clause.
func (p *paragraph) clings(i int) bool {
	return containsRune(clingsHan, p.runes[i]) || p.runes[i] == '前' && (i == 0 || unicode.IsPunct(p.runes[i-1]))
}

// breakAfterHan are Chinese particles, which a line may end with and never begins with; neverFirst are those of
// Japanese that nothing begins with.
const (
	breakAfterHan = "的了吗嗎呢吧们們"
	neverFirst    = "を"
)

// isParticle reports whether a line never begins with a Chinese or Japanese rune.
func (p *paragraph) isParticle(r rune) bool {
	if p.han == japanese {
		return containsRune(neverFirst, r)
	}
	return containsRune(breakAfterHan, r)
}

// beginsHanWord reports whether the particle at i is the first character of a common word, such as 了解, and not
// before another one.
func (p *paragraph) beginsHanWord(i int) bool {
	return p.han != japanese && i > 0 && i+1 < len(p.runes) && p.hanWordAt(i+1) && !p.hanWordAt(i) &&
		(i+2 == len(p.runes) || !p.hanWordAt(i+2))
}

// insidePhrase reports whether a break between two Chinese or Japanese runes would split a phrase.
func (p *paragraph) insidePhrase(i int) bool {
	a, b := p.runes[i-1], p.runes[i]
	as, bs := language.LookupScript(a), language.LookupScript(b)
	if !east(as) && !east(bs) {
		return false
	}
	switch {
	case unicode.IsSpace(a), unicode.In(b, unicode.Ps, unicode.Pi):
		return false
	case unicode.IsPunct(a) && a != '・':
		if !closesWord(a) || bs != language.Hiragana && !p.isParticle(b) && !p.afterCount(i) {
			return false
		}
	}
	switch {
	case p.insideWord(i), p.hanSuffixAt(i), p.insideVerbNoun(i), p.afterKanaNoun(i),
		as == language.Hiragana && bs == language.Katakana && a == 'お':
		return true
	case p.isParticle(b) && !p.beginsHanWord(i), p.neverBegins(i):
		return true
	case p.han != japanese && containsRune(breakAfterHan, a) && !p.beginsHanWord(i-1):
		return false
	}
	p.findPhrases()
	if p.han != japanese && p.countedWord(i) {
		return false
	}
	return !p.phraseEnds[i] || p.looseHan(i) || p.looseBefore(i) || p.afterLoneNumber(i)
}

// endings are Japanese words that no phrase begins with: each, and so on, only, just.
var endings = [...][]rune{[]rune("ずつ"), []rune("など"), []rune("だけ"), []rune("ばかり")}

// neverBegins reports whether one of endings is at i, after a letter.
func (p *paragraph) neverBegins(i int) bool {
	if p.han != japanese || !unicode.IsLetter(p.runes[i-1]) && !unicode.IsDigit(p.runes[i-1]) {
		return false
	}
	return slices.ContainsFunc(endings[:], func(w []rune) bool {
		return i+len(w) <= len(p.runes) && slices.Equal(p.runes[i:i+len(w)], w)
	})
}

// closesWord reports whether a mark is the end of a word, which particles and endings may follow.
func closesWord(r rune) bool { return r == '%' || r == '％' || unicode.In(r, unicode.Pe, unicode.Pf) }

// counters follow a number without a space and are one word with it.
const counters = "年月日円元时時分秒人個个回倍週周台本件歳岁天条種种点點号號章話话集季期名位次万萬億亿兆千百階层層度名社枚杯" +
	"毫微纳厘公米克吨升斤里亩美欧届座"

// afterCounter begin what is counted with 个 and one word with it: 个月, 个小时, 个星期, 个世纪, 个百分点.
const afterCounter = "月小星礼禮世百"

// hanNumbers are the digits of Chinese and Japanese.
const hanNumbers = "一二三四五六七八九十百千万萬两兩几幾"

// insideWord reports whether a break before runes[i] is certainly inside a Chinese or Japanese word: in a run of
// katakana, between a number and its counter, or in a common word of two Han characters.
func (p *paragraph) insideWord(i int) bool {
	a, b := p.runes[i-1], p.runes[i]
	switch {
	case katakana(a) && katakana(b), p.locative(i), p.afterCount(i):
		return true
	case (a == '个' || a == '個') && containsRune(afterCounter, b):
		return i > 1 && (unicode.IsDigit(p.runes[i-2]) || containsRune(hanNumbers+"半", p.runes[i-2])) // 三个月
	case a == '月' && unicode.IsDigit(b):
		return i > 1 && unicode.IsDigit(p.runes[i-2]) // a month and its day
	case containsRune("余餘多", a) && i > 1 && containsRune(counters, b):
		return unicode.IsDigit(p.runes[i-2]) || containsRune(hanNumbers, p.runes[i-2]) // 六万余件
	case unicode.IsDigit(a):
		return containsRune(counters, b) || b == '％' || b == '%'
	case containsRune(hanNumbers, a) && i > 1 && p.runes[i-2] == '第' && isHan(b):
		return !containsRune(breakAfterHan, b) && (i+1 == len(p.runes) || !p.hanWordAt(i+1))
	case containsRune(hanNumbers, a):
		return containsRune(counters, b) || containsRune(hanNumbers, b)
	}
	return a == '第' && containsRune(hanNumbers, b)
}

// katakana reports whether r is part of a word in katakana.
func katakana(r rune) bool { return r >= 0x30a1 && r <= 0x30fe }

func containsRune(s string, r rune) bool {
	for _, c := range s {
		if c == r {
			return true
		}
	}
	return false
}
