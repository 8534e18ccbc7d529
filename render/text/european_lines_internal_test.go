package text

import (
	"strings"
	"testing"
)

// TestBreakPenalty_europeanPhrases checks what lines cost that end at the “|” of a text in a European script: a grave
// break, for which a smaller size is taken, or not.
func TestBreakPenalty_europeanPhrases(t *testing.T) {
	t.Parallel()
	e := NewEngine()
	for _, c := range []struct {
		lang, text string
		grave      bool
	}{
		{"de", "Was die Ministerin über die| Missstände sagt", true},
		{"de", "Weihnachtsmarkt am Schloss| Charlottenburg: täglich", true},
		{"de", "Fußspuren an der Lüneburger| Heide entdeckt", true},
		{"de", "Tickets nach Berlin ab| 15. Dezember", true},
		{"de", "Ein Gespräch mit Karin| Albrecht", true},
		{"de", "Warum unsere| Daten umziehen", false},
		{"en", "Fed Holds Rates at| 4.25% as Powell Warns", true},
		{"en", "Council Approves $48 Million Plan to Rebuild the Mill| Street Bridge by 2029", true},
		{"en", "The mill Street| Bridge was rebuilt", false}, // not in title case: a name is not known
		{"en", "Why we moved our| render queue", false},
		{"en", "How to Fix a Leaky Faucet in 10 Minutes (No| Plumber Needed)", true},
		{"en", "Ask HN: What| are you self-hosting?", true},
		{"en", "Ask HN:| What are you self-hosting?", false},
		{"en", "Kendrick Lamar & SZA at Wembley| Stadium: Sat., July 18", true},
		{"pl", "Hans Zimmer, Abel| Korzeniowski i 11 koncertów w 6 dni", true},
		{"pl", "Dla których warto zaszczepić| się przeciw grypie", true},
		{"fr", "Des trains à la gare| Montparnasse", false},
		{"fr", "Je ne sais pas ce que| la vie veut", true},
		{"fr", "Les nouveautés qui| comptent pour vos API", false},
		{"fr", "Va-t-elle remplacer les médecins ? Pas| si vite, répond l’Inserm", true},
		{"es", "Y lo único que ha| llegado es el precio", true},
		{"en", "Incremental parsing, no| more global lock", true},
		{"de", "Vergabe (m/w/d), Entgeltgruppe| 9c TVöD", true},
		{"de", "Nach der Insolvenz der Schrader-Werke:| 1.180 Beschäftigte bangen", false},
		{"ru", "Зачем нам второй Илон| Маск, если есть первый", true},
	} {
		if got := penaltyAt(e, c.lang, c.text); got >= gravePenalty != c.grave {
			t.Errorf("%s: %q: %v", c.lang, c.text, got)
		}
	}
}

// TestBreakPenalty_whatBelongsTogetherCostsMore checks that a line ends at the first “|” of a text rather than at the
// second.
func TestBreakPenalty_whatBelongsTogetherCostsMore(t *testing.T) {
	t.Parallel()
	e := NewEngine()
	for _, c := range []struct{ lang, first, second string }{
		{"de", "Werkstudent (m/w/d)| Online-Marketing", "Werkstudent| (m/w/d) Online-Marketing"},
		{"ru", "Водитель| кат. С, Е: рейсы", "Водитель кат. С,| Е: рейсы"},
		{"es", "Cómo instalar Docker en Ubuntu 24.04 LTS| paso a paso", "Cómo instalar Docker en Ubuntu 24.04| LTS paso a paso"},
		{"fr", "Aspirateur balai| Dyson V15 Detect", "Aspirateur balai Dyson V15| Detect"},
		{"fr", "Des foyers détectés dans| les Landes", "Des foyers détectés dans les| Landes"},
		{"es", "Un gol de Oyarzabal en| el 90+6", "Un gol de Oyarzabal en el| 90+6"},
		{"fr", "Un train| à la gare Montparnasse", "Un train à la gare| Montparnasse"},
		{"es", "Croquetas| (receta de la abuela Paquita)", "Croquetas (receta de la abuela| Paquita)"},
		{"es", "Unos tests que llevaban| dos años en marcha", "Unos tests que llevaban dos| años en marcha"},
		{"fr", "Revoir| « Les Heures claires »", "Revoir « Les Heures| claires »"},
		{"es", "La Camerata del Duero cierra| el ciclo", "La Camerata| del Duero cierra el ciclo"},
		{"de", "Das neue| Kinderkrankengeld 2027", "Das neue Kinderkrankengeld| 2027"},
	} {
		first, second := penaltyAt(e, c.lang, c.first), penaltyAt(e, c.lang, c.second)
		if first >= second {
			t.Errorf("%s: %q: %v, %q: %v", c.lang, c.first, first, c.second, second)
		}
	}
}

// penaltyAt returns the penalty of a line that ends at the “|” of a text.
func penaltyAt(e *Engine, lang, marked string) float64 {
	st := Inter.Title(0)
	st.Lang = lang
	p := &e.para
	e.compose(p, strings.Replace(marked, "|", "", 1), st)
	at := len([]rune(marked[:strings.IndexByte(marked, '|')]))
	p.judge()
	for _, b := range p.breaks {
		if b.end == at {
			return b.penalty
		}
	}
	return -1
}

// TestFit_sizeYieldsToPhrases checks the lines and sizes of titles: a somewhat smaller size is taken if lines end as
// phrases do only there, and none if they do anyway, and none that is much smaller.
func TestFit_sizeYieldsToPhrases(t *testing.T) {
	t.Parallel()
	e := NewEngine()
	blueprint := Steps(2, 156, 136).Then(5, 116, 104, 92, 80).WithSpares(48)
	for _, c := range []struct {
		lang, want string
		w          float64
		ladder     Ladder
		px         float64
	}{
		{"en", "Kendrick Lamar & SZA|at Wembley Stadium:|Sat., July 18, 2026", 740, Steps(4, 80).WithSpares(48), 68},
		{"en", "Council Approves|$48 Million Plan|to Rebuild|the Mill Street Bridge|by 2029", 740, blueprint, 76},
		{"de", "Grundsteuerbescheid", 1056, Steps(2, 148, 132, 116, 104, 92, 84), 92},
		{"de", "Bahn streicht Sparpreis:|Tickets nach Berlin|ab 15. Dezember|bis zu 20 Prozent teurer", 740, blueprint, 62},
		{"en", "Senior Data Engineer –|$165,000–$190,000 –|Remote", 740, blueprint, 68},
		{"en", "Imaginary worlds|and their careful makers", 740, Steps(2, 64, 56, 48), 64},
	} {
		st := Inter.Title(0)
		st.Lang, st.LineHeight = c.lang, 1.05
		b := e.Fit(strings.ReplaceAll(c.want, "|", " "), st, Box{W: c.w, H: 490}, c.ladder)
		var lines []string
		for _, l := range b.Lines {
			lines = append(lines, l.Text)
		}
		if got := strings.Join(lines, "|"); got != c.want || b.SizePx != c.px {
			t.Errorf("%s at %v px, want %s at %v px", got, b.SizePx, c.want, c.px)
		}
	}
}
