package images_test

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

const svgHead = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">`

// svgSite serves a page, with an icon of its own name, at /NAME and that icon at /NAME.svg.
func svgSite(t *testing.T, icons map[string]string) *httptest.Server {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, isIcon := strings.CutSuffix(r.URL.Path[1:], ".svg")
		icon, ok := icons[name]
		switch {
		case !ok:
			http.NotFound(w, r)
		case isIcon:
			w.Header().Set("Content-Type", "image/svg+xml")
			_, _ = w.Write([]byte(icon)) // the client may have left
		default:
			_, _ = w.Write([]byte(`<!doctype html><title>Kept</title><meta name="theme-color" content="#0F766E">` +
				`<link rel="icon" href="/` + name + `.svg">`))
		}
	}))
	t.Cleanup(site.Close)
	return site
}

func allowed(site *httptest.Server) apptest.Option {
	return func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(site.Listener.Addr().String()))
	}
}

// drawnAs returns the picture of a response.
func drawnAs(t *testing.T, h *apptest.Service, a *apptest.Response) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(h.Get(a.Path("imageUrl")).Want(http.StatusOK).Body))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// pinkPixels counts the pixels of a pink that no template draws by itself.
func pinkPixels(img image.Image) (count int) {
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, _ := img.At(x, y).RGBA()
			if r>>8 > 240 && g>>8 < 20 && b>>8 > 180 && b>>8 < 220 {
				count++
			}
		}
	}
	return count
}

const pink = `<rect width="24" height="24" fill="#ff00c8"/>`

// TestGenerate_SVG_isDrawnAsIconAndLogo has neither at a size of its own.
func TestGenerate_SVG_isDrawnAsIconAndLogo(t *testing.T) {
	t.Parallel()
	site := svgSite(t, map[string]string{"icon": svgHead + pink + "</svg>", "none": "nothing"})
	h := apptest.StartSignedIn(t, allowed(site))
	generate := func(page string, logo bool) *apptest.Response {
		body := map[string]any{"projectId": h.Project, "url": site.URL + page}
		if logo {
			body["style"] = map[string]any{"logo": map[string]any{"url": site.URL + "/icon.svg"}}
		}
		return h.Post("/images/generate", body, apptest.Bearer(h.Key))
	}
	bare := pinkPixels(drawnAs(t, h, generate("/none", false).Want(http.StatusOK)))
	icon := pinkPixels(drawnAs(t, h, generate("/icon", false).Want(http.StatusOK)))
	logo := pinkPixels(drawnAs(t, h, generate("/none", true).Want(http.StatusOK)))
	if bare != 0 || icon < 400 || logo < 400 {
		t.Errorf("got %d pink pixels without, %d with the icon, %d with the logo", bare, icon, logo)
	}
}

// TestGenerate_hostileSVG_leavesTheCard has icons that are bounded while they are drawn.
func TestGenerate_hostileSVG_leavesTheCard(t *testing.T) {
	t.Parallel()
	layers := strings.Repeat(`<g opacity=".9">`, 60)
	icons := map[string]string{
		"arcs":   svgHead + `<path d="M0 0` + strings.Repeat("A1e30 1e30 0 1 1 1e29 1", 5000) + `"/></svg>`,
		"dashes": svgHead + strings.Repeat(`<path stroke="#ff00c8" stroke-dasharray=".0003" d="M0 0h1e5v9e4H0z"/>`, 900) + `</svg>`,
		"filters": svgHead + `<filter id="f"><feGaussianBlur stdDeviation="500"/></filter>` +
			strings.Repeat(`<filter id="g"/><g filter="url(#f)"/>`, 10_000) + pink + `</svg>`,
		"loop":    svgHead + `<g id="a"><use href="#a"/></g></svg>`,
		"layers":  svgHead + layers + strings.Repeat(pink, 500) + strings.Repeat("</g>", 60) + `</svg>`,
		"laughs":  svgBomb(),
		"uses":    svgUses(),
		"outside": svgHead + `<image href="file:///etc/passwd" width="24" height="24"/><use href="http://169.254.169.254/#a"/></svg>`,
	}
	site := svgSite(t, icons)
	h := apptest.StartSignedIn(t, allowed(site))
	if err := h.App.SVG.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name := range icons {
		a := h.Post("/images/generate", map[string]any{"projectId": h.Project, "url": site.URL + "/" + name}, apptest.Bearer(h.Key))
		if a.Status != http.StatusOK || !strings.HasPrefix(a.Text("alt"), "Kept") {
			t.Errorf("%s: got %d %s", name, a.Status, a.Body)
		}
		wantSet(t, h, h.Post("/images/generate", map[string]any{
			"projectId": h.Project, "url": site.URL + "/" + name, "kind": "icon_set",
		}, apptest.Bearer(h.Key)))
	}
}

func TestGenerate_SVGLogo_waitsForNoEngine(t *testing.T) {
	t.Parallel()
	site := svgSite(t, map[string]string{"icon": svgHead + pink + "</svg>"})
	h := apptest.StartSignedIn(t, allowed(site), func(c *app.Config) { c.SVG.Wait = 0 })
	body := map[string]any{"projectId": h.Project, "url": site.URL + "/icon",
		"style": map[string]any{"logo": map[string]any{"url": site.URL + "/icon.svg"}}}
	a := h.Post("/images/generate", body, apptest.Bearer(h.Key)).WantProblem(http.StatusServiceUnavailable, "UNAVAILABLE")
	if a.Header.Get("Retry-After") == "" {
		t.Error("it does not say when to come again")
	}
	if err := h.App.SVG.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	apptest.WaitFor(t, "the logo", func() bool {
		return h.Post("/images/generate", body, apptest.Bearer(h.Key)).Status == http.StatusOK
	})
}
