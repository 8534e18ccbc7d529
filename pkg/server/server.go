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
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"golang.org/x/net/netutil"

	"masthead/gen"
	"masthead/pkg/apikeys"
	"masthead/pkg/auth"
	"masthead/pkg/images"
	"masthead/pkg/limit"
	"masthead/pkg/projects"
	"masthead/pkg/templates"
	"masthead/pkg/users"
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
	drainTimeout   = 25 * time.Second
)

type (
	apikeysAPI    = apikeys.API
	authAPI       = auth.API
	imagesAPI     = images.API
	projectsAPI   = projects.API
	templatesAPI  = templates.API
	usersAPI      = users.API
	strictHandler = gen.StrictHandlerFunc
)

// api is the whole service. An operation that nobody implements, or two modules do, fails to compile here, by name.
type api struct {
	*apikeysAPI
	*authAPI
	*imagesAPI
	*projectsAPI
	*templatesAPI
	*usersAPI
	*health
}

var _ gen.StrictServerInterface = (*api)(nil)

// Deps are the parts that the server joins.
type Deps struct {
	APIKeys   *apikeys.API
	Auth      *auth.API
	Images    *images.API
	Projects  *projects.API
	Templates *templates.API
	Users     *users.API

	// Keys and Sessions tell who is calling.
	Keys     *apikeys.Service
	Sessions *auth.Service

	// Ready reports whether the parts that the service cannot do without answer.
	Ready func(context.Context) error
	// Pages adds the web pages, which the document does not describe.
	Pages func(*echo.Echo)
}

// Server answers HTTP.
type Server struct {
	cfg    Config
	deps   Deps
	health *health
	echo   *echo.Echo
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
	s := &Server{cfg: cfg, deps: deps, health: &health{ready: deps.Ready}, echo: echo.New()}
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
	handlers := gen.NewStrictHandler(&api{
		s.deps.APIKeys, s.deps.Auth, s.deps.Images, s.deps.Projects, s.deps.Templates, s.deps.Users, s.health,
	}, []gen.StrictMiddlewareFunc{withCaller})
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

// Serve answers on listener until ctx ends; then readiness turns to 503, and after a pause in which balancers notice, requests in
// flight are finished.
func (s *Server) Serve(ctx context.Context, listener net.Listener, pause time.Duration) error {
	srv := &http.Server{
		Handler: s, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(netutil.LimitListener(listener, maxConnections)) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	s.health.leaving.Store(true)
	time.Sleep(pause)
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	err := srv.Shutdown(drain)
	if served := <-failed; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	if err != nil {
		return fmt.Errorf("stop serving: %w", err)
	}
	return nil
}

// Operations lists method and path of every operation that is served, for tests of what the document describes.
func (s *Server) Operations() []string {
	var all []string
	for _, r := range s.echo.Routes() {
		if !strings.HasPrefix(r.Path, "/api/") {
			all = append(all, r.Method+" "+r.Path)
		}
	}
	slices.Sort(all)
	return all
}
