// Package weburl parses web addresses and host names. It has the only parser for both and defines the normalized form
// that is fetched, compared, stored and hashed.
//
// [Parse] parses an address from a user, [URL.Resolve] resolves a reference on a page, and [ParseHost] parses a host.
// An address is parsed where it enters and passed on as a [URL], never parsed again. This package doesn't decide
// which targets may be reached; pkg/fetch does, for every connection.
//
// New properties of hosts (such as the registrable domain) become methods of [Host], so that fetching, allowed
// domains and cache keys agree on what a host is.
package weburl

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"masthead/pkg/apperr"
)

// maxBytes is the maximum length of a URL, before and after normalization.
const maxBytes = 2048

// URL is a normalized http or https address: lowercase scheme and ASCII host, no default port, no user, no fragment,
// no dot segments, at least "/" as path, and only printable ASCII in path and query. The order of query parameters is
// preserved.
//
// The zero value is no address. URLs can be compared with ==.
type URL struct {
	text string // the whole address; the other fields save parsing it again
	host Host
	port uint16 // never 0 in an address
}

// Parse parses and normalizes an address. Every error is a BAD_REQUEST that states the reason.
//
// A host that is a disguised number (see [Host.IsDisguisedIP]) parses like any other. pkg/fetch refuses it.
func Parse(raw string) (URL, error) {
	switch {
	case raw == "":
		return URL{}, malformed("The address is empty.")
	case len(raw) > maxBytes:
		return URL{}, malformed("The address is longer than 2048 bytes.")
	case !utf8.ValidString(raw):
		return URL{}, malformed("The address is not valid UTF-8.")
	}
	for _, b := range []byte(raw) {
		if b < ' ' || b == 0x7f {
			return URL{}, malformed("The address contains a control character.")
		}
	}
	scheme, rest, _ := strings.Cut(raw, ":")
	scheme = strings.ToLower(scheme)
	if (scheme != "http" && scheme != "https") || !strings.HasPrefix(rest, "//") {
		return URL{}, malformed("The address must begin with http:// or https://.")
	}
	rest, _, _ = strings.Cut(rest[2:], "#")
	authority, tail := rest, ""
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		authority, tail = rest[:i], rest[i:]
	}
	host, port, err := parseAuthority(scheme, authority)
	if err != nil {
		return URL{}, err
	}
	if !strings.HasPrefix(tail, "/") {
		tail = "/" + tail
	}
	u, err := url.Parse(scheme + "://" + joinPort(scheme, host, port) + escapeTail(tail))
	if err != nil {
		return URL{}, malformed("The address is not a valid URL.")
	}
	u = u.ResolveReference(u) // removes dot segments
	if u.Path == "" {
		u.Path, u.RawPath = "/", ""
	}
	text := u.String()
	if len(text) > maxBytes {
		return URL{}, malformed("The address is longer than 2048 bytes.")
	}
	return URL{text: text, host: host, port: port}, nil
}

// String returns the address, or "" for the zero value.
func (u URL) String() string { return u.text }

// IsZero reports whether u is the zero value.
func (u URL) IsZero() bool { return u.text == "" }

// Scheme returns "http" or "https".
func (u URL) Scheme() string {
	scheme, _, _ := strings.Cut(u.text, ":")
	return scheme
}

// Host returns the host without its port.
func (u URL) Host() Host { return u.host }

// Hostname returns the host as text, without brackets for IPv6.
func (u URL) Hostname() string { return u.host.String() }

// Port returns the port, or the scheme's default port if the address has none.
func (u URL) Port() uint16 { return u.port }

// URL returns the address as a net/url value, for net/http and page parsing. Each call returns a new value, which the
// caller may modify.
func (u URL) URL() *url.URL {
	parsed, err := url.Parse(u.text)
	if err != nil {
		panic("weburl: " + err.Error()) // Parse built the text from a url.URL
	}
	return parsed
}

