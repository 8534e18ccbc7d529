// Package server combines the modules into one API: routes under / and /api, request validation, authentication, limits
// on requests, headers, and the one place that turns errors into responses.
//
// A request passes, in this order:
//
//   - connections.go, conn.go, descriptors.go: its connection, of a limited number, and clients that read slowly
//   - server.go, middleware.go, cors.go, compress.go, address.go: what holds for all requests: IDs, logs, headers
//   - public.go, kept.go, raw.go: pictures that are in memory are sent from there; response.go describes all pictures
//   - route.go: what of the document an operation gets; rate.go: what it counts against
//   - authenticate.go, optional.go: who is calling
//   - query.go, body.go, json.go, validate.go, fields.go: the validation, and its messages
//   - repeat.go: requests that are sent again with their Idempotency-Key
//   - problem.go: errors as responses
//
// The program itself, such as the form of a page, runs operations through all of that with [Server.Operation]
// (operation.go).
package server

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/fair"
	"masthead/pkg/idempotency"
	"masthead/pkg/identity"
	"masthead/pkg/limit"
	"masthead/pkg/tracing"
)

// Limits of a connection.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	// requestTime limits every wait within a request, leaving time to respond that it took too long.
	requestTime    = 50 * time.Second
	idleTimeout    = 90 * time.Second
	maxHeaderBytes = 16 << 10
)

// KeyAuthenticator finds the caller of an API key.
type KeyAuthenticator interface {
	Authenticate(ctx context.Context, secret string) (identity.Caller, error)
}

// SessionAuthenticator finds the caller of an access token, from a bearer header or the cookie. An expired token in the
// cookie may be renewed: then the cookie to be set isn't nil.
type SessionAuthenticator interface {
	AuthenticateBearer(ctx context.Context, token string) (identity.Caller, error)
	AuthenticateCookie(ctx context.Context, token string) (caller identity.Caller, renewed *http.Cookie, err error)
}

// Deps are the dependencies of the server.
type Deps struct {
	// API implements all operations of the document.
	API gen.StrictServerInterface
	// Keys and Sessions authenticate callers.
	Keys     KeyAuthenticator
	Sessions SessionAuthenticator
	// Repeats stores the responses to requests with an Idempotency-Key.
	Repeats *idempotency.Keys
	// RepeatKeys are secrets, at least one: requests are identified by digests with the first one; digests with the others
	// are from before a key rotation.
	RepeatKeys [][]byte
	// Plans returns the limits of accounts per minute.
	Plans Plans
	// Maintenance returns the error for operations that change something while they are refused, or nil. A nil
	// Maintenance never refuses.
	Maintenance func(ctx context.Context) error
	// Tracer traces the requests; a nil one traces none.
	Tracer *tracing.Tracer
	// Limits count requests; a nil one counts in the memory of this process.
	Limits *limit.Store
	// Breaker blocks addresses that go far beyond normal use. Drawing for /og counts its misses on it.
	Breaker *limit.Breaker
	// Pictures are cached pictures, which bypass the rest of the server; nil means none.
	Pictures Pictures
	// NotFound answers a browser, whose session it may read, for an address that doesn't exist; nil means a problem
	// response, as for all other clients.
	NotFound func(echo.Context) error
	// Refused answers a browser that opened the address of an operation, such as one that returns from a provider, when
	// the operation fails, and reports whether it did; nil answers none.
	Refused func(echo.Context, *apperr.Error) (answered bool, _ error)
	// Pages adds the web pages, which the document doesn't describe. They run operations with [Server.Operation].
	Pages func(*echo.Echo, *Server)
}

// Server answers HTTP.
type Server struct {
	cfg  Config
	deps Deps
	echo *echo.Echo
	// inner has the operations for in-process calls.
	inner *echo.Echo
	http  *http.Server

	proxies     proxySet
	rates       *rates
	metrics     *metrics
	operations  operations
	ownLimit    map[string]bool             // routes of pages that the breaker doesn't count: see CountsItself
	ways        string                      // how cached pictures are sent: see the variable ways
	publicNames queryNames                  // the parameters of GET /og/{publicId}
	connections atomic.Pointer[connections] // nil before it serves
	largeBodies *fair.Pool
}

