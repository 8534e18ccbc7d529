package server

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
	"github.com/munnerz/goautoneg"

	"masthead/pkg/identity"
)

// negotiated puts the media type of the response into the context, for an operation with several: the first that the
// client accepts, or JSON. It returns nil for other operations.
func negotiated(op *openapi3.Operation) echo.MiddlewareFunc {
	offered := offeredTypes(op)
	if len(offered) < 2 {
		return nil
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Response().Header().Add(echo.HeaderVary, echo.HeaderAccept)
			r := c.Request()
			accepted := strings.ToLower(strings.Join(r.Header.Values(echo.HeaderAccept), ","))
			if chosen := goautoneg.Negotiate(accepted, offered); chosen != "" {
				all := slices.DeleteFunc(slices.Clone(offered), func(t string) bool {
					return goautoneg.Negotiate(accepted, []string{t}) == ""
				})
				c.SetRequest(r.WithContext(identity.WithMediaType(r.Context(), chosen, all...)))
			}
			return next(c)
		}
	}
}

// offeredTypes are the media types of an operation's 200 response, JSON first. Operations whose response isn't JSON
// have none: pictures have the type that they were drawn in.
func offeredTypes(op *openapi3.Operation) []string {
	ok := op.Responses.Status(200)
	if ok == nil || ok.Value.Content[echo.MIMEApplicationJSON] == nil {
		return nil
	}
	types := []string{echo.MIMEApplicationJSON}
	for offered := range ok.Value.Content {
		if offered != echo.MIMEApplicationJSON {
			types = append(types, offered)
		}
	}
	slices.Sort(types[1:])
	return types
}
