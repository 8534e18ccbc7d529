package text

import (
	"math"
	"slices"
	"strings"
)

// Penalties of breaks, in squares of the box's width: a line that is .26 of it longer or shorter than the mean has as
// many demerits as one that ends in "of". The terms are those of Knuth and Plass, Breaking Paragraphs into Lines; the
// values were found by looking at the titles of 40 pages. Those of 1 and more are faults, which any alternative break
// avoids.
const (
	penaltyShortWord   = .070 // a line ends in a function word of at most shortWordLetters
	penaltyRomance     = .170 // … of few letters that leans on the next, see leaning; or before a postposition
	penaltyLongWord    = .030 // … in a longer one
	penaltyFunction    = .160 // … in a short one of a European language
	penaltyPossessive  = .090 // … in a possessive: “moved our / queue”
	penaltyObject      = .048 // … in a pronoun that may be an object: “Ship it / weekly”
	penaltyPreposition = .135 // … in a longer one of these
	penaltyCapital     = .100 // … in one with a capital, in English title case
	penaltyNumber      = .060 // … before a number that belongs to it ("Model 3")
	penaltyNumbered    = .105 // … in a word with a capital before a number
	penaltyBracket     = .132 // … before a word in brackets that belongs to it: “Werkstudent (m/w/d)”
	penaltySum         = .165 // … before a sum; a fault if it is the first word of a clause
	penaltyCount       = .210 // … in a number whose noun follows ("40 rows")
	penaltyBound       = .900 // … between two words that are never parted, see paragraph.bound
	penaltyLetter      = .210 // … in a word of one letter
	penaltyLoneLetter  = .300 // … in a Slavic language, in which a short first line is better
	penaltyStray       = .040 // … or begins with one word of a clause that continues beyond the break
	penaltyName        = .050 // … between two words of a name
	penaltyFullName    = .190 // … in a language that only capitalizes names, or of one that is known
	penaltyGermanNouns = .055 // … between two words with capitals in German
	penaltyApposition  = .065 // … before a name, in a language that only capitalizes names: “gare Montparnasse”
	penaltyNameOf      = .145 // … before the “de” of a name: “Alcalá de Henares”
	penaltyModel       = .210 // … between a name and its model: “Galaxy S26”
	penaltyModelSuffix = .180 // … before the last word of a model’s name: “Galaxy S26 Ultra”
	penaltyPerson      = .300 // … between two words of a person's name, in a script without capitals
	penaltySyllable    = .210 // … between two syllables of a Vietnamese word
	penaltyVerb        = .040 // … between a Japanese verb and its noun
	penaltyPhrase      = .150 // … inside a phrase of Chinese, or where a Japanese one changes to katakana or back
	penaltyJoint       = .260 // … between two words in katakana
	penaltyShortJoint  = .210 // … or between one of them and another word, of a few letters: コード / 決済
	penaltyPrefix      = .190 // … in the first part of a Thai word, such as -ness
	penaltyBetween     = .500 // … between words that are alone between two spaces in Thai, mostly a name
	penaltyThaiLead    = .220 // … in a Thai preposition
	penaltyFollower    = .150 // … before a Thai adjective or particle, which follow their word
	penaltyEnclitic    = .210 // … before a Korean word that belongs to the one before it
	penaltyNumeral     = .100 // … in a number in words, before its noun, or in a title before a name
	penaltyPoint       = .120 // after a middle dot between two Japanese nouns, or between hiragana and katakana
	penaltyCompound    = .260 // … elsewhere in a phrase of Japanese
	penaltyParticle    = .400 // … between a bracket or % and a Japanese particle
	penaltyWord        = .500 // … inside a Chinese or Japanese word
	penaltyKatakana    = .700 // … that is in katakana
	penaltyOrphan      = .250 // the last line is too short to stand alone
	penaltyClausalLast = .201 // … is that in Chinese or Japanese: 3兆5,000億円の / 光と影
	penaltyStub        = .200 // a line other than the last has less than stubShare of the mean
	penaltyClauseStub  = .060 // … or is a clause of Chinese, Japanese or Thai
	penaltyStair       = .251 // the first line has less than stairShare of the mean; no sum of others
	penaltyLabel       = .060 // … and ends in a colon: “No. 7:”
	penaltyLone        = .500 // a line other than the first and the last has one word, a function word
	penaltySentence    = -.012
	penaltyClause      = -.006 // after a comma, before a bracket
	penaltyHeadline    = -.080 // at the wide space between the parts of a headline
	penaltyLatin       = .150  // between two Latin words or numbers of a Chinese, Japanese or Korean title

	penaltyArticle        = .178 // penaltyRomance in a European language
	penaltyRelative       = .100 // … in “qui”, which isn't as near to the next word
	penaltyNameArticle    = .210 // … in an article before a name or a number
	penaltyAdjectiveOf    = .152 // … between an adjective after a number and its noun: “12 nouveaux foyers”
	penaltyRate           = .162 // … between a sum and what it buys, or how often it is paid: “2 € le litre”
	penaltyNumberWord     = .104 // … between a number in words and its noun: “dos años”
	penaltyInPhrase       = .030 // a line ends between two words with which no phrase of a European language begins
	penaltyAdjectiveFirst = .101 // … after an adjective that precedes its noun

	penaltyStrayWord     = .080 // penaltyStray in a European script
	penaltyStrayLast     = .060 // … before the last word of a clause
	penaltySecondWord    = .055 // … after the second word
	penaltyInBrackets    = .050 // a line ends inside brackets
	penaltyInQuotes      = .100 // … or inside short quotes, as of a film’s name
	penaltySeries        = .100 // … between two numbers of a series: “6:4, 3:6”
	penaltyStrayComma    = .015 // penaltyStray before a comma
	penaltyStrayQuestion = .160 // … of a word of a question
	penaltyStrayBracket  = .080 // … of an opening bracket
	penaltyStrayArticle  = .130 // … of a function word, of which a line ends in no other way
	penaltyStrayFirst    = .145 // … after a question
	penaltyStrayLabel    = .205 // … after a colon: a fault
	penaltyMark          = .300 // a line begins with an emoji or an ellipsis, which belong to what is before them

	penaltyOrphanWord = 2    // the last line is one short word
	penaltyHyphen     = 4    // a line ends in the first part of a compound
	penaltyParted     = .200 // a line ends inside a word, another one does already, or in a part of a compound
)

