package images_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"masthead/pkg/app/apptest"
)

// aRelease serves a page about a version, at every address.
func aRelease(t *testing.T) *httptest.Server {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Acme v3.2 is out</title>`)) // the client may have left
	}))
	t.Cleanup(site.Close)
	return site
}

// TestGenerate_projectsTemplate_isThatOfRequestsWithoutOne: it is keyed as if it had been requested, a change makes new
// pictures and keeps the old ones, and kinds that it doesn't draw keep the service's.
func TestGenerate_projectsTemplate_isThatOfRequestsWithoutOne(t *testing.T) {
	t.Parallel()
	site := aRelease(t)
	h := apptest.StartSignedIn(t, allowed(site))
	key := apptest.Bearer(h.Key)
	draw := func(more map[string]any) *apptest.Response {
		body := map[string]any{"projectId": h.Project, "url": site.URL + "/blog/acme"}
		for name, value := range more {
			body[name] = value
		}
		return h.Post("/images/generate", body, key).Want(http.StatusOK)
	}
	brand := func(template string) {
		a := h.Send("PATCH", "/projects/"+h.Project, map[string]any{"brand": map[string]any{"template": template}},
			apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
		if got := a.Text("brand.template"); got != template {
			t.Fatalf("the project's template is %q, want %q", got, template)
		}
	}
	first := draw(nil)
	if first.Text("template") != "editorial" || first.Value("source.templateReason") != nil {
		t.Errorf("got %s", first.Body)
	}

	brand("auto")
	auto := draw(nil)
	if auto.Text("template") != "changelog" || auto.Text("source.templateReason") != "The page is about a release." {
		t.Errorf("auto: got %s", auto.Body)
	}
	if same := draw(map[string]any{"template": "auto"}); same.Text("id") != auto.Text("id") || same.Value("cached") != true {
		t.Errorf("auto that was requested is another image than that of the project: %s", same.Body)
	}
	if auto.Text("id") != first.Text("id") {
		t.Error("the image of the request is another one with the brand")
	}
	if named := draw(map[string]any{"template": "editorial"}); named.Text("id") == first.Text("id") ||
		named.Text("template") != "editorial" {
		t.Errorf("a named template: got %s", named.Body)
	}
	if hero := draw(map[string]any{"kind": "blog_hero"}); hero.Text("template") != "editorial" {
		t.Errorf("auto, of a hero: got %s", hero.Text("template"))
	}
	if set := draw(map[string]any{"kind": "icon_set"}); set.Value("template") != nil {
		t.Errorf("of an icon set: got %s", set.Body)
	}

	brand("docs")
	if docs := draw(nil); docs.Text("template") != "docs" || docs.Value("cached") == true {
		t.Errorf("docs: got %s", docs.Body)
	}
	if hero := draw(map[string]any{"kind": "blog_hero"}); hero.Text("template") != "editorial" {
		t.Errorf("docs, of a hero, which it doesn't draw: got %s", hero.Text("template"))
	}
	for _, old := range []*apptest.Response{first, auto} {
		h.Get(old.Path("publicUrl")).Want(http.StatusOK)
	}
	h.Send("PATCH", "/projects/"+h.Project, map[string]any{"brand": map[string]any{"template": "none"}},
		apptest.Bearer(h.Session.Access)).Want(http.StatusBadRequest)
}

// TestOG_projectsTemplate_isDrawnAfterAChange: the addresses that were served before it give the new picture soon.
func TestOG_projectsTemplate_isDrawnAfterAChange(t *testing.T) {
	t.Parallel()
	site := aRelease(t)
	h := onDomain(apptest.StartSignedIn(t, allowed(site)))
	tag := func() string {
		h.og(site.URL + "/blog/acme").Want(http.StatusOK)
		return h.og(site.URL + "/blog/acme").Want(http.StatusOK).Header.Get("ETag") // from memory
	}
	before := tag()
	for _, template := range []string{"auto", "editorial"} {
		h.Send("PATCH", "/projects/"+h.Project, map[string]any{"brand": map[string]any{"template": template}},
			apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
		apptest.WaitFor(t, "the template "+template, func() bool { return (tag() == before) == (template == "editorial") })
	}
}
