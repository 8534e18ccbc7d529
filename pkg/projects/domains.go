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
		err := apperr.Invalid("/domains",
			fmt.Sprintf("A project has at most %d domains, not %d.", maxDomains, len(given)))
		err.Code = apperr.Conflict
		return nil, err
	}
	normal := make([]string, 0, len(given))
	var faults []apperr.Field
	for i, text := range given {
		domain, reason := normalDomain(text)
		if reason != "" {
			faults = append(faults, apperr.Field{
				Pointer: fmt.Sprintf("/domains/%d", i), Detail: fmt.Sprintf("domains[%d], %.60q: %s", i, text, reason),
			})
		} else if !slices.Contains(normal, domain) {
			normal = append(normal, domain)
		}
	}
	if faults != nil {
		return nil, apperr.InvalidFields(faults)
	}
	return normal, nil
}

// The reasons why something is no domain, for the client.
const (
	noHost       = "it must be a host name or an IP address."
	notAlone     = "it must be a host name or an IP address alone, without scheme, port or path."
	wildcard     = "leave the * out; a domain covers its subdomains."
	singleLabel  = "it has no dot, and localhost is the only such name that can be taken."
	publicSuffix = "anybody can register a name under it; give the name that is yours."
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
