package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/pkg/apperr"
)

// This file validates that bodies are JSON, and explains where and why they aren't.

// level is an open object or array of the body being read.
type level struct {
	names map[string]bool // nil in an array
	name  bool            // whether the next token is a name
}

// checkJSON accepts exactly one JSON value, nested at most maxBodyDepth deep, without duplicate members in objects: two
// parsers could pick different ones.
func checkJSON(body []byte) error {
	if !utf8.Valid(body) {
		// The decoder would replace it silently, and store something other than what was sent.
		return notJSON(body, invalidUTF8At(body), "a byte that is not UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var open []level
	for {
		token, err := decoder.Token()
		if err != nil {
			return syntaxFault(body, err)
		}
		top := len(open) - 1
		switch delim, isDelim := token.(json.Delim); {
		case isDelim && (delim == '{' || delim == '['):
			if top >= 0 && open[top].names != nil {
				open[top].name = true
			}
			if len(open) == maxBodyDepth {
				return apperr.New(apperr.BadRequest, fmt.Sprintf("The body is nested deeper than %d at %s.",
					maxBodyDepth, positionOf(body, decoder.InputOffset()-1)))
			}
			next := level{}
			if delim == '{' {
				next = level{names: map[string]bool{}, name: true}
			}
			open = append(open, next)
		case isDelim:
			open = open[:top]
		case top >= 0 && open[top].name:
			name, _ := token.(string)
			if open[top].names[name] {
				return apperr.New(apperr.BadRequest, fmt.Sprintf("The body has %.40q twice in one object, the second time "+
					"before %s; send it once.", name, positionOf(body, decoder.InputOffset())))
			}
			open[top].names[name], open[top].name = true, false
		case top >= 0 && open[top].names != nil:
			open[top].name = true
		}
		if len(open) == 0 {
			break
		}
	}
	end := decoder.InputOffset()
	if rest := bytes.TrimLeft(body[end:], " \t\r\n"); len(rest) > 0 {
		at := int64(len(body) - len(rest))
		return apperr.New(apperr.BadRequest, fmt.Sprintf("The body must be one JSON value, but %s follows it at %s.",
			found(body, at), positionOf(body, at)))
	}
	return nil
}

// expected maps the endings of encoding/json's messages to what it expected.
var expected = []struct{ ending, words string }{
	{"looking for beginning of value", "where a value should begin"},
	{"looking for beginning of object key string", "where a name in double quotes should begin"},
	{"after object key", "where a colon should follow the name"},
	{"after object key:value pair", "where a comma or } should follow"},
	{"after array element", "where a comma or ] should follow"},
	{"in string literal", "inside a string, where it must be escaped"},
	{"in string escape code", "inside an escape of a string"},
	{"in \\u hexadecimal character escape", "where \\u needs four hexadecimal digits"},
	{"after decimal point in numeric literal", "where a digit should follow the decimal point"},
	{"in numeric literal", "inside a number"},
	{"in exponent of numeric literal", "inside the exponent of a number"},
}

// syntaxFault returns the error for a body with invalid syntax.
func syntaxFault(body []byte, cause error) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return apperr.Wrap(apperr.BadRequest, "The body is empty; send a JSON object.", cause)
	}
	// The decoder's offsets depend on the kind of error; those of Unmarshal are always one past the invalid byte.
	var value json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal(body, &value); !errors.As(err, &syntax) || errors.Is(cause, io.ErrUnexpectedEOF) ||
		strings.HasPrefix(syntax.Error(), "unexpected end") {
		return notJSON(body, int64(len(body)), "the end of the body, which is incomplete")
	}
	at := max(0, syntax.Offset-1)
	what := found(body, at)
	for _, e := range expected {
		if strings.HasSuffix(syntax.Error(), " "+e.ending) {
			what += " " + e.words
			break
		}
	}
	return notJSON(body, at, what)
}

// notJSON returns the error for a body that isn't JSON: the position, and what was found there.
func notJSON(body []byte, at int64, what string) error {
	return apperr.New(apperr.BadRequest,
		fmt.Sprintf("The body is not valid JSON: at %s there is %s.", positionOf(body, at), what))
}

// found names the character at an offset, and nothing around it: a body may contain secrets.
func found(body []byte, at int64) string {
	r, size := utf8.DecodeRune(body[at:])
	switch {
	case size == 0:
		return "the end of the body"
	case r == '\n':
		return "a line break"
	case r == '"':
		return "a double quote"
	case !unicode.IsPrint(r):
		return fmt.Sprintf("the character %U", r)
	}
	return fmt.Sprintf("%q", r)
}

// positionOf returns the line and column of an offset in bytes, both from 1; columns count characters.
func positionOf(body []byte, at int64) string {
	before := body[:min(max(at, 0), int64(len(body)))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return fmt.Sprintf("line %d, column %d", 1+bytes.Count(before, []byte{'\n'}), 1+utf8.RuneCount(line))
}

// invalidUTF8At returns the offset of the first byte that isn't UTF-8.
func invalidUTF8At(body []byte) (at int64) {
	for len(body) > 0 {
		r, size := utf8.DecodeRune(body)
		if r == utf8.RuneError && size == 1 {
			break
		}
		body, at = body[size:], at+int64(size)
	}
	return at
}
