// Package cursor implements keyset pagination. Lists are sorted by time-ordered ID, newest first, and each page
// starts after the last item of the previous one, so concurrent inserts and deletes never repeat or skip items.
package cursor

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"fmt"

	"github.com/google/uuid"

	"masthead/pkg/apperr"
)

// Page sizes. Source: openapi.yaml, parameter limit.
const (
	defaultLimit = 20
	// MaxLimit is the largest page size.
	MaxLimit = 100
)

// Page is a client's request for one page of a list.
type Page struct {
	// After is the cursor returned with the previous page, or "" for the first page.
	After string
	// Limit is the maximum number of items, 1 to 100; 0 means the default of 20.
	Limit int
}

// List returns one page of a list and the cursor of the next page, or "" on the last page. read returns at most limit
// items whose IDs (UUIDs) are less than before, in descending order; id returns an item's ID. An invalid cursor and a
// limit out of range are BAD_REQUEST.
func List[T any](
	p Page, id func(T) string, read func(before string, limit int) ([]T, error),
) (items []T, next string, err error) {
	before, err := decode(p.After)
	if err != nil {
		return nil, "", err
	}
	limit, err := limitOf(p)
	if err != nil {
		return nil, "", err
	}
	items, err = read(before, limit+1) // one extra item shows that there is a next page
	if err != nil {
		return nil, "", err
	}
	if len(items) <= limit {
		return items, "", nil
	}
	return items[:limit], encode(id(items[limit-1])), nil
}

// Forward is [List] for items in the ascending order of a number, which begins at 0: read returns at most limit items
// from first on.
func Forward[T any](
	p Page, number func(T) int64, read func(first int64, limit int) ([]T, error),
) (items []T, next string, err error) {
	first := int64(0)
	if p.After != "" {
		if first, err = decodeNumber(p.After); err != nil {
			return nil, "", err
		}
	}
	limit, err := limitOf(p)
	if err != nil {
		return nil, "", err
	}
	items, err = read(first, limit+1)
	if err != nil || len(items) <= limit {
		return items, "", err
	}
	return items[:limit], encodeNumber(number(items[limit])), nil
}

// encodeNumber returns the cursor that continues with the item of a number.
func encodeNumber(n int64) string {
	raw := binary.BigEndian.AppendUint64(nil, uint64(n))
	return base64.RawURLEncoding.EncodeToString(raw)
}

// decodeNumber returns the number of a cursor of encodeNumber.
func decodeNumber(cursor string) (int64, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err == nil && len(raw) == 8 {
		n := int64(binary.BigEndian.Uint64(raw))
		if n >= 0 && encodeNumber(n) == cursor {
			return n, nil
		}
	}
	return 0, errInvalid()
}

// limitOf returns the size of a page.
func limitOf(p Page) (int, error) {
	limit := cmp.Or(p.Limit, defaultLimit)
	if limit < 1 || limit > MaxLimit {
		return 0, apperr.Invalid("query.limit", fmt.Sprintf("limit must be from 1 to %d, not %d.", MaxLimit, limit))
	}
	return limit, nil
}

func errInvalid() error {
	return apperr.Invalid("query.cursor",
		"This cursor is not valid: send the nextCursor of the previous page, or leave it out.")
}

// encode returns the cursor that continues after the item with the given UUID.
func encode(id string) string {
	u := uuid.MustParse(id)
	return base64.RawURLEncoding.EncodeToString(u[:])
}

// decode returns the exclusive upper bound for the IDs of a page. Without a cursor, it is above all IDs.
func decode(cursor string) (before string, err error) {
	if cursor == "" {
		return uuid.Max.String(), nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err == nil {
		var id uuid.UUID
		// The base64 decoder skips line breaks. Comparing with the encoded form rejects alternative spellings.
		if id, err = uuid.FromBytes(raw); err == nil && encode(id.String()) == cursor {
			return id.String(), nil
		}
	}
	return "", errInvalid()
}
