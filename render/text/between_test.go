package text_test

import (
	"slices"
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_sizesBetweenSteps checks titles whose lines end better at a size a few percent below a step: before the next
// step, below the last one, also if a larger one fits, and in a line more than the ladder has. Each of them is larger
// than the next step.
func TestFit_sizesBetweenSteps(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, c := range []struct {
		lang, lines string
		box         text.Box
		ladder      text.Ladder
		above       float64 // size
	}{
		{"en", "Fed Holds|Rates at 4.25%|as Powell Warns|of ‘Stubborn’ Inflation", text.Box{W: 604, H: 330},
			text.Steps(4, 60, 48), 48},
		{"ru", "Выставка «Передвижники.|Возвращение» в Новой Третьяковке:|214 работ, билеты от 500 руб., до 14 марта",
			text.Box{W: 1056, H: 200}, text.Steps(3, 52), 44},
		{"de", "Weihnachtsmarkt|am Schloss Charlottenburg:|23. November|bis 27. Dezember,|täglich ab 13 Uhr",
			text.Box{W: 728, H: 420}, text.Steps(5, 64, 60), 54},
		{"es", "¿Se puede deducir|el alquiler en la renta 2026?|Qué dice Hacienda|y cuánto ahorrarías", //nolint:misspell // Spanish
			text.Box{W: 992, H: 420}, text.Steps(3, 80), 71},
	} {
		st := text.Inter.Title(0)
		st.Lang, st.Balance = c.lang, true
		want := strings.Split(c.lines, "|")
		b := e.Fit(strings.Join(want, " "), st, c.box, c.ladder)
		if first := c.ladder[0].SizePx; !slices.Equal(linesOf(b), want) || b.SizePx <= c.above || b.SizePx >= first {
			t.Errorf("%q at %v px, want %q above %v and below %v", linesOf(b), b.SizePx, want, c.above, first)
		}
	}
}
