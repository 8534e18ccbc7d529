// Package tracetest is a local OpenTelemetry collector for tests.
package tracetest

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector keeps the spans that it gets.
type Collector struct {
	// URL is for MASTHEAD_OTLP_ENDPOINT.
	URL string

	mu    sync.Mutex
	spans []Span
}

// Span is a span as it was sent. IDs are in hexadecimal digits; Parent is "" for the first of a trace.
type Span struct {
	Name, Trace, ID, Parent string
	Attributes              map[string]string // texts, and numbers as texts
	Links                   []string          // traces
	Events                  []string          // names
	Failed                  bool
}

// Start runs a collector until the test ends.
func Start(t *testing.T) *Collector {
	t.Helper()
	c := &Collector{}
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 16<<20))
		var sent otlp.TracesData
		if err == nil {
			err = proto.Unmarshal(body, &sent)
		}
		if err != nil || r.URL.Path != "/v1/traces" || r.Method != http.MethodPost {
			t.Errorf("the collector got %s %s: %v", r.Method, r.URL.Path, err)
			http.Error(w, "not spans", http.StatusBadRequest)
			return
		}
		c.keep(&sent)
	}))
	t.Cleanup(served.Close)
	c.URL = served.URL
	return c
}

func (c *Collector) keep(sent *otlp.TracesData) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, of := range sent.GetResourceSpans() {
		for _, scope := range of.GetScopeSpans() {
			for _, span := range scope.GetSpans() {
				c.spans = append(c.spans, read(span))
			}
		}
	}
}

func read(sent *otlp.Span) Span {
	s := Span{
		Name: sent.GetName(), Trace: hex.EncodeToString(sent.GetTraceId()), ID: hex.EncodeToString(sent.GetSpanId()),
		Parent: hex.EncodeToString(sent.GetParentSpanId()), Attributes: map[string]string{},
		Failed: sent.GetStatus().GetCode() == otlp.Status_STATUS_CODE_ERROR,
	}
	for _, a := range sent.GetAttributes() {
		s.Attributes[a.GetKey()] = text(a.GetValue())
	}
	for _, l := range sent.GetLinks() {
		s.Links = append(s.Links, hex.EncodeToString(l.GetTraceId()))
	}
	for _, e := range sent.GetEvents() {
		s.Events = append(s.Events, e.GetName())
		for _, a := range e.GetAttributes() {
			s.Attributes[e.GetName()+" "+a.GetKey()] = text(a.GetValue())
		}
	}
	return s
}

func text(v *common.AnyValue) string {
	if of, ok := v.GetValue().(*common.AnyValue_StringValue); ok {
		return of.StringValue
	}
	return v.String()
}

// Spans returns what has arrived so far.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Span(nil), c.spans...)
}
