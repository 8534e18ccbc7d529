package fetch

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"masthead/pkg/weburl"
)

// target is a prefix of addresses, with one port or, if port is 0, all ports.
type target struct {
	prefix netip.Prefix
	port   uint16
}

// holds reports whether the address, which must be unmapped, is in the target.
func (t target) holds(ap netip.AddrPort) bool {
	return (t.port == 0 || t.port == ap.Port()) && t.prefix.Contains(ap.Addr())
}

// shortestOpened is the minimum length, in bits, of a prefix that Allow may open: there is no "allow all".
const shortestOpened = 8

// parseTargets parses the entries of a variable: "prefix[:port]" or "address[:port]".
func parseTargets(variable string, entries []string, shortest int) ([]target, error) {
	var targets []target
	var faults []error
	for _, entry := range entries {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			continue
		}
		t, err := parseTarget(entry)
		switch {
		case err != nil:
			const noPrefix = "%s: %q is not an address prefix with an optional port, such as 127.0.0.1/32:8099"
			faults = append(faults, fmt.Errorf(noPrefix, variable, entry))
		case t.prefix.Bits() < shortest:
			faults = append(faults,
				fmt.Errorf("%s: %q opens too much: a prefix needs at least %d bits", variable, entry, shortest))
		default:
			targets = append(targets, t)
		}
	}
	return targets, errors.Join(faults...)
}

func parseTarget(entry string) (target, error) {
	var t target
	slash := strings.LastIndexByte(entry, '/')
	if slash < 0 {
		addr, err := netip.ParseAddr(strings.Trim(entry, "[]"))
		if err != nil {
			ap, err := netip.ParseAddrPort(entry)
			if err != nil || ap.Port() == 0 {
				return t, errors.New("no address")
			}
			addr, t.port = ap.Addr(), ap.Port()
		}
		t.prefix = netip.PrefixFrom(addr.WithZone(""), addr.BitLen())
	} else {
		bits, port, hasPort := strings.Cut(entry[slash+1:], ":")
		if hasPort {
			ap, err := netip.ParseAddrPort("0.0.0.0:" + port)
			if err != nil || ap.Port() == 0 {
				return t, errors.New("no port")
			}
			t.port = ap.Port()
		}
		prefix, err := netip.ParsePrefix(strings.Trim(entry[:slash], "[]") + "/" + bits)
		if err != nil {
			return t, err
		}
		t.prefix = prefix
	}
	if t.prefix.Addr().Is4In6() { // addresses are unmapped before they are checked
		if t.prefix.Bits() < 96 {
			return t, errors.New("prefix of mapped addresses")
		}
		t.prefix = netip.PrefixFrom(t.prefix.Addr().Unmap(), t.prefix.Bits()-96)
	}
	t.prefix = t.prefix.Masked()
	return t, nil
}

func contains(targets []target, ap netip.AddrPort) bool {
	return slices.ContainsFunc(targets, func(t target) bool { return t.holds(ap) })
}

// grant is a host named by the operator, with one port or, if port is 0, the usual ones.
type grant struct {
	host weburl.Host
	port uint16
}

// parseGrants parses hosts written as in URLs.
func parseGrants(hosts []string) (map[grant]bool, error) {
	grants := make(map[grant]bool, len(hosts))
	var faults []error
	for _, h := range hosts {
		host, port := h, ""
		if i := strings.LastIndexByte(h, ':'); i > strings.LastIndexByte(h, ']') {
			host, port = h[:i], h[i+1:]
		}
		named, err := weburl.ParseHost(host)
		n, portErr := strconv.ParseUint("0"+port, 10, 16)
		if err != nil || named.IsDisguisedIP() || portErr != nil {
			faults = append(faults, fmt.Errorf("%q isn't a host to fetch from", h))
			continue
		}
		grants[grant{named, uint16(n)}] = true
	}
	return grants, errors.Join(faults...)
}
