package moduletest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
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
		return h.Post("/images/generate", map[string]any{"url": h.Site.At("/page/one"), "projectId": project},
			credential)
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

// TestRotateKey_ofManyAtOnceOneIsDone rotates a key 15 times at once, on two nodes: the one secret that is handed out
// works.
func TestRotateKey_ofManyAtOnceOneIsDone(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		user, nodes := apptest.Bearer(h.Session.Access), []*apptest.Service{h, h.StartNode()}
		id := h.Post("/keys", map[string]any{"name": "Rotated"}, user).Want(http.StatusCreated).Text("id")
		responses := make([]*apptest.Response, 15)
		var work sync.WaitGroup
		for i := range responses {
			work.Go(func() {
				responses[i] = nodes[i%len(nodes)].Post("/keys/"+id+"/rotate", nil, user,
					apptest.Header("Idempotency-Key", fmt.Sprint(i)))
			})
		}
		work.Wait()
		var secrets []string
		refused := -1
		for i, r := range responses {
			if r.Status == http.StatusCreated {
				secrets = append(secrets, r.Text("secret"))
				continue
			}
			refused = i
			r.WantProblem(http.StatusConflict, "CONFLICT")
			if r.Header.Get("Retry-After") != "5" || !strings.Contains(r.Text("detail"), "rotate the key again") {
				t.Errorf("got %s with %v, want what to do, and when", r.Body, r.Header)
			}
		}
		if len(secrets) != 1 {
			t.Fatalf("got %d secrets, want 1", len(secrets))
		}
		h.Get("/images", apptest.Bearer(secrets[0])).Want(http.StatusOK)

		// As if the seconds were over: neither the time that is kept nor the kept answer of a refused request stops
		// another try.
		if _, err := h.App.DB.Exec(t.Context(), `UPDATE api_keys SET rotated_at = rotated_at - 5000`); err != nil {
			t.Fatal(err)
		}
		h.Post("/keys/"+id+"/rotate", nil, user, apptest.Header("Idempotency-Key", fmt.Sprint(refused))).
			Want(http.StatusCreated)
		h.Post("/keys/"+id+"/rotate", nil, user).WantProblem(http.StatusConflict, "CONFLICT")
	})
}
