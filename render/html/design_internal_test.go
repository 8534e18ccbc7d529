package html

import (
	"bytes"
	"errors"
	"image"
	"strings"
	"sync"
	"testing"

	"masthead/render/html/mustache"
)

// designCard is a design with values in all places, and sections.
const designCard = `<!doctype html><html lang=en><title>{{title}}</title><style>
 body{margin:0;height:200px;background:{{ground}};color:#222;font:20px Inter}
 p:empty{height:30px;background:red} [title]{text-decoration:underline} h1::before{content:attr(data-n)}
</style><body><h1 data-n="{{n}}" style="--fit:12px 40px / 2" data-slot=title>{{title}}</h1>
{{#author}}<p title="{{name}}">{{name}} &amp; {{{name}}}</p>{{/author}}{{^author}}<p>{{none}}</p>{{/author}}
<ul>{{#list}}<li>{{.}}</li>{{/list}}</ul><pre>{{code}}</pre><svg width=30 height=20><text y=15>{{n}}</text></svg>
<img src="{{image}}"><!-- {{title}} -->`

var designData = map[string]map[string]any{
	"nothing": {},
	"texts":   {"title": "A <b>bold</b> & plain title", "ground": "#fff", "n": "7"},
	"another": {"title": "مرحبا بالعالم 123 👩‍💻", "ground": "#fff", "n": "8"},
	"sections": {
		"title": "Sections", "author": map[string]any{"name": "Ann \"A\" O'Neil"}, "list": []any{"one", "two", "<three>"},
		"ground": "oklch(90% .05 200)", "image": "logo.png",
	},
	"spaces":   {"title": "  starts with spaces ", "code": "\n\tfunc main() {\r\n}", "none": " "},
	"controls": {"title": "a\x00b\x01c\fd", "code": "e\vf\u00a0g\u2028h", "none": "\t"},
	"private":  {"title": "plane \U00100000 16 \U0010FFFD", "code": "\xff\xfebroken\xf4"},
	"long":     {"title": strings.Repeat("long words and ", 60), "list": []any{"", "x"}},
}

// TestDesign_asItsTwin compares what a compiled design draws, byte by byte, with the document that has the values.
func TestDesign_asItsTwin(t *testing.T) {
	letter := strings.Replace(designCard, "<style>", "<style>h1::first-letter,p::first-letter{color:red}", 1)
	for _, source := range []string{designCard, letter, strings.Replace(designCard, "<ul", "<ul dir=auto", 1)} {
		design, err := Compile(source)
		if err != nil {
			t.Fatal(err)
		}
		template, err := mustache.Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range designData {
			filled, err := template.Render(data)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := Parse(filled)
			if err != nil {
				t.Fatal(err)
			}
			opts := Options{Width: 300, Height: 200}
			want, _, err := doc.Draw(t.Context(), opts)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				got, _, err := design.Draw(t.Context(), data, opts)
				if err != nil {
					t.Fatal(err)
				}
				if !samePixels(got, want) {
					t.Errorf("with %s the picture isn't that of the document", name)
				}
			}
		}
	}
}

// samePixels compares the bytes of two pictures.
func samePixels(a, b image.Image) bool {
	switch a := a.(type) {
	case *image.Paletted:
		b, ok := b.(*image.Paletted)
		return ok && bytes.Equal(a.Pix, b.Pix) && len(a.Palette) == len(b.Palette)
	case *image.RGBA:
		b, ok := b.(*image.RGBA)
		return ok && bytes.Equal(a.Pix, b.Pix)
	}
	return false
}

