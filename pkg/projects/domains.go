package projects

import (
	"fmt"
	"slices"
	"strings"

	"masthead/pkg/apperr"
	"masthead/pkg/weburl"
)

// maxDomains is how many domains a project has at most.
const maxDomains = 100

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
		return nil, &apperr.Error{Code: apperr.BadRequest,
			Detail: "Some domains cannot be taken; errors says which and why.", Fields: faults}
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

// normalDomain returns a host name in lower-case ASCII without a final dot, or an IP address in its canonical form, an
// IPv4 address in IPv6 form as the IPv4 address. For anything else it returns the reason.
func normalDomain(text string) (domain, reason string) {
	host, err := weburl.ParseHost(text)
	switch {
	case host.IsIP():
		return host.Addr().Unmap().String(), ""
	case strings.ContainsAny(text, `:/\@?#[]`):
		return "", notAlone
	case strings.HasPrefix(text, "*"):
		return "", wildcard
	case err != nil, host.IsDisguisedIP():
		return "", noHost
	case host.String() == "localhost":
		return host.String(), ""
	case host.SingleLabel():
		return "", singleLabel
	case host.IsPublicSuffix():
		return "", publicSuffix
	}
	return host.String(), ""
}
