package render_test

import (
	"bytes"
	"errors"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"math/rand/v2"
	"testing"

	"masthead/render"
)

// noise is a picture that no PNG of 300 KB holds.
func noise() *image.NRGBA {
	random := rand.New(rand.NewPCG(1, 2))
	img := image.NewNRGBA(image.Rect(0, 0, 640, 160))
	for i := range img.Pix {
		img.Pix[i] = byte(random.Uint32()) | 0xff*byte(i%4/3)
	}
	return img
}

func TestDraw_formatIsAsAsked(t *testing.T) {
	plain := render.Request{Texts: render.Texts{Title: "Hello"}}
	loud := plain
	loud.Logo = noise()
	for _, c := range []struct {
		name    string
		request render.Request
		format  render.Format
		want    string
	}{
		{"small as it comes", plain, render.AutoFormat, "png"},
		{"small as PNG", plain, render.PNG, "png"},
		{"small as JPEG", plain, render.JPEG, "jpeg"},
		{"large as PNG", loud, render.PNG, "png"},
		{"large as JPEG", loud, render.JPEG, "jpeg"},
	} {
		c.request.Format = c.format
		pic, err := render.Draw(t.Context(), c.request)
		if err != nil {
			t.Fatal(err)
		}
		size, got, err := image.DecodeConfig(bytes.NewReader(pic.Bytes))
		if err != nil || got != c.want || size.Width != 1200 || pic.ContentType != "image/"+c.want {
			t.Errorf("%s: got %s, %s, %v, want %s", c.name, got, pic.ContentType, err, c.want)
		}
	}
	plain.Format = "webp"
	if _, err := render.Draw(t.Context(), plain); !errors.Is(err, render.ErrStyle) {
		t.Errorf("webp: got %v, want ErrStyle", err)
	}
}
