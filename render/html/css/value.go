package css

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	lexer "github.com/tdewolff/parse/v2/css"
)

// kind is the kind of a component value.
type kind uint8

const (
	ident     kind = iota
	number         // with unit: "" for a number, "%" for a percentage
	text           // a string
	address        // url()
	hash           // #name
	function       // name and args
	block          // its opening bracket as text, and args
	delimiter      // a single character, comma, colon or semicolon
	atKeyword
)

// value is a component value of CSS: a token, or a function or block with what is in it.
type value struct {
	kind  kind
	space bool   // white space before it
	text  string // the name, string, address or delimiter, without escapes
	num   float64
	unit  string
	args  []value
	at    int    // offset in the source
	end   int    // offset behind it
	raw   string // of a number: as written
}

func (v *value) is(s string) bool { return v.kind == ident && strings.EqualFold(v.text, s) }

func (v *value) delim(c string) bool { return v.kind == delimiter && v.text == c }

func (v *value) fn(name string) bool { return v.kind == function && v.text == name }

// maxNesting is how deep functions and blocks may be nested; what is deeper is dropped.
const maxNesting = 32

// parser reads component values from the tokens of a source.
type parser struct {
	lex   *lexer.Lexer
	at    int
	depth int
	// next token, not consumed yet
	tt    lexer.TokenType
	data  []byte
	space bool
}

func newParser(source string) *parser {
	p := &parser{lex: lexer.NewLexer(parse.NewInputString(source))}
	p.next()
	return p
}

// next reads the next token that isn't white space or a comment.
func (p *parser) next() {
	p.at += len(p.data)
	p.space = false
	for {
		p.tt, p.data = p.lex.Next()
		switch p.tt {
		case lexer.WhitespaceToken, lexer.CommentToken:
			p.space = p.space || p.tt == lexer.WhitespaceToken
			p.at += len(p.data)
			continue
		case lexer.CDOToken, lexer.CDCToken:
			p.at += len(p.data)
			continue
		case lexer.ErrorToken:
			p.data = nil
		}
		return
	}
}

func (p *parser) done() bool { return p.tt == lexer.ErrorToken }

// closes returns the bracket that ends a block.
func closes(open string) lexer.TokenType {
	switch open {
	case "{":
		return lexer.RightBraceToken
	case "[":
		return lexer.RightBracketToken
	}
	return lexer.RightParenthesisToken
}

// value reads one component value; the parser must not be done.
func (p *parser) value() value {
	v := value{space: p.space, at: p.at, text: string(p.data)}
	switch p.tt {
	case lexer.IdentToken, lexer.CustomPropertyNameToken:
		v.kind, v.text = ident, unescape(v.text)
	case lexer.AtKeywordToken:
		v.kind, v.text = atKeyword, strings.ToLower(unescape(v.text[1:]))
	case lexer.HashToken:
		v.kind, v.text = hash, unescape(v.text[1:])
	case lexer.StringToken:
		v.kind, v.text = text, unquote(v.text)
	case lexer.URLToken:
		v.kind, v.text = address, urlOf(v.text)
	case lexer.NumberToken, lexer.PercentageToken, lexer.DimensionToken:
		v.kind = number
		v.raw = v.text
		v.num, v.unit = numberOf(v.text)
	case lexer.FunctionToken:
		v.kind, v.text = function, strings.ToLower(unescape(v.text[:len(v.text)-1]))
		p.block(&v, lexer.RightParenthesisToken)
		return v
	case lexer.LeftParenthesisToken, lexer.LeftBracketToken, lexer.LeftBraceToken:
		v.kind = block
		p.block(&v, closes(v.text))
		return v
	default:
		v.kind = delimiter
	}
	p.next()
	v.end = v.at + len(v.text)
	if v.kind != delimiter {
		v.end = p.at
	}
	return v
}

// block reads what is in a function or block, up to its end.
func (p *parser) block(v *value, end lexer.TokenType) {
	p.next()
	p.depth++
	for !p.done() && p.tt != end {
		if p.depth > maxNesting { // skip what is nested too deep
			p.next()
			continue
		}
		v.args = append(v.args, p.value())
	}
	p.depth--
	if !p.done() {
		v.end = p.at + 1
		p.next()
	} else {
		v.end = p.at
	}
}

// parseValues reads all component values of a source.
func parseValues(source string) []value {
	p := newParser(source)
	var list []value
	for !p.done() {
		list = append(list, p.value())
	}
	return list
}

// numberOf splits a number from its unit.
func numberOf(s string) (num float64, unit string) {
	i := 0
	digits := func() {
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
	}
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	digits()
	if i+1 < len(s) && s[i] == '.' && '0' <= s[i+1] && s[i+1] <= '9' {
		i++
		digits()
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		j := i
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		start := i
		digits()
		if i == start {
			i = j
		}
	}
	num, err := strconv.ParseFloat(s[:i], 64)
	if err != nil || num != num {
		num = 0
	}
	const limit = 1e9
	return min(max(num, -limit), limit), strings.ToLower(s[i:])
}

// unescape resolves the escapes of a name or string.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			i++
			continue
		}
		i++
		if i == len(s) {
			break
		}
		j := i
		for j < len(s) && j < i+6 && isHex(s[j]) {
			j++
		}
		switch {
		case j > i:
			n, _ := strconv.ParseUint(s[i:j], 16, 32)
			r := rune(n)
			if r == 0 || !utf8.ValidRune(r) {
				r = utf8.RuneError
			}
			b.WriteRune(r)
			i = j
			if i < len(s) && strings.IndexByte(" \t\n\r\f", s[i]) >= 0 {
				i++
			}
		case s[i] == '\n':
			i++
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func unquote(s string) string {
	if len(s) >= 1 && (s[0] == '"' || s[0] == '\'') {
		quote := s[0]
		s = s[1:]
		if n := len(s); n > 0 && s[n-1] == quote {
			s = s[:n-1]
		}
	}
	return unescape(s)
}

func urlOf(s string) string {
	s = s[len("url("):]
	s = strings.TrimSuffix(s, ")")
	return unquote(strings.TrimSpace(s))
}

// splitCommas splits values at their commas.
func splitCommas(v []value) [][]value {
	var list [][]value
	start := 0
	for i := range v {
		if v[i].delim(",") {
			list = append(list, v[start:i])
			start = i + 1
		}
	}
	return append(list, v[start:])
}

// splitSlash splits values at the first slash.
func splitSlash(v []value) (before, after []value, found bool) {
	for i := range v {
		if v[i].delim("/") {
			return v[:i], v[i+1:], true
		}
	}
	return v, nil, false
}
