// Package value reads the values of CSS without knowing elements: component values from text, and lengths, numbers,
// angles, positions and calculations from those.
package value

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	lexer "github.com/tdewolff/parse/v2/css"
)

// Kind is the kind of a component value.
type Kind uint8

// The kinds of component values.
const (
	Ident     Kind = iota
	Number         // with unit: "" for a number, "%" for a percentage
	String         // a string
	URL            // url()
	Hash           // #name
	Function       // name and args
	Block          // its opening bracket as text, and args
	Delimiter      // a single character, comma, colon or semicolon
	AtKeyword
)

// Value is a component value of CSS: a token, or a function or block with what is in it.
type Value struct {
	Kind  Kind
	Space bool   // white space before it
	Text  string // the name, string, address or delimiter, without escapes
	Num   float64
	Unit  string
	Args  []Value
	At    int    // offset in the source
	End   int    // offset behind it
	Raw   string // of a number: as written
}

// Is reports whether the value is a keyword.
func (v *Value) Is(s string) bool { return v.Kind == Ident && strings.EqualFold(v.Text, s) }

// Delim reports whether the value is a delimiter.
func (v *Value) Delim(c string) bool { return v.Kind == Delimiter && v.Text == c }

// Fn reports whether the value is a function with the name.
func (v *Value) Fn(name string) bool { return v.Kind == Function && v.Text == name }

// MaxNesting is how deep functions and blocks may be nested; what is deeper is dropped.
const MaxNesting = 32

// Parser reads component values from the tokens of a source.
type Parser struct {
	lex   *lexer.Lexer
	at    int
	depth int
	// next token, not consumed yet
	tt    lexer.TokenType
	data  []byte
	space bool
}

// NewParser returns a parser of the source.
func NewParser(source string) *Parser {
	p := &Parser{lex: lexer.NewLexer(parse.NewInputString(source))}
	p.next()
	return p
}

// next reads the next token that isn't white space or a comment.
func (p *Parser) next() {
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

// Done reports whether the source has ended.
func (p *Parser) Done() bool { return p.tt == lexer.ErrorToken }

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

// Value reads one component value; the parser must not be done.
func (p *Parser) Value() Value {
	v := Value{Space: p.space, At: p.at, Text: string(p.data)}
	switch p.tt {
	case lexer.IdentToken, lexer.CustomPropertyNameToken:
		v.Kind, v.Text = Ident, unescape(v.Text)
	case lexer.AtKeywordToken:
		v.Kind, v.Text = AtKeyword, strings.ToLower(unescape(v.Text[1:]))
	case lexer.HashToken:
		v.Kind, v.Text = Hash, unescape(v.Text[1:])
	case lexer.StringToken:
		v.Kind, v.Text = String, unquote(v.Text)
	case lexer.URLToken:
		v.Kind, v.Text = URL, urlOf(v.Text)
	case lexer.NumberToken, lexer.PercentageToken, lexer.DimensionToken:
		v.Kind = Number
		v.Raw = v.Text
		v.Num, v.Unit = NumberOf(v.Text)
	case lexer.FunctionToken:
		v.Kind, v.Text = Function, strings.ToLower(unescape(v.Text[:len(v.Text)-1]))
		p.block(&v, lexer.RightParenthesisToken)
		return v
	case lexer.LeftParenthesisToken, lexer.LeftBracketToken, lexer.LeftBraceToken:
		v.Kind = Block
		p.block(&v, closes(v.Text))
		return v
	default:
		v.Kind = Delimiter
	}
	p.next()
	v.End = v.At + len(v.Text)
	if v.Kind != Delimiter {
		v.End = p.at
	}
	return v
}

// block reads what is in a function or block, up to its end.
func (p *Parser) block(v *Value, end lexer.TokenType) {
	p.next()
	p.depth++
	for !p.Done() && p.tt != end {
		if p.depth > MaxNesting { // skip what is nested too deep
			p.next()
			continue
		}
		v.Args = append(v.Args, p.Value())
	}
	p.depth--
	if !p.Done() {
		v.End = p.at + 1
		p.next()
	} else {
		v.End = p.at
	}
}

// Parse reads all component values of a source.
func Parse(source string) []Value {
	p := NewParser(source)
	var list []Value
	for !p.Done() {
		list = append(list, p.Value())
	}
	return list
}

// NumberOf splits a number from its unit.
func NumberOf(s string) (num float64, unit string) {
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

// SplitCommas splits values at their commas.
func SplitCommas(v []Value) [][]Value {
	var list [][]Value
	start := 0
	for i := range v {
		if v[i].Delim(",") {
			list = append(list, v[start:i])
			start = i + 1
		}
	}
	return append(list, v[start:])
}

// SplitSlash splits values at the first slash.
func SplitSlash(v []Value) (before, after []Value, found bool) {
	for i := range v {
		if v[i].Delim("/") {
			return v[:i], v[i+1:], true
		}
	}
	return v, nil, false
}
