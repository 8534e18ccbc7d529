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

// This file owns what an error says about the database behind it.

// unansweredError is an error of a database that does not answer; [IsUnavailable] tells it with others of the moment.
type unansweredError struct{ err error }

func (e *unansweredError) Error() string { return e.err.Error() }

// Unwrap returns the error as it came.
func (e *unansweredError) Unwrap() error { return e.err }

// kind is what an error says about the database.
type kind int

const (
	answers     kind = iota // it answered, if only to refuse
	left                    // nothing: the caller left, or was refused before
	outOfTime               // no answer in time
	locked                  // another held SQLite's lock
	unreachable             // there is no connection, or it broke
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
	case p.Code.Class() == "08", p.Code.Class() == "57": // connection exceptions; it is shutting down or starting up
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

// IsUnavailable says whether err is of the moment: the database does not answer, is full, may only be read, or is busy
// with others; or the machine is out of disk or descriptors. The statement itself was good.
func IsUnavailable(err error) bool {
	var unanswered *unansweredError
	if errors.As(err, &unanswered) || ofTheMachine(err) {
		return true
	}
	var p *pq.Error
	if errors.As(err, &p) {
		// Connection exceptions, insufficient resources, operator intervention, system errors; a login that was good at
		// the start, and a database that was there; two transactions in each other's way; a lock that was not to be had;
		// a server that became a standby. Source: PostgreSQL documentation, appendix A.
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

// ofTheNetwork says whether err is of a connection. A fault of a file is a net.Error too.
func ofTheNetwork(err error) bool {
	var connection *net.OpError
	var name *net.DNSError
	return errors.As(err, &connection) || errors.As(err, &name)
}

// ofTheMachine says whether err is of a file system that is full or may only be read, or of a lack of descriptors.
func ofTheMachine(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EROFS) ||
		errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}
