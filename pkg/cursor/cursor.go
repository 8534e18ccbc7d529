// Package cursor owns the marks between the pages of a list. A list is ordered by an id that sorts by time, so that a page begins
// where the one before ended, whatever was added or deleted meanwhile.
package cursor

import (
	"encoding/base64"

	"github.com/google/uuid"

	"masthead/pkg/apperr"
)

// Encode returns the mark behind the item with the given id, a UUID.
func Encode(id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(id))
}

// Decode returns the id in a mark; "" for no mark. A mark that is not one of ours is a BAD_REQUEST.
func Decode(mark *string) (id string, err error) {
	if mark == nil || *mark == "" {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(*mark)
	if err == nil {
		err = uuid.Validate(string(raw))
	}
	if err != nil || len(raw) != 36 {
		return "", apperr.Invalid("query.cursor", "The cursor is not one of ours: send the nextCursor of the page before, or none.")
	}
	return string(raw), nil
}
