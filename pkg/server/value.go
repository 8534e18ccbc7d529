package server

import (
	"net/http"
	"reflect"

	"github.com/labstack/echo/v4"

	"masthead/gen"
)

// This file hands the response of an operation to a page as it is, instead of encoding it as JSON and parsing that.

// Value is [Operation.Read] and [Output.Decode] in one. into, a pointer to a type in gen, may share memory with the
// operation's module, so what it points to must not be changed: clone a list before you sort it.
func (o *Operation) Value(page echo.Context, in Input, into any) error {
	if o.method != http.MethodGet {
		return o.notRead()
	}
	c := &call{from: aPage, projectID: in.ProjectID, into: into}
	out, err := o.run(page.Request().Context(), in, c)
	if err != nil || c.taken {
		return err
	}
	return out.Decode(into)
}

// handOver is the middleware of all operations that gives a call with a destination its response.
func handOver(next gen.StrictHandlerFunc, _ string) gen.StrictHandlerFunc {
	return func(c echo.Context, request any) (any, error) {
		response, err := next(c, request)
		in := callOf(c.Request().Context())
		if err != nil || in == nil || in.into == nil {
			return response, err
		}
		in.taken = set(in.into, response)
		if in.taken {
			return nil, nil //nolint:nilnil // nothing is left to write
		}
		return response, nil
	}
}

// set sets what into points to, to a response or its body, if their types have the same fields.
func set(into, response any) bool {
	to, value := reflect.ValueOf(into).Elem(), reflect.ValueOf(response)
	if value.Kind() == reflect.Struct && !value.CanConvert(to.Type()) {
		value = value.FieldByName("Body")
	}
	if !value.IsValid() || value.Kind() != reflect.Struct || !value.CanConvert(to.Type()) {
		return false
	}
	to.Set(value.Convert(to.Type()))
	return true
}
