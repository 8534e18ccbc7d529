package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"syscall"

	"github.com/lib/pq"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// This file classifies errors by what they say about the database.

// unansweredError means that the database doesn't respond; [IsUnavailable] matches it among other temporary errors.
type unansweredError struct{ err error }

func (e *unansweredError) Error() string { return e.err.Error() }

// Unwrap returns the original error.
func (e *unansweredError) Unwrap() error { return e.err }

// kind is what an error says about the database.
type kind int

const (
	answers     kind = iota // it responded, possibly with an error
	left                    // unknown: the caller left or was refused before
	outOfTime               // no response in time
	locked                  // another process held SQLite's lock
	unreachable             // no connection, or it broke
)

func kindOf(err error) kind {
	var p *pq.Error
	var s *sqlite.Error
	switch {
	case err == nil:
		return answers
	case errors.Is(err, errOpen), errors.Is(err, errBusy), errors.Is(err, context.Canceled):
		return left
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, sql.ErrTxDone):
		return outOfTime
	case errors.As(err, &p):
		return kindOfPostgres(p)
	case errors.As(err, &s):
		return kindOfSQLite(s)
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone), errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF), ofTheNetwork(err):
		return unreachable
	}
	return answers
}

// Source of the codes: PostgreSQL documentation, appendix A.
func kindOfPostgres(p *pq.Error) kind {
	switch {
	case p.Code == "57014": // query_canceled, by statement_timeout
		return outOfTime
	case p.Code.Class() == "08", p.Code.Class() == "57": // connection exceptions; shutting down or starting up
		return unreachable
	}
	return answers
}

// Source of the codes: sqlite.org/rescode.html.
func kindOfSQLite(s *sqlite.Error) kind {
	switch s.Code() & 0xff { // the primary result code
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return locked
	case sqlite3.SQLITE_INTERRUPT:
		return outOfTime
	}
	return answers
}

// IsUnavailable reports whether err is temporary: the database doesn't respond, is full, read-only, or busy, or the
// machine is out of disk space or file descriptors. The statement itself was valid.
func IsUnavailable(err error) bool {
	var unanswered *unansweredError
	if errors.As(err, &unanswered) || ofTheMachine(err) {
		return true
	}
	var p *pq.Error
	if errors.As(err, &p) {
		// Connection exceptions, insufficient resources, operator intervention, system errors; a login or database that was
		// valid at startup; a conflict of two transactions; a lock that wasn't available; a server that became a standby.
		// Source: PostgreSQL documentation, appendix A.
		return slices.Contains([]string{"08", "53", "57", "58", "28", "3D", "40"}, string(p.Code.Class())) ||
			p.Code == "55P03" || p.Code == "25006"
	}
	var s *sqlite.Error
	if errors.As(err, &s) {
		switch s.Code() & 0xff { // the primary result code. Source: sqlite.org/rescode.html.
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR,
			sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOMEM,
			sqlite3.SQLITE_PERM:
			return true
		}
		return false
	}
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || ofTheNetwork(err)
}

// ofTheNetwork reports whether err is from a connection. File errors implement net.Error, too.
func ofTheNetwork(err error) bool {
	var connection *net.OpError
	var name *net.DNSError
	return errors.As(err, &connection) || errors.As(err, &name)
}

// ofTheMachine reports whether err is from a full or read-only file system, or a lack of file descriptors.
func ofTheMachine(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EROFS) ||
		errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}
