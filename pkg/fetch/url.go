package fetch

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// maxURLBytes bounds a URL, as given and as sent.
const maxURLBytes = 2048

// ParseURL returns the URL that raw means, in the one spelling that is fetched, cached and compared: scheme and host
// in lower case, the host in ASCII (IDNA look-up), no default port, no fragment, no dot segments, at least "/" as its
// path, and a path and query of printable ASCII. A query keeps its order.
//
// Faults of form are a BAD_REQUEST with the reason. A host that spells an address in any way but a dotted quad or an
// IPv6 literal is [ErrRefused]. Whether the host may be reached is not judged here.
func ParseURL(raw string) (*url.URL, error) {
	switch {
	case raw == "":
		return nil, malformed("The address is empty.")
	case len(raw) > maxURLBytes:
		return nil, malformed("The address is longer than 2048 bytes.")
	case !utf8.ValidString(raw):
		return nil, malformed("The address is not valid UTF-8.")
	}
	for _, b := range []byte(raw) {
		if b < ' ' || b == 0x7f {
			return nil, malformed("The address holds a control character.")
		}
	}
	scheme, rest, _ := strings.Cut(raw, ":")
	scheme = strings.ToLower(scheme)
	if (scheme != "http" && scheme != "https") || !strings.HasPrefix(rest, "//") {
		return nil, malformed("The address must begin with http:// or https://.")
	}
	rest, _, _ = strings.Cut(rest[2:], "#")
	authority, tail := rest, ""
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		authority, tail = rest[:i], rest[i:]
	}
	host, err := parseAuthority(scheme, authority)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(tail, "/") {
		tail = "/" + tail
	}
	u, err := url.Parse(scheme + "://" + host + escapeTail(tail))
	if err != nil {
		return nil, malformed("The address is not a valid URL.")
	}
	u = u.ResolveReference(u) // takes the dot segments out
	if u.Path == "" {
		u.Path, u.RawPath = "/", ""
	}
	if len(u.String()) > maxURLBytes {
		return nil, malformed("The address is longer than 2048 bytes.")
	}
	return u, nil
}

// parseAuthority returns host, or host:port when the port is not the scheme's own.
func parseAuthority(scheme, authority string) (string, error) {
	switch {
	case authority == "":
		return "", malformed("The address has no host.")
	case strings.Contains(authority, "@"):
		return "", malformed("The address must not hold a user name or password.")
	case strings.ContainsAny(authority, " \\%"):
		return "", malformed("The host of the address holds a character that no host has.")
	}
	host, port := authority, ""
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && i > strings.LastIndexByte(authority, ']') {
		host, port = authority[:i], authority[i+1:]
	}
	host, err := normalHost(host)
	if err != nil {
		return "", err
	}
	if port == "" {
		return host, nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 || port[0] == '+' {
		return "", malformed("The port of the address is not a number from 1 to 65535.")
	}
	if (scheme == "http" && n == 80) || (scheme == "https" && n == 443) {
		return host, nil
	}
	return host + ":" + strconv.FormatUint(n, 10), nil
}

// hostRules are the IDNA look-up rules, with the two relaxations that browsers make (WHATWG URL, domain to ASCII):
// hosts such as r3---sn.example and my_site.example exist. The characters that may come out are checked afterwards.
var hostRules = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.CheckHyphens(false), idna.StrictDomainName(false))

// normalHost returns the host in lower-case ASCII, without a trailing dot; an IPv6 literal in its brackets.
func normalHost(host string) (string, error) {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		addr, err := netip.ParseAddr(inner)
		if !ok || err != nil || !addr.Is6() || addr.Zone() != "" {
			return "", malformed("The host of the address is not a valid IPv6 address.")
		}
		return "[" + addr.String() + "]", nil
	}
	ascii, err := hostRules.ToASCII(host)
	if err != nil {
		return "", malformed("The host of the address is not a valid name.")
	}
	ascii = strings.TrimSuffix(strings.ToLower(ascii), ".")
	if ascii == "" || len(ascii) > 253 {
		return "", malformed("The host of the address is not a valid name.")
	}
	labels := strings.Split(ascii, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "", malformed("The host of the address is not a valid name.")
		}
	}
	if isNumber(labels[len(labels)-1]) {
		if addr, err := netip.ParseAddr(ascii); err != nil || !addr.Is4() {
			return "", refused("number for a host")
		}
	}
	return ascii, nil
}

// isNumber reports whether resolvers may take the label for a number: decimal, octal or hexadecimal. Source: WHATWG
// URL, "ends in a number checker".
func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

// escapeTail percent-encodes what may not stand in a path or query as it is. A percent sign that begins no escape is
// encoded in the path, where it would be a fault, and left alone in the query, where it is common.
func escapeTail(tail string) string {
	const upperHex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(tail))
	inQuery := false
	for i := 0; i < len(tail); i++ {
		c := tail[i]
		switch {
		case c == '?':
			inQuery = true
			b.WriteByte(c)
		case c <= ' ', c >= 0x7f, c == '"', c == '<', c == '>', c == '\\' && !inQuery, c == '%' && !inQuery && !isEscape(tail[i:]):
			b.WriteByte('%')
			b.WriteByte(upperHex[c>>4])
			b.WriteByte(upperHex[c&15])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isEscape(s string) bool {
	return len(s) >= 3 && isHex(s[1]) && isHex(s[2])
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// resolve returns what a Location header means on the page at base. Only a reference without scheme and host is left
// to net/url: hosts are read by one parser alone.
func resolve(base *url.URL, location string) (*url.URL, error) {
	location = strings.Trim(location, " \t")
	if !utf8.ValidString(location) {
		location = escapeTail(location) // bytes of an older encoding in the path go back as they came
	}
	if strings.HasPrefix(location, "//") {
		return ParseURL(base.Scheme + ":" + location)
	}
	if i := strings.IndexAny(location, ":/?#"); i > 0 && location[i] == ':' {
		return ParseURL(location)
	}
	location, _, _ = strings.Cut(location, "#")
	ref, err := url.Parse(escapeTail(location))
	if err != nil {
		return nil, malformed("The address is not a valid URL.")
	}
	return ParseURL(base.ResolveReference(ref).String())
}

// hostOf returns the part of a URL that would be its host, for the audit log, however broken the rest is.
func hostOf(raw string) string {
	_, rest, _ := strings.Cut(raw, "//")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if i := strings.LastIndexByte(rest, ':'); i > strings.LastIndexByte(rest, ']') {
		rest = rest[:i]
	}
	return rest[:min(len(rest), 255)]
}
