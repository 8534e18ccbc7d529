package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_titlesOfNewspapers holds that no line ends at a “|” of a title, in boxes of many widths.
func TestFit_titlesOfNewspapers(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, c := range []struct{ lang, title string }{
		{"en", "Council Approves $48| Million Plan to Rebuild the Old Mill Bridge"},
		{"en", "Telescope Spots Water Vapor Around a Planet Just 97| Light-Years From Earth"},
		{"en", "How to Fix a Dripping Tap in 10| Minutes Without Calling a Plumber"},
		{"en", "The parade steps off at 11| a.m. and reaches the park at 2| p.m. or so"},
		{"en", "Kendrick Lamar &| SZA Add Four More Nights at the Olympic Stadium"},
		{"en", "Senior Data Engineer, $1|6|5|,|0|0|0|–$1|9|0|,|0|0|0, Remote Within the States"},
		{"de", "Darf der Nachbar grillen? Was das Gericht in Az.| 2| S| 127/25 entschied"},
		{"de", "Warum die Stadt jetzt 2| Millionen| Euro für eine kleine Brücke ausgibt"},
		{"de", "Eine Waschmaschine mit 1400| U/min und was sie in der Stadt wirklich kostet"},
		{"de", "Eine Wohnung in Frankfurt| a.| M. mieten und nicht arm dabei werden"},
		{"de", "Kommentar: Die| Schuldenbremse ist kein Problem, sondern nur der fehlende Mut"},
		{"fr", "Que faire à Toulouse ce week-|end avec deux enfants et un chien"},
		{"fr", "Qu’est-ce| que la taxe foncière et qui doit la payer cette année ?"},
		{"fr", "Que faire ce week-end ? Nos 15| idées de sorties pour toute la famille"},
		{"fr", "Livré avec huit brosses neuves et une station murale. Garantie 2| ans, retour gratuit"},
		{"fr", "Faut-il rester parce| que les autres restent et que personne ne part ?"},
	} {
		noLineEndsAt(t, e, c.lang, c.title)
	}
}

// TestFit_linesOfTitleCase checks where lines of titles end: those of title case may end in a preposition rather than
// be uneven, labels keep their names, and no surname follows an acronym.
func TestFit_linesOfTitleCase(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, c := range []struct {
		lang, want string
		w          float64
		ladder     text.Ladder
	}{
		{"en", "Challenges Of|Getting Funding", 1344, text.Steps(2, 140, 124, 108, 96)},
		{"en", "Challenges|Of Getting Funding|For Your First Startup", 760, text.Steps(3, 104, 92, 84, 76)},
		{"en", "Why Is Everyone in the U.K.|Talking About Heat Pumps?", 1344, text.Steps(2, 140, 124, 108, 96)},
		{"en", "Arsenal 3–2|Real Madrid:|Saka’s 90th-Minute|Winner Sends|Gunners Top", 616, text.Steps(4, 60)},
		{"en", "One-Pan Lemon|Chicken with Orzo|(Ready in 35 Min.)", 848, text.Steps(3, 104).Then(4, 100).Then(5, 96)},
		{"en", "The museum is open|again from Sat., July 18", 820, text.Steps(2, 64)},
		{"de", "Kinderkrankengeld|einfach erklärt", 848, text.Steps(4, 96).WithSpares(48)},
		{"fr", "Qu’est-ce que|la taxe foncière ?", 848, text.Steps(3, 140, 128, 116, 104)},
	} {
		st := text.Inter.Title(0)
		st.Lang, st.LineHeight = c.lang, 1.05
		b := e.Fit(strings.ReplaceAll(c.want, "|", " "), st, text.Box{W: c.w, H: 490}, c.ladder)
		if got := strings.Join(linesOf(b), "|"); got != c.want {
			t.Errorf("%v px: %s, want %s", b.SizePx, got, c.want)
		}
	}
}

// TestFirstClause_isNoLeadIn holds that a cut description doesn't end after what leads in a sentence.
func TestFirstClause_isNoLeadIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, in, want string }{
		{"en", "Writing for the majority, Justice Barrett said that the clause does not forbid such taxes.", ""},
		{"en", "For the first time in a decade, the orchestra plays outdoors and asks for no tickets at all.", ""},
		{"en", "At the old mill we bake bread the slow way every day, sell it at noon, and teach how it is done.",
			"At the old mill we bake bread the slow way every day…"},
		{"en", "How an IT man quit his job, and despite having no ideas, built a firm that sells software everywhere.",
			"How an IT man quit his job…"},
		{"fr", "Au sein d’une équipe de huit, vous ferez évoluer une API qui sert des milliers de clients.", ""},
		{"fr", "Pendant deux très longues années, elle a enchaîné les nuits aux urgences de la grande ville.", ""},
	} {
		if got := text.FirstClause(c.in, c.lang, 60); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

// TestFit_titleWithOneMoreLine_isWhole checks that a title which takes a line more than its ladder has, and would part
// words that belong together, is a little smaller instead.
func TestFit_titleWithOneMoreLine_isWhole(t *testing.T) {
	t.Parallel()
	st := text.Inter.Title(0)
	st.Lang, st.LineHeight = "en", 1.04
	const title = "‘We were told it was safe’: inside the collapse of a $2 billion crypto lender " +
		"and the people who saw it coming"
	ladder := text.Steps(2, 84, 76, 68).Then(3, 60).WithSpares(48)
	b := text.NewEngine().Fit(title, st, text.Box{W: 816, H: 277}, ladder)
	for _, l := range linesOf(b) {
		if strings.HasSuffix(l, "$2") {
			t.Errorf("%v px: %q", b.SizePx, linesOf(b))
		}
	}
	if b.Truncated || len(b.Lines) > 4 {
		t.Errorf("%q", linesOf(b))
	}
}

// TestFit_pointOfInclusiveFrench_isSeen checks that a point between letters isn't drawn by the one of a face that hides
// it under a letter.
func TestFit_pointOfInclusiveFrench_isSeen(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	st := text.InstrumentSerif.Title(80)
	st.Lang = "fr"
	with, without := e.Measure("Développeur·euse", st), e.Measure("Développeureuse", st)
	if with-without < .15*80 {
		t.Errorf("the point is %.1f px wide", with-without)
	}
	if with, without := e.Measure("col·lega", st), e.Measure("collega", st); with-without > .15*80 {
		t.Errorf("the Catalan point is %.1f px wide", with-without)
	}
}
