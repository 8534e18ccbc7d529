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
// inside, or that is not valid UTF-8: a name is refused rather than cut or mended, since its owner is there to be told.
func Name(s string) (string, error) {
	s = strings.TrimSpace(s)
	if utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl) {
		name := Clean(s, len(s)) // there are no more characters than bytes, so nothing is cut
		if name != "" && utf8.RuneCountInString(name) <= MaxName {
			return name, nil
		}
	}
	return "", apperr.Invalid("/name", fmt.Sprintf("A name has 1 to %d characters and no control characters.", MaxName))
}
