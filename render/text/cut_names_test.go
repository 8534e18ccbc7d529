package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_cutTitlesSayNothingFalse checks where titles that are too long for their box end.
func TestFit_cutTitlesSayNothingFalse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, lang, title, not string }{
		{"inside a name", "es", "Una larga entrevista con el actor Fernando Fernán Gómez en la radio pública", "Fernando…"},
		{"inside a name", "es", "Una larga entrevista con el actor Fernando Fernán Gómez en la radio pública", "Fernán…"},
		{"inside a route", "ru", "Требуется водитель на рейсы Москва — Тверь — Минск — Брест, от 180 000 руб.", "Тверь"},
		{"inside a name", "ru", "Требуется водитель кат. С, Е: рейсы Москва — Санкт-Петербург — Минск", "Санкт…"},
		{"inside quotes", "ru", "Большая выставка «Передвижники. Возвращение в столицу» в залах Третьяковки",
			"«Передвижники."},
		{"alone", "pl", "Konstytucyjnoprawne aspekty odpowiedzialności odszkodowawczej Skarbu Państwa", " …"},
	} {
		st := text.Inter.Title(0)
		st.Lang = c.lang
		for w := 400.; w <= 1100; w += 10 {
			b := text.NewEngine().Fit(c.title, st, text.Box{W: w, H: 220}, text.Steps(3, 64))
			if got := b.Text(); strings.HasSuffix(got, c.not) {
				t.Errorf("%s: %v px: %q", c.what, w, got)
			}
		}
	}
}

// TestFit_narrowColumnsPartNoNumber checks that no line of a narrow column ends inside a number with its letters or
// thousands, or in a word of one letter where the ladder has a smaller step.
func TestFit_narrowColumnsPartNoNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, title, not string }{
		{"pl", "Mieszkanie 3-pokojowe, 64,5 m², ul. Grzybowska 61, Wola", "3-"},
		{"ru", "Робот-пылесос Xiaomi X20 Max: 8000 Па, станция 3-в-1 и цена 39 990 ₽ – стоит ли брать", " 39"},
		{"pl", "Jak złożyć PIT-37 przez internet w 2027 r.? Instrukcja, terminy i ulgi", " w"},
		{"es", "Noche en Blanco de Málaga: 180 actividades gratuitas el sábado 16 de mayo", " 180"},
	} {
		st := text.Inter.Title(0)
		st.Lang = c.lang
		for w := 520.; w <= 1000; w += 10 {
			for _, ladder := range []text.Ladder{text.Steps(4, 150, 132, 116, 104, 96), text.Steps(3, 84, 76, 68, 60)} {
				b := text.NewEngine().Fit(c.title, st, text.Box{W: w, H: 500}, ladder)
				for _, l := range linesOf(b) {
					if strings.HasSuffix(" "+l, c.not) {
						t.Errorf("%v px, size %v: %q", w, b.SizePx, linesOf(b))
					}
				}
			}
		}
	}
}

// TestFit_marksOfLinesAreNearerRatherThanATitleCut checks a title that fits only if its marks are less than 6 px apart.
func TestFit_marksOfLinesAreNearerRatherThanATitleCut(t *testing.T) {
	t.Parallel()
	st := text.Inter.Title(0)
	st.Lang, st.LineHeight = "pl", 1.03
	const title = "Wielkie odkrycie w Jaskini Wierzchowskiej: szczątki niedźwiedzia sprzed 40 tys. lat"
	for h := 368.; h <= 400; h += 4 {
		if b := text.NewEngine().Fit(title, st, text.Box{W: 592, H: h}, text.Steps(5, 60)); b.Truncated {
			t.Errorf("%v px high: %q", h, b.Text())
		}
	}
}
