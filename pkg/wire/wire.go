// Package wire owns how values of ours stand in requests and answers: an optional field is a pointer there and a zero value here.
// Only the http.go of a module uses it.
package wire

import (
	"time"

	"github.com/google/uuid"
)

// UUID returns an id of our own database as answers carry it. It panics for another text: no row has one.
func UUID(id string) uuid.UUID { return uuid.MustParse(id) }

// UUIDOrNull is UUID for an id that may be "", which becomes null.
func UUIDOrNull(id string) *uuid.UUID {
	if id == "" {
		return nil
	}
	return new(UUID(id))
}

// ID returns an optional id of a request as text; "" for one that was left out.
func ID(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}

// Value returns what an optional field of a request holds; the zero value for one that was left out.
func Value[T any](field *T) T { return ValueOr(field, *new(T)) }

// ValueOr is Value with another value for a field that was left out.
func ValueOr[T any](field *T, otherwise T) T {
	if field == nil {
		return otherwise
	}
	return *field
}

// OrNull returns a text as answers carry it, where an unknown one ("") is null.
func OrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Time returns a moment as answers carry it, where the zero time is null.
func Time(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// Items returns the items of a list as answers carry them; never nil, which would be null.
func Items[T, W any](list []T, item func(T) W) []W {
	items := make([]W, len(list))
	for i, each := range list {
		items[i] = item(each)
	}
	return items
}
