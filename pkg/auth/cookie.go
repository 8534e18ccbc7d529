package auth

import (
	"net/http"
	"time"

	"masthead/pkg/identity"
)

// cookie returns the cookie with an access token. It outlives the token, which is renewed for as long as the session
// is valid.
func (s *Service) cookie(token string, session session) *http.Cookie {
	life := min(sessionIdle, session.CreatedAt.Add(sessionLife).Sub(s.now()))
	return s.newCookie(token, max(1, int(life/time.Second)))
}

// ClearedCookie returns a cookie that deletes the session cookie in the browser.
func (s *Service) ClearedCookie() *http.Cookie { return s.newCookie("", -1) }

func (s *Service) newCookie(value string, maxAge int) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure if the public address is https; local installations have none
		Name: identity.CookieName, Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true, Secure: s.cfg.SecureCookie,
		SameSite: http.SameSiteLaxMode, // no Domain: only this host
	}
}
