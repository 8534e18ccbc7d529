package start_test

import (
	"os"
	"path/filepath"
	"testing"

	"masthead/render"
	"masthead/render/design"
	"masthead/render/design/start"
	"masthead/render/encode"
	"masthead/render/html"
	"masthead/render/palette"
)

// facts returns the sample of a design as facts of a page, with its icon.
func facts(t *testing.T, slug string) (render.Request, map[string]any, map[string]html.Image) {
	t.Helper()
	r, ok := render.Sample(slug)
	if !ok {
		t.Fatalf("%s has no sample", slug)
	}
	return r, r.Facts(), map[string]html.Image{}
}

// TestDocument_drawsTheSample draws each document with the sample of its design, dark and light, without warnings.
// With -artifacts, the pictures stay, beside those of the designs.
func TestDocument_drawsTheSample(t *testing.T) {
	for _, slug := range start.Slugs() {
		source, ok := start.Document(slug)
		if !ok {
			t.Fatalf("%s isn't there", slug)
		}
		r, values, images := facts(t, slug)
		d, err := design.Compile(source, values)
		if err != nil {
			t.Fatalf("%s: %v", slug, err)
		}
		for _, dark := range []bool{true, false} {
			r.Dark = dark
			ours, err := render.Draw(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			colors := palette.Choose([]palette.Candidate{{Color: r.Accent, Weight: 1}}, dark)
			doc, err := d.Fill(values, design.Properties(palette.New(r.Accent, dark), colors.Secondary))
			if err != nil {
				t.Fatal(err)
			}
			p, err := doc.Draw(t.Context(), design.Options{Width: 1200, Height: 630, Images: images, Limits: encode.OG})
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range p.Warnings {
				t.Errorf("%s: %d:%d: %s", slug, w.Line, w.Column, w.Message)
			}
			if len(p.Bytes) > 300<<10 {
				t.Errorf("%s has %d bytes", slug, len(p.Bytes))
			}
			mode := map[bool]string{true: "dark", false: "light"}[dark]
			for name, file := range map[string][]byte{"document": p.Bytes, "design": ours.Bytes} {
				at := filepath.Join(t.ArtifactDir(), slug+"-"+mode+"-"+name+".img")
				if err := os.WriteFile(at, file, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
