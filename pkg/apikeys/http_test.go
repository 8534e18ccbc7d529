package apikeys_test

import (
	"net/http"
	"testing"

	"masthead/pkg/app/apptest"
)

func TestAuthenticate_badKeyIs401AndForeignProject403(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	stranger := h.Register()
	strangersKey := h.NewKey(stranger, "")
	other := h.NewProject(h.Session)
	unscoped := h.NewKey(h.Session, "")
	revoked := h.Post("/keys", map[string]any{"name": "Old"}, apptest.Bearer(h.Session.Access)).Want(http.StatusCreated)
	h.Send("DELETE", "/keys/"+revoked.Text("id"), nil, apptest.Bearer(h.Session.Access)).Want(http.StatusNoContent)
	mistyped := []byte(h.Key)
	mistyped[20] ^= 1
	ask := func(credential apptest.RequestOption, project string) *apptest.Response {
		return h.Post("/images/generate", map[string]any{"url": h.Site.At("/page/one"), "projectId": project}, credential)
	}
	none := func(*http.Request) {}
	for name, credential := range map[string]apptest.RequestOption{
		"none":            none,
		"mistyped":        apptest.Bearer(string(mistyped)),
		"short":           apptest.Bearer("og_live_1"),
		"revoked":         apptest.Bearer(revoked.Text("secret")),
		"an access token": apptest.Bearer(h.Session.Access),
		"another scheme":  apptest.Header("Authorization", "Basic "+h.Key),
		"empty":           apptest.Header("Authorization", "Bearer "),
		"in a cookie":     apptest.Header("Cookie", "access_token="+h.Key),
	} {
		if a := ask(credential, h.Project); a.Status != http.StatusUnauthorized || a.Text("code") != "UNAUTHORIZED" {
			t.Errorf("%s: got %d %s", name, a.Status, a.Body)
		}
	}
	for name, c := range map[string]struct{ key, project string }{
		"out of scope":         {h.Key, other},
		"a stranger's project": {strangersKey, h.Project},
		"no project":           {unscoped, apptest.Nobody},
	} {
		if a := ask(apptest.Bearer(c.key), c.project); a.Status != http.StatusForbidden || a.Text("code") != "FORBIDDEN" {
			t.Errorf("%s: got %d %s", name, a.Status, a.Body)
		}
	}
	ask(apptest.Bearer(unscoped), other).Want(http.StatusOK)
	ask(apptest.Header("Authorization", "bearer "+unscoped), h.Project).Want(http.StatusOK)
	h.Get("/projects", apptest.Bearer(h.Key)).WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
}
