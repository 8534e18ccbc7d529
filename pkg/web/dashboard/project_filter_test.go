package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

// TestProject_listsOfItsOwn has keys and webhooks of a project and of all: the links of the project lead to lists of
// its own, whose forms and links stay there.
func TestProject_listsOfItsOwn(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	me := apptest.Bearer(h.Session.Access)
	v, other := webtest.SignIn(t, h.Base, h.Session.Access), webtest.SignIn(t, h.Base, h.Register().Access)
	for _, of := range []any{h.Project, nil} {
		name := map[bool]string{true: "own", false: "shared"}[of != nil]
		h.Post("/keys", map[string]any{"name": name + " key", "projectId": of}, me).Want(http.StatusCreated)
	}
	h.Send("PATCH", "/users/me", map[string]any{"name": "Ada"}, me).Want(http.StatusOK)
	exec(t, h, `UPDATE users SET plan = 'plus', gift_plan = 'plus'`)
	for _, of := range []any{h.Project, nil} {
		name := map[bool]string{true: "own", false: "shared"}[of != nil]
		h.Post("/webhooks", map[string]any{"url": h.Site.At("/page/" + name), "projectId": of}, me).Want(http.StatusCreated)
	}
	project := v.Get(projectsPath + "/" + h.Project)
	for _, list := range []string{"/keys", "/webhooks"} {
		path := "/dashboard" + list + "?projectId=" + h.Project
		if !strings.Contains(project.Body, `href="`+path+`"`) {
			t.Errorf("%s: the project doesn't lead there: %s", path, project.Main())
		}
		page, all := v.Get(path), v.Get("/dashboard"+list)
		if !strings.Contains(page.Main(), "own") || strings.Contains(page.Main(), "shared") ||
			!strings.Contains(page.Body, `href="/dashboard`+list+`">All `) ||
			!strings.Contains(page.Body, `href="`+projectsPath+"/"+h.Project+`">`) {
			t.Errorf("%s: %s", path, page.Main())
		}
		if !strings.Contains(all.Main(), "own") || !strings.Contains(all.Main(), "shared") {
			t.Errorf("%s: %s", list, all.Main())
		}
		for _, id := range []string{"x", apptest.Nobody} {
			if page := v.Get("/dashboard" + list + "?projectId=" + id); page.Status != http.StatusNotFound {
				t.Errorf("%s of %s: %d", list, id, page.Status)
			}
		}
		if page := other.Get(path); page.Status != http.StatusNotFound {
			t.Errorf("%s of another account: %d", list, page.Status)
		}
		h.Get(list+"?projectId=x", me).Want(http.StatusBadRequest)
		theirs := h.Get(list+"?projectId="+h.Project, apptest.Bearer(h.Register().Access)).Want(http.StatusOK)
		if theirs.Text("items.0.id") != "" {
			t.Errorf("%s: another account gets %s", list, theirs.Body)
		}
	}
	page := v.Get("/dashboard/keys?projectId=" + h.Project)
	if !strings.Contains(page.Body, "projectId="+h.Project+"&amp;revoke=") ||
		!strings.Contains(page.Body, `<option value="`+h.Project+`" selected>`) {
		t.Errorf("the links and the form: %s", page.Main())
	}
	key := h.Get("/keys?projectId="+h.Project, me).Text("items.0.id")
	gone := v.Post("/dashboard/keys?projectId="+h.Project, fields("do", "revoke", "id", key))
	if to := gone.Header.Get("Location"); to != "/dashboard/keys?projectId="+h.Project+"&done=revoked" {
		t.Errorf("a revoked key leads to %q", to)
	}
}
