package moduletest_test

import (
	"net/http"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
)

// TestMaintenance_refusesChangesAlone begins maintenance, and tries what changes something, what reads, and what ends
// it; also on another node.
func TestMaintenance_refusesChangesAlone(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		admin := apptest.Bearer(h.Session.Access)
		user := h.Register()
		me := apptest.Bearer(user.Access)
		picture := h.Generate("/page/one", nil).Want(http.StatusOK)
		set := func(body map[string]any) *apptest.Response {
			return h.Send(http.MethodPut, "/admin/maintenance", body, admin).Want(http.StatusOK)
		}
		begun := set(map[string]any{"enabled": true, "reason": "We move\x00 to a larger database."})
		if begun.Value("enabled") != true || begun.Value("since") == nil {
			t.Errorf("got %s", begun.Body)
		}
		changes := map[string]func(h *apptest.Service) *apptest.Response{
			"a project": func(h *apptest.Service) *apptest.Response {
				return h.Post("/projects", map[string]any{"name": "New"}, me)
			},
			"an image": func(h *apptest.Service) *apptest.Response { return h.Generate("/page/two", nil) },
			"an account": func(h *apptest.Service) *apptest.Response {
				return h.Post("/auth/register", map[string]any{"email": "new@example.com", "password": apptest.Password})
			},
			"an audit": func(h *apptest.Service) *apptest.Response {
				return h.Post("/audits", map[string]any{"url": h.Site.At("/page/one")})
			},
			"a deletion": func(h *apptest.Service) *apptest.Response {
				return h.Send(http.MethodDelete, "/users/me", nil, me)
			},
		}
		const told = "Maintenance: nothing can be changed for now. What exists can be read, and /og and /cdn serve it. " +
			"The operator says: We move to a larger database."
		for name, change := range changes {
			r := change(h).WantProblem(http.StatusServiceUnavailable, "UNAVAILABLE")
			if r.Text("detail") != told || r.Header.Get("Retry-After") != "60" {
				t.Errorf("%s: got %s", name, r.Body)
			}
		}
		// The credentials come first: who may not do it isn't told more.
		h.Post("/projects", map[string]any{"name": "New"}).Want(http.StatusUnauthorized)
		h.Get("/projects", me).Want(http.StatusOK)
		h.Get(picture.Path("publicUrl")).Want(http.StatusOK)
		h.Get(picture.Path("imageUrl")).Want(http.StatusOK)
		h.Post("/audits/preview", map[string]any{"url": h.Site.At("/page/one")}, me).Want(http.StatusOK)
		h.Post("/auth/login", map[string]any{"email": user.Email, "password": user.Password}).Want(http.StatusOK)
		h.Post("/auth/refresh", map[string]any{"refreshToken": user.Refresh}).Want(http.StatusOK)
		h.Send(http.MethodPut, "/admin/maintenance", map[string]any{"enabled": false}, me).Want(http.StatusForbidden)

		other := h
		if h.Config.Database.URL != "" { // SQLite has one node
			other = h.StartNode()
			changes["a project"](other).Want(http.StatusServiceUnavailable)
		}
		set(map[string]any{"enabled": false})
		changes["a project"](h).Want(http.StatusCreated)
		soon := time.Now().Add(10 * time.Second)
		for changes["a project"](other).Status != http.StatusCreated {
			if time.Now().After(soon) {
				t.Fatal("another node still refuses")
			}
			time.Sleep(50 * time.Millisecond)
		}
		if state := h.Get("/admin/maintenance", admin).Want(http.StatusOK); state.Value("enabled") != false ||
			state.Value("reason") != nil {
			t.Errorf("got %s after the end", state.Body)
		}
	})
}
