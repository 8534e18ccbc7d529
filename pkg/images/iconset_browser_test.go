package images_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
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

// devTools is what a browser writes, among it where its tools listen.
type devTools struct {
	mu      sync.Mutex
	written bytes.Buffer
}

func (d *devTools) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.written.Write(b)
}

var listening = regexp.MustCompile(`DevTools listening on ws://([^/]+)/`)

// favicon is the address of the icon that the browser shows for a page; "" as long as there is none. One that cannot be
// decoded is not shown.
func (d *devTools) favicon(t *testing.T, page string) string {
	t.Helper()
	d.mu.Lock()
	found := listening.FindSubmatch(d.written.Bytes())
	d.mu.Unlock()
	if found == nil {
		t.Fatal("the browser does not say where its tools listen")
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+string(found[1])+"/json/list", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var pages []struct{ URL, FaviconURL string }
	if err := json.NewDecoder(response.Body).Decode(&pages); err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		if p.URL == page {
			return p.FaviconURL
		}
	}
	return ""
}

// TestIconSet_aBrowserTakesTheBundle has a site with the files of an archive as they are: the browser finds nothing
// wrong with manifest and icons, could install the site, and shows its icon.
func TestIconSet_aBrowserTakesTheBundle(t *testing.T) {
	t.Parallel()
	path, ok := testenv.DesktopChromium(t)
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
	var tools devTools
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.CombinedOutput(&tools))
	ctx, stop = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(stop)
	var manifestURL, shown string
	var manifestErrors []*page.AppManifestError
	var faults []*page.InstallabilityError
	var sizes map[string][]int
	if err := chromedp.Run(ctx, chromedp.Navigate(site.URL+"/")); err != nil {
		t.Fatal(err)
	}
	var icon string // before a script of ours asks for any
	apptest.WaitFor(t, "the browser to show the icon", func() bool {
		icon = tools.favicon(t, site.URL+"/")
		return icon != ""
	})
	name := strings.TrimPrefix(icon, site.URL+"/")
	if !slices.Contains([]string{"favicon-16.png", "favicon-32.png", "favicon-48.png"}, name) || !site.was(name) {
		t.Errorf("the browser shows the icon %s", icon)
	}
	err := chromedp.Run(ctx,
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
