package server

import (
	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
)

// This file has what pages need that run no operation of the document.

// PublicForm is the middleware of a form that anyone may send and that runs no operation: the form must come from a
// page of ours, isn't accepted during maintenance, and counts like an operation of the plan bucket for an anonymous
// caller, instead of on the breaker. Credentials are ignored.
func (s *Server) PublicForm(next echo.HandlerFunc) echo.HandlerFunc {
	counted := s.rates.ofPlan(next)
	return func(c echo.Context) error {
		if err := s.FromHere(c); err != nil {
			return err
		}
		if s.deps.Maintenance != nil {
			if err := s.deps.Maintenance(c.Request().Context()); err != nil {
				return err
			}
		}
		return counted(c)
	}
}

// FromHere returns an error if a form was sent by a page of another site. [Operation.Form] checks it too.
func (s *Server) FromHere(c echo.Context) error {
	if s.sameOrigin(c.Request()) {
		return nil
	}
	drain(c.Request())
	return apperr.New(apperr.Forbidden, "This form must come from a page of this site itself.")
}

// CountsItself exempts a route of a page from the breaker, because it has a limit of its own. It is called while the
// pages are registered.
func (s *Server) CountsItself(method, route string) { s.ownLimit[method+" "+route] = true }
