package cleantext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/pkg/apperr"
)

// MaxName is the maximum length of an account's, project's or key's name, in characters.
const MaxName = 100

// Name cleans the name that a user chose for an account, a project or a key (see [Clean]). It returns a BAD_REQUEST
// about /name if the name doesn't have 1 to [MaxName] characters, contains a control character, or isn't valid UTF-8.
// Names are rejected instead of truncated or fixed, because the user can correct them.
func Name(s string) (string, error) {
	s = strings.TrimSpace(s)
	if !utf8.ValidString(s) {
		return "", apperr.Invalid("/name", "name must be valid UTF-8.")
	}
	if i := strings.IndexFunc(s, unicode.IsControl); i >= 0 {
		control, _ := utf8.DecodeRuneInString(s[i:])
		return "", apperr.Invalid("/name",
			fmt.Sprintf("name must not contain control characters, such as the %U in it.", control))
	}
	name := Clean(s, len(s)) // a text has at most as many characters as bytes, so nothing is truncated
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "", apperr.Invalid("/name", "name must have at least one visible character.")
	case n > MaxName:
		return "", apperr.Invalid("/name", fmt.Sprintf("name must have at most %d characters, not %d.", MaxName, n))
	}
	return name, nil
}
