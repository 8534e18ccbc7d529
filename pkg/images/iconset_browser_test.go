package images_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/testenv"
)

// bundleSite serves the files of an icon set in its root, with a page whose head has the elements that came with them,
// and notes what it was asked for.
type bundleSite struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]bool
}

func newBundleSite(t *testing.T, files map[string][]byte) *bundleSite {
	t.Helper()
	s := &bundleSite{asked: map[string]bool{}}
	types := map[string]string{
		".png": "image/png", ".ico": "image/x-icon", ".webmanifest": "application/manifest+json", ".js": "text/javascript",
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		s.mu.Lock()
		s.asked[name] = true
		s.mu.Unlock()
		if name == "" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(append([]byte("<!doctype html><title>Home</title>"), files["links.html"]...)) // nobody to tell
			return
		}
		data, ok := files[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", types[name[strings.LastIndexByte(name, '.'):]])
		_, _ = w.Write(data)
	}))
	t.Cleanup(s.Close)
	return s
}

// was says whether a file was asked for.
func (s *bundleSite) was(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[name]
}

// TestIconSet_aBrowserTakesTheBundle has a site with the files of an archive as they are: the browser finds nothing
// wrong with manifest and icons, and could install the site.
func TestIconSet_aBrowserTakesTheBundle(t *testing.T) {
	t.Parallel()
	path, ok := testenv.Chromium(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	set := h.Generate("/page/bundle", ofIcons(nil)).Want(http.StatusOK)
	archive := h.Get("/images/"+set.Text("id")+"/download?extras=true", apptest.Bearer(h.Key)).Want(http.StatusOK)
	_, files := unzip(t, archive.Body)
	site := newBundleSite(t, files)

	ctx, stop := context.WithTimeout(t.Context(), 90*time.Second)
	t.Cleanup(stop)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	ctx, stop = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(stop)
	var manifestURL, shown string
	var manifestErrors []*page.AppManifestError
	var faults []*page.InstallabilityError
	var sizes map[string][]int
	err := chromedp.Run(ctx,
		chromedp.Navigate(site.URL+"/"),
		chromedp.ActionFunc(func(ctx context.Context) (err error) {
			manifestURL, manifestErrors, shown, _, err = page.GetAppManifest().Do(ctx)
			if err == nil {
				faults, err = page.GetInstallabilityErrors().Do(ctx)
			}
			return err
		}),
		// What the elements name, as the browser decodes it.
		chromedp.Evaluate(`Promise.all([...document.querySelectorAll("link[rel~=icon], link[rel=apple-touch-icon]")].map(
			async l => {
				const i = new Image(); i.src = l.href; await i.decode();
				return [l.href, [i.naturalWidth, i.naturalHeight]]
			})).then(Object.fromEntries)`, &sizes,
			func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }),
	)
	if err != nil {
		t.Fatal(err)
	}
	if manifestURL != site.URL+"/site.webmanifest" || len(manifestErrors) > 0 || !strings.Contains(shown, "Testland") {
		t.Errorf("manifest: got %s with the errors %v: %s", manifestURL, manifestErrors, shown)
	}
	for _, f := range faults {
		t.Errorf("not to be installed: %s %v", f.ErrorID, f.ErrorArguments)
	}
	for name, side := range map[string]int{"favicon-16.png": 16, "favicon-32.png": 32, "apple-touch-icon.png": 180} {
		if got := sizes[site.URL+"/"+name]; len(got) != 2 || got[0] != side || got[1] != side {
			t.Errorf("%s: got %v, want %d", name, got, side)
		}
	}
	if got := sizes[site.URL+"/favicon.ico"]; len(got) != 2 || got[0] < 16 {
		t.Errorf("favicon.ico: got %v", got)
	}
	if !site.was("site.webmanifest") || !site.was("icon-512.png") && !site.was("icon-192.png") {
		t.Error("the browser did not load an icon of the manifest")
	}
}
