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

// This file bounds the connections: in all, of one address, and with a few kept for health checks.

// Bounds of connections. Source: security requirements, "Staying up".
const (
	maxConnections        = 10_000
	maxAddressConnections = 256
	// spareConnections are held beside the others, for those that ask for the node's health.
	spareConnections = 64
	// mostConnections is the upper bound of both settings.
	mostConnections = 1_000_000
	// warnEvery is how often the log tells of an address that wants more connections than it may have.
	warnEvery = time.Minute
)

// connections is a listener that holds a bounded number of connections. Those that come when all places are taken get
// a spare one, from which only health is told (see [Server.keepSpare]); when these are taken too, the one that has
// been silent for longest gives way.
type connections struct {
	net.Listener
	most, ofAddress int
	exempt          proxySet
	metrics         *metrics

	mu        sync.Mutex
	held      int // without those in spare places
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

// Accept returns the next connection that there is a place for, and closes those that there is none for.
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

// admit gives c a place. The connection that is to be closed for it, if any, is c itself or one of a spare place.
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

// warn tells the operator of an address that is refused connections: it may be a proxy of his. The lock is held.
func (l *connections) warn(address netip.Prefix) {
	if now := time.Now(); now.Sub(l.warned) > warnEvery {
		l.warned = now
		slog.Warn("an address holds as many connections as it may, and more are refused; a proxy is exempt when "+
			"MASTHEAD_TRUSTED_PROXIES names it", "address", address.String(), "connections", l.ofAddress)
	}
}

// forget gives the place of c back. The lock is held.
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

// promote gives a connection of a spare place one of the others, when one is free. It says whether c has one.
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

// counts are how many connections there are, and how many of spare places.
func (l *connections) counts() (held, spare int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held, len(l.spare)
}

// reset closes a connection at once: nothing of it, nor of the farewell that its client may never answer, stays.
func reset(c *conn) {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // else it closes a little later
	}
	_ = c.Close() // there is nobody to be told
}

// The context of a request has its connection under connKey, and one in a spare place under spareKey too.
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

// keepSpare keeps connections in spare places for health checks: any other request is answered only if a place has
// become free by then.
func keepSpare(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		held, _ := c.Request().Context().Value(spareKey{}).(*conn)
		if held == nil || isHealth(c) || held.places.promote(held) {
			return next(c)
		}
		held.metrics.refused.WithLabelValues("spare").Inc()
		c.Response().Header().Set(echo.HeaderConnection, "close")
		return unavailable("This node holds as many connections as it can; try again in a moment.", time.Second)
	}
}

// isHealth says whether a request asks for the node's health.
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
		c.begin(time.Now())
		c.serving.Store(true)
	case http.StateIdle:
		c.answered = false
		c.serving.Store(false)
	}
}
