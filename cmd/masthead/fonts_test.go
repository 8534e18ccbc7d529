package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTypefaces_ofFiles(t *testing.T) {
	const katex = "../../pkg/fontfile/testdata/katex-caligraphic-bold.woff2"
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	draw := func(c cardCommand, files ...string) []byte {
		t.Helper()
		var out, report bytes.Buffer
		c.Output, c.Typefaces = "-", typefaces{Files: files}
		c.Kind, c.AspectRatio, c.Rate = "og", "16:9", 100
		if err := c.run(t.Context(), nil, &out, &report); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	named := write("named.html", `<body style="font:700 90px KaTeX_Caligraphic">{{title}}{{^title}}ABC{{/title}}`)
	other := write("other.html", `<body style="font:700 90px Inter">{{title}}{{^title}}ABC{{/title}}`)
	for name, c := range map[string]struct {
		command cardCommand
		changes bool
	}{
		"our design":               {cardCommand{Title: "ABC", Template: "minimal", Font: "inter"}, true},
		"a design that names it":   {cardCommand{Design: named}, true},
		"with a title":             {cardCommand{Design: named, Title: "ABC"}, true},
		"a design of another face": {cardCommand{Design: other}, false},
	} {
		if same := bytes.Equal(draw(c.command), draw(c.command, katex)); same == c.changes {
			t.Errorf("%s: with the typeface it is the same picture: %v", name, same)
		}
	}
	for name, c := range map[string]struct {
		files []string
		want  string
	}{
		"no file":  {[]string{filepath.Join(dir, "none.woff2")}, "none.woff2: there is no such file"},
		"no font":  {[]string{named}, "named.html: it can't be used"},
		"too many": {slices.Repeat([]string{katex}, maxTypefaces+1), "at most 12"},
	} {
		check := designCheckCommand{Files: []string{other}, Size: []string{"1200x630"}, Typefaces: typefaces{Files: c.files}}
		preview := designPreviewCommand{File: other, Size: "1200x630", Typefaces: check.Typefaces}
		preview.Rate = 100
		_, previewed := preview.newPreview(t.Context())
		for _, err := range []error{check.run(t.Context(), &bytes.Buffer{}), previewed} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}
}
