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

	"masthead/pkg/cleantext"
	"masthead/pkg/weburl"
)

func init() {
	// The document's formats are checked only when they are defined.
	isUUID := openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForUUIDOfRFC9562)
	openapi3.DefineStringFormatValidator("uuid", isUUID)
	openapi3.DefineStringFormatValidator("uri", openapi3.NewCallbackValidator(checkURI))
	openapi3.DefineStringFormatValidator("email", openapi3.NewCallbackValidator(checkEmail))
	openapi3.DefineStringFormatValidator(dateForm, openapi3.NewCallbackValidator(func(s string) error {
		_, err := cleantext.Date(s)
		return err
	}))
}

// dateForm is the document's format for a day or a moment.
const dateForm = "date-or-date-time"

// errFormat says that a value is not of its format; what that is, formatWords says.
var errFormat = errors.New("not of the format")

// checkURI accepts the addresses that [weburl.Parse] does, and returns its reason for others that begin like one. Here
// it is found together with all other faults of a body. Whether an address may be fetched is decided where it is.
func checkURI(s string) error {
	scheme, rest, _ := strings.Cut(s, "://")
	if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") || rest == "" {
		return errFormat
	}
	if _, err := weburl.Parse(s); err != nil && len(s) <= maxURLBytes { // a longer one breaks maxLength too
		return reason(err.Error())
	}
	return nil
}

// maxURLBytes is the length that the document allows an address.
const maxURLBytes = 2048

// reason is what a format finds wrong with a value, as a sentence. It is a type of its own, so that the server doesn't
// take it for the error of the whole request.
type reason string

// Error returns the sentence.
func (r reason) Error() string { return string(r) }

func checkEmail(s string) error {
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s {
		return errFormat
	}
	return nil
}

// validator checks the parameters and bodies of requests against the document. Credentials were looked at before: see
// [Server.authenticated]. withoutBody leaves out bodies, which are raw then: see [rawBody].
func validator(document *openapi3.T, withoutBody bool) echo.MiddlewareFunc {
	return oapimw.OapiRequestValidatorWithOptions(document, &oapimw.Options{
		SilenceServersWarning: true,
		MultiErrorHandler: func(many openapi3.MultiError) *echo.HTTPError {
			return &echo.HTTPError{Code: http.StatusBadRequest, Internal: many}
		},
		Options: openapi3filter.Options{
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
			MultiError:         true,
			KeepValidatedValue: true,
			ExcludeRequestBody: withoutBody,
		},
	})
}
