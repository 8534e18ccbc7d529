package moduletest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"masthead/pkg/apikeys"
	"masthead/pkg/app/apptest"
)

// TestCreateKey_capsHoldForManyAtOnce leaves room for three keys, of a project and for all projects, and asks for
// twelve at once.
func TestCreateKey_capsHoldForManyAtOnce(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		user := apptest.Bearer(h.Session.Access)
		owner := h.Get("/users/me", user).Want(http.StatusOK).Text("id")
		for name, scope := range map[string]struct {
			project any // of the keys
			there   int
		}{"of a project": {h.Project, 1}, "for all projects": {nil, 0}} {
			for i := range apikeys.MaxKeys - 3 - scope.there {
				id := fmt.Sprint(name, i)
				_, err := h.App.DB.Exec(t.Context(), `INSERT INTO api_keys
					(id, owner_id, project_id, name, prefix, digest, created_at) VALUES (?, ?, ?, 'K', 'p', ?, 1)`,
					id, owner, scope.project, id)
				if err != nil {
					t.Fatal(err)
				}
			}
			body := map[string]any{"name": "More", "projectId": scope.project}
			var made, refused atomic.Int64
			var work sync.WaitGroup
			for range 12 {
				work.Go(func() {
					switch h.Post("/keys", body, user).Status {
					case http.StatusCreated:
						made.Add(1)
					case http.StatusConflict:
						refused.Add(1)
					}
				})
			}
			work.Wait()
			if made.Load() != 3 || refused.Load() != 9 {
				t.Errorf("%s: got %d made and %d refused, want 3 and 9", name, made.Load(), refused.Load())
			}
			full := h.Post("/keys", body, user).WantProblem(http.StatusConflict, "CONFLICT")
			if !strings.Contains(full.Text("detail"), "100") {
				t.Errorf("%s: got %q, want the cap named", name, full.Text("detail"))
			}
		}
		h.NewKey(h.Session, h.NewProject(h.Session)) // another project has its own
		id := h.Get("/keys?limit=1", user).Want(http.StatusOK).Text("items.0.id")
		h.Post("/keys/"+id+"/rotate", nil, user).Want(http.StatusCreated)
	})
}
