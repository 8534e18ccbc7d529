// Package monitor serves metrics and CPU and memory profiles to the operator, on a separate listener that clients of
// the service can't reach.
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

// Limits of the listener, for a few scrapers and a browser.
const (
	maxConnections = 32
	maxScrapes     = 4 // concurrent; more get 503
	readTimeout    = 5 * time.Second
	idleTimeout    = 90 * time.Second
	// writeTimeout also bounds the duration of a profile or trace.
	writeTimeout   = 5 * time.Minute
	maxHeaderBytes = 16 << 10
)

// Monitor serves metrics and profiles. A nil *Monitor serves nothing.
type Monitor struct {
	http     *http.Server
	listener net.Listener
}

// Open listens on the address of cfg and returns a monitor for the metrics of gatherer, or nil if cfg has no address.
// It answers requests once [Monitor.Run] is called. The caller must close it.
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

// Addr returns the address that the monitor listens on, or "" if m is nil.
func (m *Monitor) Addr() string {
	if m == nil {
		return ""
	}
	return m.listener.Addr().String()
}

// Run answers requests until ctx ends.
func (m *Monitor) Run(ctx context.Context) {
	if m == nil {
		return
	}
	defer context.AfterFunc(ctx, func() { _ = m.http.Close() })() // only scrapes are interrupted
	if err := m.http.Serve(m.listener); !errors.Is(err, http.ErrServerClosed) {
		slog.ErrorContext(ctx, "metrics and profiles are no longer served", "err", err)
	}
}

// Close stops listening.
func (m *Monitor) Close() error {
	if m == nil {
		return nil
	}
	if err := errors.Join(m.http.Close(), m.listener.Close()); err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("close the listener for metrics and profiles: %w", err)
	}
	return nil
}

// Handler serves /metrics and /debug/pprof/ to clients with the bearer token. If token is empty, it serves all
// clients that address this machine by IP address or as localhost.
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
			http.Error(w, "Use an IP address or localhost.", http.StatusForbidden)
		case token != "" && !shows(r, token):
			w.Header().Set("WWW-Authenticate", `Bearer realm="Masthead metrics"`)
			http.Error(w, "This needs MASTHEAD_ADMIN_TOKEN as a bearer token.", http.StatusUnauthorized)
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// shows reports whether a request has the token. It runs in constant time.
func shows(r *http.Request, token string) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(strings.TrimSpace(given))), sha256.Sum256([]byte(token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// namesThisMachine reports whether host is an IP address or localhost. Other names are refused to prevent DNS
// rebinding: a web page whose name resolves to loopback would send that name.
func namesThisMachine(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil || strings.EqualFold(host, "localhost")
}
