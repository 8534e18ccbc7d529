package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"masthead/render/design/check"
	"masthead/render/design/start"
)

// TestCheck_ours finds no fault in the six documents, as `masthead design check` does; in `task test-all` with all
// scripts in all lengths with all accents.
func TestCheck_ours(t *testing.T) {
	for _, slug := range start.Slugs() {
		source, _ := start.Document(slug)
		opts := check.Options{All: os.Getenv("MASTHEAD_TEST_FULL") != ""}
		report, err := check.Check(t.Context(), source, opts)
		if err != nil {
			t.Fatal(err)
		}
		if report.Cases < 8 {
			t.Errorf("%s: only %d cases", slug, report.Cases)
		}
		for _, f := range report.Findings {
			t.Errorf("%s:%d:%d: %s: %s (%s, %d of %d)", slug, f.Line, f.Column, f.Code, f.Message, f.Case, f.Cases,
				report.Cases)
		}
		for name, picture := range report.Pictures {
			name = slug + "-" + strings.ReplaceAll(name, " ", "-") + ".png"
			if err := os.WriteFile(filepath.Join(t.ArtifactDir(), name), picture, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// page is a document without faults, in whose places faults are put.
const page = `<style>
*{box-sizing:border-box;margin:0}
body{width:100vw;height:100vh;padding:72px;display:flex;flex-direction:column;background:var(--background);
color:var(--text);font:400 28px/1.4 Inter;overflow:hidden;%[1]s}
h1{--fit:60px 90px / 3, 40px 60px / 5;font-weight:700;font-size:90px;line-height:1.1;max-height:330px;overflow-wrap:anywhere;%[2]s}
p{margin-top:24px;color:var(--muted);display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;
overflow:hidden;padding-block:.4em;%[3]s}
footer{margin-top:auto;white-space:nowrap;%[4]s}
%[5]s</style>
<h1 data-slot="title">{{title}}</h1>
{{#description}}<p>{{description}}</p>{{/description}}
<footer>{{host}}</footer>%[6]s`

// faults are changes of the document: of the styles of body, h1, p and footer, more styles, and more at its end.
var faults = map[string]struct {
	at   [6]string
	want check.Code
}{
	"none":                            {want: ""},
	"muted text on a gray":            {[6]string{2: "color:#8b8b8b;background:#777"}, check.Contrast},
	"text in the color of the ground": {[6]string{3: "color:var(--background)"}, check.Contrast},
	"white whatever the background":   {[6]string{1: "color:#fff"}, check.Contrast},
	"black whatever the background":   {[6]string{1: "color:#000"}, check.Contrast},
	"faint by opacity":                {[6]string{3: "opacity:.25"}, check.Contrast},
	"faint by its color's alpha":      {[6]string{3: "color:rgb(128 128 128 / .5)"}, check.Contrast},
	"text on the picture":             {[6]string{0: "background:url(page:image) center / cover"}, check.Contrast},
	"the accent on its own shade":     {[6]string{3: "color:var(--accent);background:var(--brand)"}, check.Contrast},
	"a fixed color on the brand":      {[6]string{0: "background:var(--brand);color:#fff"}, check.Contrast},
	"hidden by a box":                 {[6]string{4: "i{position:absolute;left:60px;bottom:60px;width:700px;height:70px;background:#888}", 5: "<i></i>"}, check.Contrast},
	"a title of one line":             {[6]string{1: "white-space:nowrap;--fit:initial"}, check.Clipped},
	"a title of a fixed size":         {[6]string{1: "--fit:initial;font-size:120px;max-height:none"}, check.Clipped},
	"a footer below the card":         {[6]string{3: "position:absolute;left:72px;top:610px"}, check.Clipped},
	"a name beyond the side":          {[6]string{3: "position:absolute;left:1120px;bottom:80px"}, check.Clipped},
	"half a line":                     {[6]string{2: "display:block;height:30px"}, check.Clipped},
	"a low box with hidden overflow":  {[6]string{3: "overflow:hidden;height:18px"}, check.Clipped},
	"a narrow box":                    {[6]string{3: "width:90px"}, check.Overflow},
	"a badge that is too small":       {[6]string{4: "b{display:block;width:60px;background:#333;color:#fff;white-space:nowrap}", 5: "{{#author}}<b>{{author}}</b>{{/author}}"}, check.Overflow},
	"a fixed height":                  {[6]string{1: "--fit:initial;font-size:56px;height:70px;max-height:none"}, check.Overflow},
	"texts on the same place":         {[6]string{3: "position:absolute;left:72px;top:90px"}, check.Overlap},
	"lines that are too tight":        {[6]string{1: "line-height:.5"}, check.Overlap},
	"a description over the title":    {[6]string{2: "margin-top:-80px"}, check.Overlap},
	"at the very edge":                {[6]string{3: "position:absolute;left:8px;bottom:80px"}, check.Crop},
	"at the top edge":                 {[6]string{3: "position:absolute;left:72px;top:2px;font-size:20px"}, check.Crop},
	"where names of sites are":        {[6]string{3: "position:absolute;left:72px;bottom:10px"}, check.Crop},
	"a title of two words":            {[6]string{1: "--fit:90px 90px / 1"}, check.Cut},
	"no title":                        {[6]string{1: "display:none"}, check.NoTitle},
	"a misspelled tag":                {[6]string{5: "<p>{{#writer}}{{writer}}{{/writer}}</p>"}, check.Unknown},
	"a misspelled property":           {[6]string{3: "colour:red"}, check.Unlike},
	"a script":                        {[6]string{5: "<script>draw()</script>"}, check.Unlike},
	"a section that isn't closed":     {[6]string{5: "{{#author}}"}, check.Broken},
	"a value in a style":              {[6]string{5: `<p style="color:{{author}}">x</p>`}, check.Broken},
}

// TestCheck_faults finds each fault, by its code.
func TestCheck_faults(t *testing.T) {
	if len(faults) < 31 {
		t.Fatalf("only %d faults", len(faults)-1)
	}
	for name, f := range faults {
		source := fmt.Sprintf(page, f.at[0], f.at[1], f.at[2], f.at[3], f.at[4], f.at[5])
		each := 1
		if f.want == "" {
			each = 4
		}
		report, err := check.Check(t.Context(), source, check.Options{
			Each: each, Enough: func(found check.Finding) bool { return found.Code == f.want },
		})
		if err != nil {
			t.Fatal(err)
		}
		var codes []check.Code
		for _, found := range report.Findings {
			codes = append(codes, found.Code)
		}
		switch {
		case f.want == "" && len(codes) > 0:
			t.Errorf("%s: got %+v, want no finding", name, report.Findings)
		case f.want != "" && !slices.Contains(codes, f.want):
			t.Errorf("%s: got %v, want %s", name, codes, f.want)
		case f.want != "" && f.want != check.Broken && f.want != check.Unknown && len(report.Pictures) == 0:
			t.Errorf("%s: no picture", name)
		}
	}
}
