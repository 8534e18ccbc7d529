package ui_test

import (
	"html"
	"html/template"
	"regexp"
	"strings"
	"testing"

	"masthead/pkg/web/ui"
)

var element = regexp.MustCompile(`</?[ib]>`)

func TestCode_marksNamesAndValues(t *testing.T) {
	for text, want := range map[string]string{
		`<meta property="og:url" content="https://a.example/?a=1&amp;b=2">`: "" +
			`&lt;meta property=<i>&#34;og:url&#34;</i> content=` +
			`<b>&#34;https://a.example/?a=1&amp;amp;b=2&#34;</b>&gt;`,
		"User-agent: LinkedInBot\nAllow: /": "User-agent:<b> LinkedInBot</b>\nAllow:<b> /</b>",
		`{"@type": "Article", "n": 3}`:      `{&#34;@type&#34;: <b>&#34;Article&#34;</b>, &#34;n&#34;: <b>3</b>}`,
		"curl -s https://a.example \\":      `curl<i> -s</i><i> https://a.example</i><i> \</i>`,
	} {
		if got := string(ui.Code(text)); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", text, got, want)
		}
	}
}

func TestProgram_marksStrings(t *testing.T) {
	text := "<a href=\"x\">\n$a = 'b' . \"\\\"c\" + `d`"
	want := "&lt;a href=<b>&#34;x&#34;</b>&gt;\n$a = <b>&#39;b&#39;</b> . <b>&#34;\\&#34;c&#34;</b> + <b>`d`</b>"
	if got := string(ui.Program(text)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// FuzzCode holds that nothing gets lost and nothing gets through: without our own marks, what is written is the text,
// escaped.
func FuzzCode(f *testing.F) {
	for _, seed := range []string{
		`<meta property="og:title" content="</script><b>x">`, "{\"a\": \"<i>\"}", "a: <b>", "curl \"<x>", "<", "\"",
		"<a b=\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := strings.ReplaceAll(strings.TrimRight(text, "\n"), "\x00", "\uFFFD")
		for _, as := range []func(string) template.HTML{ui.Code, ui.Program} {
			got := element.ReplaceAllString(string(as(text)), "")
			if strings.ContainsAny(got, "<>\"") {
				t.Fatalf("%q became %q", text, got)
			}
			if html.UnescapeString(got) != want && !strings.ContainsAny(text, "&") {
				t.Fatalf("%q became %q", text, got)
			}
		}
	})
}
