package rule

import (
	"net/url"
	"strings"

	"masthead/pkg/weburl"
)

// Form is the form in which an address is written.
type Form uint8

// The forms. A schemeless address begins with //.
const (
	Relative Form = iota
	Schemeless
	AbsoluteHTTP
	AbsoluteHTTPS
)

// FormOf returns how the address is written.
func FormOf(written string) Form {
	lower := strings.ToLower(strings.TrimSpace(written[:min(len(written), 32)]))
	switch {
	case strings.HasPrefix(lower, "https://"):
		return AbsoluteHTTPS
	case strings.HasPrefix(lower, "http://"):
		return AbsoluteHTTP
	case strings.HasPrefix(lower, "//"):
		return Schemeless
	}
	return Relative
}

// tracking are parameters that don't change a page.
var tracking = map[string]bool{
	"gclid": true, "fbclid": true, "mc_cid": true, "mc_eid": true, "igshid": true, "ref_src": true,
}

// comparableURL normalizes an address for comparison: without scheme, leading "www.", default port, fragment, trailing
// slash and tracking parameters, and with uniform escapes. Invalid addresses are returned unchanged.
func comparableURL(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	out := host + strings.TrimRight(unescapeUnreserved(u.EscapedPath()), "/")
	var kept []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if name = strings.ToLower(name); name != "" && !tracking[name] && !strings.HasPrefix(name, "utm_") {
			kept = append(kept, unescapeUnreserved(pair))
		}
	}
	if len(kept) > 0 {
		out += "?" + strings.Join(kept, "&")
	}
	return out
}

// unescapeUnreserved decodes the percent-escapes of letters, digits and "-._~", and writes the others in upper case.
func unescapeUnreserved(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := url.PathUnescape(s[i : i+3]); err == nil && len(c) == 1 {
				if isUnreserved(c[0]) {
					out.WriteByte(c[0])
				} else {
					out.WriteString(strings.ToUpper(s[i : i+3]))
				}
				i += 2
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func isUnreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// sameSite reports whether two addresses have the same registrable domain.
func sameSite(a, b string) bool {
	x, err := url.Parse(a)
	if err != nil {
		return false
	}
	y, err := url.Parse(b)
	if err != nil {
		return false
	}
	hostA, err := weburl.ParseHost(x.Hostname())
	if err != nil {
		return false
	}
	hostB, err := weburl.ParseHost(y.Hostname())
	return err == nil && hostA.SameSite(hostB)
}

// IsRoot reports whether an address is that of a whole site: no path, no query.
func IsRoot(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Path == "" || u.Path == "/") && u.RawQuery == ""
}
