package images_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

// A build that has a key reads what it drew without anybody's password.
func TestImages_keyReadsWithinItsScope(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		elsewhere := s.NewProject(s.Session)
		allKey := s.NewKey(s.Session, "")
		draw := func(key, project, path string) string {
			body := map[string]any{"url": s.Site.At(path), "projectId": project}
			return s.Post("/images/generate", body, apptest.Bearer(key)).Want(http.StatusOK).Text("id")
		}
		mine, other := draw(s.Key, s.Project, "/page/mine"), draw(allKey, elsewhere, "/page/other")
		stranger := s.Register()
		strangersProject := s.NewProject(stranger)
		foreign := draw(s.NewKey(stranger, ""), strangersProject, "/page/foreign")

		for _, c := range []struct {
			name, key, id string
			want          int
		}{
			{"scoped key, its project", s.Key, mine, http.StatusOK},
			{"scoped key, another project of its owner", s.Key, other, http.StatusNotFound},
			{"scoped key, somebody else's", s.Key, foreign, http.StatusNotFound},
			{"unscoped key, a project", allKey, mine, http.StatusOK},
			{"unscoped key, another project", allKey, other, http.StatusOK},
			{"unscoped key, somebody else's", allKey, foreign, http.StatusNotFound},
			{"unscoped key, nobody's", allKey, apptest.Nobody, http.StatusNotFound},
		} {
			if got := s.Get("/images/"+c.id, apptest.Bearer(c.key)); got.Status != c.want {
				t.Errorf("%s: got status %d, want %d: %s", c.name, got.Status, c.want, got.Body)
			}
		}
		for _, c := range []struct {
			name, key, query string
			want             []string
		}{
			{"scoped key", s.Key, "", []string{mine}},
			{"scoped key, its project", s.Key, "?projectId=" + s.Project, []string{mine}},
			{"scoped key, another project of its owner", s.Key, "?projectId=" + elsewhere, nil},
			{"unscoped key", allKey, "", []string{other, mine}},
			{"unscoped key, one project", allKey, "?projectId=" + elsewhere, []string{other}},
			{"unscoped key, somebody else's project", allKey, "?projectId=" + strangersProject, nil},
		} {
			page := s.Get("/images"+c.query, apptest.Bearer(c.key)).Want(http.StatusOK)
			items, _ := page.Value("items").([]any)
			var got []string
			for _, item := range items {
				id, _ := item.(map[string]any)["id"].(string)
				got = append(got, id)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: got the images %v, want %v", c.name, got, c.want)
			}
		}
		if refused := s.Send(http.MethodDelete, "/images/"+mine, nil,
			apptest.Bearer(s.Key)); refused.Status != http.StatusUnauthorized {
			t.Errorf("a key deletes an image: got status %d, want 401", refused.Status)
		}
	})
}

// Where a key and a token are both good, the fault told is that of the one which was sent.
func TestImages_badCredentialIsToldByItsForm(t *testing.T) {
	s := apptest.StartSignedIn(t)
	badKey := s.Key[:len(s.Key)-1] + string('a'+(s.Key[len(s.Key)-1]+1)%26)
	for _, c := range []struct{ name, token, want string }{
		{"key", badKey, "key"},
		{"token", "a.b.c", "token"},
	} {
		got := s.Get("/images", apptest.Bearer(c.token)).WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
		if detail := got.Text("detail"); !strings.Contains(detail, c.want) || strings.HasPrefix(detail, "This takes") {
			t.Errorf("%s: got %q, want what is wrong with the %s", c.name, detail, c.want)
		}
	}
}
