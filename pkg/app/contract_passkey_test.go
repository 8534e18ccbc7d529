package app_test

import (
	"encoding/json"
	"net/http"
	"strings"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/mfa/mfatest"
)

const passkeys = "/users/me/passkeys"

// device is a device whose browser shows a page of the service.
func device(h *apptest.Service) *mfatest.Device {
	return mfatest.New(strings.Replace(h.Base, "127.0.0.1", "localhost", 1))
}

// answerOf is the body with what a device made of options.
func answerOf(credential []byte) map[string]any {
	return map[string]any{"credential": json.RawMessage(credential)}
}

// newPasskey is the body that adds a passkey of a device in a session.
func newPasskey(h *apptest.Service, s apptest.Session, d *mfatest.Device) map[string]any {
	options := h.Post(passkeys+"/options", nil, apptest.Bearer(s.Access)).Want(http.StatusOK)
	return answerOf(d.Create(options.Body))
}

// withPasskey is a new account with a passkey of a device.
func withPasskey(h *apptest.Service) (s apptest.Session, d *mfatest.Device, id string) {
	s, d = h.Register(), device(h)
	added := h.Post(passkeys, newPasskey(h, s, d), apptest.Bearer(s.Access)).Want(http.StatusCreated)
	return s, d, added.Text("passkey.id")
}

// onAddress sends a request to a server that has an IP address for a name.
func onAddress(path string, body any) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		numbered := apptest.Start(h.T(), func(c *app.Config) { c.Server.BaseURL = "https://192.0.2.1" })
		return numbered.Post(prefix+path, body, apptest.Bearer(numbered.Register().Access))
	}
}

var nothingSigned = map[string]any{"credential": map[string]any{}}

var _ = contract(map[string]map[int]contractCase{
	"listPasskeys": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			s, _, _ := withPasskey(h)
			return h.Get(prefix+passkeys, apptest.Bearer(s.Access))
		},
		400: asUser("GET", passkeys+"?all=true", nil),
		401: anonymous("GET", passkeys, nil),
	},
	"getNewPasskeyOptions": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			s, _, _ := withPasskey(h)
			return h.Post(prefix+passkeys+"/options", nil, apptest.Bearer(s.Access))
		},
		400: asUser("POST", passkeys+"/options?all=true", nil),
		401: anonymous("POST", passkeys+"/options", nil),
		403: asLongAgo("POST", passkeys+"/options", nil),
		409: onAddress(passkeys+"/options", nil),
	},
	"addPasskey": {
		201: func(h *apptest.Service, prefix string) *apptest.Response {
			s := h.Register()
			return h.Post(prefix+passkeys, newPasskey(h, s, device(h)), apptest.Bearer(s.Access))
		},
		400: asUser("POST", passkeys, nothingSigned),
		401: anonymous("POST", passkeys, nothingSigned),
		403: asLongAgo("POST", passkeys, nothingSigned),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			_, d, _ := withPasskey(h)
			s := h.Register()
			return h.Post(prefix+passkeys, newPasskey(h, s, d), apptest.Bearer(s.Access))
		},
		413: asUser("POST", passkeys, tooLong),
		415: asUser("POST", passkeys, nothingSigned, asText),
	},
	"removePasskey": {
		204: func(h *apptest.Service, prefix string) *apptest.Response {
			s, _, id := withPasskey(h)
			return h.Send("DELETE", prefix+passkeys+"/"+id, nil, apptest.Bearer(s.Access))
		},
		400: asUser("DELETE", passkeys+"/one", nil),
		401: anonymous("DELETE", passkeys+"/"+apptest.Nobody, nil),
		403: asLongAgo("DELETE", passkeys+"/"+apptest.Nobody, nil),
		404: asUser("DELETE", passkeys+"/"+apptest.Nobody, nil),
	},
	"getPasskeyOptions": {
		200: anonymous("POST", "/auth/passkey/options", nil),
		400: anonymous("POST", "/auth/passkey/options?all=true", nil),
		409: onAddress("/auth/passkey/options", nil),
		429: throttled(anonymous("POST", "/auth/passkey/options?all=true", nil)),
	},
	"loginWithPasskey": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			_, d, _ := withPasskey(h)
			options := h.Post("/auth/passkey/options", nil).Want(http.StatusOK)
			return h.Post(prefix+"/auth/passkey", answerOf(d.Sign(options.Body)))
		},
		400: anonymous("POST", "/auth/passkey", map[string]any{"credential": nil}),
		401: anonymous("POST", "/auth/passkey", nothingSigned),
		409: onAddress("/auth/passkey", nothingSigned),
		413: anonymous("POST", "/auth/passkey", tooLong),
		415: anonymous("POST", "/auth/passkey", nothingSigned, asText),
		429: throttled(anonymous("POST", "/auth/passkey", nothingSigned)),
	},
})
