package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// minKept is the share of a description below which ending at a sentence is better than a cut with an ellipsis, and the
// minimum share of such a cut for that sentence. Source: docs/rendering.md#fit.
const minKept = .60

// minOnLine is the minimum share of a single line for a clause that a description ends with.
const minOnLine = .50

// MaxMissingShare is the maximum share of letters without a face. Beyond it, the rest of a title or description would
// mean something else: show another.
const MaxMissingShare = .2

// Shares of a cut from which a sentence, or a clause, is better even if the cut is long enough: a few words of the next
// one are useless.
const (
	leastSentence = .55
	leastClause   = .80
)

// stretch is how much wider than requested a description may be to fit completely or to end its lines better.
const stretch = 1.10

// Demerits that lines of a wider box must save: always, and per share that they are wider.
const (
	widerDemerits = .04
	widerPrice    = 4.
)

// Limits on the search for a clause that fits: how much longer it may be than the text cut with an ellipsis (words
// trimmed, the ellipsis), and how many are tried.
const (
	longestTrim = 40
	maxClauses  = 8
)

// fitDescription lays out the description of a stack, or returns nil if there is none worth showing: it is missing,
// under 24 characters, or only repeats the title. A requested one is shown unless it equals the title.
//
// One that is slightly too long may be up to a tenth wider. A cut after the beginning of another sentence ends before
// that sentence, and one just after the beginning of another clause before that clause. If what is cut begins with the
// title, and the sentences after its first one fit, those are shown instead. A description that would be cut to less
// than 60 % ends after the last complete sentence, or with “…” after the last clause that fits, if that is at least
// 60 % of what fits; otherwise it is cut at a word with “…” after all. Dropping such texts left a gap in every third
// card of real pages. Only a description of one line is dropped then.
func (e *Engine) fitDescription(s *Stack) *Block {
	text := ShownDescription(s.Text, s.Title, s.TextStyle.Lang, s.TextGiven)
	if text == "" {
		return nil
	}
	st := s.TextStyle
	st.Balance = true
	b := e.wrapDescription(text, st, s)
	if rest := afterFirst(text, s.Title, st.Lang); b.Truncated && !s.TextGiven && rest != "" {
		if c := e.wrapDescription(rest, st, s); !c.Truncated {
			b = c
		}
	}
	if s.TextLines == 1 && b.Truncated && strings.HasSuffix(b.Text(), ellipsis) && !s.TextGiven {
		b = e.firstClause(text, st, s, utf8.RuneCountInString(b.Text()))
	}
	if b.Empty() || b.MissingShare > MaxMissingShare || b.Truncated && !s.TextGiven &&
		(repeats(b.Text(), s.Title) || saysLittle(b.Text(), s.Title, st.Lang)) {
		return nil
	}
	return b
}

// afterFirst returns what follows the first sentence of a description that begins with the title, or "" if it begins
// with something else or too little follows.
func afterFirst(s, title, lang string) string {
	if title == "" || len(s) < len(title) || !strings.EqualFold(s[:len(title)], title) {
		return ""
	}
	first := ""
	for _, part := range clauses(s, lang) { // the longest first
		if endsSentence(part) {
			first = part
		}
	}
	rest := strings.TrimSpace(strings.TrimPrefix(s, first))
	if first == "" || len(first) < len(title) || letterCount(rest) < minDescription {
		return ""
	}
	return rest
}

// firstClause lays out in one line the longest beginning of a description that ends with a sentence, or else with a
// clause of minOnLine of a line of fit characters and “…”; nil if there is none: a single line that is cut at a word
// says too little, and so do a few words of a sentence.
func (e *Engine) firstClause(s string, st Style, in *Stack, fit int) *Block {
	tries := 0
	for _, part := range clauses(s, st.Lang) {
		n := utf8.RuneCountInString(part)
		if n > fit+longestTrim || !endsSentence(part) && float64(n) < minOnLine*float64(fit) {
			continue
		}
		if tries++; tries > maxClauses {
			break
		}
		room := in.TextWidth
		if endsSentence(part) && !in.TextExact { // like a whole text
			room *= stretch
		}
		if b := e.Wrap(marked(part), st, room, 1); !b.Truncated && !b.Empty() {
			b.Truncated = true
			return b
		}
	}
	return nil
}

// marked returns a beginning of a text with “…” unless it ends with a sentence: what follows may be an exception to it,
// or the rest of a list.
func marked(part string) string {
	if endsSentence(part) {
		return part
	}
	return strings.TrimRightFunc(part, unicode.IsSpace) + ellipsis
}

// FirstClause returns the longest beginning of a description, of at most so many characters, that ends with a sentence,
// or else with a clause and “…”; otherwise "".
func FirstClause(s, lang string, most int) string {
	for _, part := range clauses(s, lang) {
		if part = marked(part); utf8.RuneCountInString(part) <= most {
			return part
		}
	}
	return ""
}

