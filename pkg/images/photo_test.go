package images_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestGenerate_photo_standsOnTemplatesThatShowIt draws a page whose share image is all pink, a page that names one that
// is missing, and one of a site's card of ours.
func TestGenerate_photo_standsOnTemplatesThatShowIt(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	photo := image.NewNRGBA(image.Rect(0, 0, 1200, 800))
	draw.Draw(photo, photo.Rect, image.NewUniform(color.NRGBA{255, 0, 200, 255}), image.Point{}, draw.Src)
	if err := png.Encode(&file, photo); err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		image := map[string]string{"/photo": "/pink.png", "/none": "/missing.png", "/card": "/og/abcdefghijkl"}[r.URL.Path]
		switch {
		case r.URL.Path == "/pink.png" || r.URL.Path == "/og/abcdefghijkl":
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(file.Bytes()) // the client may have left
		case image != "":
			_, _ = w.Write([]byte(`<!doctype html><title>Kept</title><meta name="theme-color" content="#0F766E">` +
				`<meta property="og:image" content="` + image + `">`))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(site.Close)
	h := apptest.StartSignedIn(t, allowed(site))
	for _, c := range []struct {
		page, template string
		want           bool
	}{
		{"/photo", "split", true}, {"/photo", "frame", true}, {"/photo", "minimal", false},
		{"/none", "split", false}, {"/card", "frame", false},
	} {
		body := map[string]any{"projectId": h.Project, "url": site.URL + c.page, "template": c.template}
		a := h.Post("/images/generate", body, apptest.Bearer(h.Key)).Want(http.StatusOK)
		img, _, err := image.Decode(bytes.NewReader(h.Get(a.Path("imageUrl")).Want(http.StatusOK).Body))
		if err != nil {
			t.Fatal(err)
		}
		r, g, b, _ := img.At(1000, 400).RGBA()
		if got := r>>8 > 240 && g>>8 < 20 && b>>8 > 180 && b>>8 < 220; got != c.want {
			t.Errorf("%s of %s shows its picture: %v, want %v (%d %d %d)", c.template, c.page, got, c.want, r>>8, g>>8, b>>8)
		}
	}
}
