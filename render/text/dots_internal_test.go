package text

import (
	"math"
	"testing"
)

// leastDotGap returns the least distance, in em, between a dot and a glyph of the other line that is above or below it.
func (e *Engine) leastDotGap(b *Block, i int) float64 {
	least, em := math.Inf(1), b.SizePx
	upper, lower := b.Lines[i-1], b.Lines[i]
	for _, over := range b.glyphs[upper.g0:upper.g1] {
		o := e.glyphInk(over, em)
		for _, under := range b.glyphs[lower.g0:lower.g1] {
			u := e.glyphInk(under, em)
			if o.Empty() || u.Empty() || o.X0 >= u.X1 || u.X0 >= o.X1 {
				continue
			}
			below, above := o.Y0 > 0 && o.Y1-o.Y0 < dotHeight*em, u.Y1 < -dotsAbove*em && u.Y1-u.Y0 < dotHeight*em
			if below != above {
				least = min(least, (lower.Baseline+u.Y0-upper.Baseline-o.Y1)/em)
			}
		}
	}
	return least
}

// TestFit_dotsAreReadWithTheirOwnLetter checks the distance between dots of Arabic and letters of the next line: where
// the dots of في are above د, it would be read as ڎ. Where that takes much, the other lines are nearly as far apart.
func TestFit_dotsAreReadWithTheirOwnLetter(t *testing.T) {
	t.Parallel()
	e, st := NewEngine(), Inter.Title(0)
	st.Lang, st.LineHeight = "ar", 1.06
	for _, title := range []string{
		"طريقة عمل الكنافة بالجبن في البيت خلال 40 دقيقة",
		"وزير الخارجية السعودي فيصل بن فرحان يبحث مع نظيره الإيراني",
		"لوحًا شمسيًا بكفاءة 33.7% يعمل في حرارة تتجاوز 50 درجة مئوية",
	} {
		for w := 420.; w <= 700; w += 20 {
			b := e.Fit(title, st, Box{W: w}, Steps(9, 66))
			for i := 1; i < len(b.Lines); i++ {
				if gap := e.leastDotGap(b, i); gap < .379 {
					t.Errorf("%v px: .%3.0f em above %q", w, 1000*gap, b.Lines[i].Text)
				}
			}
		}
	}
	b := e.Fit("بالجبن في البيت خلال 40 دقيقة دار دار دار دار دار دار دار دار دار دار", st, Box{W: 500}, Steps(9, 66))
	if n := len(b.Lines); b.Lines[n-1].apart > 0 {
		t.Errorf("%v px between lines without dots", b.Lines[n-1].apart)
	}
}

// TestFit_linesWithDotsAreNotAlone checks that the distances of lines are alike although one of them needs much more.
func TestFit_linesWithDotsAreNotAlone(t *testing.T) {
	t.Parallel()
	e, st := NewEngine(), Inter.Title(0)
	st.Lang, st.LineHeight = "ar", 1.06
	b := e.Fit("مطلوب محاسب أول (ذكر/أنثى) بخبرة لا تقل عن 5 سنوات", st, Box{W: 560}, Steps(9, 66))
	least, most := math.Inf(1), 0.
	for i := 1; i < len(b.Lines); i++ {
		d := b.Lines[i].Baseline - b.Lines[i-1].Baseline
		least, most = min(least, d), max(most, d)
	}
	if len(b.Lines) < 3 || most > 1.19*b.Leading || most-least > .101*b.Leading || most == least {
		t.Errorf("%d lines are %.1f to %.1f px apart, for a leading of %.1f", len(b.Lines), least, most, b.Leading)
	}
}

// TestFit_dotsComeNearerRatherThanCutATitle lowers a box: lines come nearer by and by before words are left out.
func TestFit_dotsComeNearerRatherThanCutATitle(t *testing.T) {
	t.Parallel()
	e, st := NewEngine(), Inter.Title(0)
	st.Lang, st.LineHeight = "ar", 1.06
	const title = "طريقة عمل الكنافة بالجبن في البيت خلال 40 دقيقة"
	free := e.Fit(title, st, Box{W: 600}, Steps(3, 66))
	last := free.Ink.Y1
	for h := free.Ink.Y1; h > free.Ink.Y1-12; h -= 2 {
		b := e.Fit(title, st, Box{W: 600, H: h}, Steps(3, 66))
		if b.Truncated || b.Ink.Y1 > h+slack || b.Ink.Y1 > last+slack || len(b.Lines) != len(free.Lines) {
			t.Errorf("%.0f px: %.1f px, cut %v", h, b.Ink.Y1, b.Truncated)
		}
		last = b.Ink.Y1
	}
}
