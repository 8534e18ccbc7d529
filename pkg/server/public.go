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

// imageIDLength is the length of an image's public ID in characters; a project's is shorter.
const imageIDLength = 22

// publicQuery drops the query of an image's own address before validation: parameters are for the pictures of a
// project, and ignored here. A project's query is put into the context as sent. The response lists the parameters that
// the operation doesn't have.
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

// ignoredHeader lists the parameters of a picture request that have no effect.
const ignoredHeader = "X-Masthead-Ignored"

// Limits of the ignored header: the number of names and the length of each.
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

// unknownIn returns the names in a raw query that aren't the operation's, in their order and separated by commas, or
// "". It omits long names and those with characters other than ASCII letters, digits, - and _: the header repeats
// nothing that could have a meaning in it.
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

// publicIDOf is the public ID in a request's path: the router leaves percent-encoding in place.
func publicIDOf(c echo.Context) string {
	id, err := url.PathUnescape(c.Param("publicId"))
	if err != nil {
		return "" // matches nothing
	}
	return id
}
