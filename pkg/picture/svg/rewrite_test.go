package svg_test

import (
	"context"
	"image"
	"strings"
	"testing"

	"masthead/pkg/picture/svg"
)

// TestRewritten_hasOnlyWhatIsListed rewrites documents, in which nothing else may be left.
func TestRewritten_hasOnlyWhatIsListed(t *testing.T) {
	for name, c := range map[string]struct {
		content, has string
		lacks        []string
	}{
		"dark screens": {
			`<style>path{fill:#000}@media (prefers-color-scheme:dark){path{fill:#fff}}</style><path d="M0 0h9v9z"/>`,
			"@media (prefers-color-scheme: dark){path{fill:#fff}}", nil,
		},
		"custom properties": {
			`<style>:root{--ink:#123}@media screen and ( prefers-color-scheme: dark ) {:root{--ink:#fff}}</style><path style="fill:var(--ink)" d="M0 0h9v9z"/>`,
			"--ink:#fff", nil,
		},
		"scripts": {
			`<script>alert(1)</script><path onclick="alert(1)" data-a="alert(1)" aria-label="alert(1)" d="M0 0h9v9z"/>`,
			"M0 0h9v9z", []string{"alert", "script", "on"},
		},
		"other rules": {
			`<style>@font-face{src:url(http://a)}@media print{path{fill:red}}path{fill:green;behavior:url(x);background:url(http://a)}path[d]{fill:red}</style><path d="M0 0h9v9z"/>`,
			"path{fill:green}", []string{"font-face", "print", "behavior", "background", "red", "http://a"},
		},
		"a sheet that ends its element": {
			`<style>path{fill:blue}&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;</style><path d="M0 0h9v9z"/>`,
			"path{fill:blue}", []string{"alert"},
		},
		"an unfinished rule":      {`<style>path{fill:blue}path{fill:red</style><path d="M0 0h9v9z"/>`, "blue", []string{"red"}},
		"references to elsewhere": {`<use href="//a/b#c"/><path fill="url(//a#b)" d="M0 0h9v9z"/>`, "M0 0h9v9z", []string{"//a"}},
	} {
		d := clean(t, head+c.content+"</svg>")
		got := d.Rewritten()
		if !strings.Contains(got, c.has) {
			t.Errorf("%s: got %s, want it to have %s", name, got, c.has)
		}
		for _, gone := range c.lacks {
			if strings.Contains(strings.Replace(got, "http://www.w3.org/2000/svg", "", 1), gone) {
				t.Errorf("%s: got %s, with %s", name, got, gone)
			}
		}
		again, err := svg.Clean([]byte(got))
		if err != nil || again.Rewritten() != got {
			t.Errorf("%s: rewritten again: %v", name, err)
			continue
		}
		if c.lacks != nil {
			continue // it may be drawn otherwise
		}
		was, err := engine(t).DrawSizes(context.Background(), d, image.Pt(16, 16))
		is, err2 := engine(t).DrawSizes(context.Background(), again, image.Pt(16, 16))
		if err != nil || err2 != nil || string(was[0].Pix) != string(is[0].Pix) {
			t.Errorf("%s: it is drawn otherwise than before: %v, %v", name, err, err2)
		}
	}
	for name, content := range map[string]string{
		"words": `<text y="9">A</text>`, "a part that isn't drawn": `<path d="M0 0h9v9z"/><foreignObject/>`,
		"a long one": `<path d="M0 0` + strings.Repeat("h1", 9000) + `z"/>`,
	} {
		if got := clean(t, head+content+"</svg>").Rewritten(); got != "" {
			t.Errorf("%s: got %.80s, want none", name, got)
		}
	}
}

// FuzzRewritten: what is rewritten is well-formed, and rewritten again it is the same.
func FuzzRewritten(f *testing.F) {
	seeds(f)
	f.Add([]byte(head + `<style>@media (prefers-color-scheme:dark){a{fill:red}}</style><path style="fill:url(#a)" d="M0 0h9"/></svg>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := svg.Clean(data)
		if err != nil {
			return
		}
		got := d.Rewritten()
		if got == "" {
			return
		}
		again, err := svg.Clean([]byte(got))
		if err != nil || again.Rewritten() != got {
			t.Fatalf("%q is rewritten as %+v, %v", got, again, err)
		}
	})
}
