package server

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
)

// Guards are what stands before web pages that do what operations do. The pages themselves count on the breaker alone.
type Guards struct {
	// Session finds out who is calling: whoever has no session, or one that is not good, is nobody.
	Session echo.MiddlewareFunc
	// Form returns what stands before a form that does what an operation does: only our own pages may send it, and it
	// counts like the operation, in every limit. It panics for an operation that there is not, at the start.
	Form func(operationID string) echo.MiddlewareFunc
}

// guards returns those of the document's operations.
func (s *Server) guards(document *openapi3.T) Guards {
	return Guards{Session: s.optionalSession, Form: func(operationID string) echo.MiddlewareFunc {
		for _, item := range document.Paths.Map() {
			for _, op := range item.Operations() {
				if op.OperationID != operationID {
					continue
				}
				chain, err := s.counted(document, op)
				if err != nil {
					panic("server: " + operationID + ": " + err.Error())
				}
				return joined(slices.Insert(chain, 0, s.ownPages))
			}
		}
		panic("server: there is no operation " + operationID)
	}}
}

// ownPages refuses what a page of another origin sends, signed in or not: it would spend what its visitors may ask for.
func (s *Server) ownPages(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !s.sameOrigin(c.Request()) {
			drain(c.Request())
			return apperr.New(apperr.Forbidden, "This form must come from a page of this site itself.")
		}
		return next(c)
	}
}

// joined returns a chain as one.
func joined(chain []echo.MiddlewareFunc) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		for _, m := range slices.Backward(chain) {
			next = m(next)
		}
		return next
	}
}
