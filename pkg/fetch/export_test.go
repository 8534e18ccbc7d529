package fetch

import (
	"context"
	"crypto/x509"
	"net/netip"
	"syscall"
	"time"

	"masthead/pkg/weburl"
)

// Admits judges a host as if it had these addresses.
func (c *Client) Admits(host weburl.Host, port uint16, addrs ...netip.Addr) (exempt bool, err error) {
	return c.dialer.guard.judge(host, port, addrs)
}

// Control returns the hook that judges the sockets opened for host.
func (c *Client) Control(host weburl.Host) func(network, address string, _ syscall.RawConn) error {
	return c.dialer.guard.control(host)
}

// Race connects to addr as one that has been judged for host.
func (c *Client) Race(ctx context.Context, host weburl.Host, port uint16, addr netip.Addr) error {
	conn, err := c.dialer.race(ctx, host, port, []netip.Addr{addr})
	if err != nil {
		return explain(ctx, host.String(), err)
	}
	return conn.Close()
}

// ForgetNames makes every look-up of c ask the resolver.
func (c *Client) ForgetNames() {
	var passed time.Duration
	c.dialer.names.now = func() time.Time {
		passed += time.Hour
		return time.Now().Add(passed)
	}
}

// Trust makes c take the certificates of pool.
func (c *Client) Trust(pool *x509.CertPool) { c.transport.TLSClientConfig.RootCAs = pool }

// Resolved returns l with its defaults.
func (l Limits) Resolved() Limits { return l.withDefaults() }
