package server

import (
	"fmt"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
)

// maintenanceExtension marks operations that are allowed during maintenance although their method is unsafe: those that
// change nothing, and what an admin needs to end it.
const maintenanceExtension = "x-in-maintenance"

// refused refuses an operation during maintenance. It returns nil for operations that are always allowed.
func (s *Server) refused(method string, op *openapi3.Operation) (echo.MiddlewareFunc, error) {
	allowed, isBool := op.Extensions[maintenanceExtension].(bool)
	if _, given := op.Extensions[maintenanceExtension]; given && !isBool {
		return nil, fmt.Errorf("%s must be true or false", maintenanceExtension)
	}
	if allowed || method == http.MethodGet || s.deps.Maintenance == nil {
		return nil, nil
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := s.deps.Maintenance(c.Request().Context()); err != nil {
				return err
			}
			return next(c)
		}
	}, nil
}
