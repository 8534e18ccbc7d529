// Package tracing records what requests and jobs spend their time on, as OpenTelemetry traces that go to the operator's
// collector by OTLP over HTTP.
//
// [Open] returns the tracer; a nil *Tracer traces nothing. The server and the worker of jobs begin traces
// ([Tracer.Root], [Tracer.Continue]). Everything below them calls [Start], which adds a span to the trace in its
// context and costs a look into that context if there is none. Names of spans are few and fixed. Attributes follow
// OpenTelemetry's semantic conventions (https://opentelemetry.io/docs/specs/semconv/) where they have one. They never
// contain queries of addresses, bodies, credentials or anything that a page says.
package tracing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/time/rate"
)

// Config configures tracing. The zero value turns it off.
type Config struct {
	Endpoint string  `name:"otlp-endpoint" env:"MASTHEAD_OTLP_ENDPOINT" placeholder:"URL" help:"OpenTelemetry collector that gets traces by OTLP over HTTP, such as http://127.0.0.1:4318. If empty, nothing is traced. OTEL_EXPORTER_OTLP_HEADERS, _TIMEOUT and _CERTIFICATE apply too."`
	Sample   float64 `name:"trace-sample" env:"MASTHEAD_TRACE_SAMPLE" default:"0.1" help:"Part of the requests and jobs that are traced, from 0 to 1."`
	// Version is the program's, which traces name.
	Version string `kong:"-"`
}

// Validate reports all invalid settings by variable name.
func (c Config) Validate() error {
	var faults []error
	if c.Endpoint != "" {
		u, err := url.Parse(c.Endpoint)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.User != nil {
			faults = append(faults, errors.New("MASTHEAD_OTLP_ENDPOINT must be an address like http://127.0.0.1:4318, "+
				"without query, user or password"))
		}
	}
	if !(c.Sample >= 0 && c.Sample <= 1) { // NaN is neither
		faults = append(faults, fmt.Errorf("MASTHEAD_TRACE_SAMPLE must be from 0 to 1, not %v", c.Sample))
	}
	return errors.Join(faults...)
}

const (
	// scope is the name of the service and of its tracer.
	scope = "masthead"
	// queued is how many ended spans wait for being sent; more are dropped. A span has about 1 KB.
	queued = 4096
	// maxAttributeBytes bounds a value, such as the text of a statement.
	maxAttributeBytes = 1 << 10
	// exportTime bounds sending one batch, attempts included.
	exportTime = 10 * time.Second
)

// Tracer begins traces. It is safe for concurrent use, and a nil one begins none.
type Tracer struct {
	provider interface{ Shutdown(context.Context) error } // sdktrace.TracerProvider, see package cache
	tracer   trace.Tracer
}

// Open returns a tracer for the collector of cfg, or nil if there is none. It opens no connection: spans are sent in
// batches, and dropped while the collector doesn't answer. The tracer must be closed.
func Open(ctx context.Context, cfg Config) (*Tracer, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Endpoint == "" {
		return nil, nil //nolint:nilnil // a nil tracer is off
	}
	client, err := newUpload(cfg.Endpoint)
	if err != nil {
		return nil, err
	}
	exporter, err := otlptrace.New(ctx, client)
	if err != nil {
		return nil, fmt.Errorf("MASTHEAD_OTLP_ENDPOINT: %w", err)
	}
	logErrors()
	if names := ignored(os.Environ()); len(names) > 0 {
		slog.WarnContext(ctx, "these variables have no effect on traces; see MASTHEAD_OTLP_ENDPOINT and "+
			"MASTHEAD_TRACE_SAMPLE", "variables", strings.Join(names, " "))
	}
	limits := sdktrace.NewSpanLimits()
	limits.AttributeValueLengthLimit = maxAttributeBytes
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(exporter, sdktrace.WithMaxQueueSize(queued), sdktrace.WithExportTimeout(exportTime)),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(cfg.Sample))),
		sdktrace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", scope), attribute.String("service.version", cfg.Version))),
		sdktrace.WithRawSpanLimits(limits),
	)
	return &Tracer{provider: provider, tracer: provider.Tracer(scope)}, nil
}

