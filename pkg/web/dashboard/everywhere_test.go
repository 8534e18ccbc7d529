package dashboard_test

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

const componentsPath = "/dashboard/_components"

// everywhere are all pages of an account that is an admin.
var everywhere = slices.Concat(paths, adminPaths, []string{componentsPath, "/try"})

// withComponents adds the page of components, as the demo does.
func withComponents(c *app.Config) { c.Components = true }

// startFull starts a service whose account has something of everything. It returns the paths of all pages.
func startFull(t *testing.T) (h *apptest.Service, all []string) {
	t.Helper()
	h = apptest.StartSignedIn(t, withComponents)
	bearer := apptest.Bearer(h.Session.Access)
	name := strings.Repeat("A quite long name ", 5)
	h.Send("PATCH", "/projects/"+h.Project, map[string]any{"name": name, "domains": []string{"northlane.dev"}}, bearer)
	id := h.Generate("/page/"+strings.Repeat("long", 15), nil).Want(http.StatusOK).Text("id")
	hook := h.Post("/webhooks", map[string]any{"url": h.Site.At("/hook")}, bearer).Want(http.StatusCreated).Text("id")
	own := h.Post("/designs", map[string]any{
		"projectId": h.Project, "slug": "own", "name": name, "html": `<h1 data-slot="title">{{title}}</h1>`,
	}, bearer).Want(http.StatusCreated).Text("id")
	h.Post("/watches", map[string]any{"url": h.Site.At("/page/a")}, bearer).Want(http.StatusCreated)
	return h, append(slices.Clone(everywhere), imagesPath+"/"+id, "/dashboard/webhooks/"+hook,
		"/dashboard/projects/"+h.Project, "/dashboard/designs/"+own)
}

// TestDashboard_enlarged looks at every page in a window of 1280 pixels at 400 per cent, which has 320 of them: nothing
// reaches beyond the edge. Who wants no motion sees none.
func TestDashboard_enlarged(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h, all := startFull(t)
	enlarged := emulation.SetDeviceMetricsOverride(320, 256, 4, false)
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access), enlarged, webtest.Still); err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		var beyond, moving []string
		var title string
		var wide int
		err := webtest.Run(ctx, chromedp.Navigate(h.Base+path), chromedp.Title(&title),
			chromedp.Evaluate(`document.querySelectorAll('details').forEach(d => { d.open = true })`, nil),
			chromedp.Evaluate(`document.documentElement.scrollWidth`, &wide), chromedp.Evaluate(webtest.Beyond, &beyond),
			chromedp.Evaluate(webtest.Moving, &moving))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		webtest.Shoot(t, ctx, "enlarged"+path+".png")
		if !strings.HasSuffix(title, ": Masthead") || strings.HasPrefix(title, "There’s nothing") || wide > 320 ||
			len(beyond) > 0 || len(moving) > 0 {
			t.Errorf("%s (%s) is %d pixels wide; beyond the edge: %v; moving: %v", path, title, wide, beyond, moving)
		}
	}
}

// TestDashboard_hostileForms puts texts that no browser sends into each field of each form, one at a time: nothing is
// the server's fault, and nothing comes back as markup.
func TestDashboard_hostileForms(t *testing.T) {
	t.Parallel()
	h, all := startFull(t)
	w := webtest.NewWalker(webtest.SignIn(t, h.Base, h.Session.Access))
	hostile := []string{
		webtest.Payload, "a\x00b", "\xff\xfe", strings.Repeat("x", 50_000), "99999999999999999999", "-1", "../..", "%00", "\u202e",
		`{"a":[]}`, "\r\nX-Evil: 1", "",
	}
	sent := 0
	for _, path := range all {
		w.Open(path)
		for _, form := range w.Posts() {
			if form.Path == "/sign-out" || form.Path == "/dashboard/admin" { // which turns maintenance on
				continue
			}
			for name := range form.Values {
				for _, text := range hostile {
					values := maps.Clone(form.Values)
					values[name] = []string{text}
					page := w.Post(form.Path, values)
					sent++
					if page.Status >= 500 || page.Header.Get("X-Evil") != "" || strings.Contains(page.Body, webtest.Payload) {
						t.Errorf("%s, %q as %.30q: %d %.600s", form.Path, name, text, page.Status, page.Main())
					}
				}
			}
		}
	}
	if sent < 1000 {
		t.Errorf("only %d forms were sent", sent)
	}
}

