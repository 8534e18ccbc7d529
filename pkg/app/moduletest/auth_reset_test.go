package moduletest_test

import (
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

const newPassword = "another horse battery staple"

func reset(h *apptest.Service, token string) *apptest.Response {
	return h.Post("/auth/password/reset", map[string]any{"token": token, "newPassword": newPassword})
}

func TestReset_tokenSetsThePasswordOnceAndEndsSessions(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		other := h.Register()
		link := h.ResetLink(other)
		if !strings.HasPrefix(link, h.Base+"/") {
			t.Errorf("got the link %s, want one of this service", link)
		}
		_, first, _ := strings.Cut(link, "#token=")
		second := h.ResetToken(other)
		if len(first) < 22 || first == second {
			t.Fatalf("got the tokens %q and %q, want two of at least 128 bits", first, second)
		}
		var kept []string
		if err := h.App.DB.Select(t.Context(), &kept, `SELECT digest FROM password_resets`); err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(kept, " "); strings.Contains(text, first) || strings.Contains(text, second) {
			t.Error("a token is kept as it is, want its digest alone")
		}
		h.Get("/users/me", apptest.Bearer(other.Access)).Want(http.StatusOK)
		reset(h, first).Want(http.StatusNoContent)
		h.Get("/users/me", apptest.Bearer(other.Access)).Want(http.StatusUnauthorized)
		h.Post("/auth/refresh", map[string]any{"refreshToken": other.Refresh}).Want(http.StatusUnauthorized)
		h.Post("/auth/login", map[string]any{"email": other.Email, "password": other.Password}).Want(http.StatusUnauthorized)
		h.Post("/auth/login", map[string]any{"email": other.Email, "password": newPassword}).Want(http.StatusOK)
		for name, token := range map[string]string{
			"used": first, "of before": second, "cut": first[:len(first)-1], "of nobody": strings.Repeat("A", len(first)),
			"none": "x", "more": first + "\n",
		} {
			if r := reset(h, token); r.Status != http.StatusBadRequest || r.Value("errors.0.pointer") != "/token" {
				t.Errorf("a token that is %s: got %d %s", name, r.Status, r.Body)
			}
		}
		// Somebody else's session goes on.
		h.Get("/users/me", apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
	})
}

func TestReset_tokenRunsOut(t *testing.T) {
	h := apptest.StartSignedIn(t)
	token := h.ResetToken(h.Session)
	_, err := h.App.DB.Exec(t.Context(), `UPDATE password_resets SET expires_at = expires_at - ?`, 3_601_000)
	if err != nil {
		t.Fatal(err)
	}
	reset(h, token).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	if err := h.App.Auth.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := h.App.DB.Get(t.Context(), &left, `SELECT COUNT(*) FROM password_resets`); err != nil || left != 0 {
		t.Errorf("got %d tokens after the sweep, %v, want none", left, err)
	}
}

func TestReset_manyAtOnceWithOneTokenSetOnePassword(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		token := h.ResetToken(h.Session)
		statuses := make(chan int, 4)
		for range cap(statuses) {
			go func() { statuses <- reset(h, token).Status }()
		}
		set := 0
		for range cap(statuses) {
			switch status := <-statuses; status {
			case http.StatusNoContent:
				set++
			case http.StatusBadRequest:
			default:
				t.Errorf("got %d, want 204 or 400", status)
			}
		}
		if set != 1 {
			t.Errorf("it was set %d times, want once", set)
		}
	})
}

// Nobody learns which addresses have accounts, and nobody is sent more than a few links.
func TestForgot_saysTheSameOfEveryAddress(t *testing.T) {
	h := apptest.StartSignedIn(t)
	for _, email := range []string{h.Session.Email, strings.ToUpper(h.Session.Email), "nobody@example.com", "no address"} {
		r := h.Post("/auth/password/forgot", map[string]any{"email": email}).Want(http.StatusAccepted)
		if len(r.Body) > 0 {
			t.Errorf("%s: got %s, want nothing", email, r.Body)
		}
	}
	for range 3 {
		if h.ResetLink(h.Session) == "" {
			t.Error("got no link, want five for an hour")
		}
	}
	if link := h.ResetLink(h.Session); link != "" {
		t.Errorf("the sixth: got %s, want none", link)
	}
}