// logErrors logs what goes wrong with sending, once a minute at most. The handler is one for the process.
func logErrors() {
	sometimes := &rate.Sometimes{Interval: time.Minute}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		sometimes.Do(func() { slog.Warn("traces are not sent", "err", err) })
	}))
}

// Close sends what is left, for as long as ctx allows.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	if err := t.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("send the last traces: %w", err)
	}
	return nil
}

// Kind is what begins a trace.
type Kind = trace.SpanKind

// The kinds.
const (
	Request = trace.SpanKindServer
	Job     = trace.SpanKindConsumer
)

// Root begins a trace. Whether it is recorded is this installation's decision: a client's own trace, if parent names
// one (the traceparent header of https://www.w3.org/TR/trace-context/), is only linked.
func (t *Tracer) Root(ctx context.Context, kind Kind, name, parent string) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	options := []trace.SpanStartOption{trace.WithNewRoot(), trace.WithSpanKind(kind)}
	if linked := parse(parent); linked.IsValid() {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: linked}))
	}
	ctx, span := t.tracer.Start(ctx, name, options...)
	return ctx, Span{span}
}

// Continue is like Root for a parent of our own, from [Parent]: the span joins its trace, and is recorded if it was.
// Without a valid parent it begins a trace.
func (t *Tracer) Continue(ctx context.Context, kind Kind, name, parent string) (context.Context, Span) {
	own := parse(parent)
	if t == nil || !own.IsValid() {
		return t.Root(ctx, kind, name, "")
	}
	ctx, span := t.tracer.Start(trace.ContextWithRemoteSpanContext(ctx, own), name, trace.WithSpanKind(kind))
	return ctx, Span{span}
}

func parse(parent string) trace.SpanContext {
	if parent == "" {
		return trace.SpanContext{}
	}
	carrier := propagation.MapCarrier{"traceparent": parent}
	return trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), carrier))
}

// Parent returns the span in ctx as a traceparent header, for [Tracer.Continue]; "" if it isn't recorded.
func Parent(ctx context.Context) string {
	if ID(ctx) == "" {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier["traceparent"]
}

// ID returns the ID of the trace in ctx, 32 hexadecimal digits; "" if it isn't recorded.
func ID(ctx context.Context) string {
	of := trace.SpanContextFromContext(ctx)
	if !of.IsSampled() {
		return ""
	}
	return of.TraceID().String()
}

// Span is a piece of work in a trace. The zero value records nothing.
type Span struct{ span trace.Span }

// Start begins a span of the trace in ctx. The caller must end it.
func Start(ctx context.Context, name string) (context.Context, Span) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, Span{}
	}
	ctx, span := parent.TracerProvider().Tracer(scope).Start(ctx, name)
	return ctx, Span{span}
}

// Recorded reports whether the span is recorded, so that values for it are worth computing.
func (s Span) Recorded() bool { return s.span != nil && s.span.IsRecording() }

// Text sets an attribute.
func (s Span) Text(key, value string) {
	if s.Recorded() {
		s.span.SetAttributes(attribute.String(key, strings.ToValidUTF8(value, "")))
	}
}

// Number sets an attribute.
func (s Span) Number(key string, value int) {
	if s.Recorded() {
		s.span.SetAttributes(attribute.Int(key, value))
	}
}

// Event adds a moment with a text.
func (s Span) Event(name, key, value string) {
	if s.Recorded() {
		s.span.AddEvent(name, trace.WithAttributes(attribute.String(key, value)))
	}
}

// Fail marks the span as failed. The message of an error may quote a page, so it isn't recorded: the log has it, with
// the ID of the trace.
func (s Span) Fail() {
	if s.Recorded() {
		s.span.SetStatus(codes.Error, "")
	}
}

// End ends the span; with an error other than the end of a context, as failed.
func (s Span) End(err error) {
	if s.span == nil {
		return
	}
	switch {
	case errors.Is(err, context.Canceled):
		s.span.SetAttributes(attribute.Bool("masthead.canceled", true))
	case err != nil:
		s.span.SetStatus(codes.Error, "")
	}
	s.span.End()
}
