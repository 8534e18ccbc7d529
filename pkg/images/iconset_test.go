package images_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/picture"
)

// iconSizes are the assets of an icon set.
var iconSizes = []struct {
	name string
	side int
}{
	{"favicon-16.png", 16}, {"favicon-32.png", 32}, {"favicon-48.png", 48},
	{"apple-touch-icon.png", 180}, {"icon-192.png", 192}, {"icon-512.png", 512},
}

// ofIcons adds to a request that it asks for an icon set.
func ofIcons(more map[string]any) map[string]any {
	body := map[string]any{"kind": "icon_set"}
	for name, value := range more {
		body[name] = value
	}
	return body
}

// wantSet checks the record of an icon set, and that its files are what it says.
func wantSet(t *testing.T, h *apptest.Service, r *apptest.Response) {
	t.Helper()
	r.Want(http.StatusOK)
	if r.Text("kind") != "icon_set" || r.Value("width") != 512. || r.Value("height") != 512. {
		t.Errorf("got %s of %v x %v", r.Text("kind"), r.Value("width"), r.Value("height"))
	}
	for _, name := range []string{"template", "style", "ai"} {
		if got := r.Value(name); got != nil {
			t.Errorf("%s: got %v, want null", name, got)
		}
	}
	assets, _ := r.Value("assets").([]any)
	if len(assets) != len(iconSizes) {
		t.Fatalf("got the assets %v", assets)
	}
	for i, want := range iconSizes {
		at := fmt.Sprintf("assets.%d.", i)
		side := float64(want.side)
		if r.Text(at+"name") != want.name || r.Value(at+"width") != side || r.Value(at+"height") != side {
			t.Errorf("asset %d: got %v, want %s of %d", i, assets[i], want.name, want.side)
		}
		file := h.Get(r.Path(at + "url")).Want(http.StatusOK)
		img, err := png.Decode(bytes.NewReader(file.Body))
		if err != nil || img.Bounds().Dx() != want.side || img.Bounds().Dy() != want.side ||
			r.Value(at+"sizeBytes") != float64(len(file.Body)) {
			t.Errorf("%s: got %v bytes, %v; the record says %v", want.name, len(file.Body), err, r.Value(at+"sizeBytes"))
		}
	}
	if got, want := r.Text("imageUrl"), r.Text("assets.5.url"); got != want {
		t.Errorf("imageUrl: got %s, want that of the 512, %s", got, want)
	}
}

func TestIconSet_isSixFilesAndServedLikeAnyImage(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		set := h.Generate("/page/one", ofIcons(nil))
		wantSet(t, h, set)
		if set.Value("cached") != false || set.Value("generationMs") == nil {
			t.Errorf("got %s, want a new one", set.Body)
		}
		largest := h.Get(set.Path("imageUrl")).Body
		og := wantCache(t, h.Get(set.Path("publicUrl")), forever)
		if !bytes.Equal(og.Body, largest) {
			t.Error("/og serves another picture than the 512")
		}
		again := h.Generate("/page/one", ofIcons(nil)).Want(http.StatusOK)
		if again.Value("cached") != true || again.Text("id") != set.Text("id") || again.Value("generationMs") != nil {
			t.Errorf("got %s, want it kept", again.Body)
		}
		forced := h.Generate("/page/one", ofIcons(map[string]any{"force": true}))
		wantSet(t, h, forced)
		if forced.Value("cached") != false || forced.Text("id") != set.Text("id") {
			t.Errorf("forced: got %s, want the same image drawn anew", forced.Body)
		}
		user := apptest.Bearer(h.Session.Access)
		if got := h.Get("/images?kind=icon_set", user).Want(http.StatusOK).Text("items.0.id"); got != set.Text("id") {
			t.Errorf("the list has %q, want %s", got, set.Text("id"))
		}
		for _, link := range []string{
			`<link rel="icon" type="image/png" sizes="32x32" href="` + set.Text("assets.1.url") + `">`,
			`<link rel="apple-touch-icon" sizes="180x180" href="` + set.Text("assets.3.url") + `">`,
		} {
			if !strings.Contains(set.Text("metaTags"), link) {
				t.Errorf("got the elements %s, want %s", set.Text("metaTags"), link)
			}
		}
		h.Send(http.MethodDelete, "/images/"+set.Text("id"), nil, user).Want(http.StatusNoContent)
		apptest.WaitFor(t, "the files to go", func() bool {
			return !slices.ContainsFunc([]int{0, 1, 2, 3, 4, 5}, func(i int) bool {
				return h.Get(set.Path(fmt.Sprintf("assets.%d.url", i))).Status != http.StatusNotFound
			})
		})
	})
}

