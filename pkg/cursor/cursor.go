// Package cursor owns the marks between the pages of a list. A list is ordered by an id that sorts by time, newest first, so that a
// page begins where the one before ended, whatever was added or deleted meanwhile.
package cursor

import (
	"encoding/base64"

	"github.com/google/uuid"

	"masthead/pkg/apperr"
)

// Encode returns the mark behind the item with the given id, a UUID.
func Encode(id string) string {
	u := uuid.MustParse(id)
	return base64.RawURLEncoding.EncodeToString(u[:])
}

// Decode returns the id before which a page begins; for no mark one that is after all others. A mark that is not one of ours is a
// BAD_REQUEST.
func Decode(mark string) (before string, err error) {
	if mark == "" {
		return uuid.Max.String(), nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(mark)
	if err == nil {
		var id uuid.UUID
		// The decoder skips line ends; a mark has one spelling.
		if id, err = uuid.FromBytes(raw); err == nil && Encode(id.String()) == mark {
			return id.String(), nil
		}
	}
	return "", apperr.Invalid("query.cursor", "The cursor is not one of ours: send the nextCursor of the page before, or none.")
}

// Page cuts what a query for limit+1 items found to a page of limit and returns the mark of the next page; "" on the last one. id
// returns an item's id.
func Page[T any](found []T, limit int, id func(T) string) (items []T, next string) {
	if len(found) <= limit {
		return found, ""
	}
	return found[:limit], Encode(id(found[limit-1]))
}
