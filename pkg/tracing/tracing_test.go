package tracing_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"masthead/pkg/tracing"
	"masthead/pkg/tracing/tracetest"
)

// open returns a tracer of a collector, and what ends the tracer and returns what arrived.
func open(t *testing.T, sample float64) (*tracing.Tracer, func() []tracetest.Span) {
	t.Helper()
	c := tracetest.Start(t)
	tracer, err := tracing.Open(t.Context(), tracing.Config{Endpoint: c.URL, Sample: sample})
	if err != nil {
		t.Fatal(err)
	}
	return tracer, func() []tracetest.Span {
		if err := tracer.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		return c.Spans()
	}
}

func TestTracer_sendsSpansBelowEachOther(t *testing.T) {
	tracer, sent := open(t, 1)
	ctx, request := tracer.Root(t.Context(), tracing.Request, "GET /x", "")
	inner, span := tracing.Start(ctx, "work")
	span.Text("text", "with \xff a byte that is no text")
	span.Number("number", 7)
	span.Event("statement", "query", "SELECT 1")
	_, leaf := tracing.Start(inner, "leaf")
	leaf.End(errors.New("secret of a page"))
	_, gone := tracing.Start(inner, "gone")
	gone.End(context.Canceled)
	span.End(nil)
	request.End(nil)
	byName := map[string]tracetest.Span{}
	for _, s := range sent() {
		byName[s.Name] = s
	}
	root, work := byName["GET /x"], byName["work"]
	if root.Parent != "" || work.Parent != root.ID || byName["leaf"].Parent != work.ID || work.Trace != root.Trace {
		t.Errorf("the spans do not belong to each other: %+v", byName)
	}
	if work.Attributes["text"] != "with  a byte that is no text" || !strings.Contains(work.Attributes["number"], "7") ||
		!slices.Equal(work.Events, []string{"statement"}) {
		t.Errorf("got %+v", work)
	}
	if !byName["leaf"].Failed || byName["gone"].Failed || work.Failed {
		t.Errorf("the wrong spans failed: %+v", byName)
	}
	for _, s := range byName {
		for _, value := range s.Attributes {
			if strings.Contains(value, "secret") {
				t.Errorf("%s has the text of an error", s.Name)
			}
		}
	}
}

// TestTracer_strangersDecideNothing: a client's sampled trace is linked, neither continued nor a reason to record.
func TestTracer_strangersDecideNothing(t *testing.T) {
	const theirs = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	tracer, sent := open(t, 1)
	ctx, span := tracer.Root(t.Context(), tracing.Request, "asked", theirs)
	if id := tracing.ID(ctx); id == "4bf92f3577b34da6a3ce929d0e0e4736" || len(id) != 32 {
		t.Errorf("the trace is %q", id)
	}
	span.End(nil)
	_, span = tracer.Root(t.Context(), tracing.Request, "nonsense", strings.Repeat("00-4bf9-", 5000))
	span.End(nil)
	got := sent()
	if len(got) != 2 || !slices.Equal(got[0].Links, []string{"4bf92f3577b34da6a3ce929d0e0e4736"}) || len(got[1].Links) != 0 {
		t.Errorf("got %+v", got)
	}

	tracer, sent = open(t, 0)
	ctx, span = tracer.Root(t.Context(), tracing.Request, "asked", theirs)
	if tracing.ID(ctx) != "" || tracing.Parent(ctx) != "" || span.Recorded() {
		t.Error("a client made us record")
	}
	span.End(nil)
	if got := sent(); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestTracer_continuesItsOwn(t *testing.T) {
	tracer, sent := open(t, 1)
	ctx, span := tracer.Root(t.Context(), tracing.Request, "first", "")
	parent := tracing.Parent(ctx)
	span.End(nil)
	_, job := tracer.Continue(t.Context(), tracing.Job, "second", parent)
	job.End(nil)
	_, own := tracer.Continue(t.Context(), tracing.Job, "third", "not a parent")
	own.End(nil)
	got := sent()
	if len(got) != 3 || got[1].Trace != got[0].Trace || got[1].Parent != got[0].ID || got[2].Trace == got[0].Trace {
		t.Errorf("got %+v", got)
	}
}

func TestTracer_offDoesNothing(t *testing.T) {
	tracer, err := tracing.Open(t.Context(), tracing.Config{Sample: 1})
	if err != nil || tracer != nil {
		t.Fatalf("got %v, %v", tracer, err)
	}
	ctx, span := tracer.Root(t.Context(), tracing.Request, "root", "")
	below, inner := tracing.Start(ctx, "work")
	inner.Text("key", "value")
	inner.Number("key", 1)
	inner.Event("name", "key", "value")
	inner.Fail()
	inner.End(errors.New("failed"))
	span.End(nil)
	_, job := tracer.Continue(ctx, tracing.Job, "job", "")
	job.End(nil)
	if below != t.Context() || tracing.ID(below) != "" || tracing.Parent(below) != "" || inner.Recorded() {
		t.Error("something is recorded")
	}
	if err := tracer.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if spent := testing.AllocsPerRun(100, func() {
		_, span := tracing.Start(ctx, "work")
		span.Text("key", "value")
		span.End(nil)
	}); spent != 0 {
		t.Errorf("what isn't traced allocates %v times", spent)
	}
}

// TestTracer_silentCollector_harmsNobody: spans beyond the queue are dropped, and closing ends in time.
func TestTracer_silentCollector_harmsNobody(t *testing.T) {
	silent, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0") // accepts, and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	tracer, err := tracing.Open(t.Context(), tracing.Config{Endpoint: "http://" + silent.Addr().String(), Sample: 1})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 * 4096 {
		_, span := tracer.Root(t.Context(), tracing.Request, "root", "")
		span.End(nil)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := tracer.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("closing returned %v", err)
	}
}

