package text

import "golang.org/x/text/unicode/bidi"

// bidiParagraph resolves embedding levels by the Unicode Bidirectional Algorithm (UAX 9), with isolates and paired
// brackets. Embeddings and overrides (LRE, RLE, LRO, RLO, PDF) are removed earlier, when a text is read. It keeps
// scratch memory between paragraphs.
//
// The rules are implemented here because the available libraries only return the parity of levels, which isn't enough
// to order a number in right-to-left text inside a left-to-right line.
type bidiParagraph struct {
	runes []rune
	types []bidi.Class
	match []int32 // PDI of an isolate initiator and vice versa; -1 for none
	level []int8
	runs  []span  // level runs
	rlev  []int8  // their levels, before implicit ones are added
	seq   []int32 // indexes of one isolating run sequence
	taken []bool  // runs that are already part of a sequence
	pairs []bracketPair
}

type span struct{ start, end int }

// maxDepth is the maximum embedding level. Source: UAX 9, BD2.
const maxDepth = 125

// levels writes the embedding level of each rune to out; base is that of the paragraph, 0 or 1. It skips rule L1,
// because trailing space isn't drawn.
func (b *bidiParagraph) levels(runes []rune, base int8, out []int8) {
	b.runes, b.level = runes, out
	b.types = zeroed(b.types, len(runes))
	for i, r := range runes {
		props, _ := bidi.LookupRune(r)
		b.types[i] = props.Class()
		switch b.types[i] {
		case bidi.B, bidi.S:
			b.types[i] = bidi.WS
		case bidi.LRE, bidi.RLE, bidi.LRO, bidi.RLO, bidi.PDF:
			b.types[i] = bidi.BN
		}
	}
	b.matchIsolates()
	b.explicit(base)
	b.splitRuns()
	b.sequences(base)
	last := base
	for i := range runes { // X9: invisible characters stay with what precedes them
		if b.types[i] == bidi.BN {
			out[i] = last
		}
		last = out[i]
	}
}

func isInitiator(c bidi.Class) bool { return c == bidi.LRI || c == bidi.RLI || c == bidi.FSI }

// matchIsolates pairs isolate initiators with their PDIs (BD9).
func (b *bidiParagraph) matchIsolates() {
	b.match = zeroed(b.match, len(b.types))
	var open []int32
	for i, c := range b.types {
		b.match[i] = -1
		switch {
		case isInitiator(c):
			open = append(open, int32(i))
		case c == bidi.PDI && len(open) > 0:
			j := open[len(open)-1]
			open = open[:len(open)-1]
			b.match[i], b.match[j] = j, int32(i)
		}
	}
}

// explicit assigns every rune the level of its isolate (X1 to X8).
func (b *bidiParagraph) explicit(base int8) {
	stack := []int8{base}
	overflow := 0
	for i, c := range b.types {
		current := stack[len(stack)-1]
		b.level[i] = current
		switch {
		case isInitiator(c):
			if c == bidi.FSI {
				end := len(b.runes)
				if b.match[i] >= 0 {
					end = int(b.match[i])
				}
				c = bidi.LRI
				if baseLevel(b.runes[i+1:end], Auto) == 1 {
					c = bidi.RLI
				}
			}
			next := (current + 2) &^ 1
			if c == bidi.RLI {
				next = (current + 1) | 1
			}
			if overflow > 0 || next > maxDepth || next < 0 {
				overflow++
			} else {
				stack = append(stack, next)
			}
		case c == bidi.PDI && b.match[i] >= 0:
			if overflow > 0 {
				overflow--
			} else {
				stack = stack[:len(stack)-1]
			}
			b.level[i] = stack[len(stack)-1]
		}
	}
}

// splitRuns finds the level runs (BD7), ignoring invisible characters.
func (b *bidiParagraph) splitRuns() {
	b.runs, b.rlev = b.runs[:0], b.rlev[:0]
	for i, c := range b.types {
		if c == bidi.BN {
			continue
		}
		if n := len(b.runs); n > 0 && b.level[i] == b.level[b.runs[n-1].start] {
			b.runs[n-1].end = i + 1
		} else {
			b.runs = append(b.runs, span{i, i + 1})
			b.rlev = append(b.rlev, b.level[i])
		}
	}
}

// sequences resolves each isolating run sequence (X10, BD13): level runs joined over the isolates between them.
func (b *bidiParagraph) sequences(base int8) {
	b.taken = zeroed(b.taken, len(b.runs))
	for first := range b.runs {
		if b.taken[first] {
			continue
		}
		b.seq = b.seq[:0]
		for at := first; ; {
			b.taken[at] = true
			for i := b.runs[at].start; i < b.runs[at].end; i++ {
				if b.types[i] != bidi.BN {
					b.seq = append(b.seq, int32(i))
				}
			}
			last := b.seq[len(b.seq)-1]
			if !isInitiator(b.types[last]) || b.match[last] < 0 {
				break
			}
			at = b.runOf(int(b.match[last]), at)
		}
		b.resolve(base)
	}
}

// runOf returns the run that contains rune i, searching from one on.
func (b *bidiParagraph) runOf(i, from int) int {
	for from < len(b.runs)-1 && b.runs[from].end <= i {
		from++
	}
	return from
}

// resolve applies W1 to I2 to b.seq.
func (b *bidiParagraph) resolve(base int8) {
	first, last := int(b.seq[0]), int(b.seq[len(b.seq)-1])
	level := b.level[first]
	before, after := base, base
	for i := first - 1; i >= 0; i-- {
		if b.types[i] != bidi.BN {
			before = b.explicitLevel(i)
			break
		}
	}
	if !isInitiator(b.types[last]) || b.match[last] >= 0 {
		for i := last + 1; i < len(b.types); i++ {
			if b.types[i] != bidi.BN {
				after = b.explicitLevel(i)
				break
			}
		}
	}
	types := make([]bidi.Class, len(b.seq), len(b.seq)+1)
	for k, i := range b.seq {
		types[k] = b.types[i]
	}
	sos, eos := direction(max(level, before)), direction(max(level, after))
	weak(types, sos)
	b.brackets(types, level, sos)
	neutral(types, level, sos, eos)
	for k, i := range b.seq {
		b.level[i] = implicit(types[k], level)
	}
}

// explicitLevel returns the level of rune i before sequences were resolved, which happens in place.
func (b *bidiParagraph) explicitLevel(i int) int8 {
	return b.rlev[b.runOf(i, 0)]
}

func direction(level int8) bidi.Class {
	if level&1 == 1 {
		return bidi.R
	}
	return bidi.L
}

// implicit returns the level of a resolved type in a run of some level (I1, I2).
func implicit(c bidi.Class, level int8) int8 {
	switch {
	case level&1 == 0 && c == bidi.R:
		return level + 1
	case level&1 == 0 && (c == bidi.AN || c == bidi.EN):
		return level + 2
	case level&1 == 1 && (c == bidi.L || c == bidi.AN || c == bidi.EN):
		return level + 1
	}
	return level
}
