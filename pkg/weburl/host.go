package weburl

import (
	"net/netip"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

const (
	// Maximum length of a host name and of a label, in ASCII. Source: RFC 1035, 2.3.4.
	maxHostBytes  = 253
	maxLabelBytes = 63
	// maxGivenBytes bounds the input, in code points before the conversion to ASCII.
	maxGivenBytes = 4 * maxHostBytes
)

// Host is a host name in lowercase ASCII without a trailing dot, or an IP address in canonical form. The zero value
// is no host. Hosts can be compared with ==.
type Host struct {
	name      string
	addr      netip.Addr // zero unless the host is an IP address
	disguised bool
}

// hostRules are the IDNA lookup rules with the two relaxations of browsers (WHATWG URL, domain to ASCII), because
// hosts such as r3---sn.example and my_site.example exist. ParseHost checks the resulting characters itself.
var hostRules = idna.New(
	idna.MapForLookup(), idna.BidiRule(), idna.CheckHyphens(false), idna.StrictDomainName(false))

// ParseHost parses a host: a name in any script or case, with or without a trailing dot, or an IP address, with or
// without brackets for IPv6. Every error is a BAD_REQUEST that states the reason.
//
// Labels must not start or end with a hyphen. Browsers accept such names, but our resolvers don't find them (RFC
// 952).
func ParseHost(text string) (Host, error) {
	if len(text) > maxGivenBytes || !utf8.ValidString(text) {
		return Host{}, noName()
	}
	if strings.ContainsAny(text, "[:") {
		return parseIPv6(text)
	}
	ascii, err := hostRules.ToASCII(text)
	if err != nil {
		return Host{}, noName()
	}
	ascii = strings.TrimSuffix(strings.ToLower(ascii), ".")
	if ascii == "" || len(ascii) > maxHostBytes {
		return Host{}, noName()
	}
	last := ""
	for label := range strings.SplitSeq(ascii, ".") {
		if !isLabel(label) {
			return Host{}, noName()
		}
		last = label
	}
	host := Host{name: ascii}
	if isNumber(last) {
		addr, err := netip.ParseAddr(ascii) // not IPv6, since there is no colon
		host.addr, host.disguised = addr, err != nil
	}
	return host, nil
}

// parseIPv6 parses an IPv6 address without a zone, with or without brackets.
func parseIPv6(text string) (Host, error) {
	inner, bracketed := strings.CutPrefix(text, "[")
	if bracketed {
		var closed bool
		if inner, closed = strings.CutSuffix(inner, "]"); !closed {
			return Host{}, noIPv6()
		}
	}
	addr, err := netip.ParseAddr(inner)
	if err != nil || !addr.Is6() || addr.Zone() != "" {
		return Host{}, noIPv6()
	}
	return Host{name: addr.String(), addr: addr}, nil
}

func noName() error { return malformed("The host of the address is not a valid name.") }
func noIPv6() error { return malformed("The host of the address is not a valid IPv6 address.") }

// String returns the host as text, without brackets for IPv6, or "" for the zero value.
func (h Host) String() string { return h.name }

// Readable returns the host in its original script instead of Punycode.
func (h Host) Readable() string {
	if name, err := idna.ToUnicode(h.name); err == nil {
		return name
	}
	return h.name
}

// Label returns the label that the host's owner registered, in the script of [Host.Readable]: "example" for
// www.example.co.uk. It returns "" for IP addresses and names that can't be registered.
func (h Host) Label() string {
	own, err := publicsuffix.EffectiveTLDPlusOne(h.name)
	if h.IsIP() || err != nil {
		return ""
	}
	label, _, _ := strings.Cut(own, ".")
	return Host{name: label}.Readable()
}

// IsIP reports whether the host is an IP address.
func (h Host) IsIP() bool { return h.addr.IsValid() }

// Addr returns the host's IP address, or the zero value. An IPv4-mapped IPv6 address stays one.
func (h Host) Addr() netip.Addr { return h.addr }

// IsLoopback reports whether the host is this machine, by name or by address. Source: RFC 6761, 6.3.
func (h Host) IsLoopback() bool {
	return h.name == "localhost" || strings.HasSuffix(h.name, ".localhost") || h.addr.Unmap().IsLoopback()
}

// IsDisguisedIP reports whether the host isn't an address to us but a number that legacy resolvers accept as one:
// 127.1, 0x7f.1, 2130706433. No legitimate site uses one. Source: WHATWG URL, "ends in a number checker"
// (https://url.spec.whatwg.org/#ends-in-a-number-checker).
func (h Host) IsDisguisedIP() bool { return h.disguised }

// SingleLabel reports whether the host is a name without dots.
func (h Host) SingleLabel() bool {
	return h.name != "" && !h.IsIP() && !strings.Contains(h.name, ".")
}

// IsPublicSuffix reports whether anyone can register names directly under the host: com, co.uk, github.io. A single
// label that isn't on the Public Suffix List counts too, as the list's default rule says
// (https://publicsuffix.org/list/).
func (h Host) IsPublicSuffix() bool {
	if h.name == "" || h.IsIP() {
		return false
	}
	suffix, _ := publicsuffix.PublicSuffix(h.name)
	return suffix == h.name
}

// Registrable reports whether the name is under a public suffix. "node.js" is not.
func (h Host) Registrable() bool {
	suffix, icann := publicsuffix.PublicSuffix(h.name)
	return icann || strings.Contains(suffix, ".")
}

// Within reports whether the host is domain or a subdomain of it. An IP address is only within itself, in IPv4 or
// IPv4-mapped form.
func (h Host) Within(domain Host) bool {
	if h.IsIP() || domain.IsIP() {
		return h.IsIP() && h.addr.Unmap() == domain.addr.Unmap()
	}
	rest, ok := strings.CutSuffix(h.name, domain.name)
	return ok && domain.name != "" && (rest == "" || strings.HasSuffix(rest, "."))
}

// Domain returns the host's registrable domain: example.co.uk for www.example.co.uk. A name directly under github.io
// is its own domain, as are IP addresses and names that can't be registered.
func (h Host) Domain() string {
	own, err := publicsuffix.EffectiveTLDPlusOne(h.name)
	if h.IsIP() || err != nil {
		return h.name
	}
	return own
}

// SameSite reports whether both hosts have the same registrable domain: www.example.com and example.com do, two names
// under github.io don't.
func (h Host) SameSite(other Host) bool { return h.name != "" && h.Domain() == other.Domain() }

// isLabel reports whether label, in lowercase, is valid in a host name.
func isLabel(label string) bool {
	if label == "" || len(label) > maxLabelBytes || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	return strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

// isNumber reports whether resolvers may read the label as a decimal, octal or hexadecimal number.
func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}
