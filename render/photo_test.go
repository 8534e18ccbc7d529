package render_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"

	"masthead/render"
	"masthead/render/paint"
	"masthead/render/specimen"
)

// drawnWith returns the pixels of a card when the page has a picture, or none.
func drawnWith(t *testing.T, r render.Request, photo *image.NRGBA) []byte {
	t.Helper()
	r.Photo = photo
	img, err := render.Paint(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return img.(*image.NRGBA).Pix
}

// showsPhoto reports whether a card differs when the page has a picture.
func showsPhoto(t *testing.T, r render.Request, photo *image.NRGBA) bool {
	t.Helper()
	return !bytes.Equal(drawnWith(t, r, nil), drawnWith(t, r, photo))
}

// A card beside a card: half of its words would be cut off, and in a window it would claim to be a page.
func TestPaint_photoThatBearsWords_isShownByNone(t *testing.T) {
	for _, of := range []string{"editorial", "minimal", "poster", "quote", "docs"} {
		other, _ := render.Sample(of)
		img, err := render.Paint(t.Context(), other)
		if err != nil {
			t.Fatal(err)
		}
		for _, slug := range []string{"split", "frame"} {
			r, _ := render.Sample(slug)
			r.Path = "" // a home page, which frame shows without a picture
			if showsPhoto(t, r, img.(*image.NRGBA)) {
				t.Errorf("a %s card as the page's picture shows on %s", of, slug)
			}
		}
	}
}

func TestPaint_photo_isShownWhereTheTemplateSaysSo(t *testing.T) {
	t.Parallel()
	photos := map[string]*image.NRGBA{}
	for _, name := range specimen.Pictures() {
		photos[name] = paint.Scale(specimen.Picture(name), 1350, 900)
	}
	for _, info := range render.Templates() {
		for _, kind := range info.Kinds {
			want := false
			for _, k := range info.Photo {
				want = want || k == kind
			}
			r, _ := render.Sample(info.Slug)
			screen := r.Photo
			r.Kind, r.Path = kind, ""
			without := drawnWith(t, r, nil)
			if info.Screenshot {
				want = false
				if bytes.Equal(without, drawnWith(t, r, screen)) {
					t.Errorf("%s %s doesn't show a screenshot", info.Slug, kind)
				}
			}
			for name, photo := range photos {
				if got := !bytes.Equal(without, drawnWith(t, r, photo)); got != want {
					t.Errorf("%s %s shows %s: %v, want %v", info.Slug, kind, name, got, want)
				}
			}
		}
	}
}

// A page's own picture is nobody's wish: where no text can be read over it the card is drawn without, not refused.
func TestDraw_photoOfAnyKind_isNoFault(t *testing.T) {
	t.Parallel()
	for _, info := range render.Templates() {
		for _, kind := range info.Photo {
			for _, name := range specimen.HardPictures() {
				r, _ := render.Sample(info.Slug)
				r.Kind, r.Photo = kind, specimen.Picture(name)
				if _, err := render.Draw(t.Context(), r); err != nil {
					t.Errorf("%s %s over %s: %v", info.Slug, kind, name, err)
				}
			}
			for _, odd := range []*image.NRGBA{image.NewNRGBA(image.Rect(0, 0, 1, 1)),
				image.NewNRGBA(image.Rectangle{})} {
				r, _ := render.Sample(info.Slug)
				r.Kind, r.Photo = kind, odd
				if _, err := render.Draw(t.Context(), r); err != nil {
					t.Errorf("%s %s over a picture of %v: %v", info.Slug, kind, odd.Rect, err)
				}
			}
		}
	}
}

// leafy is a picture of bright sky with dark leaves before it: in small cells, they alternate as letters do.
func leafy(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	random := rand.New(rand.NewPCG(1, 2))
	for y := 0; y < h; y += 4 {
		for x := 0; x < w; x += 4 {
			tone := color.NRGBA{R: 200, G: 224, B: 255, A: 255}
			if inCrown := (x/120+y/120)%3 == 0; inCrown && x/4%2 == 0 {
				dark := uint8(random.IntN(70)) // the light on each leaf is another one
				tone = color.NRGBA{R: dark, G: dark + 30, B: dark, A: 255}
			} else if inCrown {
				light := uint8(150 + random.IntN(100))
				tone = color.NRGBA{R: light, G: light, B: light, A: 255}
			}
			draw.Draw(img, image.Rect(x, y, x+4, y+4), image.NewUniform(tone), image.Point{}, draw.Src)
		}
	}
	return img
}

// TestPaint_leavesAreNoLetters: what alternates without lines and without a common ground is a photograph.
func TestPaint_leavesAreNoLetters(t *testing.T) {
	for _, slug := range []string{"split", "editorial"} {
		r, _ := render.Sample(slug)
		r.Photo = nil
		if !showsPhoto(t, r, leafy(1200, 800)) {
			t.Errorf("%s doesn't show leaves before the sky", slug)
		}
	}
}

// shutter is a picture of slats, as level and as long as the lines of an interface, but uneven.
func shutter(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	random := rand.New(rand.NewPCG(3, 4))
	for y := range h {
		for x := range w {
			v := uint8(230)
			if x > w/3 {
				v = uint8(120 + 60*(y/24%2) + random.IntN(16))
			}
			img.SetNRGBA(x, y, color.NRGBA{R: v, G: v, B: v, A: 255})
		}
	}
	return img
}

// TestIsScreenshot_slatsAreNone: the edges of an interface are even.
func TestIsScreenshot_slatsAreNone(t *testing.T) {
	r, _ := render.Sample("frame")
	if !render.IsScreenshot(r.Photo) {
		t.Error("the screenshot of a sample is none")
	}
	if render.IsScreenshot(shutter(600, 400)) {
		t.Error("slats are a screenshot")
	}
}
