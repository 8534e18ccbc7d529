package text

import (
	"strings"
	"testing"
)

// TestBreakPenalty_phrasesStayWhole checks that a line ends at the first “|” of a text, where a phrase begins, rather
// than at the second, inside of one.
func TestBreakPenalty_phrasesStayWhole(t *testing.T) {
	t.Parallel()
	e := NewEngine()
	for _, c := range []struct{ lang, first, second string }{
		{"en", "Webb Telescope Spots Water Vapor| Around a Planet", "Webb Telescope Spots Water| Vapor Around a Planet"},
		{"en", "Why everyone is talking| about heat pumps", "Why everyone is talking about heat| pumps"},
		{"de", "Die Bahn streicht Tickets| und erhöht", "Die Bahn streicht| Tickets und erhöht"},
		{"fr", "Ce que l’on sait de la panne géante| qui dure", "Ce que l’on sait de la panne| géante qui dure"},
		{"fr", "Il y a nouveaux foyers| détectés", "Il y a 12 nouveaux| foyers détectés"},
		{"fr", "Au-dessus| de 2 € le litre", "Au-dessus de 2 €| le litre"},
		{"fr", "Un aspirateur| Dyson V15 Detect", "Un aspirateur Dyson V15| Detect"},
		{"fr", "Le récit| d’une infirmière", "Le récit d’une| infirmière"},
		{"fr", "« J’ai cru| sortir un jour » : le récit", "« J’ai cru sortir| jamais » : le récit"},
		{"fr", "Est-il trop tard| pour eux", "Est-il trop| tard pour eux"},
		{"es", "Se busca técnico| en Alcalá de Henares", "Se busca técnico en Alcalá| de Henares"},
		{"es", "Se busca técnico en Alcalá| de Henares", "Se busca técnico en Alcalá de| Henares"},
		{"es", "Hotel Casa| de los Arcos en la sierra", "Hotel Casa de| los Arcos en la sierra"},
		{"es", "Vuelve el Ayuntamiento| de Sevilla a votar", "Vuelve hoy Alcalá| de Henares a votar"},
		{"es", "Alquiler| en la renta 2026", "Alquiler en la renta| 2026"},
		{"es", "Ocurre| del 8 al 11 de octubre", "Ocurre del 8| al 11 de octubre"},
		{"ru", "Впервые| с 2017 года возглавил", "Впервые с 2017| года возглавил"},
		{"ru", "Водитель| от 180 000 руб. в месяц", "Водитель от 180 000 руб.| в месяц"},
		{"ru", "Сколько стоит ли| брать", "Сколько стоит| ли брать"},
		{"pl", "Obniżyła stopy procentowe| o 25 pkt", "Obniżyła stopy| procentowe o 25 pkt"},
	} {
		first, second := penaltyAt(e, c.lang, c.first), penaltyAt(e, c.lang, c.second)
		if first >= second {
			t.Errorf("%s: %q: %v, %q: %v", c.lang, c.first, first, c.second, second)
		}
	}
}

// TestWrap_noCutAfterAnAdjective checks that a title isn't cut between an adjective and its noun if it may be cut
// before.
func TestWrap_noCutAfterAnAdjective(t *testing.T) {
	t.Parallel()
	e, st := NewEngine(), Inter.Title(60)
	st.Lang = "ru"
	for w := 1100.0; w < 1700; w += 20 {
		b := e.Wrap("Налоги самозанятых нерезидентов и иностранных фрилансеров и артистов", st, w, 1)
		if strings.HasSuffix(b.Text(), "иностранных…") {
			t.Errorf("%v px: %q", w, b.Text())
		}
	}
}
