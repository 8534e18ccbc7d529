package images_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // cards are PNG or JPEG
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestGenerate_elongatedIcon_isAnswered has pages whose only icon is a line or nearly one. Each kind of image is drawn
// without it before the client gives up, and an icon set says why.
func TestGenerate_elongatedIcon_isAnswered(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var width, height int
		if _, err := fmt.Sscanf(r.URL.Path, "/%dx%d", &width, &height); err != nil {
			http.NotFound(w, r)
			return
		}
		if !strings.HasSuffix(r.URL.Path, ".png") {
			_, _ = fmt.Fprintf(w, `<!doctype html><title>Kept</title><link rel="icon" href="%s.png">`, r.URL.Path)
			return
		}
		img := image.NewNRGBA(image.Rect(0, 0, width, height))
		for i := range width * height {
			img.SetNRGBA(i%width, i/width, color.NRGBA{255, 0, 200, 255})
		}
		_ = png.Encode(w, img) // the client may have left
	}))
	t.Cleanup(site.Close)
	h := apptest.StartSignedIn(t, allowed(site))
	for _, size := range []string{"3000x1", "1x3000", "4096x2", "2x4096", "4096x255"} {
		for _, kind := range []string{"icon_set", "og", "blog_hero"} {
			t.Run(size+" "+kind, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				h := h.With(t)
				body := map[string]any{"projectId": h.Project, "url": site.URL + "/" + size, "kind": kind}
				a := h.Post("/images/generate", body, apptest.Bearer(h.Key),
					func(r *http.Request) { *r = *r.WithContext(ctx) }).Want(http.StatusOK)
				if kind != "icon_set" {
					file := h.Get(a.Path("imageUrl")).Want(http.StatusOK)
					if _, _, err := image.Decode(bytes.NewReader(file.Body)); err != nil {
						t.Errorf("the card: %v", err)
					}
					return
				}
				wantSet(t, h, a)
				want := site.URL + "/" + size + ".png was not used: it is too oblong for a square."
				if got := a.Text("warnings.0.detail"); got != want {
					t.Errorf("got the warning %q, want %q", got, want)
				}
			})
		}
	}
}
