package server

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/limit"
)

// prefixes are those under which every operation is served.
var prefixes = []string{"", "/api"}

// rateExtension of an operation names its rate window. It is the only extension: another one would ask for something
// that nobody does.
const rateExtension = "x-rate-bucket"

// parameter is one of a path as the router spells it.
var parameter = regexp.MustCompile(`:[^/]+`)

// route registers each operation under all prefixes, with the middleware that the document asks for, and the web pages.
func (s *Server) route(document *openapi3.T) error {
	// The router takes a second handler for an address without a word, and forgets the first.
	var faults []error
	routed := map[string]bool{}
	s.echo.OnAddRouteHandler = func(_ string, r echo.Route, _ echo.HandlerFunc, _ []echo.MiddlewareFunc) {
		address := r.Method + " " + parameter.ReplaceAllString(r.Path, ":")
		if routed[address] {
			faults = append(faults, fmt.Errorf("%s %s has two handlers", r.Method, r.Path))
		}
		routed[address] = true
	}
	windows, validate := s.cfg.rateWindows(), s.validator(document)
	byOperation := map[string][]echo.MiddlewareFunc{}
	for _, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			chain, err := operationMiddleware(document, method, op, windows)
			if err != nil {
				faults = append(faults, fmt.Errorf("openapi.yaml: %s: %w", op.OperationID, err))
			}
			parameters := slices.Concat(item.Parameters, op.Parameters)
			byOperation[op.OperationID] = append(chain, validate, onlyOnce(parameters))
		}
	}
	s.routePreflights(document)
	handlers := gen.NewStrictHandler(s.deps.API, []gen.StrictMiddlewareFunc{withCaller})
	for _, prefix := range prefixes {
		gen.RegisterHandlersWithOptions(s.echo, handlers, gen.RegisterHandlersOptions{
			BaseURL: prefix, OperationMiddlewares: byOperation,
		})
	}
	if s.deps.Pages != nil {
		s.deps.Pages(s.echo)
	}
	return errors.Join(faults...)
}

// compressible are the routes whose responses may be compressed: operations, and the document itself.
func compressible(document *openapi3.T) map[string]bool {
	routes := map[string]bool{"GET /openapi.json": true, "GET /openapi.yaml": true}
	for path, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			for _, prefix := range prefixes {
				routes[method+" "+prefix+echoPath(path)] = mayCompress(op)
			}
		}
	}
	return routes
}

// operationMiddleware is what the document asks for before an operation's request is validated.
func operationMiddleware(
	document *openapi3.T, method string, op *openapi3.Operation, windows map[string]*limit.Window,
) ([]echo.MiddlewareFunc, error) {
	var chain []echo.MiddlewareFunc
	if takesKeys(document, op) {
		chain = append(chain, anyOrigin())
	}
	if isPublic(method, op) {
		chain = append(chain, readByAll)
	}
	for key, value := range op.Extensions {
		if key != rateExtension {
			return nil, fmt.Errorf("%s is not known", key)
		}
		name, _ := value.(string)
		window := windows[name]
		if window == nil {
			return nil, fmt.Errorf("%s: there is no rate window %v", key, value)
		}
		chain = append(chain, limited(window))
	}
	if op.RequestBody != nil {
		chain = append(chain, jsonBody)
	}
	if servesPictures(op) {
		chain = append(chain, pictureHeaders)
	}
	return chain, nil
}

func servesPictures(op *openapi3.Operation) bool {
	ok := op.Responses.Status(http.StatusOK)
	if ok == nil {
		return false
	}
	for contentType := range ok.Value.Content {
		if strings.HasPrefix(contentType, "image/") {
			return true
		}
	}
	return false
}