// Resolve resolves ref, a Location header or a reference in a document, relative to u. Only references without scheme
// and host are left to net/url, so that ParseHost stays the only host parser. Errors are those of [Parse].
func (u URL) Resolve(ref string) (URL, error) {
	ref = strings.Trim(ref, " \t")
	if !utf8.ValidString(ref) {
		ref = escapeTail(ref) // legacy-encoded bytes in the path are preserved
	}
	if strings.HasPrefix(ref, "//") {
		return Parse(u.Scheme() + ":" + ref)
	}
	if i := strings.IndexAny(ref, ":/?#"); i > 0 && ref[i] == ':' {
		return Parse(ref)
	}
	ref, _, _ = strings.Cut(ref, "#")
	parsed, err := url.Parse(escapeTail(ref))
	if err != nil {
		return URL{}, malformed("The address is not a valid URL.")
	}
	return Parse(u.URL().ResolveReference(parsed).String())
}

// On returns u with the scheme, host and port of other.
func (u URL) On(other URL) (URL, error) {
	at, to := u.URL(), other.URL()
	at.Scheme, at.Host = to.Scheme, to.Host
	return Parse(at.String())
}

// malformed returns the error for an invalid address.
func malformed(detail string) error { return apperr.New(apperr.BadRequest, detail) }

// parseAuthority parses host and port. The port defaults to the scheme's.
func parseAuthority(scheme, authority string) (Host, uint16, error) {
	switch {
	case authority == "":
		return Host{}, 0, malformed("The address has no host.")
	case strings.Contains(authority, "@"):
		return Host{}, 0, malformed("The address must not contain a user name or password.")
	case strings.ContainsAny(authority, " \\%"):
		return Host{}, 0, malformed("The host of the address contains a character that no host name may have.")
	}
	name, port := authority, ""
	if i := strings.LastIndexByte(authority, ':'); i > strings.LastIndexByte(authority, ']') {
		name, port = authority[:i], authority[i+1:]
	}
	if strings.Contains(name, ":") && !strings.HasPrefix(name, "[") {
		return Host{}, 0, malformed("The host of the address is not a valid name.") // IPv6 without brackets
	}
	host, err := ParseHost(name)
	if err != nil {
		return Host{}, 0, err
	}
	if port == "" {
		return host, defaultPort(scheme), nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return Host{}, 0, malformed("The port of the address must be a number from 1 to 65535.")
	}
	return host, uint16(n), nil
}

func defaultPort(scheme string) uint16 {
	if scheme == "https" {
		return 443
	}
	return 80
}

// joinPort returns the authority of an address without a default port.
func joinPort(scheme string, host Host, port uint16) string {
	name := host.String()
	if host.addr.Is6() {
		name = "[" + name + "]"
	}
	if port == defaultPort(scheme) {
		return name
	}
	return name + ":" + strconv.FormatUint(uint64(port), 10)
}

// escapeTail percent-encodes the characters that a path or query can't contain. A percent sign that starts no escape
// is encoded in the path, where it is invalid, and left alone in the query, where it is common.
func escapeTail(tail string) string {
	clean, inQuery := 0, false
	for clean < len(tail) && !needsEscape(tail, clean, inQuery) {
		inQuery = inQuery || tail[clean] == '?'
		clean++
	}
	if clean == len(tail) {
		return tail
	}
	const upperHex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(tail) + 16)
	b.WriteString(tail[:clean])
	for i := clean; i < len(tail); i++ {
		c := tail[i]
		if needsEscape(tail, i, inQuery) {
			b.WriteByte('%')
			b.WriteByte(upperHex[c>>4])
			b.WriteByte(upperHex[c&15])
			continue
		}
		inQuery = inQuery || c == '?'
		b.WriteByte(c)
	}
	return b.String()
}

// needsEscape reports whether the byte at i must be escaped.
func needsEscape(tail string, i int, inQuery bool) bool {
	switch c := tail[i]; {
	case c <= ' ' || c >= 0x7f || c == '"' || c == '<' || c == '>':
		return true
	case c == '\\':
		return !inQuery
	case c == '%':
		return !inQuery && (i+2 >= len(tail) || !isHex(tail[i+1]) || !isHex(tail[i+2]))
	}
	return false
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
