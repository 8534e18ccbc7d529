package images_test

import (
	"errors"
	"image/color"
	"net/http"
	"net/url"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/picture/svg"
	"masthead/pkg/testenv"
)

// heldEngine holds the engine for SVG back until ready is called. Its code was compiled before, so that it is ready
// soon after that on any machine.
func heldEngine(t *testing.T) (held apptest.Option, ready func()) {
	t.Helper()
	engine := svg.New(svg.Config{Dir: testenv.CacheDir()})
	if err := errors.Join(engine.Ready(t.Context()), engine.Close()); err != nil {
		t.Fatal(err)
	}
	hold := make(chan struct{})
	return func(c *app.Config) { c.SVG = svg.Config{Dir: testenv.CacheDir(), Hold: hold} }, func() { close(hold) }
}

// TestGenerate_withoutAnSVGIsKeptForMinutes has an icon that cannot be drawn yet: the card is drawn without it, and
// again as soon as that may be of use.
func TestGenerate_withoutAnSVGIsKeptForMinutes(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		site := svgSite(t, map[string]string{"mark": svgHead + pink + "</svg>"})
		held, ready := heldEngine(t)
		h := apptest.StartSignedIn(t, apptest.OnDatabase(cfg), allowed(site), held)
		generate := func() *apptest.Response {
			body := map[string]any{"projectId": h.Project, "url": site.URL + "/mark"}
			return h.Post("/images/generate", body, apptest.Bearer(h.Key)).Want(http.StatusOK)
		}
		ofPage := "/og/" + onDomain(h).publicID + "?url=" + url.QueryEscape(site.URL+"/mark")

		bare := generate()
		if bare.Value("cached") != false || pinkPixels(drawnAs(t, h, bare)) != 0 {
			t.Errorf("without the engine: got %s, want a new card without the icon", bare.Body)
		}
		ofImage := "/og/" + bare.Text("publicId")
		for range 3 { // from the database, and then as it is at hand
			wantCache(t, h.Get(ofImage), forMinutes)
			wantCache(t, h.Get(ofPage), forMinutes)
		}
		ready()
		if err := h.App.SVG.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		if kept := generate(); kept.Value("cached") != true {
			t.Errorf("within its minutes: got %s, want it kept", kept.Body)
		}
		older(t, h, 6*time.Minute)
		whole := generate()
		if whole.Value("cached") != false || whole.Text("id") != bare.Text("id") || pinkPixels(drawnAs(t, h, whole)) == 0 {
			t.Errorf("after its minutes: got %s, want the same image with the icon", whole.Body)
		}
		for range 3 {
			wantCache(t, h.Get(ofImage), forever)
			wantCache(t, h.Get(ofPage), forever)
		}
		older(t, h, 6*time.Minute)
		if kept := generate(); kept.Value("cached") != true {
			t.Errorf("whole: got %s, want it kept for good", kept.Body)
		}
	})
}

// TestOG_withoutAnSVGIsDrawnAgain is the same for a card that nobody has asked for by POST.
func TestOG_withoutAnSVGIsDrawnAgain(t *testing.T) {
	t.Parallel()
	site := svgSite(t, map[string]string{"mark": svgHead + pink + "</svg>"})
	held, ready := heldEngine(t)
	s := onDomain(apptest.StartSignedIn(t, allowed(site), held))
	first := wantCache(t, s.og(site.URL+"/mark"), forMinutes)
	ready()
	if err := s.App.SVG.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := wantCache(t, s.og(site.URL+"/mark"), forMinutes); string(again.Body) != string(first.Body) {
		t.Error("within its minutes it is another picture")
	}
	older(t, s.Service, 6*time.Minute)
	if whole := wantCache(t, s.og(site.URL+"/mark"), forever); string(whole.Body) == string(first.Body) {
		t.Error("after its minutes it is the same picture")
	}
}

// TestIconSet_waitsForTheEngine has one that is ready while the set waits for it, which it does longer than a card.
func TestIconSet_waitsForTheEngine(t *testing.T) {
	t.Parallel()
	site := svgSite(t, map[string]string{"mark": svgHead + pink + "</svg>"})
	held, ready := heldEngine(t)
	h := apptest.StartSignedIn(t, allowed(site), held)
	body := map[string]any{"projectId": h.Project, "url": site.URL + "/mark", "kind": "icon_set"}
	waited := make(chan *apptest.Response)
	go func() { waited <- h.Post("/images/generate", body, apptest.Bearer(h.Key)) }()
	ready()
	set := (<-waited).Want(http.StatusOK)
	if got := colorAt(t, h, set, 5); !near(got, color.NRGBA{255, 0, 200, 255}) {
		t.Errorf("got %v, want the SVG", got)
	}
	wantCache(t, h.Get("/og/"+set.Text("publicId")), forever)
}

// TestIconSet_withoutAnSVGIsKeptForMinutes has an engine that is not ready for longer than a set waits.
func TestIconSet_withoutAnSVGIsKeptForMinutes(t *testing.T) {
	t.Parallel()
	site := svgSite(t, map[string]string{"mark": svgHead + pink + "</svg>"})
	held, ready := heldEngine(t)
	h := apptest.StartSignedIn(t, allowed(site), held)
	body := map[string]any{"projectId": h.Project, "url": site.URL + "/mark", "kind": "icon_set"}
	generate := func() *apptest.Response {
		return h.Post("/images/generate", body, apptest.Bearer(h.Key)).Want(http.StatusOK)
	}
	letter := generate()
	wantSet(t, h, letter)
	wantCache(t, h.Get("/og/"+letter.Text("publicId")), forMinutes)
	ready()
	if err := h.App.SVG.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if kept := generate(); kept.Value("cached") != true {
		t.Errorf("within its minutes: got %s, want it kept", kept.Body)
	}
	older(t, h, 6*time.Minute)
	set := generate()
	if got := colorAt(t, h, set, 5); set.Text("id") != letter.Text("id") || !near(got, color.NRGBA{255, 0, 200, 255}) {
		t.Errorf("after its minutes: got %v of image %s, want the SVG", got, set.Text("id"))
	}
	wantCache(t, h.Get("/og/"+letter.Text("publicId")), forever)
}
