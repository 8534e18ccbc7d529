package kit

import (
	"math"
	"slices"
	"strings"
	"testing"

	"masthead/render/text"
)

// mono sets plain lines at 32 px.
func mono(t *testing.T, lines ...string) *Mono {
	t.Helper()
	var parts [][]MonoPart
	for _, line := range lines {
		parts = append(parts, []MonoPart{{Text: line, Prose: true}})
	}
	return open(t, Spec{}).SetMono(parts, MonoSize{Px: 32, Pitch: 46, Lines: len(lines)})
}

// TestSetMono_followsTheWidthOfForeignWords: text after them neither has a gap before it nor covers them.
func TestSetMono_followsTheWidthOfForeignWords(t *testing.T) {
	for _, s := range []string{"ราคาข้าว", "हस्ताक्षर मेल नहीं खाता", "தமிழ்", "焼津", "الرابط غير موجود", "✔"} {
		m := mono(t, "f(\""+s+"\", 4)", s)
		st := text.Style{Family: text.Inter, Weight: 400, SizePx: 32, Exact: true}
		w := m.c.Engine().Line(s, st, 0).BoxWidth
		if got, want := m.End(0), 8*m.Cell+w; math.Abs(got-want) > 1 || math.Abs(m.End(1)-w) > 1 {
			t.Errorf("%s: the line is %.1f px wide, want %.1f; alone it is %.1f, want %.1f", s, got, want, m.End(1), w)
		}
	}
	if m := mono(t, "  a := \"b\"  // é"); m.End(0) != 16*m.Cell {
		t.Errorf("a line of 16 columns has %.2f", m.End(0)/m.Cell)
	}
}

// TestSetMono_tablesAlign: their columns are the same, however the program that wrote them counted letters.
func TestSetMono_tablesAlign(t *testing.T) {
	for _, lines := range [][]string{
		{"नक़द            ₹1,24,350.00", "देनदार           ₹48,900.00", "GST देय          ₹17,612.50"}, // numbers end there
		{"ตำบล     a", "อำเภอ    b", "จังหวัด  c"},                                                     // counted by characters
		{"ตำบล     a", "จังหวัด    c"},                                                                 // counted by columns
		{"비교 행수  98,412,007", "불일치             3"},
		{"தமிழ்நாடு  c", "நகர்       d"}, // wider than their columns
	} {
		m := mono(t, lines...)
		for i := range lines {
			if math.Abs(m.End(i)-m.End(0)) > .01 {
				t.Errorf("%q ends at %.1f, %q at %.1f", lines[0], m.End(0), lines[i], m.End(i))
			}
		}
	}
	c := open(t, Spec{})
	aside := func(s string) MonoPart { return MonoPart{Text: s, Aside: true} }
	m := c.SetMono([][]MonoPart{{{Text: "f(\"닭\");                     "}, aside("// a")},
		{{Text: "matchInitials(\"제주도\", \"ㅈㅈㄷ\"); "}, aside("// b")}}, MonoSize{Px: 31})
	if math.Abs(m.End(0)-m.End(1)) > .01 {
		t.Errorf("comments end at %.1f and %.1f", m.End(0), m.End(1))
	}
}

// TestMonoRuns_keepTheOrderOfCode marks right-to-left texts by brackets: all else is in the order of the line.
func TestMonoRuns_keepTheOrderOfCode(t *testing.T) {
	for _, c := range []struct {
		prose bool
		want  string
	}{
		{true, "⟦يستمع على :8080⟧"},
		{true, "⟦المنفذ 8080⟧"},
		{true, "⟦2 ملاحظتان في 0.03 ث⟧"},
		{true, "⟦● العامل جاهز (4 عمليات)⟧"},
		{true, "a.po:118 «⟦الى» ← «إلى⟧»"},
		{true, "\"⟦الرابط غير موجود.⟧\", 404"},
		{true, "{\"⟦שם⟧\": \"⟦ערך⟧\", \"⟦גיל⟧\": 5}"},
		{true, "⟦תוך⟧ 8ms"},
		{false, "f(⟦אחת⟧, ⟦שתיים⟧, [3, ⟦ארבע⟧])"},
		{false, "run --queue ⟦بريد عاجل⟧ 5"},
	} {
		got := ""
		for _, run := range monoRuns(strings.NewReplacer("⟦", "", "⟧", "").Replace(c.want), c.prose) {
			if run.kind == rightToLeft {
				run.text = "⟦" + run.text + "⟧"
			}
			got += run.text
		}
		if got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestPlainLine(t *testing.T) {
	for s, want := range map[string]string{
		"\tif err != nil {": "  if err != nil {", "\t\treturn": "    return", "a := 1\t// b": "a := 1  // b",
		"name\tvalue": "name    value", "longer-name\tv": "longer-name     v", "├── cmd": "|-- cmd",
	} {
		if got := PlainLine(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

// TestFitMono_linesEndBeforeTheEdge: whole at a smaller size, or in an ellipsis.
func TestFitMono_linesEndBeforeTheEdge(t *testing.T) {
	const room = 1000
	sizes := []MonoSize{{32, 46, 2}, {24, 36, 2}}
	for _, c := range []struct {
		lines []string
		px    float64
		last  string // of the first line
	}{
		{[]string{"$ make"}, 32, "make"},
		{[]string{strings.Repeat("word ", 12)}, 24, "word"},
		{[]string{strings.Repeat("word ", 16), "short"}, 32, "word word…"},
		{[]string{strings.Repeat("word ", 16), strings.Repeat("word ", 12)}, 24, "word…"},
		{[]string{"func Resolve(w http.ResponseWriter, r *http.Request, options ...Option) error"}, 32, "http…"},
		{[]string{strings.Repeat("a", 100)}, 32, "aaaa…"},
		{[]string{strings.Repeat("長い行", 30)}, 32, "…"},
		{[]string{strings.Repeat("جملة طويلة ", 30)}, 32, "…"},
		{[]string{"a" + strings.Repeat(" ", 100) + "b"}, 32, "a …"},
		{[]string{strings.Repeat(" ", 100) + "b"}, 32, ""},
	} {
		var parts [][]MonoPart
		for _, line := range c.lines {
			parts = append(parts, []MonoPart{{Text: line}})
		}
		m := open(t, Spec{}).FitMono(parts, sizes, func(float64) float64 { return room })
		var said []string
		for _, cell := range m.lines[0] {
			for _, p := range cell.pieces {
				if p.block != nil {
					p.text = p.block.Lines[0].Text
				}
				said = append(said, p.text)
			}
		}
		got := strings.Join(said, " ")
		if m.Px != c.px || !strings.HasSuffix(got, c.last) || m.End(0) > room+1 || c.last == "" && got != "" {
			t.Errorf("%.20s: %.0f px, %q, ends at %.0f", c.lines[0], m.Px, got, m.End(0))
		}
	}
}

// TestMonoSizes_lastLineHasRoom: lines are nearer to each other if the last one has room then, and isn't blank.
func TestMonoSizes_lastLineHasRoom(t *testing.T) {
	for s, want := range map[string]MonoSize{
		"aaaaa": {32, 46, 5}, "aaaaaaaa": {32, 44, 8}, "aaaaaaaaa": {32, 44, 8}, "aaaaaaa aa": {32, 46, 7}, " ": {32, 46, 0},
	} {
		var lines [][]MonoPart
		for _, r := range s {
			lines = append(lines, []MonoPart{{Text: string(r)}})
		}
		if got := MonoSizes([]MonoSize{{Px: 32, Pitch: 46}}, 314, lines); !slices.Equal(got, []MonoSize{want}) {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}
