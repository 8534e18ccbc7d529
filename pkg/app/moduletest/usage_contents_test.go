package moduletest_test

import (
	"net/http"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestContents_onlyAndMax counts what is asked for, up to the maximum that is asked for.
func TestContents_onlyAndMax(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me := apptest.Bearer(h.Session.Access)
		for _, path := range []string{"/page/a", "/page/b", "/page/c"} {
			h.Generate(path, nil).Want(http.StatusOK)
		}
		gone := h.Generate("/page/d", nil).Want(http.StatusOK).Text("id") // isn't counted
		h.Send("DELETE", "/images/"+gone+"?undo=true", nil, me).Want(http.StatusNoContent)
		h.Post("/projects", map[string]any{"name": "Another"}, me).Want(http.StatusCreated)
		h.Post("/audits", map[string]any{"url": h.Site.At("/page/a")}, me).Want(http.StatusOK)
		for _, c := range []struct {
			query                          string
			projects, images, keys, report float64
		}{
			{"", 2, 3, 1, 1},
			{"?only=images", 0, 3, 0, 0},
			{"?only=keys,reports,projects", 2, 0, 1, 1},
			{"?max=2", 2, 2, 1, 1},
			{"?max=3", 2, 3, 1, 1},
			{"?max=4", 2, 3, 1, 1},
			{"?max=1&only=images,projects", 1, 1, 0, 0},
			{"?projectId=" + h.Project, 1, 3, 1, 0},
			{"?projectId=" + h.Project + "&only=images&max=2", 0, 2, 0, 0},
			{"?projectId=" + h.Project + "&only=reports,sites", 0, 0, 0, 0},
		} {
			got := h.Get("/usage/contents"+c.query, me).Want(http.StatusOK)
			if got.Value("projects") != c.projects || got.Value("images") != c.images || got.Value("keys") != c.keys ||
				got.Value("reports") != c.report || got.Value("sites") != 0. {
				t.Errorf("%q: got %s, want %v", c.query, got.Body, c)
			}
		}
		for _, query := range []string{"?only=", "?only=users", "?only=images,", "?max=0", "?max=10001"} {
			h.Get("/usage/contents"+query, me).Want(http.StatusBadRequest)
		}
	})
}
