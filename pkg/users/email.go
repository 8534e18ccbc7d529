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

// Maximum length of an address and of the part before the @, in bytes. Source: RFC 5321, 4.5.3.1, and erratum 1690 of
// RFC 3696.
const (
	maxEmailBytes = 254
	maxLocalBytes = 64
)

// EmailKey returns the normalized address that identifies an account: the local part composed and case-folded, the
// domain as in [weburl.ParseHost]. It returns BadRequest about /email for anything but a plain address, including
// quoted local parts and address literals.
func EmailKey(email string) (string, error) {
	invalid := apperr.Invalid("/email", "email must be an email address such as ada@example.com.")
	if len(email) > maxEmailBytes || !utf8.ValidString(email) {
		return "", invalid
	}
	// The parser also accepts display names, comments and quotes. Only a plain address is returned unchanged.
	if parsed, err := mail.ParseAddress(email); err != nil || parsed.Address != email || parsed.Name != "" {
		return "", invalid
	}
	at := strings.LastIndexByte(email, '@')
	local, domain := email[:at], email[at+1:]
	host, err := weburl.ParseHost(domain)
	// Web hosts may contain an underscore or be a bracketed IPv6 address; mail can't be delivered to either.
	if err != nil || strings.ContainsAny(host.String(), "_:") || len(local) > maxLocalBytes {
		return "", invalid
	}
	folded := norm.NFC.String(cases.Fold().String(norm.NFC.String(local)))
	return folded + "@" + host.String(), nil
}
