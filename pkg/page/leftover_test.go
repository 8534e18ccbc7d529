package page_test

import (
	"net/url"
	"strings"
	"testing"

	"masthead/pkg/page"
)

// A card has the first title of the page that is not an unfilled template; a heading about braces is a title.
func TestDetails_titleIsNoLeftoverOfATemplate(t *testing.T) {
	base, err := url.Parse("https://www.example.com/a")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, head, h1, want string }{
		{"a filled one", `<meta property="og:title" content="Filled">`, "Heading", "Filled"},
		{"title", `<meta property="og:title" content="{{title}}"><title>The title</title>`, "Heading", "The title"},
		{"of X", `<meta property="og:title" content="${t}"><meta name="twitter:title" content="On X">`, "", "On X"},
		{"heading", `<title>{{ page.title }} | Acme</title>`, "Heading", "Heading"},
		{"undefined", `<title>undefined</title>`, "Heading", "Heading"},
		{"an object", `<title>[object Object]</title>`, "", ""},
		{"everywhere", `<title>{{title}}</title>`, "{{title}}", ""},
		{"about braces", `<title>How to use ${var} in Bash</title>`, "How to use ${var} in Bash", "How to use ${var} in Bash"},
	} {
		html := "<!doctype html><html><head>" + c.head + "</head><body><h1>" + c.h1 + "</h1></body></html>"
		if got := page.Parse([]byte(html), "text/html; charset=utf-8", base).Details.Title; got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLeftover_isAnUnfilledTemplateOrAPrintedNothing(t *testing.T) {
	for text, want := range map[string]bool{
		"{{title}}": true, "Hello ${name}": true, "a }} b": true, "[object Object]": true, "undefined": true, " NaN ": true,
		"null": true, "null and void": false, "An undefined problem": false, "{ a: 1 }": false, "$5": false, "": false,
		strings.Repeat("a", 1000): false,
	} {
		if got := page.Leftover(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
