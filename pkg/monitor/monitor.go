// Package monitor lets the operator look into the program while it runs: its metrics, and profiles of where time and
// memory go, on a listener of its own that no client of the service reaches.
package monitor

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/net/netutil"
)

// Bounds of the listener: a few scrapers, and somebody with a browser.
const (
	maxConnections = 32
	maxScrapes     = 4 // at once; more get 503
	readTimeout    = 5 * time.Second
	idleTimeout    = 90 * time.Second
	// writeTimeout bounds how long a profile or trace may be taken, too.
	writeTimeout   = 5 * time.Minute
	maxHeaderBytes = 16 << 10
)

// Monitor serves metrics and profiles. A nil one serves nothing.
type Monitor struct {
	http     *http.Server
	listener net.Listener
}

// Open listens on the address of cfg and returns the monitor of what gatherer has; nil when cfg names no address. It
// answers once [Monitor.Run] is called, and must be closed.
func Open(ctx context.Context, cfg Config, gatherer prometheus.Gatherer) (*Monitor, error) {
	if err := cfg.Validate(); err != nil || cfg.Addr == "" {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("MASTHEAD_ADMIN_ADDR: cannot listen on %s: %w", cfg.Addr, err)
	}
	return &Monitor{
		listener: netutil.LimitListener(listener, maxConnections),
		http: &http.Server{
			Handler: Handler(cfg.Token, gatherer), ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
			IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		},
	}, nil
}

// Addr is the address that the monitor listens on; "" of a nil one.
func (m *Monitor) Addr() string {
	if m == nil {
		return ""
	}
	return m.listener.Addr().String()
}

// Run answers until ctx ends.
func (m *Monitor) Run(ctx context.Context) {
	if m == nil {
		return
	}
	defer context.AfterFunc(ctx, func() { _ = m.http.Close() })() // what it cuts off is a scrape
	if err := m.http.Serve(m.listener); !errors.Is(err, http.ErrServerClosed) {
		slog.ErrorContext(ctx, "metrics and profiles are served no more", "err", err)
	}
}

// Close stops listening.
func (m *Monitor) Close() error {
	if m == nil {
		return nil
	}
	if err := errors.Join(m.http.Close(), m.listener.Close()); err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("close the listener of metrics and profiles: %w", err)
	}
	return nil
}

// Handler serves /metrics and /debug/pprof/ to those who show the token as a bearer; to all who ask by an address or
// as localhost when it is empty.
func Handler(token string, gatherer prometheus.Gatherer) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(gatherer, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: maxScrapes,
	}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		switch {
		case token == "" && !namesThisMachine(r.Host):
			http.Error(w, "Ask by an address or as localhost.", http.StatusForbidden)
		case token != "" && !shows(r, token):
			w.Header().Set("WWW-Authenticate", `Bearer realm="Masthead metrics"`)
			http.Error(w, "This needs MASTHEAD_ADMIN_TOKEN as a bearer token.", http.StatusUnauthorized)
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// shows says whether a request has the token; how long it takes tells nothing about it.
func shows(r *http.Request, token string) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(strings.TrimSpace(given))), sha256.Sum256([]byte(token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// namesThisMachine says whether a Host is an address or localhost. A page in a browser of this machine that has its
// own name point at loopback (DNS rebinding) asks by that name.
func namesThisMachine(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil || strings.EqualFold(host, "localhost")
}
