package server

import (
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/pkg/identity"
)

// publicImage is the operation that serves pictures of projects and of images.
const publicImage = "getPublicImage"

// imageIDLength is how many characters the public id of an image has; that of a project has fewer.
const imageIDLength = 22

// publicQuery drops the query of an image's own address, before anybody finds fault with it: parameters are for the
// pictures of a project, and here they are ignored. That of a project's goes into the context, as it was sent. The
// response names the parameters that the operation does not have.
func (s *Server) publicQuery(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if names := s.publicNames.unknownIn(r.URL.RawQuery); names != "" {
			c.Response().Header()[ignoredHeader] = []string{names}
		}
		if len(publicIDOf(c)) == imageIDLength {
			r.URL.RawQuery = ""
		} else {
			c.SetRequest(r.WithContext(identity.WithQuery(r.Context(), r.URL.RawQuery)))
		}
		return next(c)
	}
}

// ignoredHeader names the parameters of a request for a picture that have no effect.
const ignoredHeader = "X-Masthead-Ignored"

// Bounds of the ignored header: how many names it holds, and how long each is.
const (
	maxIgnored     = 10
	maxIgnoredName = 64
)

// queryNames are the query parameters of an operation.
type queryNames map[string]bool

// queryNamesOf returns those of the document's operation.
func queryNamesOf(document *openapi3.T, operationID string) queryNames {
	names := queryNames{}
	for _, item := range document.Paths.Map() {
		for _, op := range item.Operations() {
			if op.OperationID != operationID {
				continue
			}
			for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
				if ref.Value.In == openapi3.ParameterInQuery {
					names[ref.Value.Name] = true
				}
			}
		}
	}
	return names
}

// unknownIn returns the names in a query, as it was sent, that are none of the operation's, in their order and
// separated by commas; "" when there are none. Names of other signs than letters and digits of ASCII, - and _, and long
// ones, are left out: the header repeats nothing that could mean something in it.
func (known queryNames) unknownIn(query string) string {
	var unknown []string
	for query != "" && len(unknown) < maxIgnored {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		name, _, _ := strings.Cut(pair, "=")
		if !known[name] && isPlainName(name) && !slices.Contains(unknown, name) {
			unknown = append(unknown, name)
		}
	}
	return strings.Join(unknown, ", ")
}

func isPlainName(name string) bool {
	if name == "" || len(name) > maxIgnoredName {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// publicIDOf is the public id of a request's path: the router leaves in what was percent-encoded.
func publicIDOf(c echo.Context) string {
	id, err := url.PathUnescape(c.Param("publicId"))
	if err != nil {
		return "" // nobody's
	}
	return id
}
