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

// guard says which targets may be reached. It never changes once made.
type guard struct {
	opened []target
	denied []target
	ports  []uint16
	grants map[grant]bool
	// table holds the ranges that are not of the public internet: the IANA special-purpose registries, and for IPv6
	// everything outside 2000::/3. It cannot open a prefix for one port or one host, so only its address table is
	// used.
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

// foresee refuses what no look-up could make allowed, so that nobody asks a name server about it.
func (g *guard) foresee(host weburl.Host, port uint16) error {
	if len(g.opened) > 0 || g.granted(host, port) {
		return nil
	}
	return g.judgeName(host, port)
}

// judge says whether host may be reached on port, given all the addresses it has. One forbidden address forbids the
// host. exempt is true when all of them lie in opened prefixes, or are this machine's own and the operator has named
// the host: such a host is free of the rules about names and ports, and of the rate of a host.
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

// judgeName holds the rules about names and ports.
func (g *guard) judgeName(host weburl.Host, port uint16) error {
	if !slices.Contains(g.ports, port) {
		return refused("port")
	}
	if !host.IsIP() && isReservedName(host) {
		return refused("name")
	}
	return nil
}

// control returns the hook that judges the address a socket is about to connect to.
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

// reservedDomains never lead to the public web. Sources: RFC 6761, RFC 6762, RFC 7686, RFC 8375, and ICANN's
// reservation of .internal; .lan is what home routers use.
var reservedDomains = hosts("localhost", "local", "internal", "lan", "home.arpa", "onion")

// hosts parses names of our own.
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

// isReservedName reports whether host is a single label or under a domain that is not of the public web.
func isReservedName(host weburl.Host) bool {
	return host.SingleLabel() || slices.ContainsFunc(reservedDomains, host.Within)
}

// splitTarget returns the host and port of an address as the transport gives it.
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
