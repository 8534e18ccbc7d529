package page_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/page"
)

// TestParse_code_isTheFirstBlockOfCode: not a session, prose or a short one, without comments and imports before it.
func TestParse_code_isTheFirstBlockOfCode(t *testing.T) {
	const goCode = "func f() {\n\treturn\n}"
	block := func(lines []string, first int, language string) page.Code {
		return page.Code{Lines: lines, First: first, Language: language}
	}
	goLines := []string{"func f() {", "  return", "}"}
	for name, c := range map[string]struct {
		html string
		want page.Code
	}{
		"code":          {`<main><pre><code class="language-go">` + goCode + `</code></pre>`, block(goLines, 1, "go")},
		"on pre":        {`<main><pre class="lang-go">` + goCode + `</pre>`, block(goLines, 1, "go")},
		"not named":     {`<main><pre>` + goCode + `</pre>`, block(goLines, 1, "")},
		"two lines":     {`<main><pre class="language-go">a()` + "\n" + `b()</pre>`, page.Code{}},
		"prose":         {"<main><pre>Roses are red\nviolets are blue\nand so on</pre>", page.Code{}},
		"plain text":    {"<main><pre class=language-text>a = 1;\nb = 2;\nc = 3;</pre>", page.Code{}},
		"a session":     {"<main><pre>$ make\nok()\nok()\nok()</pre>", page.Code{}},
		"after session": {"<main><pre>$ make\nok\nok</pre><pre class=language-go>" + goCode + "</pre>", block(goLines, 1, "go")},
		"after prose":   {"<main><pre>a\nb\nc</pre><pre class=language-go>" + goCode + "</pre>", block(goLines, 1, "go")},
		"imports": {
			"<main><pre class=language-go>// Copyright\n\npackage a\n\nimport (\n\t\"fmt\"\n)\n\n" + goCode + "</pre>",
			block(goLines, 9, "go"),
		},
		"imports alone": {
			"<main><pre class=language-js>import a\nimport b\nimport c</pre>",
			block([]string{"import a", "import b", "import c"}, 1, "js"),
		},
		"indented": {
			"<main><pre class=language-py>    if a:\n      b()\n\n    c()</pre>",
			block([]string{"if a:", "  b()", "", "c()"}, 1, "py"),
		},
		"spaces that don't break": {
			"<main><pre class=language-py>if a:\n&nbsp;&nbsp;b()\n&nbsp;&nbsp;c()</pre>", block([]string{"if a:", "  b()", "  c()"}, 1, "py"),
		},
		"a key":          {"<main><pre class=language-js>const token = \"abcdefgh12345\";\na();\nb();</pre>", page.Code{}},
		"a key's prefix": {"<main><pre class=language-js>f(ghp_0123456789abcdef);\na();\nb();</pre>", page.Code{}},
		"tokens of a lexer": {
			"<main><pre class=language-go>token := next()\nif token == nil {\n}</pre>",
			block([]string{"token := next()", "if token == nil {", "}"}, 1, "go"),
		},
		"a side column": {"<aside><pre class=language-go>" + goCode + "</pre></aside>", page.Code{}},
		"open":          {"<main><pre class=language-go>" + goCode, block(goLines, 1, "go")},
		"a strange name": {
			"<main><pre class='language-<b>'>" + goCode + "</pre>", block(goLines, 1, ""),
		},
	} {
		if got := codeOf(t, c.html); !slices.Equal(got.Lines, c.want.Lines) || got.Language != c.want.Language ||
			got.First != c.want.First {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

// TestParse_code_isBounded: the number of blocks that are read, of lines, and their length.
func TestParse_code_isBounded(t *testing.T) {
	const block = "<pre class=language-go>a()\nb()\nc()</pre>"
	if got := codeOf(t, "<main>"+strings.Repeat("<pre>a</pre>", 11)+block); len(got.Lines) != 3 {
		t.Errorf("the 12th block: got %+v", got)
	}
	if got := codeOf(t, "<main>"+strings.Repeat("<pre>a</pre>", 12)+block); got.Lines != nil {
		t.Errorf("the 13th block: got %+v", got)
	}
	got := codeOf(t, "<main><pre class=language-go>"+strings.Repeat(strings.Repeat("a", 200)+"\n", 90)+"</pre>")
	if len(got.Lines) != 8 || len(got.Lines[0]) != 120 {
		t.Errorf("got %d lines, the first with %d characters", len(got.Lines), len(got.Lines[0]))
	}
}

func codeOf(t *testing.T, html string) page.Code {
	t.Helper()
	at, err := url.Parse("https://a.example/x")
	if err != nil {
		t.Fatal(err)
	}
	return page.Parse([]byte("<title>x</title>"+html), "text/html", at).Details.Code
}

func FuzzParse_code(f *testing.F) {
	for _, s := range []string{
		"<pre>$ make\nok</pre>", "<pre class=language-go>func f() {\n\tg()\n}</pre>", "<pre>import (\n a\n)\nb()\n",
		"<pre class=lang-js>/*\n*/\nlet a = {\n}\n</pre>",
	} {
		f.Add(s)
	}
	at, err := url.Parse("https://a.example/x")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := page.Parse([]byte("<main>"+s), "text/html", at).Details
		for _, lines := range [][]string{d.Code.Lines, d.Session} {
			if len(lines) > 8 {
				t.Errorf("%q: %d lines", s, len(lines))
			}
			for _, line := range lines {
				if len([]rune(line)) > 120 || strings.ContainsAny(line, "\n\t\x00") {
					t.Errorf("%q: the line %q", s, line)
				}
			}
		}
		if c := d.Code; (c.Lines == nil) != (c.First == 0) || c.Lines == nil && c.Language != "" {
			t.Errorf("%q: got %+v", s, c)
		}
	})
}
