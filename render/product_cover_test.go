package render_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"masthead/render"
)

// lettered is the cover of a book: rows of white marks on red.
func lettered(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(color.NRGBA{R: 240, G: 40, B: 30, A: 255}), image.Point{}, draw.Src)
	for i := range w * h {
		if x, y := i%w, i/w; y/40%3 == 0 && x/6%2 == 0 && x > w/8 && x < w-w/8 {
			img.SetNRGBA(x, y, color.NRGBA{R: 255, G: 255, B: 255, A: 255})
		}
	}
	return img
}

// isCoverRed reports whether a pixel is of [lettered].
func isCoverRed(c color.NRGBA) bool { return c.R > 220 && c.G < 60 && c.B < 50 }

// TestProduct_coversHaveWords: the cover of a work is shown although it has words, but not another picture with them.
func TestProduct_coversHaveWords(t *testing.T) {
	for _, c := range []struct {
		name  string
		photo *image.NRGBA
		book  bool
		shown bool
	}{
		{"a book", lettered(600, 900), true, true},
		{"a thing", lettered(600, 900), false, false},
	} {
		stage := productStage(t, true, c.photo, func(r *render.Request) {
			if r.Product = (render.Product{Price: "12", Currency: "EUR"}); c.book {
				r.Product = render.Product{Creator: "Mira Arden", Upright: true}
			}
		})
		if _, _, n := columns(stage, isCoverRed); (n > 100) != c.shown {
			t.Errorf("%s: %d columns of its picture, want it shown: %v", c.name, n, c.shown)
		}
	}
}

// TestProduct_stillsOfFilmsAreWide: a picture of a work that isn't its cover is as wide as the stage allows.
func TestProduct_stillsOfFilmsAreWide(t *testing.T) {
	red := textured(1280, 854)
	for i := range red.Pix {
		switch i % 4 {
		case 0:
			red.Pix[i] = 255
		case 1, 2:
			red.Pix[i] /= 8
		}
	}
	stage := productStage(t, true, red, func(r *render.Request) {
		r.Product = render.Product{Creator: "Inês Duarte", Upright: true, Length: r.Product.Length}
	})
	if _, _, n := columns(stage, isCoverRed); n < 420 {
		t.Errorf("the picture has %d columns, want 420 at least", n)
	}
}

// TestEditorial_coversAreWhole: the cover of a book is shown between the edges of its place, not cropped, and so is
// that of a podcast, but no other picture with words.
func TestEditorial_coversAreWhole(t *testing.T) {
	t.Parallel()
	book := render.Product{Creator: "Mira Arden", Upright: true}
	episode := render.Episode{Show: "Long Spans", Number: 7, Audio: true}
	for _, c := range []struct {
		name  string
		photo *image.NRGBA
		of    render.Request
		shown bool
	}{
		{"a book", lettered(600, 900), render.Request{Product: book}, true},
		{"a podcast", lettered(900, 900), render.Request{Episode: episode}, true},
		{"an article", lettered(900, 900), render.Request{}, false},
	} {
		for kind, place := range map[render.Kind]image.Rectangle{
			render.BlogHero: image.Rect(1040, 0, 1600, 900), render.OG: image.Rect(704, 132, 1200, 630),
		} {
			r := c.of
			r.Template, r.Kind, r.Photo, r.Title, r.Dark = "editorial", kind, c.photo, "Why bridges hum", true
			r.Accent = color.NRGBA{B: 220, G: 90, R: 40, A: 255}
			img, err := render.Paint(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			panel := image.NewNRGBA(image.Rectangle{Max: place.Size()})
			draw.Draw(panel, panel.Rect, img, place.Min, draw.Src)
			first, last, n := columns(panel, isCoverRed)
			if whole := first > 20 && last < place.Dx()-20 && n > 200; whole != c.shown {
				t.Errorf("%s, %s: it is at %d to %d; want it shown: %v", c.name, kind, first, last, c.shown)
			}
		}
	}
}

// TestTerminal_columnsStay: the spaces between the columns of a table are drawn as they are.
func TestTerminal_columnsStay(t *testing.T) {
	draw := func(slug, line string) []byte {
		r, _ := render.Sample(slug)
		r.Session, r.Code.Lines = []string{"$ df", line}, []string{"f(a)", line, "g(b)"}
		img, err := render.Paint(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return img.(*image.NRGBA).Pix
	}
	for _, slug := range []string{"terminal", "code"} {
		if bytes.Equal(draw(slug, "-- Size     Used"), draw(slug, "-- Size Used")) {
			t.Errorf("%s: spaces are lost", slug)
		}
	}
}
