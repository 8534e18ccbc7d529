package server

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/labstack/echo/v4"

	"masthead/gen"
)

// prefixes are the path prefixes of all operations.
var prefixes = []string{"", "/api"}

// parameter matches a path parameter in the router's syntax.
var parameter = regexp.MustCompile(`:[^/]+`)

// route registers each operation under all prefixes, with the middleware that the document requires, and the web pages.
func (s *Server) route(document *openapi3.T) error {
	// The router silently replaces a handler if an address gets a second one.
	var faults []error
	routed := map[string]bool{}
	s.echo.OnAddRouteHandler = func(_ string, r echo.Route, _ echo.HandlerFunc, _ []echo.MiddlewareFunc) {
		address := r.Method + " " + parameter.ReplaceAllString(r.Path, ":")
		if routed[address] {
			faults = append(faults, fmt.Errorf("%s %s has two handlers", r.Method, r.Path))
		}
		routed[address] = true
	}
	byOperation, err := s.chains(document)
	faults = append(faults, err)
	s.routePreflights(document)
	handlers := gen.NewStrictHandler(s.deps.API, []gen.StrictMiddlewareFunc{handOver})
	for _, prefix := range prefixes {
		gen.RegisterHandlersWithOptions(s.echo, handlers, gen.RegisterHandlersOptions{
			BaseURL: prefix, OperationMiddlewares: byOperation,
		})
	}
	gen.RegisterHandlersWithOptions(s.inner, handlers, gen.RegisterHandlersOptions{OperationMiddlewares: byOperation})
	if s.deps.Pages != nil {
		s.deps.Pages(s.echo, s)
	}
	return errors.Join(faults...)
}

// chains returns the middleware of each operation by its ID, for requests and calls alike.
func (s *Server) chains(document *openapi3.T) (map[string][]echo.MiddlewareFunc, error) {
	var faults []error
	byOperation := map[string][]echo.MiddlewareFunc{}
	fixed := fixedAddresses(document)
	for path, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			chain, err := s.operationMiddleware(document, method, op)
			if err != nil {
				faults = append(faults, fmt.Errorf("openapi.yaml: %s: %w", op.OperationID, err))
			}
			if strings.Contains(path, "{") {
				chain = slices.Insert(chain, 0, notOneOf(fixed))
			}
			parameters := slices.Concat(item.Parameters, op.Parameters)
			validate := validator(&routers.Route{Spec: document, Path: path, PathItem: item, Method: method, Operation: op})
			checks := []echo.MiddlewareFunc{validate, onlyOnce(parameters), onlyText(parameters)}
			if op.OperationID == publicImage {
				chain = append(chain, s.publicQuery)
			} else if !ignoresQuery(op) {
				checks = append(checks, knownQuery(parameters))
			}
			chain = append(chain, checked(checks...))
			if isRepeatable(op) {
				chain = append(chain, s.repeatable(op))
			}
			byOperation[op.OperationID] = chain
		}
	}
	return byOperation, errors.Join(faults...)
}

// ignoresQuery reports whether an operation accepts unknown query parameters: health checks, whatever a supervisor
// adds, and the bytes of a picture, since sites and CDNs add utm_source or a cache buster to the addresses of embedded
// pictures; and the return from a sign-in, what the provider adds.
func ignoresQuery(op *openapi3.Operation) bool {
	return op.Extensions[rateExtension] == string(bucketNone) || op.OperationID == "getFile" ||
		op.OperationID == "finishProviderSignIn"
}

// fixedAddresses are the document's paths without parameters.
func fixedAddresses(document *openapi3.T) map[string]bool {
	fixed := map[string]bool{}
	for path := range document.Paths.Map() {
		for _, prefix := range prefixes {
			fixed[prefix+path] = !strings.Contains(path, "{")
		}
	}
	return fixed
}

// notOneOf excludes the addresses of other operations from one whose path has a parameter, such as DELETE
// /images/{imageId} from /images/generate: there the method is wrong, not the ID.
func notOneOf(fixed map[string]bool) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if fixed[c.Request().URL.Path] {
				return echo.ErrMethodNotAllowed
			}
			return next(c)
		}
	}
}

// compressible are the routes whose responses may be compressed: operations, the document itself, and web pages, which
// contain no secrets that stay the same.
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

// operationMiddleware is the middleware before an operation's request is validated.
func (s *Server) operationMiddleware(
	document *openapi3.T, method string, op *openapi3.Operation,
) ([]echo.MiddlewareFunc, error) {
	var chain []echo.MiddlewareFunc
	if takesKeys(document, op) {
		chain = append(chain, anyOrigin())
	}
	if isPublic(method, op) {
		chain = append(chain, readByAll)
	}
	callers, err := s.counted(document, op)
	if err != nil {
		return nil, err
	}
	chain = append(chain, callers...)
	refuse, err := s.refused(method, op)
	if err != nil {
		return nil, err
	}
	if refuse != nil {
		chain = append(chain, refuse)
	}
	body, err := s.bodyOf(op)
	if err != nil {
		return nil, err
	}
	if body != nil {
		chain = append(chain, body)
	}
	if servesPictures(op) {
		chain = append(chain, pictureHeaders)
	}
	if negotiate := negotiated(op); negotiate != nil {
		chain = append(chain, negotiate)
	}
	return chain, nil
}

// counted is the middleware that authenticates the caller of an operation and counts the request.
func (s *Server) counted(document *openapi3.T, op *openapi3.Operation) ([]echo.MiddlewareFunc, error) {
	counted, err := bucketOf(op)
	if err != nil {
		return nil, err
	}
	security, err := securityOf(document, op)
	if err != nil {
		return nil, err
	}
	chain := []echo.MiddlewareFunc{unlessCounted(counted, s.rates.byAddress(counted))}
	if len(security) == 0 && !readsSession(op) {
		chain = append(chain, forgetCaller)
	}
	if len(security) > 0 {
		chain = append(chain, s.authenticated(security))
	}
	if readsSession(op) {
		if len(security) > 0 {
			return nil, errors.New(optionalExtension + " is for operations without credentials")
		}
		chain = append(chain, s.optionalSession)
	}
	if count := s.rates.byAccount(counted); count != nil {
		chain = append(chain, unlessCounted(counted, count))
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
