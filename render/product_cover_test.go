package render_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"masthead/render"
)

// lettered is the cover of a book: rows of black marks on red.
func lettered(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(color.NRGBA{R: 240, G: 40, B: 30, A: 255}), image.Point{}, draw.Src)
	for i := range w * h {
		if x, y := i%w, i/w; y/40%3 == 0 && x/6%2 == 0 && x > w/8 && x < w-w/8 {
			img.SetNRGBA(x, y, color.NRGBA{A: 255})
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
