package text

import "testing"

// TestFitStack_firstSentenceMayBeWiderThanItsLine as a whole description may be, by a tenth; a clause isn't.
func TestFitStack_firstSentenceMayBeWiderThanItsLine(t *testing.T) {
	const sentence = "The decision agrees with the forecast of most analysts."
	e := NewEngine()
	style := Inter.Text(30, 400)
	w := e.Line(sentence, style, 0).BoxWidth
	for _, c := range []struct {
		share float64
		shown bool
	}{{1, true}, {1.05, true}, {1.2, false}} {
		_, d := e.FitStack(Stack{
			Title: "Rates", TitleStyle: Inter.Title(60), TitleBox: Box{W: 900, H: 100}, Ladder: Steps(1, 60), Gap: 30,
			Text:      sentence + " The next meeting is in December, and nobody knows yet what it will bring.",
			TextStyle: style, TextWidth: w / c.share, TextLines: 1, MaxHeight: 300,
		})
		if got := !d.Empty() && d.Text() == sentence; got != c.shown {
			t.Errorf("a line of 1/%.2f of the sentence: it is shown: %v (%q)", c.share, got, d.Text())
		}
	}
}
