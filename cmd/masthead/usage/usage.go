// Package usage has the errors of a command line and of what it found, and words errors of the service for its users.
package usage

import (
	"errors"
	"fmt"
	"strings"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
)

// Error is an error on the command line or in the environment.
type Error struct{ error }

// Unwrap returns what is wrong.
func (e Error) Unwrap() error { return e.error }

// Errorf returns an [Error] with a message.
func Errorf(format string, args ...any) error { return Error{fmt.Errorf(format, args...)} }

// Wrap turns a non-nil error into an [Error].
func Wrap(err error) error {
	if err == nil {
		return nil
	}
	return Error{err}
}

// FindingsError means that a check of pages or designs found something: the program did its work, and exits with a
// status of its own.
type FindingsError struct{ error }

// Findings returns a [FindingsError] with a message.
func Findings(message string) error { return FindingsError{errors.New(message)} }

// flagsOf are the flags for fields of the API.
var flagsOf = map[string]string{
	"/style/logo/url": "--logo", "/content/favicon": "--icon", "/content/date": "--date", "/style/accent": "--accent",
}

// Explain returns an error for people, with the reason if an address is refused, which needn't be hidden from the
// operator. Errors about a field name its flag.
func Explain(err error) error {
	var fault *apperr.Error
	if !errors.As(err, &fault) {
		return err
	}
	var flags []string
	for _, field := range fault.Fields {
		if flag := flagsOf[field.Pointer]; flag != "" {
			flags = append(flags, flag+": "+field.Detail)
		}
	}
	switch {
	case len(flags) == 0 && errors.Is(err, fetch.ErrRefused):
		return errors.New(fault.Error()) // with the violated rule
	case len(flags) == 0:
		return errors.New(fault.Detail)
	case fault.Code == apperr.BadRequest:
		return Errorf("%s", strings.Join(flags, "\nmasthead: "))
	}
	return errors.New(strings.Join(flags, "\nmasthead: "))
}
