package syntax_test

import (
	"strings"
	"testing"

	"masthead/render/template/syntax"
)

// TestHighlighter_parts_areTold writes keywords as K[…], names as N, texts as T, numbers as D and comments as C.
func TestHighlighter_parts_areTold(t *testing.T) {
	for _, c := range []struct{ language, code, want string }{
		{"go", `func (s *Store) Get(id int) string { return "a" }`, `K[func] (s *Store) N[Get](id int) string { K[return] T["a"] }`},
		{"go", "a := `b\nc` // d", "a := T[`b]\nT[c`] C[// d]"},
		{"go", "x := 0x1F + 3.5", "x := D[0x1F] + D[3.5]"},
		{"js", "/* a\nb */ let c = 'd'", "C[/* a]\nC[b */] K[let] c = T['d']"},
		{"python", "def f(a): # b\n  return \"\"\"c\nd\"\"\"", "K[def] N[f](a): C[# b]\n  K[return] T[\"\"\"c]\nT[d\"\"\"]"},
		{"rust", "fn f<'a>(x: &'a str) -> char { 'b' }", "K[fn] N[f]<'a>(x: &'a str) -> char { T['b'] }"},
		{"sql", "select 1 FROM t -- all", "K[select] D[1] K[FROM] t C[-- all]"},
		{"html", `<a href="b">c</a> <!-- d -->`, `<a href=T["b"]>c</a> C[<!-- d -->]`},
		{"css", "inline-size: 42rem", "inline-size: D[42rem]"},
		{"", "if a // b", "if a C[// b]"},
		{"", "it's \"open", "it's T[\"open]"},
		{"go", `"a\"b" + "c"`, `T["a\"b"] + T["c"]`},
		{"go", "type Jobs []Job", "K[type] N[Jobs] []Job"},
		{"go", "日本 := 1", "日本 := D[1]"},
	} {
		language, _ := syntax.Lookup(c.language)
		h := syntax.NewHighlighter(language)
		var lines []string
		for line := range strings.SplitSeq(c.code, "\n") {
			var b strings.Builder
			for _, p := range h.Line(line) {
				if letter := " KNTDC"[p.Tone]; p.Tone != syntax.Rest {
					b.WriteString(string(letter) + "[" + p.Text + "]")
				} else {
					b.WriteString(p.Text)
				}
			}
			lines = append(lines, b.String())
		}
		if got := strings.Join(lines, "\n"); got != c.want {
			t.Errorf("%s: got %s, want %s", c.language, got, c.want)
		}
	}
}

// FuzzHighlighter_line checks that the parts of code are the code.
func FuzzHighlighter_line(f *testing.F) {
	f.Add("go", "func f() { // a\n\"b\n`c")
	f.Add("rust", "'a 'b' '\\''")
	f.Add("", "it's\\")
	f.Fuzz(func(t *testing.T, name, code string) {
		language, _ := syntax.Lookup(name)
		h := syntax.NewHighlighter(language)
		for line := range strings.SplitSeq(code, "\n") {
			var b strings.Builder
			for _, p := range h.Line(line) {
				b.WriteString(p.Text)
			}
			if b.String() != line {
				t.Errorf("%q: the parts are %q", line, b.String())
			}
		}
	})
}
