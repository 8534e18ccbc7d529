package fetch

import (
	"context"
	"crypto/x509"
	"net"
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

// Bytes is what k holds in memory, and Len of how many addresses.
func (k *Memory) Bytes() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.bytes
}

// Len is of how many addresses k holds something.
func (k *Memory) Len() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.entries.Len()
}

// Hold keeps an empty response for u.
func (k *Memory) Hold(u weburl.URL) (*Response, error) {
	fetch := func(context.Context) (*Response, error) { return &Response{URL: u}, nil }
	return k.get(context.Background(), nil, u, Icon, fetch)
}

// ConnectTo makes every connection of c lead to address once its host was judged: names may have public addresses.
func (c *Client) ConnectTo(address string) {
	c.transport.DialContext = func(ctx context.Context, network, target string) (net.Conn, error) {
		host, port, err := splitTarget(target)
		if err != nil {
			return nil, err
		}
		if _, _, err := c.dialer.admit(ctx, host, port); err != nil {
			return nil, err
		}
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
}
