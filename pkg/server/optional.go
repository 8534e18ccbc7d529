package server

import (
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
	"masthead/pkg/identity"
)

// This file authenticates callers of operations that are public and do more for signed-in users.

// optionalExtension of an operation means that it reads a session if there is one.
const optionalExtension = "x-optional-session"

// readsSession reports whether an operation reads an optional session.
func readsSession(op *openapi3.Operation) bool { return op.Extensions[optionalExtension] == true }

// optionalSession puts the caller into the context if there is a session. An invalid bearer token is rejected, since
// its sender expects to be authenticated. A cookie that is invalid, or isn't allowed for a write from elsewhere, is
// ignored: browsers send it automatically.
func (s *Server) optionalSession(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		caller, err := s.optionalCaller(c)
		if err != nil {
			drain(c.Request())
			return err
		}
		c.SetRequest(c.Request().WithContext(identity.WithCaller(c.Request().Context(), caller)))
		return next(c)
	}
}

// optionalCaller returns the caller of the session, otherwise the anonymous one.
func (s *Server) optionalCaller(c echo.Context) (identity.Caller, error) {
	anonymous := callerAt(c)
	if in := callOf(c.Request().Context()); in != nil && !anonymous.Anonymous() {
		return in.caller(anonymous, openapi3.SecurityRequirements{{schemeBearer: {}}})
	}
	if _, cookieErr := c.Request().Cookie(identity.CookieName); cookieErr != nil && !hasBearer(c.Request()) {
		return anonymous, nil
	}
	caller, err := s.callerUnder(c, schemeBearer)
	if err == nil {
		caller.Address = anonymous.Address
		return caller, nil
	}
	switch code := apperr.CodeOf(err); {
	case hasBearer(c.Request()):
		return identity.Caller{}, err
	case code == apperr.Unauthorized, code == apperr.Forbidden:
		return anonymous, nil
	}
	return identity.Caller{}, err
}

func hasBearer(r *http.Request) bool {
	_, ok := bearerToken(r)
	return ok
}
