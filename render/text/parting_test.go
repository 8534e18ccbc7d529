package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// noLineEndsAt fits a title in boxes of many widths. No line may end at one of its bars, which aren't drawn.
func noLineEndsAt(t *testing.T, e *text.Engine, lang, title string) {
	t.Helper()
	st := text.Inter.Title(0)
	st.Lang = lang
	plain := strings.ReplaceAll(title, "|", "")
	for w := 560.; w <= 1060; w += 20 {
		b := e.Fit(plain, st, text.Box{W: w}, text.Steps(3, 92, 84, 76, 68).Then(5, 60, 56, 52, 48, 44))
		for _, at := range lineEnds(b) {
			if endsAt(title, at) {
				t.Errorf("%v px: %q", w, linesOf(b))
			}
		}
	}
}

// TestFit_wordsThatBelongTogether holds that no line ends at a “|” of a title, in boxes of many widths: there is always
// a size at which none has to.
func TestFit_wordsThatBelongTogether(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct{ lang, title string }{
		{"de", "Donaudampfschifffahrt feiert 195.| Geburtstag"},
		{"da", "Skibet fejrer sin 195.| fødselsdag med alle byens børn"},
		{"de", "Docker-Container absichern: 10| Regeln für den Produktivbetrieb"},
		{"de", "Lange Nacht der Museen am 29.| August 2026: 75| Häuser, ein Ticket"},
		{"de", "„Ich wollte nie Chefin werden“ – Gespräch mit Dr.| h.| c.| Renate Flügel"},
		{"de", "Ein Haus in Freiburg i.| Br. und was es alles kostet, z.| B. an Zeit"},
		{"de", "Espressomaschine „Bella Mk.| II“ – Siebträger mit Zweikreiser"},
		{"de", "Tempolimit auf der A| 3: Warum zwischen Köln und Montabaur bald Tempo 120 gilt"},
		{"de", "Softwareentwickler (m/|w/|d) für Embedded-Systeme in Teilzeit"},
		{"en", "Senior Site Reliability Engineer (m/|f/|x) – EU remote, €85k–|€110k"},
		{"en", "Why the price of a flat rose from 180,000–|220,000 to twice as much"},
	} {
		noLineEndsAt(t, e, c.lang, c.title)
	}
}

// lineEnds returns how many characters, without spaces, are before the end of each line but the last.
func lineEnds(b *text.Block) (ends []int) {
	n := 0
	for _, line := range linesOf(b) {
		n += len([]rune(strings.ReplaceAll(line, " ", "")))
		ends = append(ends, n)
	}
	return ends[:max(len(ends)-1, 0)]
}

// endsAt reports whether a title has a “|” after so many other characters, without spaces.
func endsAt(marked string, n int) bool {
	for _, r := range marked {
		switch {
		case r == '|' && n == 0:
			return true
		case r != '|' && r != ' ':
			n--
		}
	}
	return false
}

// TestFit_compoundsArePartedBetweenWords checks that the last part of a compound is a word.
func TestFit_compoundsArePartedBetweenWords(t *testing.T) {
	st := text.Inter.Title(0)
	st.Lang = "de"
	b := text.NewEngine().Fit("Vorstandsvorsitzender", st, text.Box{W: 500, H: 300}, text.Steps(5, 48))
	if got := strings.Join(linesOf(b), "|"); got != "Vorstands-|vorsitzender" {
		t.Error(got)
	}
}

// TestFit_cutsKeepCompounds checks that a title which is cut ends with a whole word, also where that has a hyphen.
func TestFit_cutsKeepCompounds(t *testing.T) {
	for _, c := range []struct {
		lang, title, want string
		w, px             float64
	}{
		{"en", "A three-day itinerary for first-time visitors of Washington", "A three-day|itinerary…", 640, 84},
		{"de", "Geschwindigkeitsbegrenzung auf der A 3: Warum zwischen Köln und Montabaur bald Tempo 120 gilt",
			"Geschwindigkeits-|begrenzung|auf der A 3", 568, 60},
	} {
		st := text.Inter.Title(0)
		st.Lang = c.lang
		b := text.NewEngine().Fit(c.title, st, text.Box{W: c.w, H: 220}, text.Steps(3, c.px))
		if got := strings.Join(linesOf(b), "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.lang, got, c.want)
		}
	}
}

// TestFirstClause_endsWhereItMakesSense holds that a description isn't cut after an ordinal, after a function word, or
// before a clause that it can't do without.
func TestFirstClause_endsWhereItMakesSense(t *testing.T) {
	for _, c := range []struct{ lang, s, want string }{
		{"de", "Zum Jubiläum fahren am 13. Juni drei historische Raddampfer von Passau nach Linz und zurück.", ""},
		{"da", "Til jubilæet sejler der den 13. juni tre gamle hjuldampere fra Passau til Linz og tilbage.", ""},
		{"en", "A weeknight dinner for a party of 12. Ready in 35 minutes, with hardly any washing-up at all.",
			"A weeknight dinner for a party of 12."},
		{"de", "Ein Essay über Gerüchte, Gruppenchats und das, was am Ende der Kette noch davon ankommt.", ""},
		{"de", "Über Führung ohne Krawatte und die Frage, warum sie jeden Freitag das Büro verlässt.", ""},
		{"de", "Die Volltextsuche antwortet in unter 50 ms, und alle Befehle sind über die Tastatur erreichbar.",
			"Die Volltextsuche antwortet in unter 50 ms…"},
	} {
		if got := text.FirstClause(c.s, c.lang, 64); got != c.want {
			t.Errorf("%s: %q, want %q", c.s, got, c.want)
		}
	}
}
