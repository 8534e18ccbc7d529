package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"masthead/pkg/apperr"
	"masthead/pkg/cleantext"
	"masthead/pkg/humanize"
	"masthead/pkg/identity"
)

// This file explains what the request validation finds: which part, what is allowed, and what was given.

// maxEchoed is the maximum length of a given value that is repeated to its sender, in characters. All keys, tokens and
// digests are longer.
const maxEchoed = 36

// formatWords describe the document's formats, and patternWords its patterns.
var (
	formatWords = map[string]string{
		"uuid":      "a UUID such as 0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11",
		"uri":       "an http or https address such as https://example.com/page",
		"date-time": "a date and time such as 2026-03-12T09:30:00Z",
		"email":     "an email address such as ada@example.com",
		"int64":     "a whole number",
		dateForm:    cleantext.DateForms,
	}
	patternWords = map[string]string{
		"^20[0-9]{2}-(0[1-9]|1[0-2])$": "a month from 2000-01 to 2099-12, such as 2026-11",
		"^#[0-9A-Fa-f]{6}$":            "a color of six hexadecimal digits such as #0F766E",
		"^(#[0-9A-Fa-f]{6})?$":         "empty, or a color of six hexadecimal digits such as #0F766E",
		"^#?[0-9A-Fa-f]{6}$":           "a color of six hexadecimal digits such as 0F766E",
		"^[A-Za-z0-9_-]{1,64}$":        "1 to 64 letters and digits of ASCII, - and _",
		"^[a-z0-9]+(-[a-z0-9]+)*$":     "lower-case letters and digits of ASCII with single hyphens between them",
		"^[0-9]{3,4}x[0-9]{3,4}$":      "width x height in pixels such as 1080x1080",
		"^[0-9A-Za-z]{22}$":            "22 letters and digits of ASCII",
		"^/([^/].*)?$":                 "a path of this service such as /dashboard",
		"^[!-~]([ -~]*[!-~])?$":        "text of letters, digits and signs of ASCII, such as a UUID",
	}
	typeWords = map[string]string{
		openapi3.TypeString: "a string", openapi3.TypeBoolean: "true or false", openapi3.TypeInteger: "a whole number",
		openapi3.TypeNumber: "a number", openapi3.TypeArray: "a list", openapi3.TypeObject: "an object",
	}
)

// place is a position in a request: a pointer for programs, and a name for people.
type place struct{ pointer, name string }

// theBody is the body as a whole.
var theBody = place{name: "The body"}

// member returns the place of a member of an object, or of a list entry if name is its index.
func (p place) member(name string) place {
	_, notANumber := strconv.Atoi(name)
	in := place{pointer: p.pointer + pointerTo(name), name: p.name + "." + name}
	switch {
	case p == theBody:
		in.name = name
	case notANumber == nil:
		in.name = p.name + "[" + name + "]"
	}
	return in
}

// fault returns the field for a message that begins with the name of the place.
func (p place) fault(sentence string) apperr.Field {
	return apperr.Field{Pointer: p.pointer, Detail: p.name + " " + sentence}
}

