package auth

import (
	_ "embed" // the list of common passwords
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/andybalholm/brotli"

	"masthead/pkg/apperr"
)

// Password lengths: the minimum in characters (code points; NIST SP 800-63B requires 8), and the maximum in bytes,
// which determine the cost of hashing.
const (
	minPasswordCharacters = 8
	maxPasswordBytes      = 256
)

// packedCommonPasswords has a password on each line, the commonest first, and comments that begin with “#”. It is
// compressed with Brotli, which makes the program 15 KB smaller. They are from the frequency list of zxcvbn 4.4.2
// (https://github.com/dropbox/zxcvbn), copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., MIT License.
//
//go:embed common_passwords.txt.br
var packedCommonPasswords string

// commonPasswords is the set of the 3,000 most common passwords, in lowercase.
var commonPasswords = sync.OnceValue(func() map[string]bool {
	list, err := io.ReadAll(brotli.NewReader(strings.NewReader(packedCommonPasswords)))
	if err != nil {
		panic("auth: unpack the common passwords: " + err.Error())
	}
	set := make(map[string]bool, 3000)
	for line := range strings.Lines(string(list)) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "#") {
			set[line] = true
		}
	}
	return set
})

// checkPassword returns an error if a new password is not acceptable. Passwords are used exactly as given. pointer is
// the password's JSON pointer in the body.
func checkPassword(pointer, password string) error {
	if n := utf8.RuneCountInString(password); n < minPasswordCharacters {
		return apperr.Invalid(pointer, fmt.Sprintf("The password must have at least %d characters, not %d.",
			minPasswordCharacters, n))
	} else if len(password) > maxPasswordBytes {
		return apperr.Invalid(pointer, fmt.Sprintf("The password must have at most %d bytes, not %d; it has %d characters, "+
			"and those beyond ASCII take 2 to 4 bytes each.", maxPasswordBytes, len(password), n))
	}
	if commonPasswords()[strings.ToLower(password)] {
		return apperr.Invalid(pointer,
			"This is one of the most common passwords, which attackers try first. Choose another.")
	}
	return nil
}
