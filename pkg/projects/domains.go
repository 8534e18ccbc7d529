package projects

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"masthead/pkg/apperr"
)

const (
	maxDomains = 100
	// The longest host name and label, in ASCII. Source: RFC 1035, 2.3.4.
	maxHostBytes  = 253
	maxLabelBytes = 63
	// maxGivenBytes bounds what is looked at: that many code points before they are turned into ASCII.
	maxGivenBytes = 4 * maxHostBytes
)

// hostRules turn a host name into the form in which a page's host is compared with it: IDNA look-up, in lower case.
// What DNS carries though host names should not have it, an underscore or hyphens in third and fourth place, passes.
var hostRules = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.CheckJoiners(true), idna.CheckHyphens(false), idna.StrictDomainName(false))

// normalDomains returns the domains in the form in which they are compared, without duplicates. Its error names every
// bad one.
func normalDomains(given []string) ([]string, error) {
	if len(given) > maxDomains {
		return nil, apperr.Invalid("/domains", fmt.Sprintf("A project has at most %d domains.", maxDomains))
	}
	normal := make([]string, 0, len(given))
	var faults []apperr.Field
	for i, text := range given {
		domain, reason := normalDomain(text)
		if reason != "" {
			faults = append(faults, apperr.Field{Pointer: fmt.Sprintf("/domains/%d", i), Detail: reason})
		} else if !slices.Contains(normal, domain) {
			normal = append(normal, domain)
		}
	}
	if faults != nil {
		return nil, &apperr.Error{Code: apperr.BadRequest, Detail: "Some domains cannot be taken; errors says which and why.", Fields: faults}
	}
	return normal, nil
}

// The reasons why something is no domain, for the client.
const (
	noHost       = "This is not a host name or an IP address."
	notAlone     = "Give the host name or IP address alone, without scheme, port or path."
	wildcard     = "A domain covers its subdomains: leave the * out."
	singleLabel  = "Of the names without a dot only localhost can be taken."
	publicSuffix = "Anybody can have a name under this one: give the name that is yours."
)

// normalDomain returns a host name in lower-case ASCII without a final dot, or an IP address in its canonical form,
// an IPv4 address in IPv6 form as the IPv4 address. For anything else it returns the reason.
func normalDomain(text string) (domain, reason string) {
	if len(text) > maxGivenBytes {
		return "", noHost
	}
	host := text
	if inner, ok := strings.CutPrefix(host, "["); ok {
		if host, ok = strings.CutSuffix(inner, "]"); !ok {
			return "", notAlone
		}
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.Zone() == "" {
		return ip.Unmap().String(), ""
	}
	switch {
	case strings.ContainsAny(text, `:/\@?#[]`):
		return "", notAlone
	case strings.HasPrefix(host, "*"):
		return "", wildcard
	case host == "" || strings.Contains(host, "%") || !utf8.ValidString(host):
		return "", noHost
	}
	ascii, err := hostRules.ToASCII(host)
	if err != nil {
		return "", noHost
	}
	ascii = strings.TrimSuffix(ascii, ".")
	labels := strings.Split(ascii, ".")
	if len(ascii) > maxHostBytes || slices.ContainsFunc(labels, badLabel) || isNumber(labels[len(labels)-1]) {
		return "", noHost
	}
	if ascii == "localhost" {
		return ascii, ""
	}
	if len(labels) == 1 {
		return "", singleLabel
	}
	if suffix, _ := publicsuffix.PublicSuffix(ascii); suffix == ascii {
		return "", publicSuffix
	}
	return ascii, ""
}

func badLabel(label string) bool {
	return label == "" || len(label) > maxLabelBytes || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" ||
		strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-")
}

// isNumber says whether a last label makes the whole host an IPv4 address to whoever dials it, such as 127.1 or
// 0x7f.1. Source: WHATWG URL, "ends in a number".
func isNumber(label string) bool {
	if strings.Trim(label, "0123456789") == "" {
		return true
	}
	hex, ok := strings.CutPrefix(label, "0x")
	return ok && strings.Trim(hex, "0123456789abcdef") == ""
}
