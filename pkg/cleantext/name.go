package cleantext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/pkg/apperr"
)

// MaxName is the length of the longest name of an account, a project or a key, in characters.
const MaxName = 100

// Name returns the name that somebody has given to an account, a project or a key, cleaned like every text (see
// [Clean]). BAD_REQUEST about /name for one that has not 1 to [MaxName] characters, that holds a control character
// inside, or that is not valid UTF-8: a name is refused rather than cut or fixed, since its owner is there to be told.
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
	name := Clean(s, len(s)) // there are no more characters than bytes, so nothing is cut
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "", apperr.Invalid("/name", "name must have at least one visible character.")
	case n > MaxName:
		return "", apperr.Invalid("/name", fmt.Sprintf("name must have at most %d characters, not %d.", MaxName, n))
	}
	return name, nil
}
