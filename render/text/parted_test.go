package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFitStack_oneMoreLineKeepsWhatIsNeverParted checks that a title gets a line more than its ladder says rather than
// parting initials from their name, unless the design doesn't allow one.
func TestFitStack_oneMoreLineKeepsWhatIsNeverParted(t *testing.T) {
	st := text.Inter.Title(0)
	st.Lang = "ru"
	s := text.Stack{
		Title: "«Мастер и Маргарита» М. А. Булгакова: " +
			"краткое содержание по главам и смысл финала",
		TitleStyle: st, TitleBox: text.Box{W: 1056, H: 300}, Ladder: text.Steps(3, 84, 76, 68, 64),
	}
	for firm, lines := range map[bool]int{false: 4, true: 3} {
		s.Firm = firm
		if b, _ := text.NewEngine().FitStack(s); len(b.Lines) != lines || b.Truncated {
			t.Errorf("firm %v: %q, want %d lines", firm, b.Text(), lines)
		}
	}
}

// TestFit_wordsAreHyphenatedWhereTheTitleGains checks that a long word stays whole if the title isn't half as large
// again otherwise, and is parted once rather than twice if that takes a smaller size.
func TestFit_wordsAreHyphenatedWhereTheTitleGains(t *testing.T) {
	for _, c := range []struct {
		lang, title string
		w           float64
		want        string
	}{
		{"es", "Electroencefalografistas, unidos", 1000, "Electroencefalografistas,|unidos"},
		{"fr", "Anticonstitutionnellement vôtre", 660, "Anticonstitu-|tionnellement|vôtre"},
		{"ru", "Достопримечательности Петербурга", 700, "Достоприме-|чательности|Петербурга"},
	} {
		st := text.Inter.Title(0)
		st.Lang = c.lang
		b := text.NewEngine().Fit(c.title, st, text.Box{W: c.w, H: 440}, text.Steps(4, 104, 96, 88, 80, 72))
		if got := strings.Join(linesOf(b), "|"); got != c.want {
			t.Errorf("%v px: %q, want %q", b.SizePx, got, c.want)
		}
	}
}

// TestFit_frenchClausesKeepTheirLastWord checks that the word before a colon with a space doesn't begin a line.
func TestFit_frenchClausesKeepTheirLastWord(t *testing.T) {
	st := text.Inter.Title(0)
	st.Lang = "fr"
	const title = "Dix ans après la crise, la Grèce va mieux : nos cartes"
	for w := 700.0; w <= 740; w += 20 {
		for _, l := range text.NewEngine().Fit(title, st, text.Box{W: w, H: 500}, text.Steps(6, 48)).Lines {
			if strings.HasPrefix(l.Text, "mieux :") {
				t.Errorf("%v px: a line is %q", w, l.Text)
			}
		}
	}
}

// TestFirstClause_endsWhereTheSentenceMay cuts descriptions after a sentence or a clause: not after an abbreviation,
// nor before what a word announces.
func TestFirstClause_endsWhereTheSentenceMay(t *testing.T) {
	for in, want := range map[string]string{
		"О вахтах, оленях, вызовах и о том, как жить.":          "",
		"Das Haus liegt nur 5 Min. zu Fuß vom See, mit Garten.": "Das Haus liegt nur 5 Min. zu Fuß vom See…",
		"Vida en la costa de EE. UU. y otros, con vistas.":      "Vida en la costa de EE. UU. y otros…",
	} {
		if got := text.FirstClause(in, "", 48); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
