package weburl

import (
	"net/netip"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

const (
	// The longest host name and label, in ASCII. Source: RFC 1035, 2.3.4.
	maxHostBytes  = 253
	maxLabelBytes = 63
	// maxGivenBytes bounds what is looked at: that many code points before they are turned into ASCII.
	maxGivenBytes = 4 * maxHostBytes
)

// Host is a host name in lower-case ASCII without a final dot, or an IP address in its canonical form. The zero value
// is no host. Two hosts are equal (==) when their texts are.
type Host struct {
	name      string
	addr      netip.Addr // of an IP address; else its zero value
	disguised bool
}

// hostRules are the IDNA look-up rules, with the two relaxations that browsers make (WHATWG URL, domain to ASCII):
// hosts such as r3---sn.example and my_site.example exist. The characters that may come out are checked afterwards.
var hostRules = idna.New(
	idna.MapForLookup(), idna.BidiRule(), idna.CheckHyphens(false), idna.StrictDomainName(false))

// ParseHost returns the host that text means: a name in any script or case, with or without a final dot, or an IP
// address, an IPv6 address with or without brackets. Every error is a BAD_REQUEST with the reason.
//
// A label may not begin or end with a hyphen, though browsers let it: no resolver of ours finds such a name (RFC 952).
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
		addr, err := netip.ParseAddr(ascii) // IPv6 is out of the question, there is no colon
		host.addr, host.disguised = addr, err != nil
	}
	return host, nil
}

// parseIPv6 reads an IPv6 address, in brackets or not, without a zone.
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

// String returns the host as text, an IPv6 address without brackets; "" for the zero value.
func (h Host) String() string { return h.name }

// Readable returns the host in the script that its owner writes it in.
func (h Host) Readable() string {
	if name, err := idna.ToUnicode(h.name); err == nil {
		return name
	}
	return h.name
}

// Label returns the label that the host's owner registered, as [Host.Readable] has it: "example" of www.example.co.uk.
// It is "" for an IP address and a name that nobody can register.
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

// Addr returns the IP address that the host is, or the zero value. An IPv4 address in IPv6 form stays one.
func (h Host) Addr() netip.Addr { return h.addr }

// IsLoopback reports whether the host is this machine, by its name or as an address. Source: RFC 6761, 6.3.
func (h Host) IsLoopback() bool {
	return h.name == "localhost" || strings.HasSuffix(h.name, ".localhost") || h.addr.Unmap().IsLoopback()
}

// IsDisguisedIP reports whether the host is no address by our reading, but a number that resolvers of old take for
// one: 127.1, 0x7f.1, 2130706433. Nothing good is at such a host. Source: WHATWG URL, "ends in a number checker".
func (h Host) IsDisguisedIP() bool { return h.disguised }

// SingleLabel reports whether the host is a name without a dot.
func (h Host) SingleLabel() bool {
	return h.name != "" && !h.IsIP() && !strings.Contains(h.name, ".")
}

// IsPublicSuffix reports whether anybody can register names directly under the host: com, co.uk, github.io. A single
// label that is on no list counts, as the list says.
func (h Host) IsPublicSuffix() bool {
	if h.name == "" || h.IsIP() {
		return false
	}
	suffix, _ := publicsuffix.PublicSuffix(h.name)
	return suffix == h.name
}

// Registrable reports whether the name ends in a public suffix, under which names are registered: "node.js" does not.
func (h Host) Registrable() bool {
	suffix, icann := publicsuffix.PublicSuffix(h.name)
	return icann || strings.Contains(suffix, ".")
}

// Within reports whether the host is the domain or a subdomain of it. An IP address is within itself alone, in its
// IPv4 form as in its IPv6 form.
func (h Host) Within(domain Host) bool {
	if h.IsIP() || domain.IsIP() {
		return h.IsIP() && h.addr.Unmap() == domain.addr.Unmap()
	}
	rest, ok := strings.CutSuffix(h.name, domain.name)
	return ok && domain.name != "" && (rest == "" || strings.HasSuffix(rest, "."))
}

// Domain returns the registrable domain of the host: example.co.uk of www.example.co.uk, and of a name under github.io
// that name itself. An IP address, and a name that nobody can register, is its own domain.
func (h Host) Domain() string {
	own, err := publicsuffix.EffectiveTLDPlusOne(h.name)
	if h.IsIP() || err != nil {
		return h.name
	}
	return own
}

// SameSite reports whether both hosts belong to one registrable domain: www.example.com and example.com do, two names
// under github.io do not. An IP address, and a name that nobody can register, is of one site with itself alone.
func (h Host) SameSite(other Host) bool { return h.name != "" && h.Domain() == other.Domain() }

// isLabel reports whether label, in lower case, is one of a host name.
func isLabel(label string) bool {
	if label == "" || len(label) > maxLabelBytes || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	return strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

// isNumber reports whether resolvers may take the label for a number: decimal, octal or hexadecimal.
func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}
