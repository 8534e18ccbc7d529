package app_test

import (
	"net/http"
	"strings"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/oidc/oidctest"
)

// atProvider sends a request to a node that people can sign in to with a provider. It has the person's sign-in, up to
// what callback and cookie name. The person's address is that of an account.
func atProvider(
	change func(p *oidctest.Provider), send func(h *apptest.Service, prefix, callback, cookie string) *apptest.Response,
) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		p := oidctest.New(h.T())
		p.Person.Subject = "person"
		p.Person.Email = h.Register().Email // joined with its password
		if change != nil {
			change(p)
		}
		node := h.StartNode(func(c *app.Config) { c.OIDC = p.Config() })
		client := *h.Client
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		node.Client = &client
		began := node.Get(prefix + "/auth/oidc")
		if began.Status != http.StatusSeeOther {
			return began
		}
		ask, err := http.NewRequestWithContext(h.T().Context(), http.MethodGet, began.Header.Get("Location"), nil)
		if err != nil {
			h.T().Fatal(err)
		}
		answer, err := client.Do(ask)
		if err != nil {
			h.T().Fatal(err)
		}
		defer answer.Body.Close()
		back, err := answer.Location()
		if err != nil {
			h.T().Fatal(err)
		}
		cookie, _, _ := strings.Cut(began.Header.Get("Set-Cookie"), ";")
		return send(node, prefix, prefix+back.RequestURI(), cookie)
	}
}

// toCallback opens the address that the provider sends the browser to.
func toCallback(h *apptest.Service, _, callback, cookie string) *apptest.Response {
	return h.Get(callback, apptest.Header("Cookie", cookie))
}

// toComplete sends what was missing.
func toComplete(body any) func(h *apptest.Service, prefix, callback, cookie string) *apptest.Response {
	return func(h *apptest.Service, prefix, callback, cookie string) *apptest.Response {
		more, _, _ := strings.Cut(h.Get(callback, apptest.Header("Cookie", cookie)).Header.Get("Set-Cookie"), ";")
		return h.Post(prefix+"/auth/oidc/complete", body, apptest.Header("Cookie", more))
	}
}

var _ = contract(map[string]map[int]contractCase{
	"beginProviderSignIn": {
		303: atProvider(nil, func(h *apptest.Service, prefix, _, _ string) *apptest.Response {
			return h.Get(prefix + "/auth/oidc?next=/dashboard")
		}),
		400: anonymous("GET", "/auth/oidc?next=//evil.example", nil),
		404: anonymous("GET", "/auth/oidc", nil),
		429: throttled(anonymous("GET", "/auth/oidc", nil)),
	},
	"finishProviderSignIn": {
		303: atProvider(nil, toCallback),
		400: atProvider(nil, func(h *apptest.Service, _, callback, _ string) *apptest.Response { return h.Get(callback) }),
		403: atProvider(func(p *oidctest.Provider) { p.Person.Verified = false }, toCallback),
		404: anonymous("GET", "/auth/oidc/callback", nil),
		429: throttled(anonymous("GET", "/auth/oidc/callback", nil)),
	},
	"completeProviderSignIn": {
		200: atProvider(nil, toComplete(map[string]any{"password": apptest.Password})),
		400: atProvider(nil, func(h *apptest.Service, prefix, _, _ string) *apptest.Response {
			return h.Post(prefix+"/auth/oidc/complete", map[string]any{})
		}),
		401: atProvider(nil, toComplete(map[string]any{})),
		403: atProvider(nil, func(h *apptest.Service, prefix, callback, cookie string) *apptest.Response {
			more, _, _ := strings.Cut(h.Get(callback, apptest.Header("Cookie", cookie)).Header.Get("Set-Cookie"), ";")
			inBrowser := apptest.Header("Cookie", more)
			password := map[string]any{"password": apptest.Password}
			h.Post("/auth/oidc/complete", password, inBrowser).Want(http.StatusOK)
			if _, err := h.App.DB.Exec(h.T().Context(), `UPDATE users SET disabled = TRUE
				WHERE id IN (SELECT user_id FROM identities)`); err != nil {
				h.T().Fatal(err)
			}
			return h.Post(prefix+"/auth/oidc/complete", password, inBrowser)
		}),
		404: anonymous("POST", "/auth/oidc/complete", map[string]any{}),
		413: anonymous("POST", "/auth/oidc/complete", tooLong),
		415: anonymous("POST", "/auth/oidc/complete", someBody, asText),
		429: throttled(anonymous("POST", "/auth/oidc/complete", map[string]any{})),
	},
})
