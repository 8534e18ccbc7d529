package server

import (
	"errors"
	"net/http"
	"net/mail"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/labstack/echo/v4"
	oapimw "github.com/oapi-codegen/echo-middleware"
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

// validator checks the parameters and bodies of requests against the document. Credentials were looked at before: see
// [Server.authenticated].
func validator(document *openapi3.T) echo.MiddlewareFunc {
	return oapimw.OapiRequestValidatorWithOptions(document, &oapimw.Options{
		SilenceServersWarning: true,
		MultiErrorHandler: func(many openapi3.MultiError) *echo.HTTPError {
			return &echo.HTTPError{Code: http.StatusBadRequest, Internal: many}
		},
		Options: openapi3filter.Options{
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
			MultiError:         true,
			KeepValidatedValue: true,
		},
	})
}
