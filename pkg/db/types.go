package db

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"syscall"
	"time"

	"github.com/lib/pq"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Millis is a moment kept as Unix milliseconds, since the dialects disagree about time zones. The zero time is kept as null.
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

// Ptr returns the moment, or nil for the zero time.
func (m Millis) Ptr() *time.Time {
	if m.IsZero() {
		return nil
	}
	return &m.Time
}

// JSON is a value kept as JSON text.
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

// IsUnique says whether err is that of a statement that would have made a second row of a unique value.
func IsUnique(err error) bool {
	var p *pq.Error
	if errors.As(err, &p) {
		return p.Code == "23505" // unique_violation. Source: PostgreSQL documentation, appendix A.
	}
	var s *sqlite.Error
	if errors.As(err, &s) {
		return s.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || s.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
	}
	return false
}

// IsUnavailable says whether err is of the moment: the database does not answer, is full, or is busy with others. The statement
// itself was good.
func IsUnavailable(err error) bool {
	if errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, syscall.ENOSPC) {
		return true
	}
	var network net.Error
	if errors.As(err, &network) {
		return true
	}
	var p *pq.Error
	if errors.As(err, &p) {
		// Connection exceptions, insufficient resources, operator intervention. Source: PostgreSQL documentation, appendix A.
		return slices.Contains([]string{"08", "53", "57"}, string(p.Code.Class()))
	}
	var s *sqlite.Error
	if !errors.As(err, &s) {
		return false
	}
	switch s.Code() & 0xff { // the primary result code. Source: sqlite.org/rescode.html.
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR:
		return true
	}
	return false
}

// IsForeignKey says whether err is that of a statement that names a row which is not there (any more).
func IsForeignKey(err error) bool {
	var p *pq.Error
	if errors.As(err, &p) {
		return p.Code == "23503" // foreign_key_violation
	}
	var s *sqlite.Error
	return errors.As(err, &s) && s.Code() == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
}
