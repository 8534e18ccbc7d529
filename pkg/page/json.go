package page

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of JSON-LD. Source: docs/security.md#decoding. The number of values bounds the memory for pages full of
// brackets.
const (
	maxJSONBlocks = 16
	maxJSONBytes  = 256 << 10
	maxJSONDepth  = 32
	maxJSONValues = 50_000 // over all blocks of a page
	maxNodes      = 1000   // nodes among them: resolving a reference searches all of them
)

// ValueType is the type of a JSON value.
type ValueType uint8

// The types of JSON values. The zero Value is Null.
const (
	Null ValueType = iota
	Bool
	Number
	String
	Array
	Object
)

// Value is a JSON value as written. All methods treat a nil *Value as Null.
type Value struct {
	Type ValueType
	// Text is the content of a string, or a number or Boolean as written.
	Text string
	// Members are the members of an object, or the elements of an array, which have no names.
	Members []Member
}

// Member is a named part of an object or an element of an array.
type Member struct {
	Name  string
	Value Value
}

// JSONError is an error in a JSON text.
type JSONError struct {
	// Line is the line of the text, counted from 1, where parsing stopped.
	Line int
	// Reason says what is wrong.
	Reason string
}

// Error returns the line and the reason.
func (e *JSONError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// parseJSON parses one JSON text (RFC 8259) of at most 256 KiB and depth 32. Of duplicate members the last one counts.
// budget is the number of values left for this text and the following ones. The error is a *JSONError.
func parseJSON(text string, budget *int) (Value, error) {
	p := jsonParser{text: text, budget: budget}
	if len(text) > maxJSONBytes {
		return Value{}, &JSONError{Line: 1, Reason: "the block is longer than 256 KiB"}
	}
	v, ok := p.value(0)
	if ok {
		p.space()
		if p.pos < len(text) {
			ok = p.fail("text after the end of the value")
		}
	}
	if !ok {
		return Value{}, &JSONError{Line: 1 + strings.Count(text[:min(p.pos, len(text))], "\n"), Reason: p.reason}
	}
	return v, nil
}

type jsonParser struct {
	text   string
	pos    int
	budget *int
	reason string
	// open has the members of the containers being parsed; each container pops its own when it closes.
	open []Member
}

func (p *jsonParser) fail(reason string) bool {
	p.reason = cmp.Or(p.reason, reason)
	return false
}

func (p *jsonParser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *jsonParser) value(depth int) (Value, bool) {
	p.space()
	if *p.budget--; *p.budget < 0 {
		return Value{}, p.fail("too many values")
	}
	if p.pos >= len(p.text) {
		return Value{}, p.fail("unexpected end: a value is expected")
	}
	switch c := p.text[p.pos]; {
	case c == '{' || c == '[':
		if depth >= maxJSONDepth {
			return Value{}, p.fail("nested deeper than 32")
		}
		return p.container(depth, c == '{')
	case c == '"':
		s, ok := p.str()
		return Value{Type: String, Text: s}, ok
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(p.text[p.pos:], word) {
			p.pos += len(word)
			if word == "null" {
				return Value{}, true
			}
			return Value{Type: Bool, Text: word}, true
		}
	}
	return Value{}, p.fail("a value is expected")
}

// container reads an object or an array.
func (p *jsonParser) container(depth int, object bool) (Value, bool) {
	v, closing, start := Value{Type: Array}, byte(']'), len(p.open)
	if object {
		v.Type, closing = Object, '}'
	}
	p.pos++
	for p.space(); ; p.space() {
		if p.pos < len(p.text) && p.text[p.pos] == closing && len(p.open) == start {
			break // empty
		}
		var m Member
		var ok bool
		if object {
			if m.Name, ok = p.name(); !ok {
				return Value{}, false
			}
		}
		if m.Value, ok = p.value(depth + 1); !ok {
			return Value{}, false
		}
		p.open = append(p.open, m)
		p.space()
		if p.pos < len(p.text) && p.text[p.pos] == ',' {
			p.pos++
			continue
		}
		if p.pos < len(p.text) && p.text[p.pos] == closing {
			break
		}
		return Value{}, p.fail("a comma or a closing bracket is expected")
	}
	p.pos++
	if n := len(p.open) - start; n > 0 {
		v.Members = make([]Member, n)
		copy(v.Members, p.open[start:])
		p.open = p.open[:start]
	}
	return v, true
}

// name parses the name of a member and the colon after it.
func (p *jsonParser) name() (string, bool) {
	if p.pos >= len(p.text) || p.text[p.pos] != '"' {
		return "", p.fail("a name in double quotes is expected")
	}
	s, ok := p.str()
	if !ok {
		return "", false
	}
	p.space()
	if p.pos >= len(p.text) || p.text[p.pos] != ':' {
		return "", p.fail("a colon is expected")
	}
	p.pos++
	return s, true
}

// str parses the string at pos. Without escapes the result is a substring of the text.
func (p *jsonParser) str() (string, bool) {
	p.pos++
	from := p.pos
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"':
			p.pos++
			return p.text[from : p.pos-1], true
		case c == '\\':
			return p.escaped(from)
		case c < ' ':
			return "", p.fail("a control character in a string")
		}
		p.pos++
	}
	return "", p.fail("an unterminated string")
}

// escaped continues parsing a string that began at from, at its first backslash.
func (p *jsonParser) escaped(from int) (string, bool) {
	out := append(make([]byte, 0, p.pos-from+64), p.text[from:p.pos]...)
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		p.pos++
		switch {
		case c == '"':
			return string(out), true
		case c < ' ':
			p.pos--
			return "", p.fail("a control character in a string")
		case c != '\\':
			out = append(out, c)
			continue
		}
		if p.pos >= len(p.text) {
			break
		}
		c = p.text[p.pos]
		p.pos++
		if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
			out = append(out, "\"\\/\b\f\n\r\t"[i])
			continue
		}
		r, ok := p.hex4()
		if c != 'u' || !ok {
			return "", p.fail("an unknown escape in a string")
		}
		if utf16.IsSurrogate(r) {
			if strings.HasPrefix(p.text[p.pos:], `\u`) {
				start := p.pos
				p.pos += 2
				low, _ := p.hex4()
				if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
					p.pos = start
				}
			} else {
				r = utf8.RuneError
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return "", p.fail("an unterminated string")
}

func (p *jsonParser) hex4() (rune, bool) {
	if p.pos+4 > len(p.text) {
		return 0, false
	}
	n, err := strconv.ParseUint(p.text[p.pos:p.pos+4], 16, 16)
	if err != nil {
		return 0, false
	}
	p.pos += 4
	return rune(n), true
}

// number parses a number and keeps it as written.
func (p *jsonParser) number() (Value, bool) {
	from := p.pos
	digits := func() int {
		n := 0
		for p.pos < len(p.text) && '0' <= p.text[p.pos] && p.text[p.pos] <= '9' {
			p.pos++
			n++
		}
		return n
	}
	at := func(set string) bool {
		if p.pos < len(p.text) && strings.IndexByte(set, p.text[p.pos]) >= 0 {
			p.pos++
			return true
		}
		return false
	}
	at("-")
	zero := p.pos < len(p.text) && p.text[p.pos] == '0'
	n := digits()
	ok := n > 0 && !(zero && n > 1)
	if ok && at(".") {
		ok = digits() > 0
	}
	if ok && at("eE") {
		at("+-")
		ok = digits() > 0
	}
	if !ok {
		return Value{}, p.fail("an invalid number")
	}
	return Value{Type: Number, Text: p.text[from:p.pos]}, true
}