const (
	stepDemerits       = .080 // what a smaller size must save to be preferred
	twoStepsDemerits   = .120 // … if it is two steps smaller
	threeStepsDemerits = .250 // … if it is three
	fourStepsDemerits  = .350 // … if it is four
	fiveStepsDemerits  = .420 // … if it is five
	shortWordLetters   = 3
	stubShare          = .6
	stairShare         = .5
	faultPenalty       = .200 // of a break that one line more, or a smaller size, should avoid
	lineDemerits       = .080 // what one line more must save
	gravePenalty       = .140 // of a break between phrases that a smaller size or one line more should avoid
	graveLine          = .060 // what a line more than the ladder has must save then
	maxTotalFitBreaks  = 128  // maximum number of breaks; with more the width is bisected
	maxTotalFitLines   = 8
)

// demeritTable is scratch memory of totalFit: the demerits of the best first lines up to a break, and the start of the
// last of them.
type demeritTable struct {
	demerits [maxTotalFitLines + 1][maxTotalFitBreaks + 1]float64
	from     [maxTotalFitLines + 1][maxTotalFitBreaks + 1]uint8
}

// balance evens out the lengths of lines, keeping their number, and avoids breaks within phrases. It returns the better
// lines, in the engine's scratch memory.
func (e *Engine) balance(p *paragraph, m metrics, w float64, lines []lineRange) []lineRange {
	if len(lines) < 2 {
		return lines
	}
	breaks := p.breaks
	e.cuts = p.withCuts(e.cuts[:0], lines)
	p.breaks = e.cuts
	ok := e.totalFit(p, m, w, len(lines))
	p.breaks = breaks
	if ok && len(p.breaks) < len(e.cuts) {
		p.judgeParted(e.best, e.cuts)
	}
	if ok {
		return e.best
	}
	return e.bisectWidth(p, m, w, lines)
}