func TestConfig_Validate(t *testing.T) {
	for _, test := range []struct {
		cfg  tracing.Config
		want string // in the error; "" for a valid configuration
	}{
		{tracing.Config{}, ""},
		{tracing.Config{Endpoint: "http://127.0.0.1:4318", Sample: 1}, ""},
		{tracing.Config{Endpoint: "https://collector.example/prefix/", Sample: 0.01}, ""},
		{tracing.Config{Endpoint: "127.0.0.1:4318"}, "MASTHEAD_OTLP_ENDPOINT"},
		{tracing.Config{Endpoint: "grpc://127.0.0.1:4317"}, "MASTHEAD_OTLP_ENDPOINT"},
		{tracing.Config{Endpoint: "http://user:secret@127.0.0.1:4318"}, "MASTHEAD_OTLP_ENDPOINT"},
		{tracing.Config{Sample: 1.5}, "MASTHEAD_TRACE_SAMPLE"},
		{tracing.Config{Sample: math.NaN()}, "MASTHEAD_TRACE_SAMPLE"},
	} {
		err := test.cfg.Validate()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: got %v, want %q", test.cfg, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error quotes the password: %v", err)
		}
	}
}

func TestHandler_addsTheTraceToLines(t *testing.T) {
	tracer, _ := open(t, 1)
	var lines bytes.Buffer
	log := slog.New(tracing.Handler(slog.NewJSONHandler(&lines, nil))).With("node", "a")
	ctx, _ := tracer.Root(t.Context(), tracing.Request, "root", "")
	log.InfoContext(ctx, "inside")
	log.Info("outside")
	decoder := json.NewDecoder(&lines)
	for _, want := range []string{tracing.ID(ctx), ""} {
		var line struct {
			Node    string `json:"node"`
			TraceID string `json:"trace_id"`
		}
		if err := decoder.Decode(&line); err != nil || line.TraceID != want || line.Node != "a" {
			t.Errorf("got %+v, %v, want the trace %q", line, err, want)
		}
	}
}

// BenchmarkStart shows the cost of a span: off, not recorded and recorded.
func BenchmarkStart(b *testing.B) {
	silent := tracing.Config{Endpoint: "http://127.0.0.1:1", Sample: 1}
	tracer, err := tracing.Open(b.Context(), silent)
	if err != nil {
		b.Fatal(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	defer func() { _ = tracer.Close(ended) }() // nobody listens
	recorded, _ := tracer.Root(b.Context(), tracing.Request, "root", "")
	for _, of := range []struct {
		name string
		ctx  context.Context
	}{{"off", b.Context()}, {"recorded", recorded}} {
		b.Run(of.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, span := tracing.Start(of.ctx, "work")
				span.Text("key", "value")
				span.End(nil)
			}
		})
	}
}
