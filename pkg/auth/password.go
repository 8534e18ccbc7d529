package auth

import (
	_ "embed" // the list of common passwords
	"fmt"
	"strings"
	"sync"

	"masthead/pkg/apperr"
)

// The lengths of a password, in bytes. Source: security requirements, 5; 8 is also NIST SP 800-63B's minimum.
const (
	minPasswordBytes = 8
	maxPasswordBytes = 256
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
	if len(password) < minPasswordBytes || len(password) > maxPasswordBytes {
		return apperr.Invalid(pointer, fmt.Sprintf("The password must have %d to %d bytes, not %d.",
			minPasswordBytes, maxPasswordBytes, len(password)))
	}
	if commonPasswords()[strings.ToLower(password)] {
		return apperr.Invalid(pointer,
			"This is one of the most common passwords, which attackers try first. Choose another.")
	}
	return nil
}
