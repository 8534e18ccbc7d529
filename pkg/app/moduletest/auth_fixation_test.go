package moduletest_test

import (
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/identity"
)

// TestSignIn_plantedCookieIsReplaced has an attacker plant their own cookie in a browser before its user signs in:
// the user gets a new session, and the planted one stays the attacker's.
func TestSignIn_plantedCookieIsReplaced(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		attacker, victim := h.Register(), h.Register()
		planted := apptest.Header("Cookie", identity.CookieName+"="+attacker.Access)
		for way, r := range map[string]*apptest.Response{
			"password": h.Post("/auth/login", map[string]any{"email": victim.Email, "password": victim.Password}, planted),
			"refresh":  h.Post("/auth/refresh", map[string]any{"refreshToken": victim.Refresh}, planted),
			"link":     h.Post("/auth/confirm", map[string]any{"token": h.SignInToken(victim)}, planted),
		} {
			r.Want(http.StatusOK)
			cookie := r.Header.Get("Set-Cookie")
			token, _, _ := strings.Cut(strings.TrimPrefix(cookie, identity.CookieName+"="), ";")
			if token == attacker.Access || token != r.Text("accessToken") {
				t.Errorf("%s: the cookie isn't the new session's: %s", way, cookie)
			}
			signedIn := h.Get("/users/me", apptest.Header("Cookie", identity.CookieName+"="+token)).Want(http.StatusOK)
			if got := signedIn.Text("email"); got != victim.Email {
				t.Errorf("%s: signed in as %s, want %s", way, got, victim.Email)
			}
			if got := h.Get("/users/me", planted).Want(http.StatusOK).Text("email"); got != attacker.Email {
				t.Errorf("%s: the planted cookie is now %s's", way, got)
			}
		}
	})
}
