package server

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
	"masthead/pkg/identity"
)

// This file authenticates the caller before the request's body is read.

// The security schemes of the document.
const (
	schemeKey    = "apiKeyAuth"
	schemeBearer = "bearerAuth"
)

// authenticated passes requests that meet one of the security requirements, with their caller in the context. Other
// requests are rejected before their parameters and bodies are validated: callers without access learn nothing about an
// operation, and cost no more than checking a credential.
func (s *Server) authenticated(requirements openapi3.SecurityRequirements) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			caller, err := s.callerOf(c, requirements)
			if err != nil {
				drain(c.Request())
				return err
			}
			c.SetRequest(c.Request().WithContext(identity.WithCaller(c.Request().Context(), caller)))
			return next(c)
		}
	}
}

// callerOf finds the caller under the first requirement that accepts the credential. If none does, the error is that of
// the scheme that the credential looks like.
func (s *Server) callerOf(c echo.Context, requirements openapi3.SecurityRequirements) (identity.Caller, error) {
	if in := callOf(c.Request().Context()); in != nil {
		return in.caller(callerAt(c), requirements)
	}
	var refusal error
	for _, requirement := range requirements {
		for scheme := range requirement { // exactly one: see securityOf
			caller, err := s.callerUnder(c, scheme)
			if err == nil {
				caller.Address = identity.CallerOf(c.Request().Context()).Address
				return caller, nil
			}
			if refusal == nil || errors.Is(refusal, errOtherScheme) && !errors.Is(err, errOtherScheme) {
				refusal = err
			}
		}
	}
	return identity.Caller{}, refusal
}

// securityOf returns the security requirements of an operation, of which one must be met. Each names one scheme of the
// document. Public operations have none.
func securityOf(document *openapi3.T, op *openapi3.Operation) (openapi3.SecurityRequirements, error) {
	requirements := document.Security
	if op.Security != nil {
		requirements = *op.Security
	}
	for _, requirement := range requirements {
		if len(requirement) != 1 {
			return nil, errors.New("a security requirement must name one scheme")
		}
		for scheme := range requirement {
			if scheme != schemeKey && scheme != schemeBearer {
				return nil, errors.New("the security scheme " + scheme + " is unknown")
			}
		}
	}
	return requirements, nil
}

// errOtherScheme is the cause if one scheme rejects a credential that looks like another's.
var errOtherScheme = errors.New("the credential is not of this scheme")

// callerUnder finds the caller of a request under one security scheme of the document. Keys and tokens are both bearer
// credentials, distinguished by the form of a key.
func (s *Server) callerUnder(c echo.Context, scheme string) (identity.Caller, error) {
	ctx := c.Request().Context()
	token, isBearer := bearerToken(c.Request())
	isKey := strings.HasPrefix(token, identity.KeyPrefix)
	switch {
	case scheme == schemeKey && isBearer && isKey:
		return s.deps.Keys.Authenticate(ctx, token)
	case scheme == schemeKey:
		return identity.Caller{}, apperr.Wrap(apperr.Unauthorized,
			"This operation needs an API key: Authorization: Bearer "+identity.KeyPrefix+"…", errOtherScheme)
	case isBearer && isKey:
		return identity.Caller{}, apperr.Wrap(apperr.Unauthorized,
			"This operation needs an access token from POST /auth/login, not an API key.", errOtherScheme)
	case isBearer:
		return s.deps.Sessions.AuthenticateBearer(ctx, token)
	}
	return s.authenticateCookie(c)
}

// bearerToken returns the credential of the Authorization header; ok is true for an empty one, too. The scheme's name
// is case-insensitive (RFC 9110, 11.1). Other schemes are left to proxies.
func bearerToken(r *http.Request) (token string, ok bool) {
	scheme, token, _ := strings.Cut(r.Header.Get(echo.HeaderAuthorization), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	return strings.TrimSpace(token), true
}

// authenticateCookie authenticates the cookie's session. A write with it must come from our own pages.
func (s *Server) authenticateCookie(c echo.Context) (identity.Caller, error) {
	r := c.Request()
	cookie, err := r.Cookie(identity.CookieName)
	if err != nil {
		return identity.Caller{}, apperr.New(apperr.Unauthorized,
			"Sign in first: this operation needs an access token in the Authorization header.")
	}
	caller, renewed, err := s.deps.Sessions.AuthenticateCookie(r.Context(), cookie.Value)
	if err != nil {
		return identity.Caller{}, err
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead && !s.sameOrigin(r) {
		return identity.Caller{}, apperr.New(apperr.Forbidden,
			"A write with the session cookie must come from this site itself.")
	}
	if renewed != nil {
		c.SetCookie(renewed)
	}
	return caller, nil
}

// sameOrigin reports whether a request came from one of our own pages, or not from a browser.
func (s *Server) sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return false
	}
	origin := r.Header.Get(echo.HeaderOrigin)
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && (strings.EqualFold(u.Host, r.Host) || strings.EqualFold(u.Host, s.cfg.baseHost()))
}
