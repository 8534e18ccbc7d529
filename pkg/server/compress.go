package server

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

// minGzip is from how many bytes on a response is compressed: below, the frame of gzip eats what it wins.
const minGzip = 1 << 10

// compress sends the responses of the given routes ("GET /images") with gzip to clients that accept it. It stands
// before all that answers, errors included.
func compress(routes map[string]bool) echo.MiddlewareFunc {
	return middleware.GzipWithConfig(middleware.GzipConfig{
		MinLength: minGzip,
		Skipper: func(c echo.Context) bool {
			switch {
			case !routes[c.Request().Method+" "+c.Path()]:
				return true
			case refusesGzip(c.Request().Header.Get(echo.HeaderAcceptEncoding)):
				// The middleware would look for the word alone.
				c.Response().Header().Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
				return true
			}
			return false
		},
	})
}

// refusesGzip says whether an Accept-Encoding names gzip with the weight zero. Source: RFC 9110, 12.5.3.
func refusesGzip(acceptEncoding string) bool {
	for coding := range strings.SplitSeq(acceptEncoding, ",") {
		name, weight, _ := strings.Cut(coding, ";")
		if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
			continue
		}
		q, ok := strings.CutPrefix(strings.TrimSpace(weight), "q=")
		value, err := strconv.ParseFloat(q, 64)
		return ok && err == nil && value == 0
	}
	return false
}

// mayCompress says whether the responses of an operation are JSON that tells no secret. One that does is never
// compressed: its length would tell of the secret to whoever can have a guess put into the same response. Source:
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

// holdsSecret says whether a value of the schema has a part that the document calls a password, as it does every token
// and key.
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

// headWithGet names HEAD beside GET in the Allow header of a response: every GET is answered to HEAD too (see
// [Server.ServeHTTP]), which the router does not know.
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

// withHead returns a list of methods, as of the Allow header, with HEAD after GET.
func withHead(allow string) string {
	if !strings.Contains(allow, http.MethodGet) || strings.Contains(allow, http.MethodHead) {
		return allow
	}
	return strings.Replace(allow, http.MethodGet, http.MethodGet+", "+http.MethodHead, 1)
}
