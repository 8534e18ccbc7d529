package server

import (
	"errors"
	"net/http"
	"net/mail"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/labstack/echo/v4"
	oapimw "github.com/oapi-codegen/echo-middleware"

	"masthead/pkg/cleantext"
	"masthead/pkg/weburl"
)

func init() {
	// The document's formats are checked only if they are defined.
	isUUID := openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForUUIDOfRFC9562)
	openapi3.DefineStringFormatValidator("uuid", isUUID)
	openapi3.DefineStringFormatValidator("uri", openapi3.NewCallbackValidator(checkURI))
	openapi3.DefineStringFormatValidator("email", openapi3.NewCallbackValidator(checkEmail))
	openapi3.DefineStringFormatValidator(dateForm, openapi3.NewCallbackValidator(func(s string) error {
		_, err := cleantext.Date(s)
		return err
	}))
}

// dateForm is the document's format for a date with or without a time.
const dateForm = "date-or-date-time"

// errFormat means that a value doesn't match its format, which formatWords describes.
var errFormat = errors.New("not of the format")

// checkURI accepts the addresses that [weburl.Parse] accepts, and returns its reason for others with a similar
// beginning. Here it is reported together with all other faults of a body. Whether an address may be fetched is decided
// when fetching it.
func checkURI(s string) error {
	scheme, rest, _ := strings.Cut(s, "://")
	if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") || rest == "" {
		return errFormat
	}
	if _, err := weburl.Parse(s); err != nil && len(s) <= maxURLBytes { // a longer one violates maxLength, too
		return reason(err.Error())
	}
	return nil
}

// maxURLBytes is the document's maximum length of an address.
const maxURLBytes = 2048

// reason is a format's explanation of what is wrong with a value. It is a type of its own, so that the server doesn't
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

// validator validates the parameters and bodies of an operation's requests against the document. Credentials were
// checked before: see [Server.authenticated]. Bodies of operations that take them raw are skipped: see [rawBody].
func validator(route *routers.Route) echo.MiddlewareFunc {
	options := &oapimw.Options{
		MultiErrorHandler: func(many openapi3.MultiError) *echo.HTTPError {
			return &echo.HTTPError{Code: http.StatusBadRequest, Internal: many}
		},
		Options: openapi3filter.Options{
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
			MultiError:         true,
			KeepValidatedValue: true,
			ExcludeRequestBody: isRaw(route.Operation),
		},
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := oapimw.ValidateRequestFromContext(c, routeMatch{route, c}, options); err != nil {
				return err
			}
			return next(c)
		}
	}
}

// routeMatch is the operation that echo's router has found for a request. The validation's own router tries the
// document's paths one after the other, which took longer than all of the validation.
type routeMatch struct {
	route   *routers.Route
	request echo.Context
}

// FindRoute returns the operation, and the parameters of the path as they are sent. It returns an error if the last of
// them is more than one segment, which echo's router accepts.
func (r routeMatch) FindRoute(*http.Request) (*routers.Route, map[string]string, error) {
	values := r.request.ParamValues()
	parameters := make(map[string]string, len(values))
	for i, name := range r.request.ParamNames() {
		if values[i] == "" || strings.Contains(values[i], "/") {
			return nil, nil, routers.ErrPathNotFound
		}
		parameters[name] = values[i]
	}
	return r.route, parameters, nil
}
