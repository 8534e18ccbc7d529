package db

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// NewID returns the ID of a new row: a UUID of version 7, so that IDs sort by creation time and lists by their IDs.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// IDsSince returns a text that is less than the IDs that were made at or after t, and greater than all others.
func IDsSince(t time.Time) string {
	ms := fmt.Sprintf("%012x", max(t.UnixMilli(), 0))
	return ms[:8] + "-" + ms[8:] + "-7000"
}

// Moment returns t as it will be read back: in UTC, truncated to milliseconds.
func Moment(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// Millis is a time stored as Unix milliseconds, since the dialects disagree about time zones. The zero time is stored
// as null.
type Millis struct{ time.Time }

// Value implements driver.Valuer.
func (m Millis) Value() (driver.Value, error) {
	if m.IsZero() {
		return nil, nil
	}
	return m.UnixMilli(), nil
}

// Scan implements sql.Scanner.
func (m *Millis) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		m.Time = time.Time{}
	case int64:
		m.Time = time.UnixMilli(v).UTC()
	default:
		return fmt.Errorf("a moment is an integer, not %T", src)
	}
	return nil
}

// Ptr returns the time, or nil for the zero time.
func (m Millis) Ptr() *time.Time {
	if m.IsZero() {
		return nil
	}
	return &m.Time
}

// JSON is a value stored as JSON text.
type JSON[T any] struct{ V T }

// Value implements driver.Valuer.
func (j JSON[T]) Value() (driver.Value, error) {
	text, err := json.Marshal(j.V)
	if err != nil {
		return nil, fmt.Errorf("encode a JSON column: %w", err)
	}
	return string(text), nil
}

// Scan implements sql.Scanner.
func (j *JSON[T]) Scan(src any) error {
	var text []byte
	switch v := src.(type) {
	case string:
		text = []byte(v)
	case []byte:
		text = v
	default:
		return fmt.Errorf("a JSON column is text, not %T", src)
	}
	if err := json.Unmarshal(text, &j.V); err != nil {
		return fmt.Errorf("decode a JSON column: %w", err)
	}
	return nil
}

// MillisOrNull returns a moment as the value of a nullable column: NULL if it is zero.
func MillisOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return Millis{Time: t}
}

// OrNull returns text, such as an optional ID, as the value of a nullable column: NULL if it is "".
func OrNull(text string) sql.NullString { return sql.NullString{String: text, Valid: text != ""} }
