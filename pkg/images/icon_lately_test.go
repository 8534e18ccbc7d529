package images_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// TestGenerate_pagesOfASite_shareItsIconUntilForced draws pages of a site whose icon changes: it is asked for once, and
// again for who wants a picture drawn anew.
func TestGenerate_pagesOfASite_shareItsIconUntilForced(t *testing.T) {
	colors := []color.NRGBA{{185, 28, 28, 255}, {15, 118, 110, 255}}
	var asked atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/icon.png" {
			img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
			draw.Draw(img, img.Rect, image.NewUniform(colors[min(asked.Add(1), 2)-1]), image.Point{}, draw.Src)
			_ = png.Encode(w, img) // the client may have left
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<title>%s</title><link rel=icon sizes=64x64 href=/icon.png>", r.URL.Path)
	}))
	defer site.Close()
	h := apptest.StartSignedIn(t, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(site.Listener.Addr().String()))
	})
	for i, c := range []struct {
		page, accent string
		force        bool
		asked        int64
	}{
		{"/one", "#B91C1C", false, 1},
		{"/two", "#B91C1C", false, 1},
		{"/two", "#0F766E", true, 2},
		{"/three", "#0F766E", false, 2},
	} {
		r := h.Post("/images/generate", map[string]any{
			"url": site.URL + c.page, "projectId": h.Project, "force": c.force,
		}, apptest.Bearer(h.Key)).Want(http.StatusOK)
		if got := r.Text("source.palette.accent"); !strings.EqualFold(got, c.accent) || asked.Load() != c.asked {
			t.Errorf("%d, %s: got %s after %d requests for the icon, want %s after %d",
				i, c.page, got, asked.Load(), c.accent, c.asked)
		}
	}
}
