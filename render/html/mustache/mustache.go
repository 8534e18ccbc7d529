// Package mustache fills in the values of a design, a document in HTML with tags of the Mustache language:
//
//	<h1>{{title}}</h1> {{#author}}<p>{{name}}</p>{{/author}} {{^author}}<p>anonymous</p>{{/author}}
//
// Variables, sections, inverted sections, comments and other delimiters work as the specification of Mustache says
// (https://github.com/mustache/spec). A value is text everywhere: {{{x}}} and {{&x}} are escaped like {{x}}, so that
// data can't add elements. In style sheets, style attributes and addresses, only colors, numbers and addresses of
// pictures are accepted. Partials, lambdas and inheritance are rejected with their line.
package mustache

import (
	"fmt"
	"strings"
)

// Limits of a template and its result.
const (
	maxDepth  = 32
	maxOutput = 1 << 20 // bytes
	maxSteps  = 200_000 // texts, values and elements of lists
)

// Template is a parsed template. It is safe for concurrent use.
type Template struct {
	nodes []node
}

// Names returns the first names of all variables and sections: title of {{title}}, quote of {{quote.text}}.
func (t *Template) Names() map[string]bool {
	names := map[string]bool{}
	var walk func(list []node)
	walk = func(list []node) {
		for i := range list {
			if n := &list[i]; n.kind != textNode {
				if len(n.path) > 0 {
					names[n.path[0]] = true
				}
				walk(n.nodes)
			}
		}
	}
	walk(t.nodes)
	return names
}

type nodeKind uint8

const (
	textNode nodeKind = iota
	variableNode
	sectionNode
	invertedNode
)

// node is text, a variable, or a section.
type node struct {
	kind  nodeKind
	text  string   // of a text
	at    int      // offset of a text in the source
	path  []string // of a variable or section, by its dots; empty for {{.}}
	name  string
	line  int
	place place // of a variable
	nodes []node
}

// Error is a fault of a template or a value, with its line from 1.
type Error struct {
	Line    int
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// parser reads a template.
type parser struct {
	source      string
	at          int
	open, close string
	where       tracker
}

// Parse parses a template. Errors are of type *Error.
func Parse(source string) (*Template, error) {
	p := &parser{source: source, open: "{{", close: "}}"}
	nodes, _, err := p.nodes("", 0, 0)
	if err != nil {
		return nil, err
	}
	return &Template{nodes}, nil
}

func (p *parser) fail(at int, format string, args ...any) error {
	return &Error{1 + strings.Count(p.source[:at], "\n"), fmt.Sprintf(format, args...)}
}

// tag is a tag of the source.
type tag struct {
	kind     byte // 0 of a variable, otherwise its sign
	name     string
	from, to int
}

// next returns the next tag.
func (p *parser) next() (t tag, ok bool, err error) {
	i := strings.Index(p.source[p.at:], p.open)
	if i < 0 {
		return t, false, nil
	}
	t.from = p.at + i
	rest := p.source[t.from+len(p.open):]
	end := p.close
	body := rest
	switch {
	case strings.HasPrefix(rest, "{") && p.open == "{{":
		end, body, t.kind = "}"+p.close, rest[1:], '&'
	case strings.HasPrefix(rest, "="):
		end, body, t.kind = "="+p.close, rest[1:], '='
	case rest != "" && strings.ContainsRune("#^/!>&<$", rune(rest[0])):
		body, t.kind = rest[1:], rest[0]
	}
	n := strings.Index(body, end)
	if n < 0 {
		return t, false, p.fail(t.from, "A tag isn't closed: add %s.", end)
	}
	t.name = strings.TrimSpace(body[:n])
	t.to = len(p.source) - len(body) + n + len(end)
	return t, true, nil
}

// standalone returns the range of a tag's line, if there is nothing but white space beside it; otherwise the tag's.
func (p *parser) standalone(t tag) (from, to int) {
	if t.kind == 0 || t.kind == '&' {
		return t.from, t.to
	}
	from, to = t.from, t.to
	for from > 0 && (p.source[from-1] == ' ' || p.source[from-1] == '\t') {
		from--
	}
	if from > 0 && p.source[from-1] != '\n' {
		return t.from, t.to
	}
	for to < len(p.source) && (p.source[to] == ' ' || p.source[to] == '\t') {
		to++
	}
	switch rest := p.source[to:]; {
	case rest == "":
		return from, to
	case strings.HasPrefix(rest, "\n"):
		return from, to + 1
	case strings.HasPrefix(rest, "\r\n"):
		return from, to + 2
	}
	return t.from, t.to
}

// nodes reads up to the end of the section with a name, or of the source.
func (p *parser) nodes(section string, opened, depth int) (list []node, end int, err error) {
	if depth > maxDepth {
		return nil, 0, p.fail(opened, "Sections are nested more than %d deep.", maxDepth)
	}
	for {
		t, ok, err := p.next()
		if err != nil {
			return nil, 0, err
		}
		if !ok {
			if section != "" {
				return nil, 0, p.fail(opened, "The section %s isn't closed: add %s/%s%s.", section, p.open, section, p.close)
			}
			return p.addText(list, len(p.source)), len(p.source), nil
		}
		from, to := p.standalone(t)
		list = p.addText(list, max(from, p.at))
		p.at = to
		switch t.kind {
		case '!':
		case '=':
			if err := p.delimiters(t); err != nil {
				return nil, 0, err
			}
		case '/':
			if t.name != section || section == "" {
				return nil, 0, p.fail(t.from, "%s is closed, but isn't open.", t.name)
			}
			return list, t.from, nil
		case '>', '<', '$':
			return nil, 0, p.fail(t.from, "Partials (%s%c%s%s) aren't supported: write their content here.",
				p.open, t.kind, t.name, p.close)
		case '#', '^':
			n := node{kind: sectionNode, name: t.name, path: pathOf(t.name), line: p.lineAt(t.from)}
			if t.kind == '^' {
				n.kind = invertedNode
			}
			if n.nodes, _, err = p.nodes(t.name, t.from, depth+1); err != nil {
				return nil, 0, err
			}
			list = append(list, n)
		default:
			if t.name == "" {
				return nil, 0, p.fail(t.from, "A tag has no name.")
			}
			list = append(list, node{
				kind: variableNode, name: t.name, path: pathOf(t.name), line: p.lineAt(t.from), place: p.where.place(),
			})
			p.where.value()
		}
	}
}

func (p *parser) lineAt(at int) int { return 1 + strings.Count(p.source[:at], "\n") }

// addText appends the source up to a position.
func (p *parser) addText(list []node, to int) []node {
	if to <= p.at {
		return list
	}
	n := node{kind: textNode, text: p.source[p.at:to], at: p.at}
	p.where.read(n.text)
	p.at = to
	return append(list, n)
}

// delimiters changes the delimiters: {{=<% %>=}}.
func (p *parser) delimiters(t tag) error {
	f := strings.Fields(t.name)
	if len(f) != 2 || strings.Contains(f[0]+f[1], "=") {
		return p.fail(t.from, "Delimiters are two words without =, as in {{=<%% %%>=}}.")
	}
	p.open, p.close = f[0], f[1]
	return nil
}

// pathOf splits a name by its dots.
func pathOf(name string) []string {
	if name == "." {
		return nil
	}
	return strings.Split(name, ".")
}
