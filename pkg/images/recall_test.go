package images_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// TestRecall_keptImageCostsNoLookUp changes a kept image behind the program's back: what it knows is what it answers.
func TestRecall_keptImageCostsNoLookUp(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	id := s.Generate("/page/kept", nil).Want(200).Text("id")
	s.Generate("/page/kept", nil).Want(200)
	if _, err := s.App.DB.Exec(t.Context(), `UPDATE images SET alt = 'other' WHERE id = ?`, id); err != nil {
		t.Fatal(err)
	}
	if got := s.Generate("/page/kept", nil).Want(200); got.Text("alt") == "other" || got.Text("id") != id {
		t.Errorf("got %s, want the image as it was", got.Body)
	}
	s.Generate("/page/kept", nil, apptest.Header("If-None-Match", "*")).WantProblem(http.StatusConflict, "CONFLICT")
}

// TestRecall_changesShowAtOnceHere changes an image that is known in every way on the node that knows it.
func TestRecall_changesShowAtOnceHere(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		session := apptest.Bearer(s.Session.Access)
		known := func() (id string) {
			for range 3 {
				id = s.Generate("/page/kept", nil).Want(200).Text("id")
			}
			return id
		}
		again := func(what string, id string, cached, same bool) {
			t.Helper()
			got := s.Generate("/page/kept", nil).Want(200)
			if got.Value("cached") != cached || (got.Text("id") == id) != same {
				t.Errorf("%s: got cached %v and id %s after %s, want cached %v, the same %v",
					what, got.Value("cached"), got.Text("id"), id, cached, same)
			}
		}
		id := known()
		s.Generate("/page/kept", map[string]any{"force": true}).Want(200)
		again("drawn anew", id, true, true)
		s.Send(http.MethodDelete, "/images/"+id, nil, session).Want(204)
		again("deleted", id, false, false)
		id = known()
		s.Generate("/page/kept", nil, apptest.Header("If-None-Match", "*")).WantProblem(http.StatusConflict, "CONFLICT")
		again("refused", id, true, true)
		unscoped := apptest.Bearer(s.Post("/keys", map[string]any{"name": "All"}, session).Want(201).Text("secret"))
		project := s.NewProject(s.Session)
		of := map[string]any{"url": s.Site.At("/page/kept"), "projectId": project}
		for range 3 {
			s.Post("/images/generate", of, unscoped).Want(200)
		}
		s.Send(http.MethodDelete, "/projects/"+project, nil, session).Want(204)
		s.Post("/images/generate", of, unscoped).WantProblem(http.StatusForbidden, "FORBIDDEN")
		again("another's project deleted", id, true, true)
	})
}

// TestRecall_changesOfOtherNodesShowSoon changes images and a project on one node that another knows.
func TestRecall_changesOfOtherNodesShowSoon(t *testing.T) {
	t.Parallel()
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		s := apptest.StartSignedIn(t, apptest.OnDatabase(db.Config{URL: url}))
		other := s.StartNode()
		session := apptest.Bearer(s.Session.Access)
		soon := func(what string, done func() bool) {
			t.Helper()
			began := time.Now()
			apptest.WaitFor(t, what, done)
			if got := time.Since(began); got > soonEnough {
				t.Errorf("%s: known after %v, want 2 s", what, got)
			}
		}
		id := s.Generate("/page/kept", nil).Want(200).Text("id")
		for range 3 {
			other.Generate("/page/kept", nil).Want(200)
		}
		s.Send(http.MethodDelete, "/images/"+id, nil, session).Want(204)
		soon("the deletion", func() bool { return other.Generate("/page/kept", nil).Want(200).Text("id") != id })

		raw := sqlx.MustOpen("postgres", url)
		t.Cleanup(func() { _ = raw.Close() })
		for range 3 {
			other.Generate("/page/kept", nil).Want(200)
		}
		raw.MustExec(`UPDATE images SET alt = 'other'`)
		soon("the change", func() bool { return other.Generate("/page/kept", nil).Want(200).Text("alt") == "other" })

		unscoped := apptest.Bearer(s.Post("/keys", map[string]any{"name": "All"}, session).Want(201).Text("secret"))
		for range 3 {
			other.Generate("/page/kept", nil, unscoped).Want(200)
		}
		s.Send(http.MethodDelete, "/projects/"+s.Project, nil, session).Want(204)
		body := map[string]any{"url": s.Site.At("/page/kept"), "projectId": s.Project}
		soon("the end of the project", func() bool {
			return other.Post("/images/generate", body, unscoped).Status == http.StatusForbidden
		})
	})
}
