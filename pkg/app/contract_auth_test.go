package app_test

import (
	"fmt"
	"strings"

	"masthead/pkg/app/apptest"
)

var _ = contract(map[string]map[int]contractCase{
	"register": {
		201: func(h *apptest.Service, prefix string) *apptest.Response {
			email := fmt.Sprintf("new%d@example.com", apptest.Serial())
			return h.Post(prefix+"/auth/register", map[string]any{"email": email, "password": apptest.Password, "name": "New"})
		},
		400: anonymous("POST", "/auth/register", map[string]any{"email": "a@example.com", "password": "12345678"}),
		403: anonymous("POST", "/auth/register", map[string]any{
			"email": "a@example.com", "password": apptest.Password, "setupToken": "wrong",
		}),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			body := map[string]any{"email": strings.ToUpper(h.Session.Email), "password": apptest.Password}
			return h.Post(prefix+"/auth/register", body)
		},
		413: anonymous("POST", "/auth/register", tooLong),
		415: anonymous("POST", "/auth/register", someBody, asText),
		429: throttled(anonymous("POST", "/auth/register", someBody)),
	},
	"login": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+"/auth/login", map[string]any{"email": h.Session.Email, "password": h.Session.Password})
		},
		400: anonymous("POST", "/auth/login", map[string]any{"email": 1}),
		401: badLogin("nobody@example.com"),
		413: anonymous("POST", "/auth/login", tooLong),
		415: anonymous("POST", "/auth/login", someBody, asText),
		429: throttled(badLogin("throttled@example.com")),
	},
	"refreshSession": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+"/auth/refresh", map[string]any{"refreshToken": h.Register().Refresh})
		},
		400: anonymous("POST", "/auth/refresh", someBody),
		401: anonymous("POST", "/auth/refresh", map[string]any{"refreshToken": "unknown"}),
		413: anonymous("POST", "/auth/refresh", tooLong),
		415: anonymous("POST", "/auth/refresh", someBody, asText),
		429: throttled(anonymous("POST", "/auth/refresh", someBody)),
	},
	"logout": {
		204: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+"/auth/logout", nil, apptest.Bearer(h.Register().Access))
		},
		400: asUser("POST", "/auth/logout?all=true", nil),
		401: anonymous("POST", "/auth/logout", nil),
		403: crossSite("POST", "/auth/logout", nil),
	},
	"changePassword": {
		204: func(h *apptest.Service, prefix string) *apptest.Response {
			body := passwords(apptest.Password, otherPassword)
			return h.Send("PUT", prefix+"/users/me/password", body, apptest.Bearer(h.Register().Access))
		},
		400: asUser("PUT", "/users/me/password", passwords(apptest.Password, "short")),
		401: anonymous("PUT", "/users/me/password", someBody),
		403: crossSite("PUT", "/users/me/password", passwords(apptest.Password, otherPassword)),
		413: asUser("PUT", "/users/me/password", tooLong),
		415: asUser("PUT", "/users/me/password", someBody, asText),
		429: throttled(asUser("PUT", "/users/me/password", passwords("not the password", otherPassword))),
	},
})

const otherPassword = "another horse battery staple"

func passwords(current, next string) map[string]any {
	return map[string]any{"currentPassword": current, "newPassword": next}
}

func badLogin(email string) contractCase {
	return anonymous("POST", "/auth/login", map[string]any{"email": email, "password": "not the password"})
}
