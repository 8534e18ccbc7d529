package server

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/pkg/identity"
)

// This file limits the connections: in total, per address, and with a few reserved for health checks.

// Limits of connections.
const (
	maxConnections        = 10_000
	maxAddressConnections = 256
	// spareConnections are reserved for health checks, in addition to the others.
	spareConnections = 64
	// mostConnections is the upper bound of both settings.
	mostConnections = 1_000_000
	// warnEvery is the interval of log messages about addresses with too many connections.
	warnEvery = time.Minute
)

// connections is a listener with a limited number of connections. When it is full, new connections get a spare slot,
// which answers only health checks (see [Server.keepSpare]); when these are full, too, the one that has been silent for
// longest is closed.
type connections struct {
	net.Listener
	most, ofAddress int
	exempt          proxySet
	metrics         *metrics

	mu        sync.Mutex
	held      int // without those in spare slots
	byAddress map[netip.Prefix]int
	spare     []*conn // oldest first
	warned    time.Time
}

func newConnections(listener net.Listener, most, ofAddress int, exempt proxySet, m *metrics) *connections {
	return &connections{
		Listener: listener, most: most, ofAddress: ofAddress, exempt: exempt, metrics: m,
		byAddress: map[netip.Prefix]int{},
	}
}

// Accept returns the next connection that gets a slot, and closes those that don't.
func (l *connections) Accept() (net.Conn, error) {
	for {
		inner, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: inner, places: l, metrics: l.metrics}
		if peer := peerOf(inner.RemoteAddr().String()); peer.IsValid() && !l.exempt.trusts(peer) {
			c.address = identity.NetworkOf(peer)
		}
		refused, reason := l.admit(c)
		if refused != nil {
			l.metrics.refused.WithLabelValues(reason).Inc()
			reset(refused)
		}
		if refused != c {
			if tcp, ok := inner.(*net.TCPConn); ok {
				bindSocket(tcp)
			}
			return c, nil
		}
	}
}

// admit gives c a slot. The connection to close for that, if any, is c itself or one in a spare slot.
func (l *connections) admit(c *conn) (refused *conn, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.address.IsValid() && l.byAddress[c.address] >= l.ofAddress {
		l.warn(c.address)
		c.released = true
		return c, "address"
	}
	if l.held < l.most {
		l.held++
	} else {
		if len(l.spare) >= spareConnections {
			i := slices.IndexFunc(l.spare, func(s *conn) bool { return !s.serving.Load() })
			if i < 0 {
				c.released = true
				return c, "full"
			}
			refused, reason = l.spare[i], "full"
			l.forget(refused)
		}
		c.spare = true
		l.spare = append(l.spare, c)
	}
	if c.address.IsValid() {
		l.byAddress[c.address]++
	}
	return refused, reason
}

// warn logs an address whose connections are refused: it may be the operator's own proxy. The lock is held.
func (l *connections) warn(address netip.Prefix) {
	if now := time.Now(); now.Sub(l.warned) > warnEvery {
		l.warned = now
		slog.Warn("an address has reached its limit of connections, and more are refused; a proxy is exempt if "+
			"MASTHEAD_TRUSTED_PROXIES contains it", "address", address.String(), "connections", l.ofAddress)
	}
}

// forget releases the slot of c. The lock is held.
func (l *connections) forget(c *conn) {
	if c.released {
		return
	}
	c.released = true
	if c.spare {
		l.spare = slices.DeleteFunc(l.spare, func(s *conn) bool { return s == c })
	} else {
		l.held--
	}
	if !c.address.IsValid() {
		return
	}
	if l.byAddress[c.address]--; l.byAddress[c.address] == 0 {
		delete(l.byAddress, c.address)
	}
}

// promote moves a connection from a spare slot to a regular one if one is free. It reports whether c has a regular one.
func (l *connections) promote(c *conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.spare && !c.released && l.held < l.most {
		l.spare = slices.DeleteFunc(l.spare, func(s *conn) bool { return s == c })
		c.spare = false
		l.held++
	}
	return !c.spare
}

// counts are the numbers of connections in regular and in spare slots.
func (l *connections) counts() (held, spare int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held, len(l.spare)
}

// reset closes a connection at once, without a closing handshake that its client may never answer.
func reset(c *conn) {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // otherwise it closes a little later
	}
	_ = c.Close() // nobody would see the error
}

// The context of a request has its connection under connKey, and one in a spare slot under spareKey, too.
type (
	connKey  struct{}
	spareKey struct{}
)

// withConn is the ConnContext of the server.
func withConn(ctx context.Context, nc net.Conn) context.Context {
	c, ok := nc.(*conn)
	if !ok {
		return ctx
	}
	ctx = context.WithValue(ctx, connKey{}, c)
	if c.spare {
		ctx = context.WithValue(ctx, spareKey{}, c)
	}
	return ctx
}

// keepSpare reserves spare slots for health checks: other requests are answered only if a regular slot has become free.
func keepSpare(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		held, _ := c.Request().Context().Value(spareKey{}).(*conn)
		if held == nil || isHealth(c) || held.places.promote(held) {
			return next(c)
		}
		held.metrics.refused.WithLabelValues("spare").Inc()
		c.Response().Header().Set(echo.HeaderConnection, "close")
		return unavailable("This node has reached its limit of connections. Try again in a moment.", time.Second)
	}
}

// isHealth reports whether a request is a health check.
func isHealth(c echo.Context) bool {
	switch c.Path() {
	case "/healthz", "/readyz", "/api/healthz", "/api/readyz":
		return true
	}
	return false
}

// follow is the ConnState of the server: it tells a connection when a request begins and ends.
func follow(nc net.Conn, state http.ConnState) {
	c, ok := nc.(*conn)
	if !ok {
		return
	}
	switch state {
	case http.StateActive:
		c.begin()
		c.serving.Store(true)
	case http.StateIdle:
		c.answered = false
		c.serving.Store(false)
	}
}
