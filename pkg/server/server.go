// Package server joins the modules into one API: routes under / and /api, the request validation in front of them, authentication,
// limits on what a request may hold, headers, and the one place where an error becomes an answer.
package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"golang.org/x/net/netutil"

	"masthead/gen"
	"masthead/pkg/identity"
	"masthead/pkg/limit"
)

// Bounds of a connection. Source: security requirements, "Staying up".
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 60 * time.Second
	// requestTime bounds every wait of one request, so that there is time left to answer that it took too long.
	requestTime    = 50 * time.Second
	idleTimeout    = 90 * time.Second
	maxHeaderBytes = 16 << 10
	maxConnections = 10_000
)

// KeyAuthenticator finds the caller of an API key.
type KeyAuthenticator interface {
	Authenticate(ctx context.Context, secret string) (identity.Caller, error)
}

// SessionAuthenticator finds the caller of an access token, as a bearer or in the cookie. A token of the cookie that has expired may
// be renewed: then the cookie to be set is not nil.
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
	// Pages adds the web pages, which the document does not describe.
	Pages func(*echo.Echo)
}

// Server answers HTTP.
type Server struct {
	cfg  Config
	deps Deps
	echo *echo.Echo
	http *http.Server
}

// New returns a server of deps. The document is the embedded one.
func New(cfg Config, deps Deps) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	document, err := loadDocument()
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, deps: deps, echo: echo.New()}
	s.http = &http.Server{
		Handler: s, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
	}
	e := s.echo
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = writeProblem
	e.IPExtractor = s.clientAddress()
	e.Use(bounded(requestTime), s.identify, logRequests, recoverPanics, apiHeaders, s.allowKeyOrigins(document))
	s.route(document)
	if deps.Pages != nil {
		deps.Pages(e)
	}
	return s, nil
}

func loadDocument() (*openapi3.T, error) {
	document, err := openapi3.NewLoader().LoadFromData(gen.Document)
	if err != nil {
		return nil, fmt.Errorf("read openapi.yaml: %w", err)
	}
	if err := document.Validate(context.Background()); err != nil {
		return nil, fmt.Errorf("check openapi.yaml: %w", err)
	}
	return document, nil
}

// route registers each operation under / and /api, with the middleware that the document asks for.
func (s *Server) route(document *openapi3.T) {
	handlers := gen.NewStrictHandler(s.deps.API, []gen.StrictMiddlewareFunc{withCaller})
	validate := s.validator(document)
	buckets := map[string]*limit.Window{"auth": limit.NewWindow(s.cfg.AuthRPM)}
	byOperation := map[string][]echo.MiddlewareFunc{}
	for _, item := range document.Paths.Map() {
		for _, op := range item.Operations() {
			var chain []echo.MiddlewareFunc
			if name, ok := op.Extensions["x-rate-bucket"].(string); ok {
				chain = append(chain, limited(buckets[name]))
			}
			if op.RequestBody != nil {
				chain = append(chain, jsonBody)
			}
			if servesPictures(op) {
				chain = append(chain, pictureHeaders)
			}
			byOperation[op.OperationID] = append(chain, validate)
		}
	}
	for _, prefix := range []string{"", "/api"} {
		gen.RegisterHandlersWithOptions(s.echo, handlers, gen.RegisterHandlersOptions{BaseURL: prefix, OperationMiddlewares: byOperation})
	}
}

func servesPictures(op *openapi3.Operation) bool {
	ok := op.Responses.Status(http.StatusOK)
	return ok != nil && ok.Value.Content["image/png"] != nil
}

// allowKeyOrigins lets pages of any origin call the operations that take an API key. Cookies stay out: no credentials are allowed.
func (s *Server) allowKeyOrigins(document *openapi3.T) echo.MiddlewareFunc {
	var paths []string
	for path, item := range document.Paths.Map() {
		for _, op := range item.Operations() {
			if op.Security == nil {
				continue
			}
			for _, requirement := range *op.Security {
				if _, ok := requirement["apiKeyAuth"]; ok {
					paths = append(paths, path, "/api"+path)
				}
			}
		}
	}
	return middleware.CORSWithConfig(middleware.CORSConfig{
		Skipper:       func(c echo.Context) bool { return !slices.Contains(paths, c.Request().URL.Path) },
		AllowOrigins:  []string{"*"},
		AllowMethods:  []string{http.MethodGet, http.MethodPost},
		AllowHeaders:  []string{echo.HeaderAuthorization, echo.HeaderContentType, "If-None-Match"},
		ExposeHeaders: []string{"X-Request-Id", "Retry-After"},
		MaxAge:        600,
	})
}

// clientAddress returns how the client's address is found: the peer, or behind trusted proxies the rightmost hop that is none.
func (s *Server) clientAddress() echo.IPExtractor {
	proxies, _ := s.cfg.proxies() // checked by Validate
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, n := range proxies {
		options = append(options, echo.TrustIPRange(n))
	}
	return echo.ExtractIPFromXFFHeader(options...)
}

// ServeHTTP answers one request. HEAD is answered as GET everywhere: net/http leaves the body out, since it looks at the method of
// its own request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead {
		asGet := *r
		asGet.Method = http.MethodGet
		r = &asGet
	}
	s.echo.ServeHTTP(w, r)
}

// Serve answers on listener until [Server.Shutdown] is called; then it returns nil at once, while requests are still finished.
func (s *Server) Serve(listener net.Listener) error {
	if err := s.http.Serve(netutil.LimitListener(listener, maxConnections)); !errors.Is(err, http.ErrServerClosed) {
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