// judgeParted sets the demerits of lines of which some end inside words: for one of these, no other size is tried.
// breaks are those of lines.
func (p *paragraph) judgeParted(lines []lineRange, breaks []lineBreak) {
	parted := 0
	p.demerits, p.worst, p.cut, p.seam = 0, 0, false, false
	for _, l := range lines[:len(lines)-1] {
		if p.hyphenAt(l.end) && !p.german || l.end > 0 && p.runes[l.end-1] == '-' {
			parted++
		}
		for _, b := range breaks {
			switch {
			case b.end != l.end:
			case b.cut:
				seam := p.german && p.flags[b.end]&seamStart != 0
				p.cut = p.cut || !seam && (p.flags[b.end]&tokenStart == 0 || p.partsRange(b.end))
				p.seam = p.seam || seam
			case b.penalty >= faultPenalty && b.penalty < penaltyOrphanWord:
				p.demerits, p.worst = p.demerits+b.penalty, max(p.worst, b.penalty)
			}
		}
	}
	if parted > 1 {
		p.demerits, p.worst = p.demerits+float64(parted-1)*penaltyParted, max(p.worst, penaltyParted)
	}
}

// withCuts appends to dst the breaks of p and those at which lines end inside tokens that are too wide.
func (p *paragraph) withCuts(dst []lineBreak, lines []lineRange) []lineBreak {
	p.judge()
	i := 0
	for _, l := range lines[:len(lines)-1] {
		for i < len(p.breaks) && p.breaks[i].end < l.end {
			dst = append(dst, p.breaks[i])
			i++
		}
		if i < len(p.breaks) && p.breaks[i].end > l.end {
			dst = append(dst, lineBreak{end: l.end, next: l.end, cut: true, clauses: clausesOf(dst, len(dst))})
		}
	}
	return append(dst, p.breaks[i:]...)
}

// lineWidth returns the width of a line from start to b, in px, with its hyphen.
func (p *paragraph) lineWidth(start int, b *lineBreak, m metrics) float64 {
	width := p.width(start, b.end, m)
	if b.cut {
		width += p.hyphenWidth(b.end, m)
	}
	return width
}

// totalFit fills e.best with the count lines of the fewest demerits: the sum of the squared deviations of their lengths
// from the mean, and of the penalties of the breaks at their ends. ok is false if there are no such lines, or too many
// combinations.
func (e *Engine) totalFit(p *paragraph, m metrics, w float64, count int) (ok bool) {
	n := len(p.breaks)
	if n > maxTotalFitBreaks || count > maxTotalFitLines || count > n {
		return false
	}
	if e.demerits == nil {
		e.demerits = new(demeritTable)
	}
	t := e.demerits
	mean := p.width(0, p.breaks[n-1].end, m) / float64(count)
	stub := p.stubOf(mean)
	p.judge()
	clauses := p.breaks[n-1].clauses > 0
	for j := 1; j <= n; j++ {
		t.demerits[0][j] = math.Inf(1)
	}
	t.demerits[0][0] = 0
	for line := 1; line <= count; line++ {
		for j := 0; j <= n; j++ {
			t.demerits[line][j] = math.Inf(1)
		}
		for i := line - 1; i < n; i++ { // the line begins after break i
			before, start := t.demerits[line-1][i], p.lineFrom(i)
			if math.IsInf(before, 1) {
				continue
			}
			for j := i + 1; j <= n; j++ {
				width := p.lineWidth(start, &p.breaks[j-1], m)
				if width > w+slack {
					break
				}
				demerits := before + p.unevenness(start, &p.breaks[j-1], width, mean, w)
				if j < n {
					demerits += p.breaks[j-1].penalty
				}
				if demerits > t.demerits[line][j] {
					continue // the others add to it
				}
				switch {
				case j == n:
					demerits += p.orphanPenalty(lineRange{start, p.breaks[j-1].end}, m, mean)
				case i > 0 && width < stub:
					demerits += p.stubPenalty(start, p.breaks[j-1])
				case i == 0 && width < stairShare*mean:
					demerits += p.stairPenalty(p.breaks[j-1].end)
				}
				if clauses && i > 0 && j < n {
					demerits += p.across(i, j)
				}
				if demerits <= t.demerits[line][j] { // of equal ones, the one with longer first lines
					t.demerits[line][j], t.from[line][j] = demerits, uint8(i)
				}
			}
		}
	}
	if math.IsInf(t.demerits[count][n], 1) {
		return false
	}
	e.traceBack(p, m, count, mean)
	return true
}

