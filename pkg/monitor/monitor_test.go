package monitor_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/monitor"
)

const token = "0123456789abcdef0123456789"

func TestConfig_openAddressNeedsAToken(t *testing.T) {
	for _, c := range []struct{ addr, token, want string }{
		{"", "", ""},
		{"127.0.0.1:9090", "", ""},
		{"[::1]:9090", "", ""},
		{"localhost:9090", "", ""},
		{"0.0.0.0:9090", token, ""},
		{"127.0.0.1:9090", token, ""},
		{"0.0.0.0:9090", "", "MASTHEAD_ADMIN_TOKEN is missing"},
		{":9090", "", "MASTHEAD_ADMIN_TOKEN is missing"},
		{"[::]:9090", "", "MASTHEAD_ADMIN_TOKEN is missing"},
		{"10.0.0.1:9090", "", "MASTHEAD_ADMIN_TOKEN is missing"},
		{"metrics.example:9090", "", "MASTHEAD_ADMIN_TOKEN is missing"},
		{"10.0.0.1:9090", "short", "MASTHEAD_ADMIN_TOKEN is too short"},
		{"10.0.0.1:9090", token + " ", "MASTHEAD_ADMIN_TOKEN begins or ends with white space"},
		{"", token, "no use without MASTHEAD_ADMIN_ADDR"},
		{"9090", token, "MASTHEAD_ADMIN_ADDR must be HOST:PORT"},
		{"127.0.0.1:", "", "MASTHEAD_ADMIN_ADDR must be HOST:PORT"},
	} {
		err := monitor.Config{Addr: c.addr, Token: c.token}.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q with %q: got %v, want %q", c.addr, c.token, err, c.want)
		}
	}
}

func TestHandler_onlyTheOperatorSeesAnything(t *testing.T) {
	registry := prometheus.NewRegistry()
	counter := prometheus.NewCounter(prometheus.CounterOpts{Name: "masthead_monitor_test_total", Help: "A test."})
	registry.MustRegister(counter)
	counter.Inc()
	for _, c := range []struct {
		name, token, path, host, authorization string
		status                                 int
	}{
		{"by address", "", "/metrics", "127.0.0.1:9090", "", http.StatusOK},
		{"by an IPv6 address", "", "/metrics", "[::1]:9090", "", http.StatusOK},
		{"by localhost", "", "/metrics", "localhost", "", http.StatusOK},
		{"by a name of a stranger", "", "/metrics", "rebound.example:9090", "", http.StatusForbidden},
		{"profile by a name of a stranger", "", "/debug/pprof/heap", "rebound.example", "", http.StatusForbidden},
		{"profiles", "", "/debug/pprof/", "127.0.0.1", "", http.StatusOK},
		{"nothing else", "", "/", "127.0.0.1", "", http.StatusNotFound},
		{"without the token", token, "/metrics", "127.0.0.1", "", http.StatusUnauthorized},
		{"profile without the token", token, "/debug/pprof/heap", "127.0.0.1", "", http.StatusUnauthorized},
		{"with a part of the token", token, "/metrics", "m.example", "Bearer " + token[:20], http.StatusUnauthorized},
		{"with the token as another scheme", token, "/metrics", "m.example", "Basic " + token, http.StatusUnauthorized},
		{"with the token", token, "/metrics", "m.example", "Bearer " + token, http.StatusOK},
		{"with the token, small letters", token, "/debug/pprof/cmdline", "m.example", "bearer " + token, http.StatusOK},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, c.path, nil)
			r.Host = c.host
			if c.authorization != "" {
				r.Header.Set("Authorization", c.authorization)
			}
			w := httptest.NewRecorder()
			monitor.Handler(c.token, registry).ServeHTTP(w, r)
			if w.Code != c.status {
				t.Fatalf("got %d, want %d: %s", w.Code, c.status, w.Body)
			}
			if counted := strings.Contains(w.Body.String(), "masthead_monitor_test_total 1"); c.path == "/metrics" &&
				counted != (c.status == http.StatusOK) {
				t.Errorf("got the counter %v with status %d", counted, c.status)
			}
		})
	}
}

func TestMonitor_answersUntilItsContextEnds(t *testing.T) {
	m, err := monitor.Open(t.Context(), monitor.Config{Addr: "127.0.0.1:0"}, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); m.Run(ctx) }()
	r, err := http.Get("http://" + m.Addr() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, r.Body)
	_ = r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("got %d, want 200", r.StatusCode)
	}
	stop()
	<-ended
	if r, err := http.Get("http://" + m.Addr() + "/metrics"); err == nil {
		t.Errorf("got %d after the end, want nobody there", r.StatusCode)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if taken, err := monitor.Open(t.Context(), monitor.Config{}, nil); taken != nil || err != nil || taken.Addr() != "" {
		t.Errorf("got %v, %v, want nothing without an address", taken, err)
	}
}
