package render_test

import (
	"errors"
	"image"
	"os"
	"slices"
	"strings"
	"testing"

	"masthead/render"
	"masthead/render/golden"
	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/specimen"
	"masthead/render/template/kit"
)

// TestGolden_eachSizeIsAsLookedAt compares each template in each of its sizes, in half of it: dark with the page's own
// picture, and light, right-to-left and long.
func TestGolden_eachSizeIsAsLookedAt(t *testing.T) {
	t.Parallel()
	for _, info := range render.Templates() {
		for _, in := range looksOf(info) {
			if in.format == nil {
				continue
			}
			for _, v := range []string{"dark", "rtl"} {
				name := info.Slug + "-" + in.name + "-" + v
				t.Run(name, func(t *testing.T) {
					r, _ := render.Sample(info.Slug)
					r.Kind, r.Size, r.Format = render.Custom, in.format.Sides(), render.PNG
					if info.Slug == "cover" {
						r.Photo = specimen.Picture("forest")
						if in.format == kit.Story { // a portrait
							r.Photo = paint.Cover(r.Photo, 1080, 1600, .5, .5)
						}
					}
					if v == "rtl" {
						inArabic(&r)
						r.Author, r.Dark, r.Accent = "مينا عوض", false, palette.RGB(0x10B981)
					}
					img, err := render.Paint(t.Context(), r)
					if err != nil {
						t.Fatal(err)
					}
					golden.Image(t, name, halved(img))
				})
			}
		}
	}
}

// TestCustom_everySizeHasEditorialAndAFallback: a page without the fact that a design lives on is drawn in each size.
func TestCustom_everySizeHasEditorialAndAFallback(t *testing.T) {
	t.Parallel()
	for _, f := range kit.Formats() {
		if !render.Draws(render.DefaultTemplate, render.Custom, f.Sides()) {
			t.Errorf("%s: %s doesn't draw it", f.Name(), render.DefaultTemplate)
		}
	}
	for _, info := range render.Templates() {
		for _, size := range info.Sizes {
			if n := len(info.Fallback); n > 0 && !render.Draws(info.Fallback[n-1], render.Custom, size) {
				t.Errorf("%s, %v: its last fallback doesn't draw it", info.Slug, size)
			}
			r := render.Request{Kind: render.Custom, Size: size, Template: info.Slug, Texts: render.Texts{Title: "Hello"}}
			pic, err := render.Draw(t.Context(), r)
			if err != nil || image.Pt(pic.Width, pic.Height) != size {
				t.Errorf("%s, %v: got %dx%d, %v", info.Slug, size, pic.Width, pic.Height, err)
			}
		}
	}
}

// TestDocs_nameTheDesignsOfEachSize compares docs/rendering.md.
func TestDocs_nameTheDesignsOfEachSize(t *testing.T) {
	page, err := os.ReadFile("../docs/rendering.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range kit.Formats() {
		var slugs []string
		for _, info := range render.Templates() {
			if slices.Contains(info.Sizes, f.Sides()) {
				slugs = append(slugs, info.Slug)
			}
		}
		if row := "| " + f.Name() + " | " + strings.Join(slugs, ", ") + " |\n"; !strings.Contains(string(page), row) {
			t.Errorf("docs/rendering.md has no row %q", row)
		}
	}
}

func TestDraw_sizeThatADesignDoesNotHave_isAnErrorWithThoseItHas(t *testing.T) {
	minimal, _ := render.Lookup("minimal", "")
	for _, size := range []image.Point{{}, {X: 1000, Y: 900}, {X: 1080, Y: 1920}, {X: -1, Y: 1 << 30}} {
		r := render.Request{Kind: render.Custom, Size: size, Template: "minimal", Texts: render.Texts{Title: "Hello"}}
		_, err := render.Draw(t.Context(), r)
		var fault *render.SizeError
		if !errors.As(err, &fault) || !errors.Is(err, render.ErrSize) || !slices.Equal(fault.Offered, minimal.Sizes) {
			t.Errorf("%v: got %v, want an error with %v", size, err, minimal.Sizes)
		}
	}
	r := render.Request{Kind: render.Custom, Size: kit.Square.Sides(), Template: "docs"}
	if _, err := render.Draw(t.Context(), r); !errors.Is(err, render.ErrNoTemplate) {
		t.Errorf("a design without sizes: got %v, want ErrNoTemplate", err)
	}
}
