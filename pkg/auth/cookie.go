package auth

import (
	"net/http"
	"time"

	"masthead/pkg/identity"
)

// cookie returns the cookie of an access token. It outlives the token, which is renewed as long as the session may
// live.
func (s *Service) cookie(token string, session session) *http.Cookie {
	life := min(sessionIdle, session.CreatedAt.Add(sessionLife).Sub(s.now()))
	return s.newCookie(token, max(1, int(life/time.Second)))
}

// ClearedCookie returns the cookie that makes a browser forget the session.
func (s *Service) ClearedCookie() *http.Cookie { return s.newCookie("", -1) }

func (s *Service) newCookie(value string, maxAge int) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure wherever the public address is https; a laptop has none
		Name: identity.CookieName, Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true, Secure: s.cfg.SecureCookie,
		SameSite: http.SameSiteLaxMode, // no Domain: this host alone
	}
}
