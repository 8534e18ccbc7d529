package server

import (
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

// exposed are the headers that pages of other origins may read.
var (
	exposed = []string{
		"X-Request-Id", "Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", replayed,
		"X-Masthead-Fallback", ignoredHeader,
	}
	// exposedToAll are those of public responses.
	exposedToAll = "ETag," + strings.Join(exposed, ",")
)

// anyOrigin lets pages of any origin read the responses of operations that take an API key, and send them requests with
// the given methods. Cookies aren't allowed: no credentials are.
func anyOrigin(methods ...string) echo.MiddlewareFunc {
	return middleware.CORSWithConfig(middleware.CORSConfig{
		AllowOrigins:  []string{"*"},
		AllowMethods:  methods,
		AllowHeaders:  []string{echo.HeaderAuthorization, echo.HeaderContentType, ifNoneMatch, idempotencyKey},
		ExposeHeaders: exposed,
		MaxAge:        600,
	})
}

// readByAll lets pages of any origin read the responses of operations without credentials. The header doesn't depend on
// the request's origin: a cache would return its response for an img element to a fetch of another origin.
func readByAll(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		setFields(c.Response().Header(), publicFields)
		return next(c)
	}
}

// routePreflights answers preflight requests of browsers.
func (s *Server) routePreflights(document *openapi3.T) {
	for path, item := range document.Paths.Map() {
		methods, allowed := []string{http.MethodOptions}, []string{}
		for method, op := range item.Operations() {
			methods = append(methods, method)
			if takesKeys(document, op) || isPublic(method, op) {
				allowed = append(allowed, method)
			}
		}
		if len(allowed) == 0 {
			continue
		}
		slices.Sort(methods)
		slices.Sort(allowed)
		allow := func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
				c.Response().Header().Set(echo.HeaderAllow, strings.Join(methods, ", "))
				return next(c)
			}
		}
		for _, prefix := range prefixes {
			s.echo.OPTIONS(prefix+echoPath(path), noContent, allow, anyOrigin(allowed...))
		}
	}
}

func noContent(c echo.Context) error { return c.NoContent(http.StatusNoContent) }

// takesKeys reports whether an operation takes an API key.
func takesKeys(document *openapi3.T, op *openapi3.Operation) bool {
	security, err := securityOf(document, op)
	return err == nil && slices.ContainsFunc(security,
		func(r openapi3.SecurityRequirement) bool { _, ok := r[schemeKey]; return ok })
}

// isPublic reports whether an operation only reads, and needs no credentials.
func isPublic(method string, op *openapi3.Operation) bool {
	return method == http.MethodGet && op.Security != nil && len(*op.Security) == 0
}

// echoPath converts a path of the document to the router's syntax: its parameters are :name.
func echoPath(path string) string { return strings.NewReplacer("{", ":", "}", "").Replace(path) }
