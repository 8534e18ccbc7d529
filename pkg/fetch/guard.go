package fetch

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"syscall"

	"code.dny.dev/ssrf"

	"masthead/pkg/weburl"
)

// guard decides which targets may be reached. It is immutable.
type guard struct {
	opened []target
	denied []target
	ports  []uint16
	grants map[grant]bool
	// table has the ranges outside the public internet: the IANA special-purpose registries, and for IPv6 everything
	// outside 2000::/3. It can't open a prefix for one port or host, so only its address table is used.
	table *ssrf.Guardian
}

func newGuard(cfg Config) (*guard, error) {
	opened, allowFault := parseTargets("MASTHEAD_FETCH_ALLOW", cfg.Allow, shortestOpened)
	denied, denyFault := parseTargets("MASTHEAD_FETCH_DENY", cfg.Deny, 0)
	grants, hostFault := parseGrants(cfg.AllowHosts)
	ports := cfg.Ports
	if len(ports) == 0 {
		ports = []uint16{80, 443}
	}
	return &guard{opened: opened, denied: denied, ports: ports, grants: grants, table: ssrf.New(ssrf.WithAnyPort())},
		errors.Join(allowFault, denyFault, hostFault)
}

// granted reports whether the operator has named the host, for this port.
func (g *guard) granted(host weburl.Host, port uint16) bool {
	return g.grants[grant{host, port}] || g.grants[grant{host, 0}] && slices.Contains(g.ports, port)
}

// foresee refuses what no lookup could make allowed, to avoid the lookup.
func (g *guard) foresee(host weburl.Host, port uint16) error {
	if len(g.opened) > 0 || g.granted(host, port) {
		return nil
	}
	return g.judgeName(host, port)
}

// judge decides whether host may be reached on port, given all its addresses. One forbidden address forbids the host.
// exempt is true if all of them are in opened prefixes, or are this machine's own and the operator has named the host:
// such a host is exempt from the rules for names and ports and from the rate limit.
func (g *guard) judge(host weburl.Host, port uint16, addrs []netip.Addr) (exempt bool, err error) {
	granted := g.granted(host, port)
	exempt = len(addrs) > 0
	for _, addr := range addrs {
		ap := netip.AddrPortFrom(addr.Unmap(), port)
		switch {
		case addr.Zone() != "", contains(g.denied, ap):
			return false, refused("address")
		case contains(g.opened, ap), granted && ap.Addr().IsLoopback():
			continue
		case !granted && g.table.SafeAddr(ap.Addr()) != nil:
			return false, refused("address")
		}
		exempt = false
	}
	if exempt || granted {
		return exempt, nil
	}
	return false, g.judgeName(host, port)
}

// judgeName applies the rules for names and ports.
func (g *guard) judgeName(host weburl.Host, port uint16) error {
	if !slices.Contains(g.ports, port) {
		return refused("port")
	}
	if !host.IsIP() && isReservedName(host) {
		return refused("name")
	}
	return nil
}

// control returns the hook that checks the address a socket is about to connect to.
func (g *guard) control(host weburl.Host) func(network, address string, _ syscall.RawConn) error {
	return func(network, address string, _ syscall.RawConn) error {
		ap, err := netip.ParseAddrPort(address)
		if err != nil || (network != "tcp4" && network != "tcp6") {
			return refused("network")
		}
		_, err = g.judge(host, ap.Port(), []netip.Addr{ap.Addr()})
		return err
	}
}

// reservedDomains aren't part of the public web. Sources: RFC 6761, RFC 6762, RFC 7686, RFC 8375, and ICANN's
// reservation of .internal; .lan is common in home routers.
var reservedDomains = hosts("localhost", "local", "internal", "lan", "home.arpa", "onion")

// hosts parses constant names.
func hosts(names ...string) []weburl.Host {
	parsed := make([]weburl.Host, len(names))
	for i, name := range names {
		h, err := weburl.ParseHost(name)
		if err != nil {
			panic(err)
		}
		parsed[i] = h
	}
	return parsed
}

// isReservedName reports whether host is a single label or under a domain outside the public web.
func isReservedName(host weburl.Host) bool {
	return host.SingleLabel() || slices.ContainsFunc(reservedDomains, host.Within)
}

// splitTarget returns the host and port of an address from the transport.
func splitTarget(address string) (host weburl.Host, port uint16, err error) {
	name, portText, err := net.SplitHostPort(address)
	if err != nil {
		return weburl.Host{}, 0, err
	}
	n, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return weburl.Host{}, 0, err
	}
	host, err = weburl.ParseHost(name)
	return host, uint16(n), err
}
