package app_test

import (
	"fmt"

	"masthead/pkg/app/apptest"
)

// aUser is the id of a fresh account.
func aUser(h *apptest.Service) string {
	return h.Get("/users/me", apptest.Bearer(h.Register().Access)).Text("id")
}

// asOrdinary sends a request with the session of somebody who is no admin: only the first account is one.
func asOrdinary(method, path string, body any) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		return h.Send(method, prefix+path, body, apptest.Bearer(h.Register().Access))
	}
}

var _ = contract(map[string]map[int]contractCase{
	"listUsers": {
		200: asUser("GET", "/admin/users?query=example", nil),
		400: asUser("GET", "/admin/users?limit=0", nil),
		401: anonymous("GET", "/admin/users", nil),
		403: asOrdinary("GET", "/admin/users", nil),
	},
	"createUser": {
		201: func(h *apptest.Service, prefix string) *apptest.Response {
			body := map[string]any{"email": fmt.Sprintf("made%d@example.com", apptest.Serial()), "password": apptest.Password}
			return h.Post(prefix+"/admin/users", body, apptest.Bearer(h.Session.Access))
		},
		400: asUser("POST", "/admin/users", map[string]any{"email": "a@example.com", "password": "12345678"}),
		401: anonymous("POST", "/admin/users", someBody),
		403: asOrdinary("POST", "/admin/users", map[string]any{"email": "a@example.com", "password": apptest.Password}),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			body := map[string]any{"email": h.Session.Email, "password": apptest.Password}
			return h.Post(prefix+"/admin/users", body, apptest.Bearer(h.Session.Access))
		},
		413: asUser("POST", "/admin/users", tooLong),
		415: asUser("POST", "/admin/users", someBody, asText),
		422: mismatched(func(h *apptest.Service, prefix string) *apptest.Response {
			body := map[string]any{"email": fmt.Sprintf("made%d@example.com", apptest.Serial()), "password": apptest.Password}
			return h.Post(prefix+"/admin/users", body, apptest.Bearer(h.Session.Access), again)
		}),
	},
	"updateUser": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			body := map[string]any{"plan": "plus", "planUntil": "2126-01-01T00:00:00Z", "role": "admin", "disabled": true}
			return h.Send("PATCH", prefix+"/admin/users/"+aUser(h), body, apptest.Bearer(h.Session.Access))
		},
		400: asUser("PATCH", "/admin/users/"+apptest.Nobody, map[string]any{"plan": "gold"}),
		401: anonymous("PATCH", "/admin/users/"+apptest.Nobody, someBody),
		403: asOrdinary("PATCH", "/admin/users/"+apptest.Nobody, map[string]any{"plan": "pro"}),
		404: asUser("PATCH", "/admin/users/"+apptest.Nobody, map[string]any{"plan": "pro"}),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			me := h.Get("/users/me", apptest.Bearer(h.Session.Access)).Text("id")
			body := map[string]any{"disabled": true}
			return h.Send("PATCH", prefix+"/admin/users/"+me, body, apptest.Bearer(h.Session.Access))
		},
		413: asUser("PATCH", "/admin/users/"+apptest.Nobody, tooLong),
		415: asUser("PATCH", "/admin/users/"+apptest.Nobody, someBody, asText),
	},
	"forgotPassword": {
		202: anonymous("POST", "/auth/password/forgot", map[string]any{"email": "nobody@example.com"}),
		400: anonymous("POST", "/auth/password/forgot", someBody),
		413: anonymous("POST", "/auth/password/forgot", tooLong),
		415: anonymous("POST", "/auth/password/forgot", someBody, asText),
		429: throttled(anonymous("POST", "/auth/password/forgot", someBody)),
	},
	"resetPassword": {
		204: func(h *apptest.Service, prefix string) *apptest.Response {
			body := map[string]any{"token": h.ResetToken(h.Register()), "newPassword": "another horse battery staple"}
			return h.Post(prefix+"/auth/password/reset", body)
		},
		400: anonymous("POST", "/auth/password/reset", map[string]any{"token": "x", "newPassword": apptest.Password}),
		413: anonymous("POST", "/auth/password/reset", tooLong),
		415: anonymous("POST", "/auth/password/reset", someBody, asText),
		429: throttled(anonymous("POST", "/auth/password/reset", someBody)),
	},
})