// ShownDescription returns a description as shown with the title, in the quotes of the language, or "" if it isn't
// worth showing: the page's own (given is false) under 24 characters, or one that repeats the title.
func ShownDescription(s, title, lang string, given bool) string {
	if given {
		return givenDescription(s, title, lang)
	}
	return displayDescription(s, title, lang)
}

// wrapDescription is fitDescription for a text that is ready to be shown.
func (e *Engine) wrapDescription(s string, st Style, in *Stack) *Block {
	w, maxLines := in.TextWidth, in.TextLines
	b := e.Wrap(s, st, w, maxLines)
	if b.Empty() || !b.Truncated {
		return e.wholePhrases(b, s, st, in)
	}
	kept := float64(utf8.RuneCountInString(strings.TrimSuffix(b.Text(), ellipsis)))
	all := float64(utf8.RuneCountInString(s))
	// Letter widths differ: a tenth may hold more.
	if !in.TextExact && (kept+compoundYield)*stretch*stretch >= all {
		if wide := e.Wrap(s, st, w*stretch, maxLines); !wide.Truncated {
			return e.wholePhrases(wide, s, st, in)
		}
	}
	sentence, clause := minKept*kept, minKept*kept
	if kept >= minKept*all {
		sentence, clause = leastSentence*kept, leastClause*kept
	}
	tries := 0
	var other *Block // of which a line parts words that belong together
	for _, part := range clauses(s, st.Lang) {
		n := float64(utf8.RuneCountInString(part))
		least := clause
		if endsSentence(part) {
			least = sentence
		}
		if n > kept+longestTrim || n < least {
			continue
		}
		if tries++; tries > maxClauses {
			break
		}
		if c := e.Wrap(marked(part), st, w, maxLines); !c.Truncated && !c.Empty() {
			c.Truncated = true
			if !c.partsWords() {
				return c
			}
			if other == nil {
				other = c
			}
		}
	}
	if other != nil && b.partsWords() {
		return other
	}
	return b
}

// partsWords reports whether a line of b ends inside a word, or between words that are never parted.
func (b *Block) partsWords() bool { return b.worst >= penaltyWord && b.worst < penaltyOrphanWord }

// wholePhrases returns b, a whole description, or other lines of it if one of b ends badly: those of a wider
// box, or one line more if the stack has room for it.
func (e *Engine) wholePhrases(b *Block, s string, st Style, in *Stack) *Block {
	p, w, maxLines, lines := &e.para, in.TextWidth, in.TextLines, len(b.Lines)+1
	widens, adds := gravePenalty, faultPenalty
	if p.clausal() {
		widens, adds = penaltyWord, gravePenalty
	}
	if b.worst >= widens && !in.TextExact {
		b = e.wider(b, s, st, w, maxLines)
	}
	if in.roomy && b.worst >= adds && b.worst < penaltyOrphanWord && lines <= maxLines {
		more := e.oneMoreLine(p, p.metrics(p.style.SizePx, false), Box{W: w}, lines)
		if more != nil && more.demerits+lineDemerits < b.demerits {
			b = more
		}
	}
	if b.partsWords() {
		return e.wholeWords(b, s, st, w, maxLines)
	}
	return b
}

// wider returns b, a whole description, or its lines in a wider box, if they end so much better.
func (e *Engine) wider(b *Block, s string, st Style, w float64, maxLines int) *Block {
	best, least := b, b.demerits-widerDemerits
	for _, share := range [...]float64{1.025, 1.05, stretch} {
		wide := e.Wrap(s, st, w*share, maxLines)
		price := widerPrice * max(wide.Width/w-1, 0)
		if wide.Truncated || wide.demerits+price >= least && !(best == b && b.partsWords() && !wide.partsWords()) {
			continue
		}
		best, least = wide, wide.demerits+price
	}
	return best
}

// wholeWords returns b, a whole description of which a line ends inside a word, as in Japanese, whose lines are full,
// or the longest part that ends with a sentence, if that is at least a third of the text and has no such break. If b
// has all words whole, but parts a number and its unit or the like, the part may also end with a clause.
func (e *Engine) wholeWords(b *Block, s string, st Style, w float64, maxLines int) *Block {
	least := utf8.RuneCountInString(s) / 3
	for i, part := range clauses(s, st.Lang) {
		if i == maxClauses {
			break
		}
		if utf8.RuneCountInString(part) < least {
			continue
		}
		if !endsSentence(part) && b.worst < penaltyBound {
			continue
		}
		if c := e.Wrap(marked(part), st, w, maxLines); !c.Truncated && !c.partsWords() {
			c.Truncated = true
			return c
		}
	}
	return b
}
