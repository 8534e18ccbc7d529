package tracing_test

import (
	"bytes"
	"context"
	"encoding/pem"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel"

	"masthead/pkg/tracing"
)

// collector answers each batch with one of answers in turn, the last one again and again.
type collector struct {
	mu      sync.Mutex
	answers []http.HandlerFunc
	got     []*http.Request
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.got = append(c.got, r)
	answer := c.answers[min(len(c.got), len(c.answers))-1]
	c.mu.Unlock()
	answer(w, r)
}

// batches returns the requests that arrived.
func (c *collector) batches() []*http.Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.got)
}

func says(status int, text string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text))
	}
}

// send ends a span of a tracer for a collector. It returns what OpenTelemetry's error handler got, which may also be of
// a tracer before that goes on, and the error of closing.
func send(t *testing.T, endpoint string, most time.Duration) (reported []error, closing error) {
	t.Helper()
	tracer, err := tracing.Open(t.Context(), tracing.Config{Endpoint: endpoint, Sample: 1})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var faults []error // the handler may go on after the end
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		mu.Lock()
		defer mu.Unlock()
		faults = append(faults, err)
	}))
	_, span := tracer.Root(t.Context(), tracing.Request, "GET /x", "")
	span.End(nil)
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	closing = tracer.Close(ctx)
	mu.Lock()
	defer mu.Unlock()
	return slices.Clone(faults), closing
}

// TestOpen_answersOfTheCollector expects a batch to be sent again where the protocol says so, and else what the
// collector says to be reported.
func TestOpen_answersOfTheCollector(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the batch went elsewhere")
	}))
	defer elsewhere.Close()
	for name, test := range map[string]struct {
		answers []http.HandlerFunc
		sent    int
		fault   string // "" for none
	}{
		"accepted":      {[]http.HandlerFunc{says(200, "")}, 1, ""},
		"busy once":     {[]http.HandlerFunc{says(503, ""), says(200, "")}, 2, ""},
		"too many once": {[]http.HandlerFunc{says(429, "", "Retry-After", "1"), says(200, "")}, 2, ""},
		"asks for long": {[]http.HandlerFunc{says(503, "", "Retry-After", "600")}, 1, "deadline"},
		"refused":       {[]http.HandlerFunc{says(400, "bad spans")}, 1, `400 Bad Request: "bad spans"`},
		"with a remark": {[]http.HandlerFunc{says(200, "\n\x07\x08\x01\x12\x03why")}, 1, "why"},
		"redirected":    {[]http.HandlerFunc{says(307, "", "Location", elsewhere.URL)}, 1, "307"},
		"endless":       {[]http.HandlerFunc{says(500, strings.Repeat("x", 1<<20))}, 1, "xxx"},
	} {
		t.Run(name, func(t *testing.T) {
			c := &collector{answers: test.answers}
			server := httptest.NewServer(c)
			defer server.Close()
			faults, err := send(t, server.URL+"/", 3*time.Second)
			if sent := len(c.batches()); sent != test.sent {
				t.Errorf("sent %d times, want %d", sent, test.sent)
			}
			if test.fault == "" && err != nil {
				t.Error(err)
			}
			if test.fault != "" && !slices.ContainsFunc(append(faults, err), func(err error) bool {
				return err != nil && strings.Contains(err.Error(), test.fault) && len(err.Error()) < 20000
			}) {
				t.Errorf("got %v, want %s", faults, test.fault)
			}
		})
	}
}

// TestOpen_variables sets the variables of OpenTelemetry that docs/configuration.md names.
func TestOpen_variables(t *testing.T) {
	c := &collector{answers: []http.HandlerFunc{says(200, "")}}
	server := httptest.NewTLSServer(c)
	defer server.Close()
	file := filepath.Join(t.TempDir(), "root.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("OTEL_EXPORTER_OTLP_CERTIFICATE", file)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=of everything")
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_HEADERS", " api-key = a%20secret%2C , tenant=b=c,")
	_, err := send(t, server.URL, 10*time.Second)
	got := c.batches()
	if err != nil || len(got) != 1 {
		t.Fatalf("got %v, %d requests", err, len(got))
	}
	h := got[0].Header
	if h.Get("Api-Key") != "a secret," || h.Get("Tenant") != "b=c" || h.Get("Content-Type") != "application/x-protobuf" {
		t.Errorf("got %v", h)
	}
	for name, bad := range map[string]string{
		"HEADERS": "secret", "TRACES_HEADERS": "a=%zz", "TIMEOUT": "10s", "TRACES_TIMEOUT": "0",
		"CERTIFICATE": filepath.Join(t.TempDir(), "none"), "TRACES_CERTIFICATE": os.Args[0],
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "")
			t.Setenv("OTEL_EXPORTER_OTLP_"+name, bad)
			_, err := tracing.Open(t.Context(), tracing.Config{Endpoint: server.URL, Sample: 1})
			want := "OTEL_EXPORTER_OTLP_" + strings.TrimPrefix(name, "TRACES_")
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("got %v, want an error about %s", err, want)
			}
		})
	}
	t.Run("timeout", func(t *testing.T) {
		release := make(chan struct{})
		c.mu.Lock()
		c.answers = []http.HandlerFunc{func(http.ResponseWriter, *http.Request) { <-release }}
		c.mu.Unlock()
		defer close(release)
		t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "50")
		start := time.Now()
		if _, err := send(t, server.URL, 500*time.Millisecond); err == nil || time.Since(start) > 5*time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
	})
}

// TestOpen_variablesWithoutEffect_areNamed expects what an operator set in vain to be said once, at the start.
func TestOpen_variablesWithoutEffect_areNamed(t *testing.T) {
	for name, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_COMPRESSION": "gzip", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "grpc", "OTEL_TRACES_SAMPLER": "always_on",
		"OTEL_SERVICE_NAME": "cards", "OTEL_RESOURCE_ATTRIBUTES": "", // unset
		"OTEL_EXPORTER_OTLP_HEADERS": "a=b", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT": "500",
		"OTEL_EXPORTER_OTLP_METRICS_PROTOCOL": "grpc", "OTEL_LOGS_EXPORTER": "none",
	} {
		t.Setenv(name, value)
	}
	before := slog.Default()
	defer slog.SetDefault(before)
	var log bytes.Buffer
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	tracer, err := tracing.Open(t.Context(), tracing.Config{Endpoint: "http://127.0.0.1:1", Sample: 1})
	if err != nil {
		t.Fatal(err)
	}
	slog.SetDefault(before)
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	const want = `variables="OTEL_EXPORTER_OTLP_COMPRESSION OTEL_EXPORTER_OTLP_TRACES_PROTOCOL OTEL_SERVICE_NAME ` +
		`OTEL_TRACES_SAMPLER"`
	if got := log.String(); !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
		t.Errorf("got %s, want one line with %s", got, want)
	}
}
