package server

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

// gzipLevel makes responses 4 per cent larger than the usual 6, for three fifths of the processor time.
const gzipLevel = 4

// minGzip is the minimum size of a compressed response: below it, gzip's overhead exceeds its gain.
const minGzip = 1 << 10

// compress compresses the responses of the given routes ("GET /images") with gzip for clients that accept it. It wraps
// everything that responds, including errors.
func compress(routes map[string]bool) echo.MiddlewareFunc {
	return middleware.GzipWithConfig(middleware.GzipConfig{
		MinLength: minGzip,
		Level:     gzipLevel,
		Skipper: func(c echo.Context) bool {
			switch {
			case !routes[c.Request().Method+" "+c.Path()]:
				return true
			case refusesGzip(c.Request().Header.Get(echo.HeaderAcceptEncoding)):
				// The middleware would only look for the word.
				c.Response().Header().Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
				return true
			}
			return false
		},
	})
}

// isPage reports whether a request is for a page without secrets, or for a script of pages. Secrets are in the pages
// for signing in, and in the responses to forms, which are sent with POST.
func isPage(c echo.Context) bool {
	if c.Request().Method != http.MethodGet {
		return false
	}
	switch path := c.Path(); path {
	case "/", "/audit/:id", "/audit/example", "/audit/rules", "/audit/platforms", "/try", "/try/:ticket", "/dashboard":
		return true
	default:
		return strings.HasPrefix(path, "/dashboard/") || strings.HasPrefix(path, "/scripts/")
	}
}

// gzipWeight returns the weight that an Accept-Encoding gives gzip; ok is false if it doesn't name it. Source: RFC
// 9110, 12.5.3.
func gzipWeight(acceptEncoding string) (weight float64, ok bool) {
	for coding := range strings.SplitSeq(acceptEncoding, ",") {
		name, parameter, _ := strings.Cut(coding, ";")
		if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
			continue
		}
		q, given := strings.CutPrefix(strings.TrimSpace(parameter), "q=")
		value, err := strconv.ParseFloat(q, 64)
		if !given || err != nil {
			return 1, true
		}
		return value, true
	}
	return 0, false
}

// refusesGzip reports whether an Accept-Encoding gives gzip the weight zero.
func refusesGzip(acceptEncoding string) bool {
	weight, ok := gzipWeight(acceptEncoding)
	return ok && weight == 0
}

// acceptsGzip reports whether an Accept-Encoding names gzip, with another weight than zero.
func acceptsGzip(acceptEncoding string) bool {
	weight, ok := gzipWeight(acceptEncoding)
	return ok && weight > 0
}

// mayCompress reports whether the responses of an operation are JSON without secrets. A response with a secret is never
// compressed: its length would reveal the secret to an attacker who can inject guesses into the same response. Source:
// BREACH, CVE-2013-3587.
func mayCompress(op *openapi3.Operation) bool {
	asJSON := false
	for status, response := range op.Responses.Map() {
		if !strings.HasPrefix(status, "2") {
			continue
		}
		for contentType, media := range response.Value.Content {
			if contentType == echo.MIMEApplicationJSON {
				asJSON = true
				if holdsSecret(media.Schema) {
					return false
				}
			}
		}
	}
	return asJSON
}

// holdsSecret reports whether a value of the schema has a part that the document declares as a password, as it does
// every token and key.
func holdsSecret(ref *openapi3.SchemaRef) bool {
	if ref == nil || ref.Value == nil {
		return false
	}
	if isSecret(ref.Value) || holdsSecret(ref.Value.Items) {
		return true
	}
	for _, property := range ref.Value.Properties {
		if holdsSecret(property) {
			return true
		}
	}
	return false
}

func isSecret(schema *openapi3.Schema) bool { return schema.Format == "password" }

// headWithGet adds HEAD after GET in the Allow header of a response: every GET also responds to HEAD (see
// [Server.ServeHTTP]), which the router doesn't know.
func headWithGet(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Before(func() {
			h := c.Response().Header()
			if allow := h.Get(echo.HeaderAllow); allow != "" {
				h.Set(echo.HeaderAllow, withHead(allow))
			}
		})
		return next(c)
	}
}

// withHead returns a list of methods, such as the Allow header, with HEAD after GET.
func withHead(allow string) string {
	if !strings.Contains(allow, http.MethodGet) || strings.Contains(allow, http.MethodHead) {
		return allow
	}
	return strings.Replace(allow, http.MethodGet, http.MethodGet+", "+http.MethodHead, 1)
}