// New returns a server of deps. The document is the embedded one; it is an error if it requires something that the
// server doesn't support.
func New(cfg Config, deps Deps) (*Server, error) {
	if len(deps.RepeatKeys) == 0 {
		return nil, errors.New("the server has no key for the digests of requests")
	}
	document, err := Document()
	if err != nil {
		return nil, err
	}
	return newServer(cfg, deps, document)
}

// Document is the embedded document, validated. All servers of the process share it, since reading it takes longer than
// everything else at startup: it must not be modified.
var Document = sync.OnceValues(func() (*openapi3.T, error) {
	document, err := loadDocument()
	if err != nil {
		return nil, err
	}
	return document, checkDocument(document)
})

func loadDocument() (*openapi3.T, error) {
	document, err := openapi3.NewLoader().LoadFromData(gen.Document())
	if err != nil {
		return nil, fmt.Errorf("read openapi.yaml: %w", err)
	}
	return document, nil
}

func checkDocument(document *openapi3.T) error {
	// A format without a check would accept everything.
	if err := document.Validate(context.Background(), openapi3.EnableSchemaFormatValidation()); err != nil {
		return fmt.Errorf("check openapi.yaml: %w", err)
	}
	return nil
}

// newServer is New with a validated document.
func newServer(cfg Config, deps Deps, document *openapi3.T) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Server{
		cfg: cfg, deps: deps, echo: echo.New(), inner: newInner(), metrics: newMetrics(),
		operations: operationsOf(document), ownLimit: map[string]bool{}, ways: ways, largeBodies: newLargeBodies(),
	}
	s.publicNames = queryNamesOf(document, publicImage)
	s.proxies, _ = cfg.proxies() // checked by Validate
	s.rates = newRates(cfg, deps, s.metrics)
	s.http = &http.Server{
		Handler: s, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeaderBytes, ConnContext: withConn, ConnState: follow, // conn.go limits writing
		ErrorLog: log.New(&messages{counted: s.metrics.logged}, "", 0),
	}
	s.echo.HideBanner, s.echo.HidePort = true, true
	s.echo.HTTPErrorHandler = s.writeError
	s.echo.IPExtractor = func(r *http.Request) string { return s.proxies.clientOf(r).String() }
	s.echo.Use(newPageCompressor().middleware, compress(compressible(document)), headWithGet, bounded(requestTime),
		s.identify, s.trace, s.logRequests, recoverPanics, apiHeaders, keepSpare, s.rates.others(s.operations, s.ownLimit))
	if err := s.route(document); err != nil {
		return nil, err
	}
	return s, nil
}

// ServeHTTP answers one request. HEAD is handled as GET everywhere: net/http omits the body, because it checks the
// method of its own request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if lines := r.Header[ifNoneMatch]; len(lines) > 1 { // a list that may span several lines: RFC 9110, 5.3
		r.Header[ifNoneMatch] = []string{strings.Join(lines, ", ")}
	}
	if r = s.serveKept(w, r); r == nil {
		return
	}
	if r.Method == http.MethodHead {
		asGet := *r
		asGet.Method = http.MethodGet
		r = &asGet
	}
	s.echo.ServeHTTP(w, r)
}

// Serve answers on listener until [Server.Shutdown] is called; then it returns nil immediately, while running requests
// finish.
func (s *Server) Serve(listener net.Listener) error {
	bounded := newConnections(listener, affordable(s.cfg.connections()), s.cfg.addressConnections(), s.proxies, s.metrics)
	s.connections.Store(bounded)
	if err := s.http.Serve(bounded); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// Shutdown accepts no more connections and finishes the running requests, for as long as ctx allows.
func (s *Server) Shutdown(ctx context.Context) error {
	if err := s.http.Shutdown(ctx); err != nil {
		return fmt.Errorf("stop serving: %w", err)
	}
	return nil
}
