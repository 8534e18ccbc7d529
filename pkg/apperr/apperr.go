// Package apperr owns the kinds of error that a client may be told about: the stable code, the HTTP status that goes
// with it and what it means. A module makes such an error where it understands the fault; only the server turns it into
// a response. Any other error counts as [Internal] and its text stays in the log.
//
// To add a code, add a line to the table in codes.go.
package apperr

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Error is a fault with a code and a sentence for the client.
type Error struct {
	// Code is stable and decides the HTTP status.
	Code Code
	// Detail tells the client what is wrong and what to do. It never holds secrets, addresses or internals.
	Detail string
	// Fields names the parts of the input that are at fault; empty when the fault is of the whole.
	Fields []Field
	// RetryAfter is the time after which trying again makes sense; zero when that is not known.
	RetryAfter time.Duration
	// ExistingID is the caller's own resource that a [Conflict] is about; "" for none.
	ExistingID string

	cause error
}

// Field is a fault in one part of the input.
type Field struct {
	// Pointer is a JSON pointer into the body (RFC 6901), or "query.NAME", "path.NAME", "header.NAME".
	Pointer string
	// Detail says what is wrong with that part.
	Detail string
}

// New returns an error of the given kind with a sentence for the client.
func New(code Code, detail string) *Error {
	return &Error{Code: code, Detail: detail}
}

// Wrap is New with a cause that is logged, matched by errors.Is and errors.As, and never shown to the client.
func Wrap(code Code, detail string, cause error) *Error {
	return &Error{Code: code, Detail: detail, cause: cause}
}

// Invalid returns a [BadRequest] about one part of the input, named by a JSON pointer.
func Invalid(pointer, detail string) *Error {
	return &Error{Code: BadRequest, Detail: detail, Fields: []Field{{Pointer: pointer, Detail: detail}}}
}

// InvalidFields returns a [BadRequest] about several parts of the input, at least one. Its detail is that of the first
// part and says how many more there are.
func InvalidFields(fields []Field) *Error {
	detail := fields[0].Detail
	if n := len(fields) - 1; n > 0 {
		detail = strings.TrimSuffix(detail, ".") + " (and " + strconv.Itoa(n) + " more: see errors)."
	}
	return &Error{Code: BadRequest, Detail: detail, Fields: fields}
}

// JoinInvalid returns one [BadRequest] about every field that errs name, so that a client is told of all of them at
// once. It returns nil when each of errs is nil, and the first of errs that is anything else than a [BadRequest] with
// fields as it is.
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

// Error returns the detail, with the cause when there is one: it is meant for logs.
func (e *Error) Error() string {
	if e.cause != nil {
		return e.Detail + " (" + e.cause.Error() + ")"
	}
	return e.Detail
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// CodeOf returns the code of the first *Error in err's chain, or [Internal] when there is none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}
