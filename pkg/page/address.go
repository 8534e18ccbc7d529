package page

import (
	"cmp"
	"net/url"
	"strings"

	"masthead/pkg/weburl"
)

// maxAddressBytes is the maximum length of an address. Longer ones are unusable.
const maxAddressBytes = 8192

// Resolve returns the absolute address of ref, an address attribute of the page, cleaned up as browsers do and resolved
// against the page's base. It returns false for addresses that are empty, unparsable, too long, or neither http nor
// https.
func (p *Page) Resolve(ref string) (string, bool) {
	ref = cleanAddress(ref)
	if ref == "" || len(ref) > maxAddressBytes {
		return "", false
	}
	u, err := url.Parse(ref)
	if err != nil {
		return "", false
	}
	if p.Base != nil {
		u = p.Base.ResolveReference(u)
	}
	return absolute(u)
}

// absolute returns u as a string if it is an http or https address with a host.
func absolute(u *url.URL) (string, bool) {
	if u.Scheme != "http" && u.Scheme != "https" || u.Opaque != "" || u.Hostname() == "" {
		return "", false
	}
	host := strings.ToLower(u.Host)
	if !ascii(host) {
		name, err := weburl.ParseHost(u.Hostname())
		if err != nil {
			return "", false
		}
		host = name.String()
		if port := u.Port(); port != "" {
			host += ":" + port
		}
	}
	if u.Scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	} else {
		host = strings.TrimSuffix(host, ":80")
	}
	if host != u.Host || u.Path == "" {
		v := *u
		v.Host = host
		v.Path = cmp.Or(v.Path, "/")
		u = &v
	}
	return u.String(), true
}

// cleanAddress prepares an address for parsing: it removes tabs, CR and LF, trims the ends, turns "&amp;" into "&" and
// backslashes before the query into slashes, and percent-encodes spaces and other characters that aren't allowed.
func cleanAddress(ref string) string {
	ref = strings.TrimFunc(ref, func(r rune) bool { return r <= ' ' || r == '\u00A0' || r == '\uFEFF' })
	if strings.Contains(ref, "&amp;") {
		ref = strings.ReplaceAll(ref, "&amp;", "&")
	}
	i, query := 0, false
	for i < len(ref) && !addressNeedsWork(ref, i, query) {
		query = query || ref[i] == '?'
		i++
	}
	if i == len(ref) {
		return ref
	}
	var out strings.Builder
	out.Grow(len(ref) + 16)
	out.WriteString(ref[:i])
	for ; i < len(ref); i++ {
		c := ref[i]
		switch {
		case c == '\t' || c == '\n' || c == '\r':
		case c == '\\' && !query:
			out.WriteByte('/')
		case addressNeedsWork(ref, i, query):
			const hex = "0123456789ABCDEF"
			out.WriteByte('%')
			out.WriteByte(hex[c>>4])
			out.WriteByte(hex[c&15])
		default:
			query = query || c == '?'
			out.WriteByte(c)
		}
	}
	return out.String()
}

// addressNeedsWork reports whether the byte at i isn't allowed in an address: a space, a control character, a
// backslash, a percent sign without two hexadecimal digits or, in a query, a non-ASCII byte (net/url encodes the
// others).
func addressNeedsWork(ref string, i int, query bool) bool {
	switch c := ref[i]; {
	case c <= ' ' || c == 0x7F || c == '\\' || query && c >= 0x80:
		return true
	case c == '%':
		return i+2 >= len(ref) || !isHex(ref[i+1]) || !isHex(ref[i+2])
	}
	return false
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// base returns the base address of the page's references: href, from the first base element, if it is http or https,
// otherwise the page's own address.
func base(pageURL *url.URL, href string) *url.URL {
	if href == "" {
		return pageURL
	}
	own := Page{Base: pageURL}
	s, ok := own.Resolve(href)
	if !ok {
		return pageURL
	}
	u, err := url.Parse(s)
	if err != nil {
		return pageURL
	}
	return u
}