// What an icon set does not use makes no other one.
func TestIconSet_ignoresWhatItDoesNotUse(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	set := h.Generate("/page/one", ofIcons(nil)).Want(http.StatusOK)
	for name, more := range map[string]map[string]any{
		"template": {"template": "no-such-template"},
		"style":    {"style": map[string]any{"accent": "#ff0000", "dark": false, "logo": map[string]any{"url": "https://example.com/x.png"}}},
		"ai":       {"ai": map[string]any{"model": "pro", "prompt": "A harbour"}},
		"content":  {"content": map[string]any{"title": "Another", "siteName": "Another"}},
	} {
		if same := h.Generate("/page/one", ofIcons(more)).Want(http.StatusOK); same.Text("id") != set.Text("id") {
			t.Errorf("%s: got another image", name)
		}
	}
	favicon := map[string]any{"favicon": h.Site.At("/icon.png")}
	if other := h.Generate("/page/one", ofIcons(map[string]any{"content": favicon})); other.Text("id") == set.Text("id") {
		t.Error("content.favicon: got the same image")
	}
	h.Generate("/gone", ofIcons(nil)).WantProblem(http.StatusBadGateway, "UPSTREAM_FAILED")
	h.Generate("/gone", ofIcons(map[string]any{"content": map[string]any{"title": "All the same"}})).
		WantProblem(http.StatusBadGateway, "UPSTREAM_FAILED")
}

// colorAt is the colour in the middle of an asset.
func colorAt(t *testing.T, h *apptest.Service, set *apptest.Response, asset int) color.NRGBA {
	t.Helper()
	file := h.Get(set.Path(fmt.Sprintf("assets.%d.url", asset))).Want(http.StatusOK).Body
	img, _, err := picture.NewDecoder(picture.Config{}).Decode(t.Context(), file, picture.Want{})
	if err != nil {
		t.Fatal(err)
	}
	return img.NRGBAAt(img.Rect.Dx()/2, img.Rect.Dy()/2)
}

func near(a, b color.NRGBA) bool {
	diff := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return max(diff(a.R, b.R), diff(a.G, b.G), diff(a.B, b.B), diff(a.A, b.A)) <= 6
}

func TestIconSet_svgOfThePageAndTheRequestsOwn(t *testing.T) {
	t.Parallel()
	site := svgSite(t, map[string]string{
		"pink": svgHead + pink + "</svg>", "blue": svgHead + strings.Replace(pink, "#ff00c8", "#0000ff", 1) + "</svg>",
	})
	h := apptest.StartSignedIn(t, allowed(site))
	generate := func(more map[string]any) *apptest.Response {
		body := ofIcons(more)
		body["projectId"], body["url"] = h.Project, site.URL+"/pink"
		return h.Post("/images/generate", body, apptest.Bearer(h.Key)).Want(http.StatusOK)
	}
	set := generate(nil)
	own := generate(map[string]any{"content": map[string]any{"favicon": site.URL + "/blue.svg"}})
	lost := generate(map[string]any{"content": map[string]any{"favicon": site.URL + "/none.svg"}})
	for i, size := range iconSizes {
		for name, c := range map[string]struct {
			set  *apptest.Response
			want color.NRGBA
		}{
			"the page's": {set, color.NRGBA{255, 0, 200, 255}}, "the request's": {own, color.NRGBA{0, 0, 255, 255}},
			"one that cannot be had": {lost, color.NRGBA{255, 0, 200, 255}},
		} {
			if got := colorAt(t, h, c.set, i); !near(got, c.want) {
				t.Errorf("%s, %s: got %v, want %v", name, size.name, got, c.want)
			}
		}
	}
	if got := own.Text("source.favicon"); got != site.URL+"/blue.svg" {
		t.Errorf("source.favicon: got %q", got)
	}
}

// TestIconSet_identicalRequestsShareOneDrawing asks two nodes at once.
func TestIconSet_identicalRequestsShareOneDrawing(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		nodes := []*apptest.Service{h}
		if h.Config.Database.URL != "" {
			nodes = append(nodes, h.StartNode())
		}
		hold := make(chan struct{})
		h.Site.Hold.Store(&hold)
		var fresh atomic.Int64
		var work sync.WaitGroup
		ids := make([]string, 12)
		for i := range ids {
			work.Go(func() {
				set := nodes[i%len(nodes)].Generate("/page/crowd", ofIcons(nil))
				ids[i] = set.Text("id")
				if set.Value("cached") == false {
					fresh.Add(1)
				}
			})
		}
		apptest.WaitFor(t, "the page to be asked for", func() bool { return h.Site.Pages.Load() > 0 })
		close(hold)
		work.Wait()
		slices.Sort(ids)
		if n := h.Site.Pages.Load(); n != 1 || len(slices.Compact(ids)) != 1 {
			t.Errorf("the page was asked for %d times, want once for one image", n)
		}
		if fresh.Load() == 0 {
			t.Error("to nobody it was new")
		}
		wantSet(t, h, h.Generate("/page/crowd", ofIcons(nil)))
	})
}

