package server

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
	"masthead/pkg/humanize"
	"masthead/pkg/identity"
)

// This file rejects query parameters that the validation against the document doesn't check: unknown ones and
// duplicates, and bytes that are no text.

// knownQuery rejects queries with parameters that the operation doesn't have: a misspelled one would be ignored
// silently.
func knownQuery(parameters openapi3.Parameters) echo.MiddlewareFunc {
	var names []string
	for _, ref := range parameters {
		if ref.Value.In == openapi3.ParameterInQuery {
			names = append(names, ref.Value.Name)
		}
	}
	takes := "this operation takes no query parameters."
	if len(names) > 0 {
		slices.Sort(names)
		takes = "this operation takes " + humanize.And(names) + "."
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if c.Request().URL.RawQuery == "" {
				return next(c)
			}
			query, err := url.ParseQuery(c.Request().URL.RawQuery)
			if err != nil {
				return apperr.New(apperr.BadRequest,
					"The query is not valid: write % as %25, and separate parameters with & instead of semicolons.")
			}
			var faults []apperr.Field
			for name := range query {
				if !slices.Contains(names, name) && len(faults) < maxFields {
					at := place{"query." + name, nameOf(name)}
					faults = append(faults, at.fault("is not a parameter; "+takes))
				}
			}
			if len(faults) > 0 {
				slices.SortFunc(faults, func(a, b apperr.Field) int { return strings.Compare(a.Pointer, b.Pointer) })
				return apperr.InvalidFields(faults)
			}
			return next(c)
		}
	}
}

// nameOf returns an unknown parameter's name for a message. Long names and names that begin like an API key aren't
// repeated.
func nameOf(name string) string {
	if name == "" || length(name) > maxEchoed || strings.Contains(name, identity.KeyPrefix) {
		return "A name in the query"
	}
	return name
}

// checked runs checks of a request, each of which calls its next if it finds no fault, and rejects the request with all
// invalid fields that they report.
func checked(checks ...echo.MiddlewareFunc) echo.MiddlewareFunc {
	runs := make([]echo.HandlerFunc, len(checks))
	for i, check := range checks {
		runs[i] = check(func(echo.Context) error { return nil })
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			var fields []apperr.Field
			for _, run := range runs {
				err := run(c)
				if err == nil {
					continue
				}
				fault := faultOf(err)
				if fault.Code != apperr.BadRequest || len(fault.Fields) == 0 {
					return err
				}
				fields = append(fields, fault.Fields...)
			}
			if len(fields) > 0 {
				slices.SortStableFunc(fields, func(a, b apperr.Field) int { return strings.Compare(a.Pointer, b.Pointer) })
				return apperr.InvalidFields(fields[:min(len(fields), maxFields)])
			}
			return next(c)
		}
	}
}

// onlyOnce rejects requests with duplicates of an operation's parameter, since it is unclear which value counts.
func onlyOnce(parameters openapi3.Parameters) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			var faults []apperr.Field
			for _, ref := range parameters {
				p, times := ref.Value, 0
				switch p.In {
				case openapi3.ParameterInQuery:
					times = len(c.QueryParams()[p.Name])
				case openapi3.ParameterInHeader:
					times = len(c.Request().Header.Values(p.Name))
				}
				if times > 1 {
					faults = append(faults, parameterPlace(p).fault(fmt.Sprintf("must be given once, not %d times.", times)))
				}
			}
			if len(faults) > 0 {
				return apperr.InvalidFields(faults)
			}
			return next(c)
		}
	}
}

// isNoText reports whether a text has bytes that no text has.
func isNoText(text string) bool { return !utf8.ValidString(text) || strings.Contains(text, "\x00") }

// onlyText rejects queries with bytes in an operation's parameters that no text has. The validation accepts them, and
// Postgres doesn't.
func onlyText(parameters openapi3.Parameters) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			var faults []apperr.Field
			for _, ref := range parameters {
				p := ref.Value
				if p.In != openapi3.ParameterInQuery { // what a path names exists, or doesn't
					continue
				}
				if slices.ContainsFunc(c.QueryParams()[p.Name], isNoText) {
					faults = append(faults, parameterPlace(p).fault("must be text in UTF-8, without null characters."))
				}
			}
			if len(faults) > 0 {
				return apperr.InvalidFields(faults)
			}
			return next(c)
		}
	}
}
