package images_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestListImages_search finds images by parts of their page's address and title, which are texts and no patterns.
func TestListImages_search(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		ids := map[string]string{}
		for _, of := range []struct{ path, title, template string }{
			{"/one", "We moved 100% of it", "editorial"}, {"/two", "A snake_case name", "poster"},
			{"/Three", "Über uns", "editorial"},
		} {
			made := h.Generate(of.path, map[string]any{
				"template": of.template, "content": map[string]any{"title": of.title},
			}).Want(http.StatusOK)
			ids[made.Text("id")] = of.path
		}
		bearer := apptest.Bearer(h.Session.Access)
		for query, want := range map[string][]string{
			"query=MOVED": {"/one"}, "query=100%25": {"/one"}, "query=%25": {"/one"}, "query=_": {"/two"}, "query=snake_": {"/two"},
			"query=/three": {"/Three"}, "query=%C3%9Cber": {"/Three"}, "query=127.0.0.1": {"/Three", "/one", "/two"},
			"query=%5C": nil, "query='": nil, "template=editorial": {"/Three", "/one"}, "template=editorial&query=/one": {"/one"},
			"template=nothing": nil, "query=": {"/Three", "/one", "/two"},
		} {
			list := h.Get("/images?"+query, bearer).Want(http.StatusOK)
			var got []string
			items, _ := list.Value("items").([]any)
			for _, item := range items {
				id, _ := item.(map[string]any)["id"].(string)
				got = append(got, ids[id])
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s: got %v, want %v", query, got, want)
			}
		}
		// Bytes that no text has are no fault of ours.
		for _, query := range []string{"\x00", "a\xffb", "\u202e"} {
			r := h.Get("/images?"+url.Values{"query": {query}}.Encode(), bearer)
			if r.Status >= http.StatusInternalServerError {
				t.Errorf("%q: %d %s", query, r.Status, r.Body)
			}
		}
		h.Get("/images?query=x", apptest.Bearer(h.Register().Access)).Want(http.StatusOK)
	})
}
