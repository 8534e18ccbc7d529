package weburl

import (
	"net"
	"net/netip"
	"strings"
)

// IsLoopback reports whether a listener on addr (HOST:PORT) is reachable only from this machine.
func IsLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
