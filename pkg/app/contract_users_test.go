package app_test

import (
	"fmt"
	"net/http"
	"strings"

	"masthead/pkg/app/apptest"
)

const confirmsChange = "/auth/email/confirm"

// changeTokens requests another address for an account, and returns the tokens that both addresses get.
func changeTokens(h *apptest.Service, of apptest.Session) (tokens [2]string) {
	body := map[string]any{
		"email": fmt.Sprintf("new%d@lovelace.example", apptest.Serial()), "password": of.Password,
	}
	h.Post("/users/me/email", body, apptest.Bearer(of.Access)).Want(http.StatusAccepted)
	id := h.ID(of)
	for i, kind := range []string{"new_address", "address_change"} {
		_, tokens[i], _ = strings.Cut(h.LinkOf(h.LastMail(id, kind)), "#token=")
	}
	return tokens
}

var _ = contract(map[string]map[int]contractCase{
	"getMe": {
		200: asUser("GET", "/users/me", nil),
		400: asUser("GET", "/users/me?fields=name", nil),
		401: anonymous("GET", "/users/me", nil, apptest.Bearer("a.b.c")),
	},
	"updateMe": {
		200: asUser("PATCH", "/users/me", map[string]any{"name": "Ada"}),
		400: asUser("PATCH", "/users/me", map[string]any{"plan": "pro"}),
		401: anonymous("PATCH", "/users/me", someBody),
		403: crossSite("PATCH", "/users/me", map[string]any{"name": "Ada"}),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			body := map[string]any{"email": h.Register().Email, "currentPassword": apptest.Password}
			return h.Send("PATCH", prefix+"/users/me", body, apptest.Bearer(h.Session.Access))
		},
		413: asUser("PATCH", "/users/me", tooLong),
		415: asUser("PATCH", "/users/me", someBody, asText),
		429: throttled(asUser("PATCH", "/users/me", map[string]any{
			"email": "other@example.com", "currentPassword": "not the password",
		})),
	},
	"changeEmail": {
		202: func(h *apptest.Service, prefix string) *apptest.Response {
			body := map[string]any{"email": "ada@lovelace.example", "password": apptest.Password}
			return h.Post(prefix+"/users/me/email", body, apptest.Bearer(h.Register().Access))
		},
		400: asUser("POST", "/users/me/email", map[string]any{"email": "ada", "password": apptest.Password}),
		401: anonymous("POST", "/users/me/email", someBody),
		403: asUser("POST", "/users/me/email", map[string]any{
			"email": "ada@lovelace.example", "password": "not the password",
		}),
		413: asUser("POST", "/users/me/email", tooLong),
		415: asUser("POST", "/users/me/email", someBody, asText),
		429: throttled(asUser("POST", "/users/me/email", map[string]any{
			"email": "ada@lovelace.example", "password": "not the password",
		})),
	},
	"confirmEmailChange": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			other := h.Register()
			return h.Post(prefix+confirmsChange, map[string]any{"token": changeTokens(h, other)[0]})
		},
		400: anonymous("POST", confirmsChange, map[string]any{"token": "x"}),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			other := h.Register()
			tokens := changeTokens(h, other)
			if _, err := h.App.DB.Exec(h.T().Context(), `UPDATE email_changes SET email = ? WHERE user_id = ?`,
				h.Session.Email, h.ID(other)); err != nil {
				h.T().Fatal(err)
			}
			h.Post(prefix+confirmsChange, map[string]any{"token": tokens[0]}).Want(http.StatusOK)
			return h.Post(prefix+confirmsChange, map[string]any{"token": tokens[1]})
		},
		413: anonymous("POST", confirmsChange, tooLong),
		415: anonymous("POST", confirmsChange, someBody, asText),
		429: throttled(anonymous("POST", confirmsChange, someBody)),
	},
	"deleteMe": {
		204: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Send("DELETE", prefix+"/users/me", nil, apptest.Bearer(h.Register().Access))
		},
		400: asUser("DELETE", "/users/me?force=true", nil),
		401: anonymous("DELETE", "/users/me", nil),
		403: crossSite("DELETE", "/users/me", nil),
		409: asUser("DELETE", "/users/me", nil),
	},
})
