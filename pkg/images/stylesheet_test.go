package images_test

import (
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// TestGenerate_styleSheetIsReadWhereNothingElseHasAColor has pages with a style sheet, with and without a colour of
// their own: a card of a page that has one costs no request more.
func TestGenerate_styleSheetIsReadWhereNothingElseHasAColor(t *testing.T) {
	var sheets atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/plain", "/themed", "/neutral", "/black":
			theme := map[string]string{"/themed": "#0f766e", "/neutral": "#111", "/black": "#111"}[r.URL.Path]
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, "<title>T</title><meta name=theme-color content=%q><link rel=stylesheet href=/s.css>", theme)
			if r.URL.Path == "/black" {
				fmt.Fprint(w, "<link rel=icon sizes=64x64 href=/black.png>")
			}
		case "/black.png":
			_ = png.Encode(w, image.NewGray(image.Rect(0, 0, 64, 64))) // the client may have left
		case "/s.css":
			sheets.Add(1)
			fmt.Fprint(w, ":root{--color-brand:#b91c1c}")
		default:
			http.NotFound(w, r)
		}
	}))
	defer site.Close()
	h := apptest.StartSignedIn(t, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(site.Listener.Addr().String()))
	})
	for _, c := range []struct {
		page, accent, want string
		sheets             int64
	}{
		{"/plain", "", "#B91C1C custom-property", 1},
		{"/themed", "", "#0F766E theme-color", 0},
		{"/neutral", "", "#B91C1C custom-property", 1},
		{"/black", "", "#111111 theme-color", 0}, // its icon is black too
		{"/plain", "#1D4ED8", "#1D4ED8 style", 0},
	} {
		sheets.Store(0)
		style := map[string]any{}
		if c.accent != "" {
			style["accent"] = c.accent
		}
		r := h.Post("/images/generate", map[string]any{"url": site.URL + c.page, "projectId": h.Project, "style": style},
			apptest.Bearer(h.Key)).Want(http.StatusOK)
		got := r.Text("source.palette.accent") + " " + r.Text("source.palette.accentSource")
		if got != c.want || sheets.Load() != c.sheets {
			t.Errorf("%s %s: got %s after %d requests for the sheet, want %s after %d",
				c.page, c.accent, got, sheets.Load(), c.want, c.sheets)
		}
	}
}