func TestIconSet_ofAProjectsPage(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t))
	first := wantCache(t, s.og(s.Site.At("/page/one"), "kind=icon_set"), forever)
	img, err := png.DecodeConfig(bytes.NewReader(first.Body))
	if err != nil || img.Width != 512 || img.Height != 512 {
		t.Errorf("got %d x %d, %v", img.Width, img.Height, err)
	}
	for range 2 {
		again := s.og(s.Site.At("/page/one"), "kind=icon_set", "template=bold&ai=true")
		if !bytes.Equal(again.Body, first.Body) {
			t.Error("what an icon set does not use makes another one")
		}
	}
	if n := s.Site.Pages.Load(); n != 1 {
		t.Errorf("the page was asked for %d times", n)
	}
	if s.og(s.Site.At("/page/one"), "kind=icon_set", "v=2").Want(http.StatusOK); s.Site.Pages.Load() != 2 {
		t.Error("another version is not another one")
	}
	// One whose page cannot be read is a letter on a tile, for minutes.
	letter := wantCache(t, s.og(s.Site.At("/gone"), "kind=icon_set"), forMinutes)
	img, err = png.DecodeConfig(bytes.NewReader(letter.Body))
	if err != nil || img.Width != 512 || img.Height != 512 || letter.Header.Get("X-Masthead-Fallback") != "upstream" {
		t.Errorf("fallback: got %d x %d, %v, %v", img.Width, img.Height, err, letter.Header)
	}
}

// iconSite serves a page that names itself and no icon, or those of more.
func iconSite(t *testing.T, head string) *httptest.Server {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(`<!doctype html><title>Home</title>` + head)) // the client may have left
	}))
	t.Cleanup(site.Close)
	return site
}

func TestIconSet_withoutAnyIconIsALetterOnTheBrandsColour(t *testing.T) {
	t.Parallel()
	site := iconSite(t, `<meta property="og:site_name" content="Äpfel"><meta name="theme-color" content="#0F766E">`)
	h := apptest.StartSignedIn(t, allowed(site))
	set := h.Post("/images/generate", ofIcons(map[string]any{"projectId": h.Project, "url": site.URL}), apptest.Bearer(h.Key))
	wantSet(t, h, set)
	if got := set.Text("source.palette.accent"); got != "#0F766E" {
		t.Errorf("got the accent %s", got)
	}
	_, files := unzip(t, h.Get("/images/"+set.Text("id")+"/download", apptest.Bearer(h.Key)).Want(http.StatusOK).Body)
	var manifest struct {
		Name  string `json:"name"`
		Theme string `json:"theme_color"`
	}
	if err := json.Unmarshal(files["site.webmanifest"], &manifest); err != nil || manifest.Name != "Äpfel" ||
		!strings.EqualFold(manifest.Theme, "#0f766e") {
		t.Errorf("got the manifest %s, %v", files["site.webmanifest"], err)
	}
}

// TestIconSet_warningsNameTheIconsThatWereNotUsed has icons of no use beside the one that the set is drawn from.
func TestIconSet_warningsNameTheIconsThatWereNotUsed(t *testing.T) {
	t.Parallel()
	files := apptest.NewSite(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			_, _ = w.Write([]byte(`<!doctype html><title>Home</title><link rel="icon" href="/text.png">` +
				`<link rel="icon" href="/loop.svg">` +
				`<link rel="apple-touch-icon" href="` + files.At("/icon.png") + `">`))
		case "/text.png":
			_, _ = w.Write([]byte("text"))
		case "/loop.svg":
			_, _ = w.Write([]byte(svgHead + `<g id="a"><use href="#a"/></g></svg>`))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(site.Close)
	h := apptest.StartSignedIn(t, allowed(site), func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(files.Server.Listener.Addr().String()))
	})
	body := ofIcons(map[string]any{"projectId": h.Project, "url": site.URL,
		"content": map[string]any{"favicon": site.URL + "/own.png"}})
	set := h.Post("/images/generate", body, apptest.Bearer(h.Key))
	wantSet(t, h, set)
	if got := set.Text("source.favicon"); got != files.At("/icon.png") {
		t.Errorf("got the icon %s, want the one that is left", got)
	}
	told := map[string]string{}
	for i := range set.Value("warnings").([]any) {
		at := fmt.Sprintf("warnings.%d.", i)
		if code := set.Text(at + "code"); code != "ICON" {
			t.Errorf("got the code %s", code)
		}
		address, why, _ := strings.Cut(strings.TrimPrefix(set.Text(at+"detail"), site.URL), " ")
		told[address] = why
	}
	for address, why := range map[string]string{
		"/text.png": "was not used: it is not a PNG, JPEG, GIF, WebP, ICO or SVG picture.",
		"/own.png":  "was not used. 127.0.0.1 answered with status 404 Not Found.",
		"/loop.svg": "was not used: it is damaged.",
	} {
		if told[address] != why {
			t.Errorf("%s: got %q, want %q", address, told[address], why)
		}
	}
	if len(told) != 3 {
		t.Errorf("got %v, want no more", told)
	}
	if kept := h.Get("/images/"+set.Text("id"), apptest.Bearer(h.Key)); kept.Text("warnings.0.detail") == "" {
		t.Errorf("kept: got %s, want the warnings", kept.Body)
	}
}

