package tree_test

import (
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"masthead/render/html"
	"masthead/render/html/tree"
)

// draw draws a document, and fails if something in it isn't drawn.
func draw(t *testing.T, source string) image.Image {
	t.Helper()
	doc, err := html.Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	img, warnings, err := doc.Draw(t.Context(), html.Options{Width: 600, Height: 315})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range warnings {
		t.Errorf("line %d, column %d: %s", w.Line, w.Column, w.Message)
	}
	return img
}

// TestHTML_examplesOfPeers draws examples of satori's and Takumi's documentation, as they are, and compares them with
// documents of HTML and CSS that say the same.
func TestHTML_examplesOfPeers(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := tree.HTML(source)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(file, ".json") + ".html")
			if err != nil {
				t.Fatal(err)
			}
			a, b := draw(t, got), draw(t, string(want))
			far := 0
			for y := range 315 {
				for x := range 600 {
					if a.At(x, y) != b.At(x, y) {
						far++
					}
				}
			}
			if far > 0 {
				t.Errorf("%d pixels differ from those of the document", far)
			}
		})
	}
}

func TestHTML_faults(t *testing.T) {
	for _, source := range []string{
		"", "{", `{"type":"script"}`, `{"type":"a b"}`, `{"type":"style","props":{"children":"x"}}`, `{"type":1}`,
		`{"type":"div","props":{"dangerouslySetInnerHTML":{"__html":"<b>"}}}`, `{"type":"div","props":[]}`, "nul",
		strings.Repeat(`{"type":"b","children":`, 80) + `"x"` + strings.Repeat("}", 80),
		"[" + strings.Repeat(`{"type":"b"},`, 5001) + `"x"]`, `"` + strings.Repeat("x", tree.MaxBytes) + `"`,
	} {
		if got, err := tree.HTML([]byte(source)); !errors.Is(err, tree.ErrTree) && source != "" {
			t.Errorf("%.40s: %v, %.40q", source, err, got)
		}
	}
}

func TestHTML_isText(t *testing.T) {
	got, err := tree.HTML([]byte(`{"type":"div","props":{"style":{"color":"red\"><script>","a b":"c","fontSize":12,
		"lineHeight":2,"WebkitTextStroke":"1px red"},"children":["<b>&",1,true,null,["x"]],"tw":"p-[\"]"}}`))
	if err != nil {
		t.Fatal(err)
	}
	body := got[strings.Index(got, "<body>"):]
	for _, part := range []string{
		"&lt;b&gt;&amp;1x</div>", "font-size:12px;", "line-height:2;", "-webkit-text-stroke:1px red;", `tw="p-[&#34;]"`,
	} {
		if !strings.Contains(body, part) {
			t.Errorf("%s isn't in %s", part, body)
		}
	}
	if strings.Contains(body, "<script>") || strings.Contains(body, "<b>") {
		t.Errorf("a text added an element: %s", body)
	}
}

// FuzzHTML holds that what isn't refused is a document, with no more elements than the tree.
func FuzzHTML(f *testing.F) {
	for _, seed := range []string{
		`{"type":"div","props":{"children":["a",{"type":"svg","props":{"viewBox":"0 0 1 1","onClick":"x"}}]}}`,
		`{"type":"text","text":"x","style":{"--a":"b","color":"</style>"}}`, `[1,"<b>",null]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		got, err := tree.HTML([]byte(source))
		if err != nil {
			return
		}
		if n := strings.Count(got, "<") - strings.Count(got, "</"); n > 5+strings.Count(source, "{") {
			t.Errorf("%q gives %d elements: %s", source, n, fmt.Sprintf("%.200s", got))
		}
		_, _ = html.Parse(got)
	})
}