// TestDashboard_formsSentTwice sends forms twice, as a second press does without scripts: they do their work once. Who
// goes back and types something else has it done, too.
func TestDashboard_formsSentTwice(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	w := webtest.NewWalker(webtest.SignIn(t, h.Base, h.Session.Access))
	bearer := apptest.Bearer(h.Session.Access)
	for _, c := range []struct{ path, list, field, one, other string }{
		{"/dashboard/audits", "/watches?kind=page", "url", h.Site.At("/page/a"), h.Site.At("/page/b")},
		{"/dashboard/audits/sitemaps", "/watches?kind=sitemap", "url", h.Site.At("/a.xml"), h.Site.At("/b.xml")},
		{"/dashboard/audits/sites", "/sites", "url", h.Site.At("/a.xml"), h.Site.At("/b.xml")},
		{"/dashboard/projects?new=1", "/projects", "name", "One", "Other"},
		{"/dashboard/keys", "/keys", "name", "one", "other"},
	} {
		w.Open(c.path)
		posts := w.Posts()
		i := slices.IndexFunc(posts, func(f webtest.Form) bool { return f.Values.Has("again") && f.Values.Has(c.field) })
		if i < 0 {
			t.Fatalf("%s has no form that can be repeated: %s", c.path, w.Page.Main())
		}
		made := func(value string) int {
			t.Helper()
			posts[i].Values.Set(c.field, value)
			if page := w.Post(posts[i].Path, posts[i].Values); page.Status >= http.StatusBadRequest {
				t.Errorf("%s: %d %s", c.path, page.Status, page.Main())
			}
			return len(h.Get(c.list, bearer).Want(http.StatusOK).Value("items").([]any))
		}
		if once, twice, other := made(c.one), made(c.one), made(c.other); twice != once || other != once+1 {
			t.Errorf("%s: sent once there are %d, twice %d, and %d after something else", c.path, once, twice, other)
		}
	}
}

// maxWeight is the maximum size of a page with its fonts and scripts on the wire, in bytes.
const maxWeight = 120_000

// TestDashboard_weight weighs every page with what it loads, pictures aside.
func TestDashboard_weight(t *testing.T) {
	t.Parallel()
	h, all := startFull(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	// The playground leads to the same sections.
	section := regexp.MustCompile(`<a href="(/dashboard[^"]*)"[^>]*>([A-Z][A-Za-z]+)</a>`)
	row := func(path string) (links []string) {
		_, nav, _ := strings.Cut(v.Get(path).Body, `<nav class="sections"`)
		nav, _, _ = strings.Cut(nav, "</nav>")
		for _, link := range section.FindAllStringSubmatch(nav, -1) {
			links = append(links, link[1]+" "+link[2])
		}
		return links
	}
	if here, there := row("/dashboard/billing"), row("/try"); len(here) != 7 || !slices.Equal(here, there) {
		t.Errorf("the sections are %v, and in the playground %v", here, there)
	}
	file := regexp.MustCompile(`/faces/[^"') ]+\.woff2|/scripts/[^"]+\.js`)
	sizes := map[string]int{}
	for _, path := range append(all, "/", "/audit/example") {
		// Addresses never come from a header, so a cache can't be given a page for others with another host in it.
		plain := v.Get(path, "X-Forwarded-Host", "evil.example", "Forwarded", "host=evil.example",
			"X-Original-URL", "/evil.example")
		if strings.Contains(plain.Body, "evil.example") {
			t.Errorf("%s has the host of a header", path)
		}
		sent := v.Get(path, "Accept-Encoding", "gzip")
		weight := len(sent.Body)
		loads := file.FindAllString(plain.Body, -1)
		slices.Sort(loads)
		for _, address := range slices.Compact(loads) {
			if sizes[address] == 0 {
				sizes[address] = len(v.Get(address, "Accept-Encoding", "gzip").Body)
			}
			weight += sizes[address]
		}
		coding := sent.Header.Get("Content-Encoding")
		if plain.Status != http.StatusOK || coding != "gzip" || len(loads) == 0 || weight > maxWeight ||
			strings.Contains(plain.Body, `<script src`) || strings.Contains(plain.Body, `rel="stylesheet"`) {
			t.Errorf("%s (%d, %s): %d bytes with %v", path, plain.Status, coding, weight, loads)
		}
	}
}

// TestDashboard_components shows the page of components in the demo alone.
func TestDashboard_components(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t, withComponents)
	page := webtest.SignIn(t, h.Base, h.Session.Access).Get(componentsPath)
	if fault := page.Private(); page.Status != http.StatusOK || fault != "" {
		t.Errorf("%d %s", page.Status, fault)
	}
	without := apptest.StartSignedIn(t)
	page = webtest.SignIn(t, without.Base, without.Session.Access).Get(componentsPath)
	if page.Status != http.StatusNotFound {
		t.Errorf("without the demo: %d", page.Status)
	}
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "components", Path: componentsPath},
		webtest.State{Name: "components-secret", Path: componentsPath + "?secret=1"})
}
