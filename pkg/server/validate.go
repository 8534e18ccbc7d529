package server

import (
	"context"
	"errors"
	"net/http"
	"net/mail"
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/labstack/echo/v4"
	oapimw "github.com/oapi-codegen/echo-middleware"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/identity"
)

func init() {
	// The document's formats are checked only when they are defined.
	isUUID := openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForUUIDOfRFC9562)
	openapi3.DefineStringFormatValidator("uuid", isUUID)
	openapi3.DefineStringFormatValidator("uri", openapi3.NewCallbackValidator(checkURI))
	openapi3.DefineStringFormatValidator("email", openapi3.NewCallbackValidator(checkEmail))
}

// errFormat says that a value is not of its format; what that is, formatWords says.
var errFormat = errors.New("not of the format")

// checkURI accepts what begins like an http or https address. What is wrong with the rest, and what may be fetched,
// is told where it is read: browsers and pages have addresses that net/url refuses, such as one with a lone percent
// sign.
func checkURI(s string) error {
	scheme, rest, _ := strings.Cut(s, "://")
	if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") || rest == "" {
		return errFormat
	}
	return nil
}

func checkEmail(s string) error {
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s {
		return errFormat
	}
	return nil
}

// callerOf is the key of the echo context under which the validation leaves the caller. The request's own context
// must not be replaced there: the validated body would be lost.
const callerOf = "caller"

// validator checks requests against the document: credentials first, then parameters and body.
func (s *Server) validator(document *openapi3.T) echo.MiddlewareFunc {
	return oapimw.OapiRequestValidatorWithOptions(document, &oapimw.Options{
		SilenceServersWarning: true,
		MultiErrorHandler: func(many openapi3.MultiError) *echo.HTTPError {
			return &echo.HTTPError{Code: http.StatusBadRequest, Internal: many}
		},
		Options: openapi3filter.Options{
			AuthenticationFunc: s.authenticate,
			MultiError:         true,
			KeepValidatedValue: true,
		},
	})
}

// errOtherScheme is the cause of a refusal under one scheme of a credential that looks like another's.
var errOtherScheme = errors.New("the credential is not of this scheme")

// authenticate finds the caller of a request under one security scheme of the document. Both schemes are bearer
// credentials; the form of a key tells them apart.
func (s *Server) authenticate(ctx context.Context, in *openapi3filter.AuthenticationInput) error {
	c := oapimw.GetEchoContext(ctx)
	ctx = c.Request().Context()
	token, isBearer := bearerToken(c.Request())
	isKey := strings.HasPrefix(token, identity.KeyPrefix)
	var caller identity.Caller
	var err error
	switch {
	case in.SecuritySchemeName == "apiKeyAuth" && isBearer && isKey:
		caller, err = s.deps.Keys.Authenticate(ctx, token)
	case in.SecuritySchemeName == "apiKeyAuth":
		err = apperr.Wrap(apperr.Unauthorized,
			"This operation needs an API key: Authorization: Bearer "+identity.KeyPrefix+"…", errOtherScheme)
	case isBearer && isKey:
		err = apperr.Wrap(apperr.Unauthorized,
			"This operation needs an access token from POST /auth/login, not an API key.", errOtherScheme)
	case isBearer:
		caller, err = s.deps.Sessions.AuthenticateBearer(ctx, token)
	default:
		caller, err = s.authenticateCookie(c)
	}
	if err != nil {
		return err
	}
	caller.Address = identity.CallerOf(ctx).Address
	c.Set(callerOf, caller)
	return nil
}

// bearerToken returns the credential of the Authorization header; ok is true for an empty one too. The scheme's name
// has no case (RFC 9110, 11.1). Other schemes are a proxy's business.
func bearerToken(r *http.Request) (token string, ok bool) {
	scheme, token, _ := strings.Cut(r.Header.Get(echo.HeaderAuthorization), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	return strings.TrimSpace(token), true
}

// authenticateCookie takes the session of the cookie. A write with it must come from our own pages.
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

// sameOrigin says whether a browser sent the request from one of our own pages, or no browser sent it. Source: security
// requirements, "Accounts, tokens, keys".
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

// withCaller moves the caller from the validation into the context that the handlers see.
func withCaller(next gen.StrictHandlerFunc, _ string) gen.StrictHandlerFunc {
	return func(c echo.Context, request any) (any, error) {
		if caller, ok := c.Get(callerOf).(identity.Caller); ok {
			c.SetRequest(c.Request().WithContext(identity.WithCaller(c.Request().Context(), caller)))
		}
		return next(c, request)
	}
}
