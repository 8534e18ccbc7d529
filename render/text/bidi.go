package text

import "github.com/go-text/typesetting/bidi"

// bidiParagraph resolves embedding levels; it keeps scratch memory.
type bidiParagraph struct {
	p bidi.Paragraph
}

// levels writes the embedding level of each rune (UAX 9) to out and returns that of the paragraph.
func (b *bidiParagraph) levels(runes []rune, base int8, out []int8) {
	dir := bidi.LeftToRight
	if base == 1 {
		dir = bidi.RightToLeft
	}
	runs := b.p.Segment(runes, dir)
	for i := range runs.NumRuns() {
		r := runs.Run(i)
		for j := r.Start; j < r.End; j++ {
			out[j] = int8(r.Level)
		}
	}
}
