package images_test

import (
	_ "image/jpeg"
	"net/http"
	"net/http/httptest"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestGenerate_photo_standsOnTemplatesThatShowIt draws a page whose share image is pink, a page that names one that
// is missing, and one of a site's card of ours.
func TestGenerate_photo_standsOnTemplatesThatShowIt(t *testing.T) {
	t.Parallel()
	file := pinkPhoto(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		image := map[string]string{"/photo": "/pink.png", "/none": "/missing.png", "/card": "/og/abcdefghijkl"}[r.URL.Path]
		switch {
		case r.URL.Path == "/pink.png" || r.URL.Path == "/og/abcdefghijkl":
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(file) // the client may have left
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
		{"/photo", "editorial", true}, {"/photo", "cover", true}, {"/photo", "split", true}, {"/photo", "frame", true}, {"/photo", "minimal", false},
		{"/none", "split", false}, {"/card", "frame", false},
	} {
		body := map[string]any{"projectId": h.Project, "url": site.URL + c.page, "template": c.template, "style": map[string]any{"dark": false}}
		a := h.Post("/images/generate", body, apptest.Bearer(h.Key)).Want(http.StatusOK)
		if got := isPink(t, h.Get(a.Path("imageUrl")).Want(http.StatusOK).Body); got != c.want {
			t.Errorf("%s of %s shows its picture: %v, want %v", c.template, c.page, got, c.want)
		}
	}
}
