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

	"masthead/pkg/identity"
)

// bounded ends the context of each request after a time; whatever waits by it is answered as UNAVAILABLE then.
func bounded(most time.Duration) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			ctx, cancel := context.WithTimeout(c.Request().Context(), most)
			defer cancel()
			c.SetRequest(c.Request().WithContext(ctx))
			return next(c)
		}
	}
}

// identify gives each request an id and an anonymous caller with the client's address. The id is ours: one from
// outside could repeat or forge lines of the log.
func (s *Server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := uuid.Must(uuid.NewV7()).String()
		address, err := netip.ParseAddr(c.RealIP())
		if err != nil {
			address = netip.Addr{}
		}
		ctx := identity.WithRequestID(c.Request().Context(), id)
		ctx = identity.WithCaller(ctx, identity.Caller{Address: address.Unmap()})
		c.SetRequest(c.Request().WithContext(ctx))
		c.Response().Header().Set("X-Request-Id", id)
		return next(c)
	}
}

// logRequests writes one line for each request. The path is logged without its query, which may hold what belongs to
// others.
func logRequests(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := time.Now()
		if err := next(c); err != nil {
			c.Error(err)
		}
		ctx := c.Request().Context()
		level := slog.LevelInfo
		if path := c.Path(); path == "/healthz" || path == "/readyz" {
			level = slog.LevelDebug
		}
		slog.Log(ctx, level, "request",
			"method", c.Request().Method, "path", c.Request().URL.Path, "status", c.Response().Status,
			"bytes", c.Response().Size, "ms", time.Since(start).Milliseconds(),
			"request_id", identity.RequestIDOf(ctx), "address", identity.CallerOf(ctx).Address.String())
		return nil
	}
}

// recoverPanics turns a panic into an error, so that one request cannot take the others down.
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

// Headers by kind of response. Source: security requirements, "Answers, headers, webhooks".
const (
	apiPolicy     = "default-src 'none'; frame-ancestors 'none'"
	picturePolicy = "default-src 'none'; sandbox"
)

// apiHeaders sets the headers of responses that hold data.
func apiHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", apiPolicy)
		h.Set("Cache-Control", "no-store")
		return next(c)
	}
}

// pictureHeaders sets the headers of responses that hold a picture, which any page may show.
func pictureHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", picturePolicy)
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		return next(c)
	}
}