func TestIconSet_aPictureForAPage_isTold(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	set := h.Generate("/icon.png", ofIcons(nil))
	wantSet(t, h, set)
	if got := set.Text("warnings.0.detail"); !strings.HasPrefix(got, "This is the address of a picture, not of a page.") {
		t.Errorf("got the warning %q", got)
	}
}

// TestIconSet_anSVGThatTakesTooLong is left out of the set, which stands for minutes: the moment may have been a busy
// one.
func TestIconSet_anSVGThatTakesTooLong(t *testing.T) {
	t.Parallel()
	dashes := strings.Repeat(`<path stroke="red" stroke-width="80" stroke-dasharray=".0003" d="M0 0h1e5v9e4H0z"/>`, 900)
	site := svgSite(t, map[string]string{"dashes": svgHead + dashes + "</svg>"})
	h := apptest.StartSignedIn(t, allowed(site), func(c *app.Config) { c.SVG.Time = 50 * time.Millisecond })
	body := ofIcons(map[string]any{"projectId": h.Project, "url": site.URL + "/dashes"})
	set := h.Post("/images/generate", body, apptest.Bearer(h.Key))
	wantSet(t, h, set)
	want := site.URL + "/dashes.svg was not used: it takes too long to draw."
	if got := set.Text("warnings.0.detail"); got != want {
		t.Errorf("got the warning %q, want %q", got, want)
	}
	wantCache(t, h.Get("/og/"+set.Text("publicId")), forMinutes)
	card := h.Post("/images/generate", map[string]any{"projectId": h.Project, "url": site.URL + "/dashes"},
		apptest.Bearer(h.Key)).Want(http.StatusOK)
	if card.Text("source.title") != "Kept" {
		t.Errorf("a card beside it: got %s", card.Body)
	}
}

func TestIconSet_downloadIsTheAssetsAndTheManifest(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		set := h.Generate("/page/one", ofIcons(nil)).Want(http.StatusOK)
		path, key := "/images/"+set.Text("id")+"/download", apptest.Bearer(h.Key)
		archive := h.Get(path, key).Want(http.StatusOK)
		if got := archive.Header.Get("Content-Disposition"); got != `attachment; filename="127.0.0.1-icons.zip"` {
			t.Errorf("got Content-Disposition %s", got)
		}
		names, files := unzip(t, archive.Body)
		var want []string
		for i, size := range iconSizes {
			want = append(want, size.name)
			if served := h.Get(set.Path(fmt.Sprintf("assets.%d.url", i))); !bytes.Equal(served.Body, files[size.name]) {
				t.Errorf("%s is another file than the asset", size.name)
			}
		}
		if want = append(want, "site.webmanifest"); !slices.Equal(names, want) {
			t.Errorf("got %v, want %v", names, want)
		}
		if again := h.Get(path, key); !bytes.Equal(again.Body, archive.Body) {
			t.Error("the second time it has other bytes")
		}
		extras := h.Get(path+"?extras=true", key).Want(http.StatusOK)
		names, files = unzip(t, extras.Body)
		for _, name := range []string{"favicon.ico", "links.html"} {
			if !slices.Contains(names, name) {
				t.Errorf("extras: got %v, want %s among them", names, name)
			}
		}
		if !slices.Equal(names[:7], want) || !strings.Contains(string(files["links.html"]), `href="/favicon-32.png"`) {
			t.Errorf("extras: got %v, %s", names, files["links.html"])
		}
		if extras.Header.Get("ETag") == archive.Header.Get("ETag") {
			t.Error("extras have the same validator")
		}
		kept := apptest.Header("If-None-Match", archive.Header.Get("ETag"))
		h.Get(path, key, kept).Want(http.StatusNotModified)
		h.Get(path+"?extras=true", key, kept).Want(http.StatusOK)
	})
}