// Shares of the squared deviations that count where lines that end as phrases do are better than even ones: of all
// lines, and of those that end with a clause.
const (
	phraseShare = .70
	clauseRag   = .42
)

// raggedShare returns the share of its squared deviation that counts for a line which ends at b.
func (p *paragraph) raggedShare(b *lineBreak) float64 {
	switch {
	case !p.byPhrases():
		return 1
	case b.penalty < 0 && b.next < len(p.runes):
		return clauseRag
	}
	return phraseShare
}

// stubPenalty returns the penalty of a short line between two others.
func (p *paragraph) stubPenalty(start int, b lineBreak) float64 {
	end := b.end
	switch {
	case p.isKorean() && (p.partAt(start) || p.partAt(b.next) && slices.ContainsFunc(p.runes[start:end], blank)):
		return penaltyPartStub
	case p.clausal() && (p.clauseAt(end) || end < len(p.runes) && blank(p.runes[end]) && p.clauseAt(end+1)):
		return penaltyClauseStub
	}
	for _, r := range p.runes[start:end] {
		if blank(r) {
			return penaltyStub
		}
	}
	if keepsWithNext(strings.ToLower(string(p.runes[start:end])), p.style.Lang) {
		return penaltyLone
	}
	return penaltyStub
}

// stairPenalty returns the penalty of a short first line.
func (p *paragraph) stairPenalty(end int) float64 {
	if end > 0 && (p.runes[end-1] == ':' || p.runes[end-1] == '：' || p.labelTo(end)) {
		return penaltyLabel
	}
	if p.isKorean() && end > 0 && (p.runes[end-1] == ',' || p.workAt(end+1)) {
		return penaltyPartStub
	}
	return penaltyStair
}

// traceBack fills e.best with the lines that totalFit found, and p with their demerits and the worst of their
// penalties.
func (e *Engine) traceBack(p *paragraph, m metrics, count int, mean float64) {
	t, n := e.demerits, len(p.breaks)
	p.demerits, p.worst = t.demerits[count][n], 0
	e.best = append(e.best[:0], make([]lineRange, count)...)
	for line, j := count, n; line > 0; line-- {
		i := int(t.from[line][j])
		e.best[line-1] = lineRange{p.lineFrom(i), p.breaks[j-1].end}
		if j < n {
			p.worst = max(p.worst, p.breaks[j-1].penalty)
			if p.class == european && i > 0 && p.across(i, j) > 0 {
				p.worst = max(p.worst, gravePenalty)
			}
			if line == 1 && p.width(0, p.breaks[j-1].end, m) < stairShare*mean {
				p.worst = max(p.worst, p.stairPenalty(p.breaks[j-1].end))
			}
		} else {
			p.worst = p.orphanPenalty(e.best[line-1], m, mean)
		}
		j = i
	}
}

// lineFrom returns the first rune of a line that begins after the first i breaks.
func (p *paragraph) lineFrom(i int) int {
	if i == 0 {
		return 0
	}
	return p.breaks[i-1].next
}
