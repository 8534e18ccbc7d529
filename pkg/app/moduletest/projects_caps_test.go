package moduletest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/projects"
)

// TestCreateProject_capHoldsForManyAtOnce leaves room for three projects and asks for twelve at once.
func TestCreateProject_capHoldsForManyAtOnce(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		user := apptest.Bearer(h.Session.Access)
		owner := h.Get("/users/me", user).Want(http.StatusOK).Text("id")
		for i := range projects.MaxProjects - 4 { // there is one
			_, err := h.App.DB.Exec(t.Context(), `INSERT INTO projects
				(id, public_id, owner_id, name, domains, public_ai, created_at, updated_at)
				VALUES (?, ?, ?, 'P', '[]', ?, 1, 1)`, fmt.Sprint("id", i), fmt.Sprint("public", i), owner, true)
			if err != nil {
				t.Fatal(err)
			}
		}
		made := atOnce(12, func() *apptest.Response {
			return h.Post("/projects", map[string]any{"name": "More"},
				user)
		})
		if len(made[http.StatusCreated]) != 3 || len(made[http.StatusConflict]) != 9 {
			t.Errorf("got %d made and %d refused, want 3 and 9", len(made[http.StatusCreated]),
				len(made[http.StatusConflict]))
		}
		refused := h.Post("/projects", map[string]any{"name": "More"}, user).WantProblem(http.StatusConflict,
			"CONFLICT")
		if !strings.Contains(refused.Text("detail"), "100") {
			t.Errorf("got %q, want the cap named", refused.Text("detail"))
		}
		if other := h.Register(); h.NewProject(other) == "" {
			t.Error("another account's projects count")
		}
		h.Send("DELETE", "/projects/"+h.Project, nil, user).Want(http.StatusNoContent)
		h.Post("/projects", map[string]any{"name": "More"}, user).Want(http.StatusCreated)
	})
}

// atOnce calls ask n times at once and returns the responses by status.
func atOnce(n int, ask func() *apptest.Response) map[int][]*apptest.Response {
	var work sync.WaitGroup
	all := make([]*apptest.Response, n)
	for i := range n {
		work.Go(func() { all[i] = ask() })
	}
	work.Wait()
	by := map[int][]*apptest.Response{}
	for _, r := range all {
		by[r.Status] = append(by[r.Status], r)
	}
	return by
}
