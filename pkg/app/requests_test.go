package app_test

import (
	"fmt"
	"net/http"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestRequests_nullIsAsIfLeftOut sends null in every optional field; the images module does so for its own.
func TestRequests_nullIsAsIfLeftOut(t *testing.T) {
	s := apptest.StartSignedIn(t)
	user := apptest.Bearer(s.Session.Access)
	made := s.Post("/projects", `{"name": "Null", "domains": null, "publicAi": null}`, user).Want(http.StatusCreated)
	if domains, _ := made.Value("domains").([]any); made.Value("publicAi") != true || domains == nil || len(domains) != 0 {
		t.Errorf("a project of nulls: got %s, want publicAi and no domains", made.Body)
	}
	path := "/projects/" + made.Text("id")
	values := `{"name": "Named", "domains": ["example.com"], "publicAi": false}`
	s.Send(http.MethodPatch, path, values, user).Want(http.StatusOK)
	same := s.Send(http.MethodPatch, path, `{"name": null, "domains": null, "publicAi": null}`, user).Want(http.StatusOK)
	got := fmt.Sprint(same.Value("name"), same.Value("domains"), same.Value("publicAi"))
	if got != "Named[example.com] false" {
		t.Errorf("a change of nulls: got %s, want it to change nothing", got)
	}
	key := s.Post("/keys", `{"name": "Null", "projectId": null}`, user).Want(http.StatusCreated)
	if key.Value("projectId") != nil {
		t.Errorf("a key of a null project: got %s, want one of all projects", key.Body)
	}
	email := fmt.Sprintf("null%d@example.com", apptest.Serial())
	body := fmt.Sprintf(`{"email": %q, "password": %q, "name": null, "setupToken": null}`, email, apptest.Password)
	account := s.Post("/auth/register", body).Want(http.StatusCreated)
	changed := s.Send(http.MethodPatch, "/users/me", `{"name": null, "email": null, "currentPassword": null}`,
		apptest.Bearer(account.Text("accessToken")))
	if changed.Want(http.StatusOK).Text("email") != email {
		t.Errorf("an account changed by nulls: got %s", changed.Body)
	}
}
