package images_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"path"
	"sync"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// pinkPhoto is a photograph of something pink, as a file: no two neighbors have one color.
func pinkPhoto(t *testing.T) []byte {
	t.Helper()
	photo := image.NewNRGBA(image.Rect(0, 0, 1200, 800))
	for i := range 1200 * 800 {
		x, y := i%1200, i/1200
		r, g, b := 244+(x+y)%11, x*y%15, 186+(x*7+y*3)%28
		photo.SetNRGBA(x, y, color.NRGBA{R: uint8(r), G: uint8(g), B: uint8(b), A: 255})
	}
	var file bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&file, photo); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// isPink reports whether a picture shows pinkPhoto at a place where cards have it.
func isPink(t *testing.T, data []byte) bool {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r, g, b, _ := img.At(1000, 400).RGBA()
	return r>>8 > 230 && g>>8 < 30 && b>>8 > 170 && b>>8 < 230
}

// TestOG_pictureThatComesLate_isOnTheNextCard asks for a page whose own picture is sent only once the first card is
// there: that one stands for minutes, and the right one takes its place.
func TestOG_pictureThatComesLate_isOnTheNextCard(t *testing.T) {
	t.Parallel()
	file := pinkPhoto(t)
	dbtest.RunConfig(t, func(t *testing.T, d db.Config) {
		release := make(chan struct{})
		free := sync.OnceFunc(func() { close(release) })
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/pink.png" {
				_, _ = w.Write([]byte(`<!doctype html><title>Kept</title><meta property="og:image" content="/pink.png">`))
				return
			}
			select {
			case <-release:
			case <-r.Context().Done():
				return
			}
			_, _ = w.Write(file) // the client may have left
		}))
		t.Cleanup(site.Close)
		t.Cleanup(free) // before the server waits for its connections
		s := onDomain(apptest.StartSignedIn(t, allowed(site), apptest.OnDatabase(d), func(c *app.Config) {
			c.Images.PublicPhotoTime = 50 * time.Millisecond
		}))
		first := wantCache(t, s.og(site.URL+"/page"), forMinutes)
		if first.Header.Get("X-Masthead-Fallback") != "" || isPink(t, first.Body) {
			t.Errorf("got fallback %q, want the page's card without its picture", first.Header.Get("X-Masthead-Fallback"))
		}
		free()
		var late *apptest.Response
		apptest.WaitFor(t, "the card with the picture", func() bool {
			late = s.og(site.URL + "/page").Want(http.StatusOK)
			return late.Header.Get("Cache-Control") == forever
		})
		if !isPink(t, late.Body) {
			t.Error("the card that stays doesn't show the picture")
		}
	})
}

// TestOG_siteThatPointsAtOG_getsItsPicture draws a page whose og:image is its own card here: the card shows the picture
// that the page has besides.
func TestOG_siteThatPointsAtOG_getsItsPicture(t *testing.T) {
	t.Parallel()
	file, ogImage := pinkPhoto(t), ""
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/pink.png":
			_, _ = w.Write(file) // the client may have left
		case "/page":
			_, _ = w.Write([]byte(`<!doctype html><title>Kept</title><meta property="og:image" content="` + ogImage +
				`"><main><h1>Kept</h1><img src="/pink.png" width="1200" height="800"></main>`))
		case "/og/" + path.Base(r.URL.Path):
			t.Error("the site's own card was fetched")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(site.Close)
	patient := func(c *app.Config) { c.Images.PublicPhotoTime = 10 * time.Second }
	s := onDomain(apptest.StartSignedIn(t, allowed(site), patient))
	ogImage = site.URL + "/og/" + s.publicID + "?url=" + site.URL + "/page"
	if got := s.og(site.URL + "/page").Want(http.StatusOK); !isPink(t, got.Body) {
		t.Error("the card doesn't show the page's own picture")
	}
}
