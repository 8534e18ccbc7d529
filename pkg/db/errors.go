package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"slices"
	"syscall"

	"github.com/lib/pq"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"masthead/pkg/apperr"
)

// Missing is the error of looking for one row: NOT_FOUND with a sentence for the client when there is none, any other
// error wrapped with what was being done, nil for nil.
func Missing(err error, sentence, doing string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sql.ErrNoRows):
		return apperr.New(apperr.NotFound, sentence)
	}
	return fmt.Errorf("%s: %w", doing, err)
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

// IsUnavailable says whether err is of the moment: the database does not answer, is full, or is busy with others. The
// statement itself was good.
func IsUnavailable(err error) bool {
	if errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, syscall.ENOSPC) {
		return true
	}
	var connection *net.OpError
	if errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &connection) {
		return false // a bound of ours, which happens to be a net.Error too
	}
	var network net.Error
	if errors.As(err, &network) {
		return true
	}
	var p *pq.Error
	if errors.As(err, &p) {
		// Connection exceptions, insufficient resources, operator intervention. Source: PostgreSQL documentation,
		// appendix A.
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