// TestDesign_parsesOnce holds that pages with other texts parse nothing, also concurrently.
func TestDesign_parsesOnce(t *testing.T) {
	design, err := Compile(`<body style="--fit:10px 30px / 1;--a:var(--b);--b:red">{{title}}{{#more}}<p>{{more}}{{/more}}`)
	if err != nil {
		t.Fatal(err)
	}
	before := design.parsed
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			data := map[string]any{"title": strings.Repeat("word ", 1+i)}
			if _, _, err := design.Draw(t.Context(), data, Options{Width: 200, Height: 60}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := design.parsed - before; n > 8 || len(design.outlines) != 2 {
		t.Errorf("8 cards with the same sections parsed %d documents and keep %d", n, len(design.outlines))
	}
	before = design.parsed
	for _, title := range []string{"One", "Two & three"} {
		if _, _, err := design.Draw(t.Context(), map[string]any{"title": title}, Options{Width: 200, Height: 60}); err != nil {
			t.Fatal(err)
		}
	}
	if design.parsed != before {
		t.Errorf("cards with other texts parsed %d documents, want none", design.parsed-before)
	}
	for range 3 * maxOutlines {
		data := map[string]any{"title": "x", "more": strings.Repeat(" ", len(design.outlines))}
		if _, _, err := design.Draw(t.Context(), data, Options{Width: 20, Height: 6}); err != nil {
			t.Fatal(err)
		}
	}
	if len(design.outlines) > maxOutlines {
		t.Errorf("a design keeps %d documents, want %d at most", len(design.outlines), maxOutlines)
	}
}

// TestDesign_warningsHaveLinesOfTheDesign moves the document by values of several lines.
func TestDesign_warningsHaveLinesOfTheDesign(t *testing.T) {
	design, err := Compile("<p>{{a}}</p>{{#list}}\n<b>{{.}}</b>\n{{/list}}\n  <video></video>\n<i style='widht:1px'>{{a}}</i>")
	if err != nil {
		t.Fatal(err)
	}
	data := map[string]any{"a": "one\ntwo\nthree", "list": []any{"1", "2", "3"}}
	_, warnings, err := design.Draw(t.Context(), data, Options{Width: 90, Height: 60})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, w := range warnings {
		if strings.Contains(w.Message, "video") && w.Line == 4 && w.Column == 3 {
			found++
		}
		if strings.Contains(w.Message, "widht") && w.Line == 5 {
			found++
		}
	}
	if found != 2 {
		t.Errorf("the warnings are %v, want those of lines 4 and 5", warnings)
	}
}

func TestCompile_faults(t *testing.T) {
	for _, source := range []string{
		strings.Repeat("x", MaxBytes+1), strings.Repeat("<p>", MaxElements+1), strings.Repeat("<i>", 2*MaxDepth),
	} {
		if _, err := Compile(source); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%.9s…: %v, want ErrTooLarge", source, err)
		}
	}
	var fault *mustache.Error
	if _, err := Compile("\n{{#open}}"); !errors.As(err, &fault) || fault.Line != 2 {
		t.Errorf("an open section: %v, want an error in line 2", err)
	}
	design, err := Compile("{{#list}}<p>{{.}}{{/list}}")
	if err != nil {
		t.Fatal(err)
	}
	list := make([]any, 300)
	for i := range list {
		list[i] = strings.Repeat("y", 1000)
	}
	if _, _, err := design.Draw(t.Context(), map[string]any{"list": list}, Options{Width: 9, Height: 9}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("values of 300 KB: %v, want ErrTooLarge", err)
	}
}

// FuzzDesign compares a design with its twin for any document and value.
func FuzzDesign(f *testing.F) {
	f.Add(designCard, "Title", "#fff")
	f.Add("<table>{{a}}<tr>{{#b}}<td>{{a}}{{/b}}</table><xmp>{{a}}</xmp>", "<b>", "1")
	f.Add("<p>{{a}}<svg>{{b}}<style>{{b}}</style><textarea>\n{{a}}", "\r\n", "red")
	f.Fuzz(func(t *testing.T, source, a, b string) {
		const most = 2000
		if len(source)+len(a)+len(b) > most {
			return
		}
		design, err := Compile(source)
		if err != nil {
			return
		}
		data := map[string]any{"a": a, "b": b, "title": a, "n": b, "list": []any{a, b}}
		got, _, err := design.Draw(t.Context(), data, Options{Width: 40, Height: 30})
		if err != nil {
			return
		}
		filled, err := design.template.Render(data)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := Parse(filled)
		if err != nil {
			return // the escapes of the values made it longer
		}
		want, _, err := doc.Draw(t.Context(), Options{Width: 40, Height: 30})
		if err != nil {
			return
		}
		raw := strings.ContainsAny(source, "<") && strings.Contains(strings.ToLower(source), "<xmp")
		if !samePixels(got, want) && !raw {
			t.Errorf("the picture isn't that of the document %q", filled)
		}
	})
}
