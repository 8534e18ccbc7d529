package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCard_design(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	design := write("card.html", `<style>body{margin:0;background:{{accent}}}</style><body>{{#title}}<img src="dot.svg"
style="position:absolute;left:0;top:0;width:100px;height:100px"><blink>{{title}}</blink>{{/title}}<x-y style="colour:red">`)
	write("dot.svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="#00f"/></svg>`)
	data := write("card.json", `{"accent": "#ff0000", "title": "Hello <b>"}`)
	draw := func(c cardCommand) (string, []byte, error) {
		var out, report bytes.Buffer
		c.Output = "-"
		err := c.run(t.Context(), nil, &out, &report)
		return report.String(), out.Bytes(), err
	}
	report, drawn, err := draw(cardCommand{Design: design, Data: data, Size: []string{"400x300"}})
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(drawn))
	if err != nil || img.Bounds().Dx() != 400 || img.Bounds().Dy() != 300 {
		t.Fatal("no PNG of 400x300", err)
	}
	if r, _, _, _ := img.At(300, 250).RGBA(); r>>8 != 255 {
		t.Error("the background hasn't the color of the data")
	}
	if _, _, b, _ := img.At(50, 50).RGBA(); b>>8 != 255 {
		t.Error("the picture beside the design isn't drawn")
	}
	if !strings.Contains(report, "colour") || !strings.Contains(report, "card.html:2:") {
		t.Errorf("a property that isn't known isn't reported with its line: %q", report)
	}
	tree := write("tree.json", `{"type":"div","props":{"tw":"w-full h-full bg-[#0000ff] blinking","children":"{{title}}"}}`)
	report, drawn, err = draw(cardCommand{Design: tree, Data: data, Size: []string{"400x300"}})
	if err != nil || !strings.Contains(report, "blinking") {
		t.Errorf("a tree of elements: %v, %q", err, report)
	}
	if img, err = png.Decode(bytes.NewReader(drawn)); err != nil {
		t.Fatal(err)
	}
	if r, _, b, _ := img.At(390, 290).RGBA(); r>>8 != 0 || b>>8 != 255 {
		t.Error("the background of a tree hasn't the color of its utility class")
	}
	for name, c := range map[string]cardCommand{
		"a bad tree":  {Design: write("bad-tree.json", `{"type":"script"}`)},
		"no design":   {Design: filepath.Join(dir, "none.html")},
		"no data":     {Design: design, Data: filepath.Join(dir, "none.json")},
		"a size":      {Design: design, Size: []string{"10x10"}},
		"a partial":   {Design: write("p.html", "{{>x}}")},
		"an injected": {Design: design, Data: write("bad.json", `{"accent": "red}</style>"}`)},
		"data alone":  {Data: data},
	} {
		if _, _, err := draw(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
