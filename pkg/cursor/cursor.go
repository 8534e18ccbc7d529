// Package cursor owns how lists are paged. A list is ordered by an id that sorts by time, newest first, so that a page
// begins where the one before ended, whatever was added or deleted meanwhile; the cursor says where that was.
package cursor

import (
	"encoding/base64"
	"fmt"

	"github.com/google/uuid"

	"masthead/pkg/apperr"
)

// How many items a page holds: by default, and at most. Source: the service's decisions, "Operations".
const (
	defaultLimit = 20
	// MaxLimit is the largest page.
	MaxLimit = 100
)

// Page is what a client asks of a list.
type Page struct {
	// After is the cursor that came with the page before; "" for the first page.
	After string
	// Limit is how many items the page holds at most, 1 to 100; 0 for the usual 20.
	Limit int
}

// List returns a page of a list and the cursor of the next one; "" on the last page. read returns at most limit items
// whose ids, UUIDs, are less than before, the greatest first; id returns an item's id. A cursor that is not one of ours
// and a limit out of range are BAD_REQUEST.
func List[T any](
	p Page, id func(T) string, read func(before string, limit int) ([]T, error),
) (items []T, next string, err error) {
	before, err := decode(p.After)
	if err != nil {
		return nil, "", err
	}
	limit := p.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	if limit < 1 || limit > MaxLimit {
		return nil, "", apperr.Invalid("query.limit",
			fmt.Sprintf("limit must be from 1 to %d, not %d.", MaxLimit, limit))
	}
	items, err = read(before, limit+1) // the one too many tells whether there is a next page
	if err != nil {
		return nil, "", err
	}
	if len(items) <= limit {
		return items, "", nil
	}
	return items[:limit], encode(id(items[limit-1])), nil
}

// encode returns the cursor behind the item with the given id, a UUID.
func encode(id string) string {
	u := uuid.MustParse(id)
	return base64.RawURLEncoding.EncodeToString(u[:])
}

// decode returns the id before which a page begins; for no cursor one that is after all others.
func decode(cursor string) (before string, err error) {
	if cursor == "" {
		return uuid.Max.String(), nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err == nil {
		var id uuid.UUID
		// The decoder skips line ends; a cursor has one spelling.
		if id, err = uuid.FromBytes(raw); err == nil && encode(id.String()) == cursor {
			return id.String(), nil
		}
	}
	return "", apperr.Invalid("query.cursor",
		"This cursor is not valid: send the nextCursor of the previous page, or leave it out.")
}
