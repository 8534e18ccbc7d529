package weburl

import (
	"net"
	"net/netip"
	"strings"
)

// IsLoopback says whether only this machine reaches what listens on addr, which is HOST:PORT.
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
