package mustache_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"masthead/render/html/mustache"
)

// differing are tests of the specification that don't hold, since values are always escaped, and there are no partials.
var differing = map[string]string{
	"Triple Mustache":                      "escaped",
	"Ampersand":                            "escaped",
	"Implicit Iterators - Triple Mustache": "escaped",
	"Implicit Iterators - Ampersand":       "escaped",
	"Implicit Iterator - Triple mustache":  "escaped",
	"Implicit Iterator - Ampersand":        "escaped",
	"Partial Inheritence":                  "partial", //nolint:misspell // as in the specification
	"Post-Partial Behavior":                "partial",
}

// The tests in testdata are those of https://github.com/mustache/spec (MIT License, its authors).
func TestRender_specification(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.json")
	if len(files) != 5 {
		t.Fatalf("%d files", len(files))
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var spec struct {
			Tests []struct {
				Name, Template, Expected string
				Data                     any
			}
		}
		if err := json.Unmarshal(source, &spec); err != nil {
			t.Fatal(err)
		}
		for _, c := range spec.Tests {
			got, err := render(c.Template, c.Data)
			holds := err == nil && got == c.Expected
			if _, differs := differing[c.Name]; differs == holds {
				t.Errorf("%s, %s: %q of %q, want %q (%v)", filepath.Base(file), c.Name, got, c.Template, c.Expected, err)
			}
		}
	}
}

func render(template string, data any) (string, error) {
	parsed, err := mustache.Parse(template)
	if err != nil {
		return "", err
	}
	return parsed.Render(data)
}

func TestRender_places(t *testing.T) {
	for _, c := range []struct{ template, value, want string }{
		{"<b>{{x}}</b>", "<i>&", "<b>&lt;i&gt;&amp;</b>"},
		{"<b>{{{x}}}{{&x}}</b>", "<", "<b>&lt;&lt;</b>"},
		{"<b title='{{x}}'>", "'a", "<b title='&#39;a'>"},
		{"<style>a{color:{{x}}}</style>{{x}}", "#ff0", "<style>a{color:#ff0}</style>#ff0"},
		{"<i style=\"width:{{x}}\">", "40px", "<i style=\"width:40px\">"},
		{"<i style=\"color:{{x}}\">", "oklch(70% .1 200 / 50%)", "<i style=\"color:oklch(70% .1 200 / 50%)\">"},
		{"<img src=\"{{x}}\">", "photo.jpg", "<img src=\"photo.jpg\">"},
		{"<img src=\"{{x}}\">", "data:image/png;base64,AA==", "<img src=\"data:image/png;base64,AA==\">"},
		{"1 < 2 {{x}}", "a b", "1 < 2 a b"},
		{"<!-- <b {{x}} -->{{x}}", "a b", "<!-- <b a b -->a b"},
		{"<style>a{color:{{x}}}</style>", "red}b{", "line 1: The value of {{x}} must be a color or a number here, not \"red}b{\"."},
		{"\n<i style='{{x}}'>", "color:red", "line 2: The value of {{x}} must be a color or a number here, not \"color:red\"."},
		{"<i style='background:{{x}}'>", "url(x)", "error"},
		{"<i style='color:{{x}}'>", "RebeccaPurple", "<i style='color:RebeccaPurple'>"},
		{"<i style='color:{{x}}'>", "currentColor", "<i style='color:currentColor'>"},
		{"<i style='display:{{x}}'>", "none", "error"},
		{"<i style='background:url({{x}})'>", "page:image?a&copy=b", "<i style='background:url(page:image?a&amp;copy=b)'>"},
		{"<style>i{background:URL( \"{{x}}\" )}</style>", "/a.png?b&c", "<style>i{background:URL( \"/a.png?b&c\" )}</style>"},
		{"<style>i{background:url({{x}}) {{x}}}</style>", "a.png", "error"},
		{"<style>i{background:url({{x}})}</style>", "a)}*{color:red", "error"},
		{"<style>i{background:url({{x}})}</style>", "</style>", "error"},
		{"<style>i{background:url('{{x}}')}</style>", "a'b", "error"},
		{"<style>i{background:url({{x}})}</style>", "a\\", "error"},
		{"<style>i{background:myurl({{x}})}</style>", "a.png", "error"},
		{"<img src='{{x}}'>", "javascript:alert(1)", "error"},
		{"<img src='{{x}}'>", "data:text/html,x", "error"},
		{"<img src='{{x}}'>", "a b", "error"},
		{"<b {{x}}>", "onclick", "error"},
		{"<b onclick='{{x}}'>", "x", "error"},
		{"<b " + strings.Repeat("a='' ", 500) + "onclick" + strings.Repeat(" ", 500) + "= '{{x}}'>", "x", "error"},
		{"<b " + strings.Repeat("a", 500) + " SRC\n=\t'{{x}}'>", "javascript:1", "error"},
		{"<style " + strings.Repeat("a='' ", 500) + ">{{x}}</style>", "}", "error"},
	} {
		got, err := render(c.template, map[string]any{"x": c.value})
		if err != nil {
			got = err.Error()
			if c.want == "error" {
				got = c.want
			}
		}
		if got != c.want {
			t.Errorf("%s with %q: %s, want %s", c.template, c.value, got, c.want)
		}
	}
}

// TestParse_longTag has documents that are one tag, which took memory and time by the square of their length.
func TestParse_longTag(t *testing.T) {
	for _, source := range []string{strings.Repeat("<b ", 85_000), "<b " + strings.Repeat("a='' ", 51_000)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := mustache.Parse(source); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 500<<20 {
			t.Errorf("%.10s…: took %d MiB, want at most 500", source, got>>20)
		}
	}
}

func TestParse_faults(t *testing.T) {
	for template, line := range map[string]int{
		"\n{{>partial}}": 2, "{{#a}}\n{{/b}}": 2, "\n\n{{#a}}": 3, "{{a": 1, "{{}}": 1, "{{=a=}}": 1, "{{$block}}": 1, "{{/a}}": 1,
		strings.Repeat("{{#a}}", 100): 1,
	} {
		_, err := mustache.Parse(template)
		var fault *mustache.Error
		if !errors.As(err, &fault) || fault.Line != line {
			t.Errorf("%.20q: %v, want an error in line %d", template, err, line)
		}
	}
	for _, inner := range []string{"", "x", "{{b}}"} {
		template := strings.Repeat("{{#a}}", 6) + inner + strings.Repeat("{{/a}}", 6) + "end"
		if _, err := render(template, map[string]any{"a": make([]any, 100)}); err == nil {
			t.Errorf("100^6 times %q are rendered", inner)
		}
	}
}

// FuzzRender holds that a document with values has no other elements than without: nothing but text can be added.
func FuzzRender(f *testing.F) {
	f.Add("<p>{{x}}</p>", "<b>")
	f.Add("<style>{{x}}</style><i style='{{x}}'>{{#x}}{{.}}{{/x}}", "</style>")
	f.Add("{{=<% %>=}}<a href=<%x%>>", "javascript:")
	f.Fuzz(func(t *testing.T, template, value string) {
		parsed, err := mustache.Parse(template)
		if err != nil {
			return
		}
		out, err := parsed.Render(map[string]any{"x": value})
		if err != nil {
			return
		}
		plain, err := parsed.Render(map[string]any{"x": "0"})
		if err == nil && strings.Count(out, "<") != strings.Count(plain, "<") && value != "" {
			t.Fatalf("%q adds an element to %q: %q", value, template, out)
		}
	})
}
