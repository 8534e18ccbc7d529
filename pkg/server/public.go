package server

import (
	"net/url"

	"github.com/labstack/echo/v4"

	"masthead/pkg/identity"
)

// publicImage is the operation that serves pictures of projects and of images.
const publicImage = "getPublicImage"

// imageIDLength is how many characters the public id of an image has; that of a project has fewer.
const imageIDLength = 22

// publicQuery drops the query of an image's own address, before anybody finds fault with it: parameters are for the
// pictures of a project, and here they are ignored. That of a project's goes into the context, as it was sent.
func publicQuery(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if len(publicIDOf(c)) == imageIDLength {
			r.URL.RawQuery = ""
		} else {
			c.SetRequest(r.WithContext(identity.WithQuery(r.Context(), r.URL.RawQuery)))
		}
		return next(c)
	}
}

// publicIDOf is the public id of a request's path: the router leaves in what was percent-encoded.
func publicIDOf(c echo.Context) string {
	id, err := url.PathUnescape(c.Param("publicId"))
	if err != nil {
		return "" // nobody's
	}
	return id
}
