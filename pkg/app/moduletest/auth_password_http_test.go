package moduletest_test

import (
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestRegister_passwordIsCountedInCharacters sets passwords of characters that take two bytes, wherever one can be set.
func TestRegister_passwordIsCountedInCharacters(t *testing.T) {
	s := apptest.StartSignedIn(t)
	user := apptest.Bearer(s.Session.Access)
	for name, set := range map[string]func(password string) *apptest.Response{
		"register": func(password string) *apptest.Response {
			return s.Post("/auth/register", map[string]any{"email": "ada@example.com", "password": password})
		},
		"change": func(password string) *apptest.Response {
			return s.Send(http.MethodPut, "/users/me/password",
				map[string]any{"currentPassword": s.Session.Password, "newPassword": password}, user)
		},
	} {
		for password, want := range map[string]string{
			"ééééééé":                "must have at least 8 characters, not 7.",
			strings.Repeat("é", 129): "must have at most 256 bytes, not 258; it has 129 characters",
		} {
			r := set(password).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
			if !strings.Contains(r.Text("errors.0.detail"), want) {
				t.Errorf("%s: got %s, want %q", name, r.Body, want)
			}
		}
		if r := set("éééééééé"); r.Status >= http.StatusBadRequest {
			t.Errorf("%s: 8 characters: got %d %s", name, r.Status, r.Body)
		}
	}
}
