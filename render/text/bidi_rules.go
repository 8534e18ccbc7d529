package text

import (
	"slices"

	"golang.org/x/text/unicode/bidi"
)

// weak resolves numbers, separators and marks (W1 to W7) of one sequence.
func weak(types []bidi.Class, sos bidi.Class) {
	previous := sos
	for i, c := range types { // W1
		if c == bidi.NSM {
			types[i] = previous
			if isInitiator(previous) || previous == bidi.PDI {
				types[i] = bidi.ON
			}
		}
		previous = types[i]
	}
	strong := sos
	for i, c := range types { // W2, W3
		switch c {
		case bidi.L, bidi.R, bidi.AL:
			strong = c
		case bidi.EN:
			if strong == bidi.AL {
				types[i] = bidi.AN
			}
		}
	}
	for i, c := range types {
		if c == bidi.AL {
			types[i] = bidi.R
		}
	}
	for i := 1; i+1 < len(types); i++ { // W4
		a, z := types[i-1], types[i+1]
		if types[i] == bidi.ES && a == bidi.EN && z == bidi.EN ||
			types[i] == bidi.CS && a == z && (a == bidi.EN || a == bidi.AN) {
			types[i] = a
		}
	}
	for i := 0; i < len(types); i++ { // W5
		if types[i] != bidi.ET {
			continue
		}
		end := i
		for end < len(types) && types[end] == bidi.ET {
			end++
		}
		if i > 0 && types[i-1] == bidi.EN || end < len(types) && types[end] == bidi.EN {
			fill(types[i:end], bidi.EN)
		}
		i = end - 1
	}
	strong = sos
	for i, c := range types { // W6, W7
		switch c {
		case bidi.ES, bidi.ET, bidi.CS:
			types[i] = bidi.ON
		case bidi.L, bidi.R:
			strong = c
		case bidi.EN:
			if strong == bidi.L {
				types[i] = bidi.L
			}
		}
	}
}

func fill(types []bidi.Class, c bidi.Class) {
	for i := range types {
		types[i] = c
	}
}

// bracketPair has the positions of two brackets in a sequence.
type bracketPair struct{ open, shut int }

// maxBrackets is the maximum number of open brackets. Source: UAX 9, BD16.
const maxBrackets = 63

// brackets gives pairs of brackets the direction of their content, or of their context (N0).
func (b *bidiParagraph) brackets(types []bidi.Class, level int8, sos bidi.Class) {
	b.findPairs(types)
	embedding := direction(level)
	for _, pair := range b.pairs {
		found := bidi.ON
		for i := pair.open + 1; i < pair.shut; i++ {
			if c := strongType(types[i]); c == embedding {
				found = c
				break
			} else if c != bidi.ON {
				found = c
			}
		}
		switch {
		case found == bidi.ON:
			continue
		case found != embedding:
			context := sos
			for i := pair.open - 1; i >= 0; i-- {
				if c := strongType(types[i]); c != bidi.ON {
					context = c
					break
				}
			}
			if context != found {
				found = embedding
			}
		}
		for _, i := range [...]int{pair.open, pair.shut} {
			types[i] = found
			for j := i + 1; j < len(types) && b.types[b.seq[j]] == bidi.NSM; j++ {
				types[j] = found
			}
		}
	}
}

// findPairs fills b.pairs with the bracket pairs of a sequence, by their opening bracket (BD16).
func (b *bidiParagraph) findPairs(types []bidi.Class) {
	b.pairs = b.pairs[:0]
	type open struct {
		at   int
		shut rune
	}
	var stack []open
	for k, i := range b.seq {
		if types[k] != bidi.ON {
			continue
		}
		r := b.runes[i]
		props, _ := bidi.LookupRune(r)
		if !props.IsBracket() {
			continue
		}
		if props.IsOpeningBracket() {
			if len(stack) == maxBrackets {
				b.pairs = b.pairs[:0]
				return
			}
			stack = append(stack, open{k, closingOf(r)})
			continue
		}
		for j := len(stack) - 1; j >= 0; j-- {
			if canonicalBracket(stack[j].shut) == canonicalBracket(r) {
				b.pairs = append(b.pairs, bracketPair{stack[j].at, k})
				stack = stack[:j]
				break
			}
		}
	}
	slices.SortFunc(b.pairs, func(x, y bracketPair) int { return x.open - y.open })
}

// closingOf returns the closing bracket for an opening one. Source: BidiBrackets.txt, where nearly all are neighbors.
func closingOf(r rune) rune {
	switch r {
	case '[', '{', '［', '｛':
		return r + 2
	case '⦍':
		return '⦐'
	case '⦏':
		return '⦎'
	}
	return r + 1
}

// canonicalBracket maps the deprecated angle brackets to the ones that they are canonically equivalent to.
func canonicalBracket(r rune) rune {
	if r == 0x232a {
		return 0x3009
	}
	return r
}

// strongType is L or R, with numbers as R, and ON for anything else (N0, N1).
func strongType(c bidi.Class) bidi.Class {
	switch c {
	case bidi.L, bidi.R:
		return c
	case bidi.EN, bidi.AN:
		return bidi.R
	}
	return bidi.ON
}

// neutral gives neutral characters the direction of their neighbors if those agree, otherwise that of the level (N1,
// N2).
func neutral(types []bidi.Class, level int8, sos, eos bidi.Class) {
	for i := 0; i < len(types); i++ {
		if strongType(types[i]) != bidi.ON {
			continue
		}
		end := i
		for end < len(types) && strongType(types[end]) == bidi.ON {
			end++
		}
		before, after := sos, eos
		if i > 0 {
			before = strongType(types[i-1])
		}
		if end < len(types) {
			after = strongType(types[end])
		}
		if before != after {
			before = direction(level)
		}
		fill(types[i:end], before)
		i = end - 1
	}
}
