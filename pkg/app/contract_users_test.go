package app_test

import "masthead/pkg/app/apptest"

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
