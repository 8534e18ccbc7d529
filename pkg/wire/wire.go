// Package wire owns how values of ours stand in requests and responses: an optional field is a pointer there and a zero
// value here. Only package gen, the server and the http.go of a module use it.
package wire

import (
	"time"

	"github.com/google/uuid"
)

// UUID returns an id of our own database as responses carry it. It panics for another text: no row has one.
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

// OrNull returns a text, or a value of an enumeration, as responses carry it, where an unknown one ("") is null.
func OrNull[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}

// Moment is a point in time as responses carry it: RFC 3339 in UTC, always with three decimals, so that texts sort as
// times do. The document's date-time becomes it in package gen.
type Moment time.Time

// momentLayout is RFC 3339 with milliseconds, which is what the database keeps.
const momentLayout = "2006-01-02T15:04:05.000Z07:00"

// MomentOrNull returns a moment as responses carry it, where the zero time is null.
func MomentOrNull(t time.Time) *Moment {
	if t.IsZero() {
		return nil
	}
	return new(Moment(t))
}

// String returns the moment as it stands in a response.
func (m Moment) String() string { return time.Time(m).UTC().Format(momentLayout) }

// MarshalText makes it so in JSON too.
func (m Moment) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads any RFC 3339 text.
func (m *Moment) UnmarshalText(text []byte) error { return (*time.Time)(m).UnmarshalText(text) }

// Items returns the items of a list as responses carry them; never nil, which would be null.
func Items[T, W any](list []T, item func(T) W) []W {
	items := make([]W, len(list))
	for i, each := range list {
		items[i] = item(each)
	}
	return items
}
