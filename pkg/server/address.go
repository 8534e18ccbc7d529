package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// This file determines the address of a client, which may be behind proxies.

// proxySet are the trusted proxies.
type proxySet []netip.Prefix

func (p proxySet) trusts(address netip.Addr) bool {
	return slices.ContainsFunc(p, func(prefix netip.Prefix) bool { return prefix.Contains(address) })
}

// clientOf returns the address of the client that sent r: the peer or, behind trusted proxies, the rightmost hop that
// isn't one; if all hops are trusted, the leftmost. If any hop isn't an address, the header is ignored and the client
// is the peer. A peer without an address gives the zero address.
func (p proxySet) clientOf(r *http.Request) netip.Addr {
	peer := peerOf(r.RemoteAddr)
	forwarded := r.Header[echo.HeaderXForwardedFor]
	if len(forwarded) == 0 || !p.trusts(peer) {
		return peer
	}
	client := peer
	for _, line := range slices.Backward(forwarded) {
		for line, rest := line, true; rest; {
			var hop string
			hop, line, rest = lastHop(line)
			address, ok := parseHop(hop)
			if !ok {
				return peer
			}
			if client = address; !p.trusts(address) {
				return client
			}
		}
	}
	return client
}

// lastHop splits off the last member of a list.
func lastHop(list string) (hop, before string, more bool) {
	i := strings.LastIndexByte(list, ',')
	if i < 0 {
		return list, "", false
	}
	return list[i+1:], list[:i], true
}

// parseHop parses a member of X-Forwarded-For: an address, with or without brackets and port, as some load balancers
// write it.
func parseHop(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return plain(withPort.Addr()), true
	}
	if inside, ok := strings.CutPrefix(text, "["); ok {
		if text, ok = strings.CutSuffix(inside, "]"); !ok {
			return netip.Addr{}, false
		}
	}
	address, err := netip.ParseAddr(text)
	return plain(address), err == nil
}

// peerOf returns the address in host:port.
func peerOf(hostport string) netip.Addr {
	peer, err := netip.ParseAddrPort(hostport)
	if err != nil {
		return netip.Addr{}
	}
	return plain(peer.Addr())
}

// plain normalizes an address.
func plain(address netip.Addr) netip.Addr { return address.Unmap().WithZone("") }
