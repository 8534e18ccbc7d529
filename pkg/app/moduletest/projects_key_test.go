package moduletest_test

import (
	"net/http"
	"testing"

	"masthead/pkg/app/apptest"
)

// A key reads its own project, which has the public id for meta tags: one of all projects reads each of the account's,
// and none reads another account's.
func TestGetProject_keyReadsWhatItMayDrawFor(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		other := h.NewProject(h.Session)
		everyProject := h.NewKey(h.Session, "")
		stranger := h.Register()
		foreign := h.NewKey(stranger, h.NewProject(stranger))
		for _, c := range []struct {
			name, key, project string
			want               int
		}{
			{"own", h.Key, h.Project, http.StatusOK},
			{"out of scope", h.Key, other, http.StatusNotFound},
			{"all", everyProject, other, http.StatusOK},
			{"another account's", foreign, h.Project, http.StatusNotFound},
			{"none", h.Key, apptest.Nobody, http.StatusNotFound},
		} {
			a := h.Get("/projects/"+c.project, apptest.Bearer(c.key))
			if a.Status != c.want || c.want == http.StatusOK && len(a.Text("publicId")) != 12 {
				t.Errorf("%s: got %d %s, want %d", c.name, a.Status, a.Body, c.want)
			}
		}
		h.Send("PATCH", "/projects/"+h.Project, map[string]any{"name": "x"},
			apptest.Bearer(h.Key)).Want(http.StatusUnauthorized)
		h.Get("/projects", apptest.Bearer(h.Key)).Want(http.StatusUnauthorized)
	})
}
