package users

import (
	"net/mail"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"masthead/pkg/apperr"
	"masthead/pkg/weburl"
)

// The longest address and the longest part before the @, in bytes. Source: RFC 5321, 4.5.3.1, with erratum 1690 of RFC
// 3696.
const (
	maxEmailBytes = 254
	maxLocalBytes = 64
)

// EmailKey returns what makes two addresses the same account: the part before the @ composed and case-folded, the
// domain as [weburl.ParseHost] spells it. It is BadRequest about /email for what is no plain address; a quoted part
// and an address in brackets are none.
func EmailKey(email string) (string, error) {
	invalid := apperr.Invalid("/email", "email must be an email address such as ada@example.com.")
	if len(email) > maxEmailBytes || !utf8.ValidString(email) {
		return "", invalid
	}
	// The parser takes display names, comments and quotes too: only what it gives back unchanged is a plain address.
	if parsed, err := mail.ParseAddress(email); err != nil || parsed.Address != email || parsed.Name != "" {
		return "", invalid
	}
	at := strings.LastIndexByte(email, '@')
	local, domain := email[:at], email[at+1:]
	host, err := weburl.ParseHost(domain)
	// Hosts of web pages may have an underscore, or be an IPv6 address in brackets; mail goes to neither.
	if err != nil || strings.ContainsAny(host.String(), "_:") || len(local) > maxLocalBytes {
		return "", invalid
	}
	folded := norm.NFC.String(cases.Fold().String(norm.NFC.String(local)))
	return folded + "@" + host.String(), nil
}
