package users

import (
	"net/mail"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"masthead/pkg/apperr"
)

// The longest address and the longest part before the @, in bytes. Source: RFC 5321, 4.5.3.1, with erratum 1690 of RFC
// 3696.
const (
	maxEmailBytes = 254
	maxLocalBytes = 64
)

// domains turns the domain of an address into its ASCII form: the rules of idna.Lookup, with lengths checked.
var domains = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.CheckHyphens(true), idna.CheckJoiners(true),
	idna.StrictDomainName(true), idna.VerifyDNSLength(true))

// EmailKey returns what makes two addresses the same account: the part before the @ composed and case-folded, the
// domain as IDNA has it in ASCII. It is BadRequest about /email for what is no plain address; a quoted part and an
// address in brackets are none.
func EmailKey(email string) (string, error) {
	invalid := apperr.Invalid("/email", "This is not an address of mail, such as ada@example.com.")
	if len(email) > maxEmailBytes || !utf8.ValidString(email) {
		return "", invalid
	}
	// The parser takes display names, comments and quotes too: only what it gives back unchanged is a plain address.
	if parsed, err := mail.ParseAddress(email); err != nil || parsed.Address != email || parsed.Name != "" {
		return "", invalid
	}
	at := strings.LastIndexByte(email, '@')
	local, domain := email[:at], email[at+1:]
	ascii, err := domains.ToASCII(domain)
	if err != nil || len(local) > maxLocalBytes {
		return "", invalid
	}
	folded := norm.NFC.String(cases.Fold().String(norm.NFC.String(local)))
	return folded + "@" + ascii, nil
}
