package moduletest_test

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
)

// auditFile is what a test's site answers at a path.
type auditFile struct {
	contentType, body string
	status            int
}

// auditFlat is a picture of one color.
func auditFlat(w, h int, c color.Color) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(cmp.Or[color.Color](c, color.White)), image.Point{}, draw.Src)
	return img
}

func jpegOf(t testing.TB, img image.Image) auditFile {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return auditFile{contentType: "image/jpeg", body: b.String()}
}

func auditPngOf(t testing.TB, img image.Image) auditFile {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return auditFile{contentType: "image/png", body: b.String()}
}

func htmlOf(html string) auditFile {
	return auditFile{contentType: "text/html; charset=utf-8", body: html}
}

// serve starts a site on loopback and returns a scraper that may fetch from it.
func serve(t testing.TB, files map[string]auditFile) (at func(path string) weburl.URL, scraper *scrape.Scraper) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", f.contentType)
		if f.status/100 == 3 {
			w.Header().Set("Location", f.body)
		}
		if f.status != 0 {
			w.WriteHeader(f.status)
		}
		_, _ = w.Write([]byte(f.body)) // the client may have left
	}))
	t.Cleanup(server.Close)
	client, err := fetch.New(fetch.Config{Allow: []string{server.Listener.Addr().String()}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	at = func(path string) weburl.URL {
		u, err := weburl.Parse(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	return at, scrape.New(client, picture.NewDecoder(picture.Config{}), nil)
}

const tagged = `<html lang=en><title>A page</title><link rel=icon href=/icon.png sizes=64x64>
<link rel=canonical href=/page>
<meta property="og:title" content="A page of tests"><meta property="og:image" content="/share.jpg">
<meta name="twitter:image" content="/x.png"><h1>Tests</h1>`

func TestExamine_page_tellsWhatWasFound(t *testing.T) {
	at, scraper := serve(t, map[string]auditFile{
		"/old":       {status: 301, body: "/page"},
		"/page":      htmlOf(tagged),
		"/share.jpg": jpegOf(t, auditFlat(1600, 840, color.NRGBA{200, 30, 30, 255})),
		"/x.png":     auditPngOf(t, auditFlat(300, 157, color.NRGBA{30, 30, 200, 255})),
		"/icon.png":  auditPngOf(t, auditFlat(64, 64, color.NRGBA{30, 200, 30, 255})),
	})
	var steps []string
	r, err := audit.Examine(t.Context(), scraper, at("/old"), audit.Options{
		Show: true, Progress: func(p audit.Progress) { steps = append(steps, string(p.Step)+" "+p.Says) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.ID) != 22 || r.URL != at("/old").String() || r.FinalURL != at("/page").String() || r.Status != 200 ||
		len(r.Redirects) != 1 || r.Redirects[0].Status != 301 {
		t.Errorf("got %q, %s, %s, %d, %v", r.ID, r.URL, r.FinalURL, r.Status, r.Redirects)
	}
	if r.Metadata.Title != "A page of tests" || r.Metadata.Image != at("/share.jpg").String() {
		t.Errorf("got metadata %+v", r.Metadata)
	}
	share, x, icon := r.Picture(audit.ShareImage), r.Picture(audit.XImage), r.Picture(audit.Favicon)
	for _, p := range []*audit.PageImage{share, x, icon} {
		if p == nil || !p.Reachable || p.Fault != "" || p.Status != 200 || p.Bytes == 0 || p.Shown == nil {
			t.Fatalf("got picture %+v", p)
		}
		img, _, err := image.Decode(bytes.NewReader(p.Shown.Data))
		if err != nil || img.Bounds().Dx() != p.Shown.Width || img.Bounds().Dy() != p.Shown.Height {
			t.Errorf("%s: shown as %v, %v, want %dx%d", p.Kind, img, err, p.Shown.Width, p.Shown.Height)
		}
	}
	if share.Width != 1600 || share.Format != "jpeg" || share.Shown.Width != 1200 || share.Shown.Height != 630 {
		t.Errorf("share image: got %+v, shown %dx%d", share, share.Shown.Width, share.Shown.Height)
	}
	if x.Width != 300 || x.Shown.Width != 300 {
		t.Errorf("image of X: got %+v, want it in its own size", x)
	}
	want := "answered read picture picture rules" // the icon is none
	var got []string
	for _, s := range steps {
		name, _, _ := strings.Cut(s, " ")
		got = append(got, name)
	}
	if strings.Join(got, " ") != want {
		t.Errorf("got steps %q, want %s", steps, want)
	}
	if !strings.Contains(strings.Join(steps, "\n"), "picture 1600x840 JPEG") {
		t.Errorf("got steps %q, want one with the size of the picture", steps)
	}
	for _, tag := range []audit.Tag{
		{Key: "og:title", Value: "A page of tests", Source: "property"},
		{Key: "title", Value: "A page", Source: "element"}, {Key: "lang", Value: "en", Source: "html"},
		{Key: "canonical", Value: "/page", Source: "link"}, {Key: "icon 64x64", Value: "/icon.png", Source: "link"},
		{Key: "h1", Value: "Tests", Source: "element"},
	} {
		found := false
		for _, have := range r.Tags {
			found = found || have == tag
		}
		if !found {
			t.Errorf("got tags %v, want %v among them", r.Tags, tag)
		}
	}
}

func TestExamine_whatHangsOnThePage_neverFailsTheAudit(t *testing.T) {
	at, scraper := serve(t, map[string]auditFile{
		"/":          htmlOf(tagged),
		"/share.jpg": {contentType: "image/jpeg", body: "no picture"},
		"/x.png":     {status: 500},
	})
	r, err := audit.Examine(t.Context(), scraper, at("/"), audit.Options{Show: true})
	if err != nil {
		t.Fatal(err)
	}
	for kind, fault := range map[audit.PictureKind]string{
		audit.ShareImage: "the response is not a picture (Content-Type “image/jpeg”)",
		audit.XImage:     "it answered with status 500",
		audit.Favicon:    "it answered with status 404",
	} {
		if p := r.Picture(kind); p == nil || p.Reachable || p.Fault != fault || p.Shown != nil {
			t.Errorf("%s: got %+v, want fault %q", kind, p, fault)
		}
	}
}

func TestExamine_anyStatusWithHTML_isJudged(t *testing.T) {
	at, scraper := serve(t, map[string]auditFile{"/": {contentType: "text/html", body: tagged, status: 503}})
	r, err := audit.Examine(t.Context(), scraper, at("/"), audit.Options{})
	if err != nil || r.Status != 503 || r.Categories.SEO.Points > 39 || r.Overall.Points > 49 {
		t.Errorf("got %+v, %v, want a report with the caps of its status", r, err)
	}
}

func TestExamine_noPage_fails(t *testing.T) {
	at, scraper := serve(t, map[string]auditFile{
		"/picture": auditPngOf(t, auditFlat(2, 2, color.White)), "/zip": {contentType: "application/zip", body: "PK"},
		"/inside": {status: 302, body: "http://10.0.0.1/"},
	})
	for path, want := range map[string]apperr.Code{
		"/picture": apperr.UpstreamFailed, "/zip": apperr.UpstreamFailed, "/inside": apperr.BadRequest,
	} {
		r, err := audit.Examine(t.Context(), scraper, at(path), audit.Options{})
		if r != nil || apperr.CodeOf(err) != want {
			t.Errorf("%s: got %v, %v, want %s", path, r, err, want)
		}
	}
}

// TestShownPictures_take2MBAtMost holds the bound with pictures that no encoder makes small.
func TestShownPictures_take2MBAtMost(t *testing.T) {
	noise := auditFlat(1200, 1200, color.Black)
	state := uint32(1)
	for i := range noise.Pix {
		if i%4 != 3 {
			state = state*1664525 + 1013904223
			noise.Pix[i] = byte(state >> 24)
		}
	}
	files := map[string]auditFile{
		"/":          htmlOf(`<meta name="twitter:card" content="summary_large_image">` + tagged),
		"/share.jpg": jpegOf(t, noise), "/x.png": auditPngOf(t, noise),
		"/icon.png": auditPngOf(t, picture.Scale(noise, 300, 300)),
	}
	at, scraper := serve(t, files)
	r, err := audit.Examine(t.Context(), scraper, at("/"), audit.Options{Show: true})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, p := range r.Pictures {
		if p.Shown == nil {
			t.Errorf("%s is not shown: %+v", p.Kind, p)
			continue
		}
		sum += len(p.Shown.Data)
	}
	if sum > 2_000_000 {
		t.Errorf("got %d bytes of pictures, want 2,000,000 at most", sum)
	}
	t.Logf("%d bytes", sum)
}
