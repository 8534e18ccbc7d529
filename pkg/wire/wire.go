// Package wire converts between our values and those of requests and responses. Optional fields are pointers on the
// wire and zero values inside. Only package gen, the server and each module's http.go use it.
package wire

import (
	"time"

	"github.com/google/uuid"
)

// UUID converts an ID from our database for a response. It panics if id isn't a UUID, which no row contains.
func UUID(id string) uuid.UUID { return uuid.MustParse(id) }

// UUIDOrNull is like UUID but returns nil (null in JSON) for "".
func UUIDOrNull(id string) *uuid.UUID {
	if id == "" {
		return nil
	}
	return new(UUID(id))
}

// ID returns an optional ID of a request as text, or "" if the field is missing.
func ID(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}

// Value returns the value of an optional request field, or the zero value if the field is missing.
func Value[T any](field *T) T { return ValueOr(field, *new(T)) }

// ValueOr is like Value but returns otherwise if the field is missing.
func ValueOr[T any](field *T, otherwise T) T {
	if field == nil {
		return otherwise
	}
	return *field
}

// OrNull returns a pointer to a string or enumeration value, or nil (null in JSON) for "".
func OrNull[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}

// Moment is a time as it appears in responses: RFC 3339 in UTC with exactly three decimals, so that sorting texts
// sorts times. Package gen uses it for date-time in openapi.yaml.
type Moment time.Time

// momentLayout is RFC 3339 with milliseconds, the precision of the database.
const momentLayout = "2006-01-02T15:04:05.000Z07:00"

// MomentOrNull converts a time for a response. The zero time becomes nil (null in JSON).
func MomentOrNull(t time.Time) *Moment {
	if t.IsZero() {
		return nil
	}
	return new(Moment(t))
}

// String formats m as in responses.
func (m Moment) String() string { return time.Time(m).UTC().Format(momentLayout) }

// MarshalText implements [encoding.TextMarshaler].
func (m Moment) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It accepts any RFC 3339 time.
func (m *Moment) UnmarshalText(text []byte) error { return (*time.Time)(m).UnmarshalText(text) }

// Items converts the items of a list for a response. The result is never nil, which would encode as null.
func Items[T, W any](list []T, item func(T) W) []W {
	items := make([]W, len(list))
	for i, each := range list {
		items[i] = item(each)
	}
	return items
}
