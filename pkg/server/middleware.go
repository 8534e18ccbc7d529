package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/tracing"
)

// bounded sets the deadline of each request's context. What is still waiting then is answered as UNAVAILABLE.
func bounded(most time.Duration) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			ctx, cancel := context.WithTimeout(db.ForRequest(c.Request().Context()), most)
			defer cancel()
			c.SetRequest(c.Request().WithContext(ctx))
			return next(c)
		}
	}
}

// identify gives each request an ID and an anonymous caller with the client's address. The ID is ours: one from outside
// could repeat or forge log lines.
func (s *Server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := uuid.Must(uuid.NewV7()).String()
		ctx := identity.WithRequestID(c.Request().Context(), id)
		ctx = identity.WithCaller(ctx, identity.Caller{
			Address: s.proxies.clientOf(c.Request()), Agent: bound(c.Request().UserAgent(), maxAgent),
		})
		c.SetRequest(c.Request().WithContext(ctx))
		c.Response().Header().Set("X-Request-Id", id)
		return next(c)
	}
}

// trace traces each request, except those for the service's health. Pictures that are sent from memory don't come here:
// a span would take as long as they do.
func (s *Server) trace(next echo.HandlerFunc) echo.HandlerFunc {
	if s.deps.Tracer == nil {
		return next
	}
	return func(c echo.Context) error {
		if isHealth(c) {
			return next(c)
		}
		r := c.Request()
		ctx, span := s.deps.Tracer.Root(r.Context(), tracing.Request, r.Method+" "+c.Path(), r.Header.Get("Traceparent"))
		c.SetRequest(r.WithContext(ctx))
		err := next(c) // logRequests has turned errors into responses
		span.Text("http.request.method", r.Method)
		span.Text("http.route", c.Path())
		span.Number("http.response.status_code", c.Response().Status)
		span.Text("masthead.request_id", identity.RequestIDOf(ctx))
		if c.Response().Status >= http.StatusInternalServerError {
			span.Fail()
		}
		span.End(err)
		return err
	}
}

// maxAgent is how many bytes of a User-Agent are kept.
const maxAgent = 256

func bound(text string, bytes int) string { return text[:min(len(text), bytes)] }

// logRequests counts each request, and logs one line for it. The path is logged without its query, which may contain
// data of others.
func (s *Server) logRequests(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := time.Now()
		if err := next(c); err != nil {
			c.Error(err)
		}
		took := time.Since(start)
		s.observe(c, took)
		ctx := c.Request().Context()
		level := slog.LevelInfo
		if isHealth(c) {
			level = slog.LevelDebug
		}
		logRequest(ctx, level, c.Request(), outcome{
			status: c.Response().Status, bytes: c.Response().Size, took: took,
			id: identity.RequestIDOf(ctx), address: identity.CallerOf(ctx).Address,
		})
		return nil
	}
}

// outcome is the outcome of a request.
type outcome struct {
	status  int
	bytes   int64
	took    time.Duration
	id      string
	address netip.Addr
}

func logRequest(ctx context.Context, level slog.Level, r *http.Request, a outcome) {
	slog.Log(ctx, level, "request", "method", r.Method, "path", r.URL.Path, "status", a.status, "bytes", a.bytes,
		"ms", a.took.Milliseconds(), "request_id", a.id, "address", a.address.String())
}

// recoverPanics turns a panic into an error, so that one request can't end the others.
func recoverPanics(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			if v := recover(); v != nil {
				if v == http.ErrAbortHandler { //nolint:errorlint // net/http compares it like this too
					panic(v)
				}
				err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
			}
		}()
		return next(c)
	}
}

// Headers by kind of response. Source: docs/security.md#responses.
const (
	apiPolicy     = "default-src 'none'; frame-ancestors 'none'"
	picturePolicy = "default-src 'none'; sandbox"
)

// apiHeaders sets the headers of responses with data.
func apiHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", apiPolicy)
		h.Set("Cache-Control", "no-store")
		return next(c)
	}
}

// pictureHeaders sets the headers of responses with a picture, which any page may show.
func pictureHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		setFields(c.Response().Header(), pictureFields)
		return next(c)
	}
}
