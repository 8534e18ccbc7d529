package fetch

import (
	"context"
	"net"
	"net/http"
	"strings"
)

// Trusted returns a transport for requests to a server that the operator has named, at trusted (host:port), and to
// those that it names: connections to it are made wherever it is, all others by the rules of this package.
func (c *Client) Trusted(trusted string) *http.Transport {
	t := newTransport(c.dialer, c.limits)
	plain := &net.Dialer{Timeout: c.limits.ConnectTime}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if strings.EqualFold(address, trusted) {
			return plain.DialContext(ctx, network, address)
		}
		return c.dialer.dial(ctx, network, address)
	}
	return t
}