// pointerTo is the JSON pointer to a member (RFC 6901).
func pointerTo(name string) string {
	return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// parameterPlace is the place of a request parameter.
func parameterPlace(p *openapi3.Parameter) place { return place{p.In + "." + p.Name, p.Name} }

// fieldsOf returns the parts of the request that e, one error of the validation, is about.
func fieldsOf(e error) []apperr.Field {
	var request *openapi3filter.RequestError
	if !errors.As(e, &request) {
		return nil
	}
	where := theBody
	if request.Parameter != nil {
		where = parameterPlace(request.Parameter)
	}
	var fields []apperr.Field
	for _, inner := range flatten(request.Err) {
		var breach *openapi3.SchemaError
		if errors.As(inner, &breach) {
			fields = append(fields, breachFields(where, breach)...)
			continue
		}
		fields = append(fields, unreadable(where, request, inner))
	}
	return fields
}

// unreadable describes a part that couldn't be compared with its schema.
func unreadable(where place, request *openapi3filter.RequestError, err error) apperr.Field {
	var parse *openapi3filter.ParseError
	switch {
	case errors.Is(err, openapi3filter.ErrInvalidRequired):
		return where.fault("is required.")
	case errors.Is(err, openapi3filter.ErrInvalidEmptyValue):
		return where.fault("must not be empty: give a value, or leave it out.")
	case request.Parameter != nil && errors.As(err, &parse):
		schema := request.Parameter.Schema.Value
		return where.fault("must be " + wordsOf(schema) + given(where, schema, parse.Value) + ".")
	case request.Parameter == nil && strings.Contains(request.Reason, "header Content-Type"):
		return apperr.Field{Detail: bodyNotJSON}
	case request.Parameter == nil:
		return where.fault("is not valid JSON.")
	}
	return where.fault("is not valid.")
}

// breachFields describes a violation of a schema at or below a place.
func breachFields(at place, e *openapi3.SchemaError) []apperr.Field {
	for _, name := range e.JSONPointer() {
		at = at.member(name)
	}
	if e.SchemaField == "oneOf" {
		return choiceFields(at, e)
	}
	if e.SchemaField == "properties" {
		// The validation names the field only in its message: property "color" is unsupported.
		quoted, _ := strconv.QuotedPrefix(strings.TrimPrefix(e.Reason, "property "))
		if name, err := strconv.Unquote(quoted); err == nil {
			sentence := "is unknown; " + at.holder() + " takes " + names(e.Schema) + "."
			return []apperr.Field{at.member(name).fault(sentence)}
		}
	}
	return []apperr.Field{at.fault(requirement(at, e))}
}

// holder is the name of a place in the middle of a sentence.
func (p place) holder() string {
	if p == theBody {
		return "the body"
	}
	return p.name
}

// choiceFields explains why a value matches none of several forms: what is wrong with the one form that its type
// allows, otherwise what the forms are.
func choiceFields(at place, e *openapi3.SchemaError) []apperr.Field {
	var forms []string
	for _, form := range e.Schema.OneOf {
		if _, isObject := e.Value.(map[string]any); isObject && form.Value.Type.Is(openapi3.TypeObject) {
			var fields []apperr.Field
			err := form.Value.VisitJSON(e.Value, openapi3.MultiErrors(), openapi3.VisitAsRequest())
			for _, inner := range flatten(err) {
				var breach *openapi3.SchemaError
				if errors.As(inner, &breach) {
					fields = append(fields, breachFields(at, breach)...)
				}
			}
			return fields
		}
		if form.Value.Type.Is(openapi3.TypeBoolean) {
			forms = append(forms, "true", "false")
		} else {
			forms = append(forms, wordsOf(form.Value))
		}
	}
	return []apperr.Field{at.fault("must be " + humanize.Or(forms) + given(at, e.Schema, e.Value) + ".")}
}

// requirement says what a value must be, and what it is instead.
func requirement(at place, e *openapi3.SchemaError) string {
	s, text := e.Schema, ""
	if v, ok := e.Value.(string); ok {
		text = v
	}
	list, _ := e.Value.([]any)
	not := given(at, s, e.Value)
	switch e.SchemaField {
	case "required":
		return "is required."
	case "format":
		var why reason
		if errors.As(e.Origin, &why) {
			return "is not valid: " + lowerFirst(string(why))
		}
		return "must be " + wordsOf(s) + not + "."
	case "type", "enum", "pattern":
		return "must be " + wordsOf(s) + not + "."
	case "nullable":
		return "must be " + wordsOf(s) + ", not null."
	case "minLength":
		if s.MinLength == 1 {
			return "must not be empty."
		}
		return fmt.Sprintf("must have at least %d characters, not %d.", s.MinLength, length(text))
	case "maxLength":
		return fmt.Sprintf("must have at most %d characters, not %d.", *s.MaxLength, length(text))
	case "minimum", "maximum":
		return "must be " + bounds(s) + not + "."
	case "minItems":
		return fmt.Sprintf("must have at least %d entries, not %d.", s.MinItems, len(list))
	case "maxItems":
		return fmt.Sprintf("must have at most %d entries, not %d.", *s.MaxItems, len(list))
	case "minProperties":
		return "must set at least one of " + names(s) + "."
	}
	return "is not valid."
}

// lowerFirst returns a sentence for use at the end of another one.
func lowerFirst(sentence string) string { return strings.ToLower(sentence[:1]) + sentence[1:] }

// length counts UTF-16 code units, as the validation and JavaScript do.
func length(text string) int { return len(utf16.Encode([]rune(text))) }

// wordsOf describes the values that a schema allows.
func wordsOf(s *openapi3.Schema) string {
	switch {
	case len(s.Enum) > 0:
		var values []string
		for _, v := range s.Enum {
			if v != nil { // it may be omitted, and null means the same
				values = append(values, fmt.Sprint(v))
			}
		}
		if len(values) > 2 {
			return "one of " + humanize.Or(values)
		}
		return humanize.Or(values)
	case patternWords[s.Pattern] != "":
		return patternWords[s.Pattern]
	case formatWords[s.Format] != "":
		return formatWords[s.Format]
	}
	for of, words := range typeWords {
		if s.Type.Is(of) {
			return words
		}
	}
	return "of the documented form"
}

func bounds(s *openapi3.Schema) string {
	number := func(f *float64) string { return strconv.FormatFloat(*f, 'f', -1, 64) }
	switch {
	case s.Min != nil && s.Max != nil:
		return "from " + number(s.Min) + " to " + number(s.Max)
	case s.Min != nil:
		return "at least " + number(s.Min)
	}
	return "at most " + number(s.Max)
}

// given is the end of a message: the actual value. It never repeats secrets, long values, or a whole body, which may be
// a secret.
func given(at place, s *openapi3.Schema, value any) string {
	if at == theBody || isSecret(s) {
		return ""
	}
	switch v := value.(type) {
	case nil:
		return ", not null"
	case string:
		if length(v) > maxEchoed || strings.HasPrefix(v, identity.KeyPrefix) {
			return ""
		}
		return ", not " + strconv.Quote(v)
	case bool:
		return ", not " + strconv.FormatBool(v)
	case float64:
		return ", not " + strconv.FormatFloat(v, 'g', -1, 64)
	case json.Number:
		if len(v) > maxEchoed {
			return ""
		}
		return ", not " + v.String()
	case int64:
		return ", not " + strconv.FormatInt(v, 10)
	case []any:
		return ", not a list"
	case map[string]any:
		return ", not an object"
	}
	return ""
}

// names lists the members that an object may have.
func names(s *openapi3.Schema) string { return humanize.And(slices.Sorted(maps.Keys(s.Properties))) }
