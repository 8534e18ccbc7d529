package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_europeanClausesStayWhole checks the lines of titles in European languages, of which none has parts of two
// clauses, or parts words that belong together, if a somewhat smaller size or a line more avoids it.
func TestFit_europeanClausesStayWhole(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	og := text.Steps(3, 116, 104, 92, 84, 76).Then(4, 68, 64, 60)
	hero := text.Steps(3, 140, 128, 116, 104).Then(4, 100).Then(5, 96).WithSpares(48)
	long := text.Steps(6, 86, 76, 70)
	for _, c := range []struct {
		lang, want string
		w, h       float64
		ladder     text.Ladder
	}{
		{
			"de", "Nach Insolvenz|der Schrader-Werke:|1.180 Beschäftigte|in Zwickau|und Plauen bangen|um Weihnachtsgeld",
			848, 490, long,
		},
		{"de", "Orgelnacht|in St. Nikolai:|Reger, Alain,|Messiaen", 660, 300, og},
		{"fr", "Un serveur web|à l’énergie solaire :|deux ans de pannes,|de nuages|et d’enseignements", 848, 490, hero},
		{"en", "Palimpsest 3.0:|incremental parsing,|no more global lock", 848, 490, hero},
		{"es", "La Camerata del Duero|cierra el ciclo|con Boccherini", 660, 300, og},
		{"en", "Senior Conservator,|Paper and Photographs|(0.8 FTE)", 848, 490, hero},
		{"de", "Thermowatt|Wechselrichter HX 8.2,|dreiphasig, 8,2 kW", 848, 570, hero},
	} {
		if got := fitted(e, c.lang, c.want, c.w, c.h, c.ladder); got != c.want {
			t.Errorf("%s: %s, want %s", c.lang, got, c.want)
		}
	}
}

// TestFit_cutEuropeanTitlesAreSmallerInstead checks titles that the smallest size of a ladder would cut: they are whole
// at one that is slightly smaller, or end with a question.
func TestFit_cutEuropeanTitlesAreSmallerInstead(t *testing.T) {
	t.Parallel()
	e := text.NewEngine()
	for _, c := range []struct {
		lang, title, want string
		w, h              float64
		ladder            text.Ladder
	}{
		{
			"es", "Aurelia Montemayor: «Escribí la novela en los trasbordos del metro, porque en casa siempre había alguien " +
				"preguntándome qué íbamos a cenar»",
			"Aurelia Montemayor:|«Escribí la novela|en los trasbordos|del metro, porque|en casa siempre había|" +
				"alguien preguntándome|qué íbamos a cenar»",
			848, 490, text.Steps(6, 86, 76, 70),
		},
		{
			"de", "Wann ist eine Schilddrüsenunterfunktion behandlungsbedürftig? Was die aktualisierte Leitlinie zu latenter " +
				"Hypothyreose, TSH-Grenzwerten und Levothyroxin bei über 70-Jährigen empfiehlt",
			"Wann ist eine|Schilddrüsenunterfunktion|behandlungsbedürftig?", 848, 490, text.Steps(6, 86, 76, 70),
		},
		{"fr", "cadastrophe", "cadastrophe", 740, 460, text.Steps(2, 214, 190).Then(2, 116)},
	} {
		if got := fitted(e, c.lang, c.title, c.w, c.h, c.ladder); got != c.want {
			t.Errorf("%s: %s, want %s", c.lang, got, c.want)
		}
	}
}

// TestWrap_hyphensLeaveFiveLetters checks that a word which is too long isn't parted before its last four letters.
func TestWrap_hyphensLeaveFiveLetters(t *testing.T) {
	t.Parallel()
	st := text.Inter.Title(70)
	st.Lang = "de"
	b := text.NewEngine().Wrap("Schilddrüsenunterfunktion", st, 850, 0)
	if len(b.Lines) != 2 || b.Lines[1].Text != "funktion" {
		t.Errorf("%+v", b.Text())
	}
}

// TestFitStack_clauseDoesNotTakeTheDescriptionsRoom checks that a title has no line more for its clauses that would
// leave no room for the description.
func TestFitStack_clauseDoesNotTakeTheDescriptionsRoom(t *testing.T) {
	t.Parallel()
	st := text.Inter.Title(0)
	st.Lang, st.LineHeight = "de", 1.03
	title, description := text.NewEngine().FitStack(text.Stack{
		Title: "Orgelnacht in St. Nikolai: Reger, Alain, Messiaen", TitleStyle: st, TitleBox: text.Box{W: 660, H: 300},
		Ladder: text.Steps(3, 116, 104, 92, 84, 76).Then(4, 68, 64, 60).WithSpares(48),
		Text: "Drei Menschen, zwei Pausen, ein Programm bis Mitternacht. Zwischen den Konzerten gibt es im Kreuzgang " +
			"Suppe und Wein aus der Region.",
		TextStyle: text.Inter.Text(32, 400), TextWidth: 640, TextLines: 3, Gap: 36, MaxHeight: 362,
	})
	got, want := strings.Join(linesOf(title), "|"), "Orgelnacht in St. Nikolai:|Reger, Alain, Messiaen"
	if got != want || description == nil {
		t.Errorf("%s, want %s; description: %v", got, want, description != nil)
	}
}

func fitted(e *text.Engine, lang, title string, w, h float64, ladder text.Ladder) string {
	st := text.Inter.Title(0)
	st.Lang, st.LineHeight = lang, 1.02
	b := e.Fit(strings.ReplaceAll(title, "|", " "), st, text.Box{W: w, H: h}, ladder)
	return strings.Join(linesOf(b), "|")
}
