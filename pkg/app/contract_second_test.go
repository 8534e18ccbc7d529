package app_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"masthead/pkg/app/apptest"
)

const (
	app2FA   = "/users/me/totp"
	recovery = "/users/me/recovery-codes"
)

// appCode is what an authenticator app with a secret shows.
func appCode(t *testing.T, secret string) map[string]any {
	t.Helper()
	code, err := totp.GenerateCode(secret, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{"code": code}
}

// newApp begins to set up an authenticator app for an account, and returns its secret.
func newApp(h *apptest.Service, s apptest.Session) string {
	return h.Post(app2FA, nil, apptest.Bearer(s.Access)).Want(http.StatusCreated).Text("secret")
}

// withApp is a new account with an authenticator app.
func withApp(h *apptest.Service) apptest.Session {
	s := h.Register()
	h.Post(app2FA+"/confirm", appCode(h.T(), newApp(h, s)), apptest.Bearer(s.Access)).Want(http.StatusOK)
	return s
}

// asLongAgo sends a request in a session that confirmed its password long ago.
func asLongAgo(method, path string, body any) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		s := h.Register()
		_, err := h.App.DB.Exec(h.T().Context(), `UPDATE sessions SET created_at = created_at - 660000 WHERE user_id = ?`,
			h.ID(s))
		if err != nil {
			h.T().Fatal(err)
		}
		return h.Send(method, prefix+path, body, apptest.Bearer(s.Access))
	}
}

var _ = contract(map[string]map[int]contractCase{
	"getSecondFactor": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Get(prefix+app2FA, apptest.Bearer(withApp(h).Access))
		},
		400: asUser("GET", app2FA+"?all=true", nil),
		401: anonymous("GET", app2FA, nil),
	},
	"addTotp": {
		201: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+app2FA, nil, apptest.Bearer(h.Register().Access))
		},
		400: asUser("POST", app2FA+"?all=true", nil),
		401: anonymous("POST", app2FA, nil),
		403: asLongAgo("POST", app2FA, nil),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+app2FA, nil, apptest.Bearer(withApp(h).Access))
		},
	},
	"confirmTotp": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			s := h.Register()
			return h.Post(prefix+app2FA+"/confirm", appCode(h.T(), newApp(h, s)), apptest.Bearer(s.Access))
		},
		400: func(h *apptest.Service, prefix string) *apptest.Response {
			s := h.Register()
			newApp(h, s)
			return h.Post(prefix+app2FA+"/confirm", map[string]any{"code": "no code"}, apptest.Bearer(s.Access))
		},
		401: anonymous("POST", app2FA+"/confirm", someBody),
		403: asLongAgo("POST", app2FA+"/confirm", map[string]any{"code": "123456"}),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+app2FA+"/confirm", map[string]any{"code": "123456"}, apptest.Bearer(h.Register().Access))
		},
		413: asUser("POST", app2FA+"/confirm", tooLong),
		415: asUser("POST", app2FA+"/confirm", someBody, asText),
		429: func(h *apptest.Service, prefix string) *apptest.Response {
			s := h.Register()
			newApp(h, s)
			wrong := func(h *apptest.Service, prefix string) *apptest.Response {
				return h.Post(prefix+app2FA+"/confirm", map[string]any{"code": "no code"}, apptest.Bearer(s.Access))
			}
			return throttled(wrong)(h, prefix)
		},
	},
	"removeTotp": {
		204: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Send("DELETE", prefix+app2FA, nil, apptest.Bearer(withApp(h).Access))
		},
		400: asUser("DELETE", app2FA+"?all=true", nil),
		401: anonymous("DELETE", app2FA, nil),
		403: asLongAgo("DELETE", app2FA, nil),
	},
	"renewRecoveryCodes": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+recovery, nil, apptest.Bearer(withApp(h).Access))
		},
		400: asUser("POST", recovery+"?all=true", nil),
		401: anonymous("POST", recovery, nil),
		403: asLongAgo("POST", recovery, nil),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+recovery, nil, apptest.Bearer(h.Register().Access))
		},
	},
})

// TestSecondFactor_linkReplacesThePasswordAlone uses a one-time link of an account with a second factor.
func TestSecondFactor_linkReplacesThePasswordAlone(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		s := h.Register()
		codes := h.Post(app2FA+"/confirm", appCode(t, newApp(h, s)), apptest.Bearer(s.Access)).Want(http.StatusOK)
		token := h.SignInToken(s)
		for _, code := range []any{nil, "000000", "none of the recovery codes"} {
			r := h.Post("/auth/confirm", map[string]any{"token": token, "code": code}).Want(http.StatusUnauthorized)
			if r.Value("errors.0.pointer") != "/code" {
				t.Errorf("code %v: got %s, want an error about /code", code, r.Body)
			}
		}
		opened := h.Post("/auth/confirm", map[string]any{"token": token, "code": codes.Text("recoveryCodes.0")})
		if opened.Want(http.StatusOK).Text("user.email") != s.Email {
			t.Errorf("got %s", opened.Body)
		}
		h.Post("/auth/confirm", map[string]any{"token": token, "code": codes.Text("recoveryCodes.1")}).
			Want(http.StatusBadRequest)
		left := h.Get(app2FA, apptest.Bearer(opened.Text("accessToken"))).Want(http.StatusOK)
		if left.Value("recoveryCodesLeft") != 9.0 || left.Value("required") != true {
			t.Errorf("got %s, want 9 codes left: one used, none with a used link", left.Body)
		}
	})
}
