package text

import (
	"strings"
	"unicode/utf8"
)

// minKept is the share of a description below which a sentence is better than a cut with an ellipsis, and the share of
// such a cut that a sentence must have to take its place. Source: docs/rendering.md#fit.
const minKept = .60

// MaxMissingShare is the share of letters that may lack a face. Beyond it, what is left of a title or a description
// would say something else: show another.
const MaxMissingShare = .2

// mostKept is the share of a cut from which a sentence is better even when the cut is long enough: a word or two of the
// next one say nothing.
const mostKept = .80

// stretch is how much wider than asked for a description may be set to be whole.
const stretch = 1.10

// Bounds on the search for a clause that fits: how much longer it may be than the text that was cut with an ellipsis
// (words trimmed, the ellipsis), and how many are tried.
const (
	longestTrim = 40
	maxClauses  = 8
)

// fitDescription sets the description of a stack, or returns nil when there is none worth setting: missing, under 24
// characters or nothing that the title does not say. One that was asked for is worth it unless it is the title once
// more.
//
// One that is a little too long is set up to a tenth wider. A cut that has only begun another sentence ends before it.
// One that would be cut to less than 60 % ends after the last whole sentence or clause that fits instead, if that is at
// least 60 % of what fits; else it is cut at a word with “…” after all. Dropping such a text instead left
// a gap in every third card of real pages.
func (e *Engine) fitDescription(s *Stack) *Block {
	text := ShownDescription(s.Text, s.Title, s.TextStyle.Lang, s.TextGiven)
	if text == "" {
		return nil
	}
	st := s.TextStyle
	st.Balance = true
	b := e.wrapDescription(text, st, s.TextWidth, s.TextLines)
	if b.Empty() || b.MissingShare > MaxMissingShare || b.Truncated && !s.TextGiven && repeats(b.Text(), s.Title) {
		return nil
	}
	return b
}

// ShownDescription returns a description as it is shown beside the title, in the quotes of the language; "" when it is
// not worth it: the page's own (given is false) under 24 characters, or what the title says already.
func ShownDescription(s, title, lang string, given bool) string {
	if given {
		return givenDescription(s, title, lang)
	}
	return displayDescription(s, title, lang)
}

// wrapDescription is fitDescription for a text that is ready to be shown.
func (e *Engine) wrapDescription(s string, st Style, w float64, maxLines int) *Block {
	b := e.Wrap(s, st, w, maxLines)
	if b.Empty() || !b.Truncated {
		return b
	}
	kept := float64(utf8.RuneCountInString(strings.TrimSuffix(b.Text(), ellipsis)))
	all := float64(utf8.RuneCountInString(s))
	if kept*stretch*stretch >= all { // widths of letters differ: a tenth may hold more
		if wide := e.Wrap(s, st, w*stretch, maxLines); !wide.Truncated {
			return wide
		}
	}
	least := minKept * kept
	if kept >= minKept*all {
		least = mostKept * kept
	}
	tries := 0
	for _, part := range clauses(s) {
		n := float64(utf8.RuneCountInString(part))
		if n > kept+longestTrim || n < least || kept >= minKept*all && !endsSentence(part) {
			continue
		}
		if tries++; tries > maxClauses {
			break
		}
		if c := e.Wrap(part, st, w, maxLines); !c.Truncated && !c.Empty() {
			c.Truncated = true
			return c
		}
	}
	return b
}
