// Package apperr defines the errors that clients may see. Each kind has a stable code, an HTTP status and a title. A
// module creates one where it understands the fault; only the server turns it into a response. Any other error
// becomes [Internal], and its text stays in the log.
//
// To add a code, add a line to the table in codes.go.
package apperr

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Error is a fault with a code and a message for the client.
type Error struct {
	// Code is stable and determines the HTTP status.
	Code Code
	// Detail tells the client what is wrong and what to do. It never contains secrets, addresses or internals.
	Detail string
	// Fields lists the parts of the input that are wrong. It is empty if the fault concerns the whole request.
	Fields []Field
	// RetryAfter is when the client should try again; zero if unknown.
	RetryAfter time.Duration
	// ExistingID is the ID of the caller's own resource that a [Conflict] is about, or "".
	ExistingID string

	cause error
}

// Field is a fault in one part of the input.
type Field struct {
	// Pointer is a JSON pointer into the body (RFC 6901), or "query.NAME", "path.NAME", "header.NAME".
	Pointer string
	// Detail says what is wrong with this part.
	Detail string
}

// New returns an error with the given code and message.
func New(code Code, detail string) *Error {
	return &Error{Code: code, Detail: detail}
}

// Wrap is like New but records a cause, which is logged, is matched by errors.Is and errors.As, and never reaches the
// client.
func Wrap(code Code, detail string, cause error) *Error {
	return &Error{Code: code, Detail: detail, cause: cause}
}

// Invalid returns a [BadRequest] about the part of the input at a JSON pointer.
func Invalid(pointer, detail string) *Error {
	return &Error{Code: BadRequest, Detail: detail, Fields: []Field{{Pointer: pointer, Detail: detail}}}
}

// InvalidFields returns a [BadRequest] about one or more parts of the input. Its detail is that of the first part
// plus the number of remaining ones.
func InvalidFields(fields []Field) *Error {
	detail := fields[0].Detail
	if n := len(fields) - 1; n > 0 {
		detail = strings.TrimSuffix(detail, ".") + " (and " + strconv.Itoa(n) + " more: see errors)."
	}
	return &Error{Code: BadRequest, Detail: detail, Fields: fields}
}

// JoinInvalid merges errs into one [BadRequest] with all their fields, so that a client sees every fault at once. It
// returns nil if all errs are nil. An error that isn't a [BadRequest] with fields is returned unchanged.
func JoinInvalid(errs ...error) error {
	var fields []Field
	for _, err := range errs {
		if err == nil {
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.Code != BadRequest || len(e.Fields) == 0 {
			return err
		}
		fields = append(fields, e.Fields...)
	}
	if len(fields) == 0 {
		return nil
	}
	return InvalidFields(fields)
}

// Error returns the detail, followed by the cause if there is one. It is meant for logs.
func (e *Error) Error() string {
	if e.cause != nil {
		return e.Detail + " (" + e.cause.Error() + ")"
	}
	return e.Detail
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// CodeOf returns the code of the first *Error in err's chain, or [Internal] if there is none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}
