package app_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"masthead/gen"
)

// readDocument returns the service's document.
func readDocument(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(gen.Document())
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// eachSchema calls visit for a schema and all that are in it; where is a path such as "GenerateRequest.style.font".
func eachSchema(where string, ref *openapi3.SchemaRef, visit func(where string, schema *openapi3.Schema)) {
	if ref == nil || ref.Value == nil {
		return
	}
	visit(where, ref.Value)
	for name, property := range ref.Value.Properties {
		eachSchema(where+"."+name, property, visit)
	}
	for _, branches := range []openapi3.SchemaRefs{ref.Value.OneOf, ref.Value.AnyOf, ref.Value.AllOf} {
		for i, branch := range branches {
			eachSchema(fmt.Sprintf("%s|%d", where, i), branch, visit)
		}
	}
	eachSchema(where+"[]", ref.Value.Items, visit)
}

// eachRequestSchema calls visit for every schema of a body or a parameter.
func eachRequestSchema(document *openapi3.T, visit func(where string, schema *openapi3.Schema)) {
	for _, item := range document.Paths.Map() {
		for _, op := range item.Operations() {
			for _, parameter := range slices.Concat(item.Parameters, op.Parameters) {
				eachSchema(op.OperationID+" "+parameter.Value.Name, parameter.Value.Schema, visit)
			}
			if op.RequestBody != nil && op.RequestBody.Value.Content["application/json"] != nil {
				eachSchema(op.OperationID+" body", op.RequestBody.Value.Content["application/json"].Schema, visit)
			}
		}
	}
}

// Generators take a field with a default for one that is always there, and a program that leaves it out no longer
// compiles.
func TestDocument_requestFieldsHaveNoDefaults(t *testing.T) {
	eachRequestSchema(readDocument(t), func(where string, schema *openapi3.Schema) {
		if schema.Default != nil {
			t.Errorf("%s has the default %v: say it in the description, and let the module fill it in", where, schema.Default)
		}
	})
}

func TestDocument_optionalRequestFieldsTakeNull(t *testing.T) {
	eachRequestSchema(readDocument(t), func(where string, schema *openapi3.Schema) {
		for name, property := range schema.Properties {
			if slices.Contains(schema.Required, name) {
				continue
			}
			field := property.Value
			if err := field.VisitJSON(nil); err != nil {
				t.Errorf("%s.%s does not take null: %v", where, name, err)
			}
			if len(field.Enum) > 0 && !slices.Contains(field.Enum, nil) {
				t.Errorf("%s.%s: null is not one of the values %v, which validators other than ours insist on",
					where, name, field.Enum)
			}
		}
	})
}

func TestDocument_nullableStandsBesideAType(t *testing.T) {
	document := readDocument(t)
	for name, ref := range document.Components.Schemas {
		eachSchema(name, ref, func(where string, schema *openapi3.Schema) {
			if schema.Nullable && schema.Type == nil {
				t.Errorf("%s is nullable and has no type", where)
			}
		})
	}
}

// What a record says of its style can be sent in a request: each field is there, with all its values.
func TestDocument_styleOfAnswersFitsRequests(t *testing.T) {
	schemas := readDocument(t).Components.Schemas
	var compare func(where string, response, request *openapi3.Schema)
	compare = func(where string, response, request *openapi3.Schema) {
		if response.Nullable && !request.Nullable {
			t.Errorf("%s may be null in a response and not in a request", where)
		}
		for _, value := range response.Enum {
			if !slices.Contains(request.Enum, value) {
				t.Errorf("%s may be %v in a response and not in a request", where, value)
			}
		}
		if known := len(request.Enum); known > 0 && len(response.Enum) == 0 {
			t.Errorf("%s is one of %d values in a request and any text in a response", where, known)
		}
		if response.Pattern != request.Pattern {
			t.Errorf("%s has the pattern %q in a response and %q in a request", where, response.Pattern, request.Pattern)
		}
		for name, field := range response.Properties {
			if request.Properties[name] == nil {
				t.Errorf("%s.%s is not known in a request", where, name)
				continue
			}
			compare(where+"."+name, field.Value, request.Properties[name].Value)
		}
	}
	compare("style", schemas["Style"].Value, schemas["StyleRequest"].Value)
}

// Every response of an operation that is limited says how its window stands, pictures and errors included.
func TestDocument_responsesDeclareTheHeadersOfTheirLimit(t *testing.T) {
	for path, item := range readDocument(t).Paths.Map() {
		for method, op := range item.Operations() {
			limited := op.Extensions["x-rate-bucket"] != "none"
			for status, response := range op.Responses.Map() {
				for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
					if declared := response.Value.Headers[name] != nil; limited && !declared {
						t.Errorf("%s %s: %s does not declare %s", method, path, status, name)
					}
				}
			}
		}
	}
}
