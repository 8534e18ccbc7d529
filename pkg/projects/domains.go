package projects

import (
	"fmt"
	"slices"
	"strings"

	"masthead/pkg/apperr"
	"masthead/pkg/weburl"
)

// maxDomains is the maximum number of domains per project.
const maxDomains = 100

// NormalDomains returns domains in the form in which they are compared, without duplicates. Its error lists every
// invalid domain.
func NormalDomains(given []string) ([]string, error) {
	if len(given) > maxDomains {
		err := apperr.Invalid("/domains",
			fmt.Sprintf("A project can have at most %d domains, not %d.", maxDomains, len(given)))
		err.Code = apperr.Conflict
		return nil, err
	}
	normal := make([]string, 0, len(given))
	var faults []apperr.Field
	for i, text := range given {
		domain, reason := normalDomain(text)
		if reason != "" {
			faults = append(faults, apperr.Field{
				Pointer: fmt.Sprintf("/domains/%d", i), Detail: fmt.Sprintf("The domain %.60q: %s", text, reason),
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

// Reasons for rejecting a domain, shown to clients.
const (
	noHost       = "it must be a host name or an IP address."
	notAlone     = "it must be only a host name or an IP address, without scheme, port or path."
	wildcard     = "leave out the *; a domain includes its subdomains."
	singleLabel  = "it has no dot; localhost is the only such name allowed."
	publicSuffix = "anyone can register names under it; use your own domain."
)

// normalDomain returns a host name in lowercase ASCII without a trailing dot, or an IP address in canonical form,
// with IPv4-mapped addresses as IPv4. For anything else it returns the reason for rejecting it.
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
