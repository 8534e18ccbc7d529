package text

import (
	"math"
	"strings"
	"unicode"
)

// Costs of lines, in squares of the box's width: a line that is .17 of it longer or shorter than the mean costs as much as one that
// ends in "of". Found by looking at the titles of 40 pages.
const (
	costShortWord = .030 // a line ends in a function word of at most shortEnd letters
	costLongWord  = .010 // … in a longer one
	costHyphen    = .030 // … in the first part of a compound
	costNumber    = .020 // … before a number that belongs to it ("Model 3")
	costForlorn   = .250 // the last line is too short to stand alone
	costSentence  = -.012
)

const (
	shortEnd  = 3
	maxEven   = 128 // places to break, beyond which lines are evened out by bisection
	maxEvenOf = 8   // lines
)

// evenness is scratch memory of even: what the best first lines up to a break cost, and where the last of them begins.
type evenness struct {
	cost [maxEvenOf + 1][maxEven + 1]float64
	from [maxEvenOf + 1][maxEven + 1]uint8
	ends [maxEven + 1]float64 // what it costs to end a line at a break
}

// balance evens out the lengths of lines, whose number stays, and keeps words together that are read together. It returns the better
// lines, which lie in the engine's scratch memory.
func (e *Engine) balance(p *paragraph, m metrics, w float64, lines []lineRange) []lineRange {
	if len(lines) < 2 {
		return lines
	}
	if p.class != cjk && e.even(p, m, w, len(lines)) {
		return e.best
	}
	return e.narrow(p, m, w, lines)
}

// even fills e.best with the count lines of the least cost: the sum of squares of how far each is from the mean, and of what it costs to
// end a line where it ends. ok is false when there are no such lines, or too many ways.
func (e *Engine) even(p *paragraph, m metrics, w float64, count int) (ok bool) {
	n := len(p.breaks)
	if n > maxEven || count > maxEvenOf || count > n {
		return false
	}
	if e.evenness == nil {
		e.evenness = new(evenness)
	}
	t := e.evenness
	mean := p.width(0, p.breaks[n-1].end, m) / float64(count)
	for i, b := range p.breaks {
		t.ends[i+1] = p.endCost(b)
	}
	for j := 1; j <= n; j++ {
		t.cost[0][j] = math.Inf(1)
	}
	t.cost[0][0] = 0
	for line := 1; line <= count; line++ {
		for j := 0; j <= n; j++ {
			t.cost[line][j] = math.Inf(1)
		}
		for i := line - 1; i < n; i++ { // the line begins after break i
			before, start := t.cost[line-1][i], p.lineFrom(i)
			if math.IsInf(before, 1) {
				continue
			}
			for j := i + 1; j <= n; j++ {
				width := p.width(start, p.breaks[j-1].end, m)
				if width > w+slack {
					break
				}
				off := (width - mean) / w
				cost := before + off*off
				switch {
				case j < n:
					cost += t.ends[j]
				case p.forlorn(lineRange{start, p.breaks[j-1].end}, m, mean):
					cost += costForlorn
				}
				if cost <= t.cost[line][j] { // of equals the one with the longer first lines
					t.cost[line][j], t.from[line][j] = cost, uint8(i)
				}
			}
		}
	}
	if math.IsInf(t.cost[count][n], 1) {
		return false
	}
	e.best = append(e.best[:0], make([]lineRange, count)...)
	for line, j := count, n; line > 0; line-- {
		i := int(t.from[line][j])
		e.best[line-1] = lineRange{p.lineFrom(i), p.breaks[j-1].end}
		j = i
	}
	return true
}

// lineFrom returns the first rune of a line that begins after the first i breaks.
func (p *paragraph) lineFrom(i int) int {
	if i == 0 {
		return 0
	}
	return p.breaks[i-1].next
}

// endCost returns what it costs to end a line at a break: below 0 after a sentence or a colon.
func (p *paragraph) endCost(b lineBreak) float64 {
	if b.end == 0 {
		return 0
	}
	switch last := p.runes[b.end-1]; {
	case strings.ContainsRune(".:;?!؟", last):
		return costSentence
	case b.end == b.next:
		return costHyphen
	case last == '-':
		return costHyphen
	case !unicode.In(last, unicode.L, unicode.M):
		return 0
	}
	start := b.end
	for start > 0 && unicode.In(p.runes[start-1], unicode.L, unicode.M) {
		start--
	}
	if start > 0 && !opens(p.runes[start-1]) {
		return 0
	}
	word := p.runes[start:b.end]
	switch {
	case b.next < len(p.runes) && unicode.IsDigit(p.runes[b.next]):
		return costNumber
	case len(word) == 1 && unicode.IsLower(word[0]):
		return costShortWord
	case !leadsOn(strings.ToLower(string(word)), p.style.Lang):
		return 0
	case len(word) <= shortEnd:
		return costShortWord
	}
	return costLongWord
}

// Words that lead on to the next one as function words do, though a text may be cut after them, and those of which the opposite is true.
var (
	pronouns = map[string]string{
		"en": " i we you he she they it ", "de": " ich wir du er es man ", "fr": " je tu il elle on nous vous ils elles ne se me te ",
		"es": " yo tú me te ", "pt": " eu me te ", "it": " io mi ti si ci vi ",
	}
	questions = map[string]string{"en": " how why what which who "}
)

// leadsOn reports whether a word, in small letters, is better not parted from the next one.
func leadsOn(word, lang string) bool {
	set := functionWords(lang)
	if lang = primaryLanguage(lang); lang == "" {
		lang = "en"
	}
	if spaced := " " + word + " "; strings.Contains(pronouns[lang], spaced) {
		return true
	} else if strings.Contains(questions[lang], spaced) {
		return false
	}
	return set[word]
}
