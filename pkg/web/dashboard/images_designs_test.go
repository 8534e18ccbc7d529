package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

// TestImages_ownDesign shows and redraws an image of a design of the project, and what stays after that is deleted.
func TestImages_ownDesign(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	bearer := apptest.Bearer(h.Session.Access)
	design := h.Post("/designs", map[string]any{
		"projectId": h.Project, "slug": "posts", "name": "Our <b>posts</b>",
		"html": `<style>body{background:#123}h1{color:#fff;font-size:40px}</style><h1>{{title}} {{data.no}}</h1>`,
	}, bearer).Want(http.StatusCreated).Text("id")
	id := h.Generate("/page/one", map[string]any{
		"template": "posts", "kind": "custom", "size": map[string]any{"width": 400, "height": 300},
		"data": map[string]any{"no": 7},
	}).Want(http.StatusOK).Text("id")
	path := imagesPath + "/" + id
	for _, at := range []string{
		path, imagesPath, "/dashboard", imagesPath + "?template=posts", imagesPath + "?kind=custom",
	} {
		if page := v.Get(at); !strings.Contains(page.Body, "Our &lt;b&gt;posts&lt;/b&gt;") || page.Status != http.StatusOK {
			t.Errorf("%s without the design's name: %d %s", at, page.Status, page.Main())
		}
	}
	page := v.Get(path + "?for=typescript")
	for _, want := range []string{"400×300", "&#34;width&#34;</b>: 400,", "&#34;no&#34;</b>: 7"} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the image's page has no %q: %s", want, page.Main())
		}
	}
	if strings.Contains(page.Body, `value="cli"`) {
		t.Error("the command line is offered, which doesn't know the design")
	}
	drawn := v.Post(path, fields("do", "redraw"))
	if to := drawn.Header.Get("Location"); drawn.Status != http.StatusSeeOther || to != path+"?done=drawn" {
		t.Errorf("redrawn: %d to %q %s", drawn.Status, to, drawn.Main())
	}
	h.Send(http.MethodDelete, "/designs/"+design, nil, bearer).Want(http.StatusNoContent)
	if page := v.Get(path); page.Status != http.StatusOK || !strings.Contains(page.Body, "posts") {
		t.Errorf("without its design: %d %s", page.Status, page.Main())
	}
	again := v.Post(path, fields("do", "redraw"))
	if again.Status != http.StatusNotFound && again.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(again.Body, "There is no design") {
		t.Errorf("redrawn without its design: %d %s", again.Status, again.Main())
	}
}

// TestImages_sizes shows and redraws images in several sizes: those of the request, and those that a design lists.
func TestImages_sizes(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	h.Post("/designs", map[string]any{
		"projectId": h.Project, "slug": "posts", "html": `<meta name="card-sizes" content="1080x1080 400x300">
			<style>body{background:#123}h1{color:#fff;font-size:40px}</style><h1>{{title}}</h1>`,
	}, apptest.Bearer(h.Session.Access)).Want(http.StatusCreated)
	square := map[string]any{"width": 1080, "height": 1080}
	story := map[string]any{"width": 1080, "height": 1920}
	for name, c := range map[string]struct {
		body  map[string]any
		shows []string
	}{
		"of the request":  {map[string]any{"sizes": []any{square, story}}, []string{"1200×630", "1080×1080", "1080×1920"}},
		"of a size":       {map[string]any{"kind": "custom", "size": story, "sizes": []any{square}}, []string{"1080×1920", "1080×1080"}},
		"of a design":     {map[string]any{"template": "posts"}, []string{"1200×630", "1080×1080", "400×300"}},
		"of it as custom": {map[string]any{"template": "posts", "kind": "custom"}, []string{"1080×1080", "400×300"}},
		"named as it lists them": {
			map[string]any{"template": "posts", "sizes": []any{square, map[string]any{"width": 400, "height": 300}}},
			[]string{"1200×630", "1080×1080", "400×300"},
		},
		"not of it": {
			map[string]any{"template": "posts", "kind": "custom", "size": story, "sizes": []any{square}}, []string{"1080×1920", "1080×1080"},
		},
	} {
		made := h.Generate("/page/one", c.body).Want(http.StatusOK)
		path := imagesPath + "/" + made.Text("id")
		page := v.Get(path)
		for _, size := range c.shows {
			if !strings.Contains(page.Body, `aria-label="Download `+size+`"`) {
				t.Errorf("%s: no %s to download: %s", name, size, page.Main())
			}
		}
		if n := strings.Count(page.Body, ` download="`); n != len(c.shows) ||
			!strings.Contains(page.Body, made.Path("assets.0.url")) {
			t.Errorf("%s: got %d downloads: %s", name, n, page.Main())
		}
		drawn := v.Post(path, fields("do", "redraw"))
		if to := drawn.Header.Get("Location"); to != path+"?done=drawn" {
			t.Errorf("%s: redrawn: %d to %q, not %s: %s", name, drawn.Status, to, path, drawn.Main())
		}
	}
	one := imagesPath + "/" + h.Generate("/page/one", map[string]any{"template": "posts", "sizes": []any{
		map[string]any{"width": 1200, "height": 630},
	}}).Want(http.StatusOK).Text("id")
	if page := v.Get(one); strings.Contains(page.Body, `id="sizes"`) {
		t.Errorf("one size has downloads: %s", page.Main())
	}
	if to := v.Post(one, fields("do", "redraw")).Header.Get("Location"); to != one+"?done=drawn" {
		t.Errorf("one size of a design is redrawn as %q, not %s", to, one)
	}
}

// TestImages_brand redraws an image of the brand before and after a change of it: it is the same image, in the present
// brand, and the project's page says how many are left to redraw.
func TestImages_brand(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	project := "/dashboard/projects/" + h.Project
	brand := func(accent string) {
		page := v.Post(project, fields("do", "brand", "template", "auto", "accent", accent, "logoPosition", "top-left",
			"headingFont", "space-grotesk"))
		if page.Status != http.StatusSeeOther {
			t.Fatalf("the brand: %d %s", page.Status, page.Main())
		}
	}
	brand("#b91c1c")
	made := h.Generate("/page/one", nil).Want(http.StatusOK)
	path := imagesPath + "/" + made.Text("id")
	for _, accent := range []string{"#b91c1c", "#1d4ed8"} {
		brand(accent)
		if page := v.Get(project); strings.Contains(page.Body, "1 image still shows an earlier look") !=
			(accent == "#1d4ed8") {
			t.Errorf("%s: the project's page: %s", accent, page.Main())
		}
		if to := v.Post(path, fields("do", "redraw")).Header.Get("Location"); to != path+"?done=drawn" {
			t.Errorf("%s: redrawn as %q, not %s", accent, to, path)
		}
		now := h.Get("/images/"+made.Text("id"), apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
		if now.Text("style.accent") != accent || len(now.Value("defaults").([]any)) != 5 || now.Value("warnings.0") != nil {
			t.Errorf("%s: got %s", accent, now.Body)
		}
	}
}
