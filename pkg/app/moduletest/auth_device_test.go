package moduletest_test

import (
	"net/http"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestSessions_areListedAndEnded has a session of a browser and one of curl, beside that of the registration, and what
// others can do with them.
func TestSessions_areListedAndEnded(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		first := h.Register()
		login := func(agent string) apptest.Session {
			r := h.Post("/auth/login", map[string]any{"email": first.Email, "password": first.Password},
				apptest.Header("User-Agent", agent)).Want(http.StatusOK)
			return apptest.Session{Access: r.Text("accessToken"), Refresh: r.Text("refreshToken")}
		}
		browser := login("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0")
		script := login("curl/8.5.0 <script>")
		unknown := login("x")
		list := h.Get("/users/me/sessions", apptest.Bearer(browser.Access)).Want(http.StatusOK)
		ids := map[string]string{}
		current := 0
		for _, item := range list.Value("items").([]any) {
			item := item.(map[string]any)
			device, _ := item["device"].(string)
			ids[device] = item["id"].(string)
			if item["address"] != "127.0.0.1" {
				t.Errorf("got the address %v", item["address"])
			}
			if item["current"] == true {
				current++
				if device != "Firefox on Windows" {
					t.Errorf("the session of the request is that of %q", device)
				}
			}
		}
		if len(list.Value("items").([]any)) != 4 || current != 1 || ids["curl"] == "" {
			t.Fatalf("got %v, want four sessions, one of them current", list.Value("items"))
		}

		// Another account finds none of them, and can't end them.
		stranger := apptest.Bearer(h.Register().Access)
		h.Send("DELETE", "/users/me/sessions/"+ids["curl"], nil, stranger).WantProblem(http.StatusNotFound, "NOT_FOUND")
		h.Send("DELETE", "/users/me/sessions", nil, stranger).Want(http.StatusNoContent)
		h.Get("/users/me", apptest.Bearer(script.Access)).Want(http.StatusOK)

		h.Send("DELETE", "/users/me/sessions/"+ids["curl"], nil, apptest.Bearer(browser.Access)).Want(http.StatusNoContent)
		h.Get("/users/me", apptest.Bearer(script.Access)).Want(http.StatusUnauthorized)
		h.Post("/auth/refresh", map[string]any{"refreshToken": script.Refresh}).Want(http.StatusUnauthorized)
		h.Send("DELETE", "/users/me/sessions/"+ids["curl"], nil, apptest.Bearer(browser.Access)).Want(http.StatusNotFound)
		h.Get("/users/me", apptest.Bearer(unknown.Access)).Want(http.StatusOK)

		h.Send("DELETE", "/users/me/sessions", nil, apptest.Bearer(browser.Access)).Want(http.StatusNoContent)
		for _, ended := range []apptest.Session{first, unknown} {
			h.Get("/users/me", apptest.Bearer(ended.Access)).Want(http.StatusUnauthorized)
			h.Post("/auth/refresh", map[string]any{"refreshToken": ended.Refresh}).Want(http.StatusUnauthorized)
		}
		left := h.Get("/users/me/sessions", apptest.Bearer(browser.Access)).Want(http.StatusOK)
		if n := len(left.Value("items").([]any)); n != 1 {
			t.Errorf("%d sessions are left, want the one of the request", n)
		}
		// Its own it may end too.
		h.Send("DELETE", "/users/me/sessions/"+left.Text("items.0.id"), nil, apptest.Bearer(browser.Access)).
			Want(http.StatusNoContent)
		h.Get("/users/me", apptest.Bearer(browser.Access)).Want(http.StatusUnauthorized)
	})
}
