// Package server joins the modules into one API: routes under / and /api, the request validation in front of them,
// authentication, limits on what a request may hold, headers, and the one place where an error becomes a response. What
// else does an operation, such as the form of a page, runs it through all of that by [Server.Operation].
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
	"masthead/pkg/idempotency"
	"masthead/pkg/identity"
	"masthead/pkg/limit"
)

// Bounds of a connection. Source: security requirements, "Staying up".
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	// requestTime bounds every wait of one request, so that there is time left to answer that it took too long.
	requestTime    = 50 * time.Second
	idleTimeout    = 90 * time.Second
	maxHeaderBytes = 16 << 10
)

// KeyAuthenticator finds the caller of an API key.
type KeyAuthenticator interface {
	Authenticate(ctx context.Context, secret string) (identity.Caller, error)
}

// SessionAuthenticator finds the caller of an access token, as a bearer or in the cookie. A token of the cookie that
// has expired may be renewed: then the cookie to be set is not nil.
type SessionAuthenticator interface {
	AuthenticateBearer(ctx context.Context, token string) (identity.Caller, error)
	AuthenticateCookie(ctx context.Context, token string) (caller identity.Caller, renewed *http.Cookie, err error)
}

// Deps are the parts that the server joins.
type Deps struct {
	// API is every operation of the document.
	API gen.StrictServerInterface
	// Keys and Sessions tell who is calling.
	Keys     KeyAuthenticator
	Sessions SessionAuthenticator
	// Repeats keeps the answers to requests with an Idempotency-Key.
	Repeats *idempotency.Keys
	// RepeatKeys are secrets, at least one: requests are told apart by digests with the first; those with the others were
	// made before it.
	RepeatKeys [][]byte
	// Plans tells what accounts may do in a minute.
	Plans Plans
	// Breaker refuses addresses that go far beyond what pages need. Who draws for /og counts the misses on it.
	Breaker *limit.Breaker
	// Pictures are sent without the rest of the server when they are at hand; nil when there are none.
	Pictures Pictures
	// NotFound answers a browser for an address at which there is nothing; nil for a problem as everybody gets.
	NotFound func(echo.Context) error
	// Pages adds the web pages, which the document does not describe. They do what operations do by [Server.Operation].
	Pages func(*echo.Echo, *Server)
}

// Server answers HTTP.
type Server struct {
	cfg  Config
	deps Deps
	echo *echo.Echo
	// inner has the operations for calls in-process.
	inner *echo.Echo
	http  *http.Server

	proxies     proxySet
	rates       *rates
	metrics     *metrics
	operations  operations
	ways        string                      // how pictures at hand are sent: see the variable ways
	publicNames queryNames                  // the parameters of GET /og/{publicId}
	connections atomic.Pointer[connections] // nil before it serves
}

// New returns a server of deps. The document is the embedded one; what it asks for and the server does not know is an
// error.
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

// Document is the embedded document, checked. It is one for all servers of the process, since reading it takes longer
// than all else of their start: nobody may change it.
var Document = sync.OnceValues(func() (*openapi3.T, error) {
	document, err := loadDocument()
	if err != nil {
		return nil, err
	}
	return document, checkDocument(document)
})

func loadDocument() (*openapi3.T, error) {
	document, err := openapi3.NewLoader().LoadFromData(gen.Document)
	if err != nil {
		return nil, fmt.Errorf("read openapi.yaml: %w", err)
	}
	return document, nil
}

func checkDocument(document *openapi3.T) error {
	// A format that nobody checks would let everything through.
	if err := document.Validate(context.Background(), openapi3.EnableSchemaFormatValidation()); err != nil {
		return fmt.Errorf("check openapi.yaml: %w", err)
	}
	return nil
}

// newServer is New with a document that was checked.
func newServer(cfg Config, deps Deps, document *openapi3.T) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, deps: deps, echo: echo.New(), inner: newInner(), metrics: newMetrics(), operations: operationsOf(document), ways: ways}
	s.publicNames = queryNamesOf(document, publicImage)
	s.proxies, _ = cfg.proxies() // checked by Validate
	s.rates = newRates(cfg, deps, s.metrics)
	s.http = &http.Server{
		Handler: s, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeaderBytes, ConnContext: withConn, ConnState: follow, // writing is bounded in conn.go
		ErrorLog: log.New(&messages{counted: s.metrics.logged}, "", 0),
	}
	s.echo.HideBanner, s.echo.HidePort = true, true
	s.echo.HTTPErrorHandler = s.writeError
	s.echo.IPExtractor = func(r *http.Request) string { return s.proxies.clientOf(r).String() }
	s.echo.Use(compress(compressible(document)), headWithGet, bounded(requestTime), s.identify, s.logRequests,
		recoverPanics, apiHeaders, keepSpare, s.rates.others(s.operations))
	if err := s.route(document); err != nil {
		return nil, err
	}
	return s, nil
}

// ServeHTTP answers one request. HEAD is answered as GET everywhere: net/http leaves the body out, since it looks at
// the method of its own request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if lines := r.Header[ifNoneMatch]; len(lines) > 1 { // it is a list, which may come in several lines: RFC 9110, 5.3
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

// Serve answers on listener until [Server.Shutdown] is called; then it returns nil at once, while requests are still
// finished.
func (s *Server) Serve(listener net.Listener) error {
	bounded := newConnections(listener, affordable(s.cfg.connections()), s.cfg.addressConnections(), s.proxies, s.metrics)
	s.connections.Store(bounded)
	if err := s.http.Serve(bounded); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// Shutdown takes no more connections and finishes the requests in flight, for as long as ctx allows.
func (s *Server) Shutdown(ctx context.Context) error {
	if err := s.http.Shutdown(ctx); err != nil {
		return fmt.Errorf("stop serving: %w", err)
	}
	return nil
}
