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
		{"of a generator", `<title>React App</title>`, "Heading", "Heading"},
		{"everywhere", `<title>{{title}}</title>`, "{{title}}", ""},
		{"about braces", `<title>How to use ${var} in Bash</title>`, "How to use ${var} in Bash", "How to use ${var} in Bash"},
	} {
		html := "<!doctype html><html><head>" + c.head + "</head><body><h1>" + c.h1 + "</h1></body></html>"
		if got := page.Parse([]byte(html), "text/html; charset=utf-8", base).Details.Title; got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPage_OwnDescription_isWithoutWhatForgesAdd checks the descriptions of repositories, as GitHub writes them.
func TestPage_OwnDescription_isWithoutWhatForgesAdd(t *testing.T) {
	for _, c := range []struct{ address, description, want string }{
		{
			"https://github.com/northlane/render-queue",
			"A render queue. Contribute to northlane/render-queue development by creating an account on GitHub.",
			"A render queue.",
		},
		{
			"https://github.com/northlane/render-queue",
			"Contribute to northlane/render-queue development by creating an account on GitHub.", "",
		},
		{"https://github.com/northlane/render-queue", "A render queue - northlane/render-queue", "A render queue"},
		{
			"https://github.com/northlane/render-queue",
			"A render queue that draws. - northlane/render-queue: A render queue...", "A render queue that draws.",
		},
		{"https://github.com/northlane/render-queue", "Contribute to our docs.", "Contribute to our docs."},
		{"https://example.com/a/b", "A queue - a/b", "A queue - a/b"},
	} {
		base, err := url.Parse(c.address)
		if err != nil {
			t.Fatal(err)
		}
		html := `<!doctype html><html><head><title>northlane/render-queue: A render queue</title>` +
			`<meta name="description" content="` + c.description + `"></head></html>`
		if got := page.Parse([]byte(html), "text/html; charset=utf-8", base).OwnDescription(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.description, got, c.want)
		}
	}
}

func TestPage_OwnDescription_isNoByline(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "example.com", Path: "/a"}
	for description, kept := range map[string]bool{
		"Поделился пикабушник: Ida Marlow": false, "By Ida Marlow.": false, "Ida Marlow": false,
		"Seven things that we learned by watching it again, by Ida Marlow": true,
		"Ida Marlow is a channel about films":                              true,
	} {
		html := `<!doctype html><title>A</title><meta property="article:author" content="Ida Marlow">` +
			`<meta name="description" content="` + description + `">`
		got := page.Parse([]byte(html), "text/html; charset=utf-8", base).OwnDescription()
		if want := map[bool]string{true: description}[kept]; got != want {
			t.Errorf("%s: got %q, want %q", description, got, want)
		}
	}
}

func TestPage_OwnDescription_isWithoutNumbersOfPicturesAndNamesOfParts(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "example.com", Path: "/a"}
	for description, want := range map[string]string{
		"The ministry counted 120 people. / Resim 1":         "The ministry counted 120 people.",
		"The harbor at night – Photo 12":                     "The harbor at night",
		"Abstract. Background: 31 crew members slept badly.": "31 crew members slept badly.",
		"摘要：三十一名宇航员睡眠不好。":                                    "三十一名宇航员睡眠不好。",
		"Abstract art at the harbor":                         "Abstract art at the harbor",
		"How to print Photo 3":                               "How to print Photo 3",
		"The plan / Page 3 of the draft":                     "The plan / Page 3 of the draft",
	} {
		html := `<!doctype html><title>A</title><meta name="description" content="` + description + `">`
		if got := page.Parse([]byte(html), "text/html; charset=utf-8", base).OwnDescription(); got != want {
			t.Errorf("%s: got %q, want %q", description, got, want)
		}
	}
}

func TestLeftover_isAnUnfilledTemplateOrAPrintedNothing(t *testing.T) {
	for text, want := range map[string]bool{
		"{{title}}": true, "Hello ${name}": true, "a }} b": true, "[object Object]": true, "undefined": true, " NaN ": true,
		"null": true, "null and void": false, "An undefined problem": false, "{ a: 1 }": false, "$5": false, "": false,
		strings.Repeat("a", 1000): false, "React App": true, " Vite + React + TS ": true, "Create Next App": true,
		"Generated by create next app": true, "How to start a React App": false, "Document": false,
	} {
		if got := page.Leftover(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
