package auth

import (
	_ "embed" // the list of common passwords
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"masthead/pkg/apperr"
)

// The lengths of a password: at least so many characters (code points; 8 is NIST SP 800-63B's minimum), and at most so
// many bytes, since those are what a hash costs.
const (
	minPasswordCharacters = 8
	maxPasswordBytes      = 256
)

//go:embed common_passwords.txt
var commonPasswordsText string

// commonPasswords is the set of the 3 000 commonest passwords, in lower case.
var commonPasswords = sync.OnceValue(func() map[string]bool {
	set := make(map[string]bool, 3000)
	for line := range strings.Lines(commonPasswordsText) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "#") {
			set[line] = true
		}
	}
	return set
})

// checkPassword says whether a new password may be taken, which it is exactly as given. pointer names its place in the
// body.
func checkPassword(pointer, password string) error {
	if n := utf8.RuneCountInString(password); n < minPasswordCharacters {
		return apperr.Invalid(pointer, fmt.Sprintf("The password must have at least %d characters, not %d.",
			minPasswordCharacters, n))
	} else if len(password) > maxPasswordBytes {
		return apperr.Invalid(pointer, fmt.Sprintf("The password must have at most %d bytes, not %d; it has %d characters, "+
			"of which those beyond ASCII take 2 to 4 bytes each.", maxPasswordBytes, len(password), n))
	}
	if commonPasswords()[strings.ToLower(password)] {
		return apperr.Invalid(pointer,
			"This is one of the most common passwords, which attackers try first. Choose another.")
	}
	return nil
}
