package page_test

import (
	"fmt"
	"strings"
	"testing"

	"masthead/pkg/page"
)

func TestReadStyle_sheets_giveBrandColors(t *testing.T) {
	for name, c := range map[string]struct{ css, want string }{
		"nothing":            {"", "{[] [] }"},
		"a comment":          {"/* :root{--brand:#000} */ :root{--brand:/* } */#b91c1c}", "{[{brand #b91c1c}] [] }"},
		"an open comment":    {":root{--brand:#b91c1c} /* :root{--accent:#000}", "{[{brand #b91c1c}] [] }"},
		"nested":             {"@layer a{@media print{:root{--brand:#b91c1c}}}", "{[{brand #b91c1c}] [] }"},
		"the first value":    {":root{--brand:#b91c1c} .dark{--brand:#000}", "{[{brand #b91c1c}] [] }"},
		"a use":              {"p{color:var(--brand);border:1px solid var(--accent)}", "{[] [] }"},
		"one color, twice":   {".btn{background:#b91c1c} .button{background:#b91c1c}", "{[] [{.btn #b91c1c}] }"},
		"a property":         {".btn{background:var(--x)}", "{[] [{.btn var(--x)}] }"},
		"states":             {".btn:hover{background:#000} .btn::after{background:#111}", "{[] [] }"},
		"a gradient":         {".btn{background:linear-gradient(#000,#fff)}", "{[] [] }"},
		"an unfinished rule": {".btn{background:#b91c1c", "{[] [] }"},
		"a long selector": {strings.Repeat("a", 300) + ".btn{background:#b91c1c}",
			"{[] [{" + strings.Repeat("a", 80) + " #b91c1c}] }"},
	} {
		if got := fmt.Sprint(page.ReadStyle([]byte(c.css))); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// hostileSheets are half a megabyte each of what a reader may go over again and again.
var hostileSheets = map[string]string{
	"braces":       strings.Repeat("{", 500_000),
	"pairs":        strings.Repeat("{}", 250_000),
	"comments":     strings.Repeat("/*", 250_000),
	"empty ones":   strings.Repeat("/**/", 125_000),
	"properties":   ":root{" + strings.Repeat("--a:#000;", 55_000) + "}",
	"names":        ":root{" + strings.Repeat("--", 250_000) + "}",
	"backgrounds":  ".btn{" + strings.Repeat("background", 50_000) + "}",
	"buttons":      strings.Repeat(".btn{background:x}", 27_000),
	"one selector": strings.Repeat("btn,", 125_000) + "{background:red}",
	"uses":         ".btn{" + strings.Repeat("x:var(--a);", 45_000) + "}",
}

func TestReadStyle_hostile_isBounded(t *testing.T) {
	for name, css := range hostileSheets {
		checkStyle(t, name, page.ReadStyle([]byte(css)))
	}
	late := strings.Repeat(" ", 500_000) + ":root{--brand:#b91c1c}"
	if s := page.ReadStyle([]byte(late)); len(s.Properties) > 0 {
		t.Errorf("got %v from beyond the end", s.Properties)
	}
}

// checkStyle fails the test when more was kept than may be.
func checkStyle(t *testing.T, name string, s page.Style) {
	t.Helper()
	if len(s.Properties) > 64 || len(s.Buttons) > 16 || len(s.FontFamily) > 128 {
		t.Errorf("%s: kept %d properties, %d buttons, a face of %d bytes",
			name, len(s.Properties), len(s.Buttons), len(s.FontFamily))
	}
	known := map[string]bool{}
	for _, p := range s.Properties {
		if p.Name == "" || len(p.Name) > 64 || p.Value == "" || len(p.Value) > 128 || known[p.Name] {
			t.Errorf("%s: kept the property %q", name, p)
		}
		known[p.Name] = true
	}
	for _, b := range s.Buttons {
		if b.Value == "" || len(b.Value) > 128 || len([]rune(b.Selector)) > 80 {
			t.Errorf("%s: kept the button %q", name, b)
		}
	}
}

func FuzzStyle(f *testing.F) {
	f.Add(`@import "x"; /* --not: #000 */ :root{--brand:#f40;--p: 222 47% 11% }.a{color:var(--brand)}`)
	f.Add(`@media (min-width:1px){body,x{font-family:"Foo";--late:teal}.btn-primary{background : #00F!important}}`)
	f.Add(`a{background-color:var(--brand,rgb(1 2 3 / 50%))}*/{}{/*`)
	f.Fuzz(func(t *testing.T, css string) {
		s := page.ReadStyle([]byte(css))
		checkStyle(t, "fuzzed", s)
		if again := page.ReadStyle([]byte(css)); fmt.Sprint(again) != fmt.Sprint(s) {
			t.Errorf("got %v, then %v", s, again)
		}
	})
}

// BenchmarkReadStyle reads a sheet of 500 KB whose brand stands at its end, and the slowest of the hostile ones.
func BenchmarkReadStyle(b *testing.B) {
	rule := ".card > .title:not(.x)::before{color:#333;margin:0 auto;content:\"}\";transform:scale(1.2)}\n"
	sheets := map[string]string{"plain": strings.Repeat(rule, 5300) + ":root{--brand:#b91c1c}"}
	for name, css := range hostileSheets {
		sheets[name] = css
	}
	for name, css := range sheets {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(css)))
			for b.Loop() {
				page.ReadStyle([]byte(css))
			}
		})
	}
}
