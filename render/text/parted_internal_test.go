package text

import (
	"strings"
	"testing"
)

// TestPenaltyOf_countsStayWithTheirNoun checks the penalties of lines that end at the “|” of a text: numbers in words
// and ordinal ones count what follows, and a dash within a word isn't one between clauses.
func TestPenaltyOf_countsStayWithTheirNoun(t *testing.T) {
	e := NewEngine()
	for _, c := range []struct {
		lang, text string
		want       float64
	}{
		{"ru", "Обзор матча 18-го| тура", penaltyCount}, {"ru", "Гол на 90+4-й| минуте", penaltyCount},
		{"fr", "Au 5e| étage", penaltyCount}, {"fr", "Un 5e| et un autre", 0}, {"en", "The 5th| of them", 0},
		{"ru", "Ещё 3,7 млн| пользователей", penaltyCount}, {"en", "5 million| people", penaltyCount},
		{"en", "We paid 5 million.| Then we left", penaltySentence}, {"ru", "За 5 мин.| пешком", 0},
		{"es", "Cartagena, del 8| al 11 de octubre", penaltyNumber},
		{"fr", "La course Paris–|Nice de mars", penaltyLetter},
	} {
		st := Inter.Title(0)
		st.Lang = c.lang
		p := &e.para
		e.compose(p, strings.Replace(c.text, "|", "", 1), st)
		at := len([]rune(c.text[:strings.IndexByte(c.text, '|')]))
		for _, b := range p.breaks {
			if b.end == at && p.penaltyOf(b) != c.want {
				t.Errorf("%q: %v, want %v", c.text, p.penaltyOf(b), c.want)
			}
		}
	}
}
