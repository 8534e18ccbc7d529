package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_smallerThanItsLadderKeepsWordsWhole checks titles that part words, or words that belong together, at every
// size of a ladder: with spare steps they don't.
func TestFit_smallerThanItsLadderKeepsWordsWhole(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		lang, title, end string // of a line without spare steps
		w                float64
		lines            int
	}{
		{"de", "„Ich habe nie gekündigt“: Prof. Dr. Renate Vogel über 41 Jahre im OP", "Dr.", 1056, 2},
		{"ja", "プログラミング教育必修化から六年、現場の教師たちの本音", "現", 560, 3},
		{"ko", "삼성전자 3분기 영업이익 12조 1천억 원…시장 기대치 상회", "1천억", 560, 3},
		{"ja", "「推し活」は日本経済を救うのか──市場規模3兆5,000億円の光と影", "——市場", 580, 4},
		{"zh-Hans", "敦煌莫高窟第285窟数字化展览亮相国家博物馆", "数字", 660, 2},
	} {
		ladder := text.Steps(c.lines, 64)
		st := text.Inter.Title(0)
		st.Lang = c.lang
		parted := func(b *text.Block) bool {
			for _, l := range b.Lines {
				if strings.HasSuffix(l.Text, c.end) {
					return true
				}
			}
			return false
		}
		box := text.Box{W: c.w, H: 76 * float64(c.lines)}
		if b := e.Fit(c.title, st, box, ladder); !parted(b) {
			t.Errorf("%s: no line ends in %s without spare steps: %q", c.title, c.end, linesOf(b))
		}
		b := e.Fit(c.title, st, box, ladder.WithSpares(48))
		if parted(b) || b.Truncated {
			t.Errorf("%s: %q at %v px", c.title, linesOf(b), b.SizePx)
		}
		s := text.Stack{
			Title: c.title, TitleStyle: st, TitleBox: box, Ladder: ladder.WithSpares(48), MaxHeight: 400,
		}
		if title, _ := e.FitStack(s); parted(title) || title.Truncated {
			t.Errorf("stack of %s: %q at %v px", c.title, linesOf(title), title.SizePx)
		}
	}
}

// TestFit_spareStepsAreForPartedWordsOnly checks that they make no other title smaller, also not one that is cut.
func TestFit_spareStepsAreForPartedWordsOnly(t *testing.T) {
	e, st := text.NewEngine(), text.Inter.Title(0)
	for _, title := range []string{
		"How a small team migrated eleven years of customer data", "Ship it weekly",
		strings.Repeat("All the words of a long title ", 8),
	} {
		box, ladder := text.Box{W: 700, H: 260}, text.Steps(3, 84, 72, 64)
		want, got := e.Fit(title, st, box, ladder), e.Fit(title, st, box, ladder.WithSpares(40))
		if got.SizePx != want.SizePx || got.Text() != want.Text() {
			t.Errorf("%q at %v px, want %q at %v", linesOf(got), got.SizePx, linesOf(want), want.SizePx)
		}
	}
}

// TestFit_capitalsHaveASizeOfAShortLadder checks that a title in capitals, which begins a step lower, has one where a
// ladder has one step and spare ones.
func TestFit_capitalsHaveASizeOfAShortLadder(t *testing.T) {
	for _, w := range [...]float64{300, 900} {
		b := text.NewEngine().Fit("THE WHOLE TITLE IS IN CAPITALS", text.Inter.Title(0), text.Box{W: w, H: 276},
			text.Steps(3, 64).WithSpares(48))
		if b.Empty() || b.SizePx < 48 {
			t.Errorf("%v px wide: %q at %v px", w, b.Text(), b.SizePx)
		}
	}
}

func TestLadder_sparesEndAtTheLeastSize(t *testing.T) {
	for _, c := range []struct {
		ladder text.Ladder
		want   []float64
	}{
		{text.Steps(3, 84, 64), []float64{84, 64, 58, 54, 50}}, {text.Steps(3, 54), []float64{54, 50}},
		{text.Steps(3, 50), []float64{50}}, {nil, nil},
		{append(text.Steps(3, 64), text.Step{SizePx: 56, Lines: 3, Last: true}), []float64{64, 56, 54, 50}},
	} {
		var got []float64
		for _, s := range c.ladder.WithSpares(48) {
			got = append(got, s.SizePx)
		}
		if len(got) != len(c.want) {
			t.Errorf("%v, want %v", got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%v, want %v", got, c.want)
			}
		}
	}
}

// TestFit_spareStepsLeaveShortTitlesLarge checks that a title which is parted between words only isn't one small line.
func TestFit_spareStepsLeaveShortTitlesLarge(t *testing.T) {
	e, st := text.NewEngine(), text.Inter.Title(0)
	st.Lang = "ko"
	ladder := text.Steps(2, 190, 168, 148).Then(5, 132, 116, 104, 92, 80).Then(6, 80, 72).Then(7, 64).WithSpares(48)
	for w := 480.0; w < 960; w += 10 {
		b := e.Fit("[칼럼] 저출생 대책, 현금보다 시간이다", st, text.Box{W: w, H: 560}, ladder)
		if b.SizePx < 48 {
			t.Errorf("%v px wide: %q at %v px", w, linesOf(b), b.SizePx)
		}
	}
}
