// Package tree turns trees of elements, as other renderers of cards accept them in JSON, into documents of HTML:
//
//	{"type": "div", "props": {"style": {"fontSize": 48}, "tw": "flex p-8", "children": ["Hello ", {"type": "b", …}]}}
//
// Elements are those of React (type and props, as for satori), and nodes (type container, text or image with their
// style, as for Takumi). Names of styles may be in camel case, and numbers are px. What is drawn of the result is said
// in docs/html.md.
package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Limits of a tree.
const (
	MaxBytes = 256 << 10
	maxDepth = 64
	maxNodes = 5000
)

// ErrTree is the reason of JSON that isn't a tree of elements; the message says why.
var ErrTree = errors.New("it isn't a tree of elements")

// preset are the styles that trees of elements count on. Boxes of React's elements are flex containers, as satori's;
// nodes of Takumi are blocks.
const preset = `*{box-sizing:border-box}html,body{width:100%;height:100%}` +
	`body{margin:0;display:flex;font-family:sans-serif}body>*{flex-shrink:0}[data-element]{position:relative}[data-element=box]{display:flex;min-width:0;min-height:0}`

// inline are the elements that are part of a line.
var inline = map[string]bool{
	"span": true, "b": true, "i": true, "u": true, "s": true, "em": true, "strong": true, "a": true, "code": true,
	"small": true, "sub": true, "sup": true, "mark": true, "br": true, "img": true, "svg": true,
}

// element is an element or node of a tree.
type element struct {
	Type  string          `json:"type"`
	Props json.RawMessage `json:"props"`
	// Of nodes, which have no props.
	properties
}

// properties are those of an element. Others are attributes.
type properties struct {
	Style     map[string]any  `json:"style"`
	Children  json.RawMessage `json:"children"`
	TW        string          `json:"tw"`
	Class     string          `json:"className"`
	Text      string          `json:"text"`
	Source    string          `json:"src"`
	Lang      string          `json:"lang"`
	Dir       string          `json:"dir"`
	ID        string          `json:"id"`
	TagName   string          `json:"tagName"`
	Width     any             `json:"width"`
	Height    any             `json:"height"`
	DangerOut any             `json:"dangerouslySetInnerHTML"`
}

// HTML returns the document of a tree. Errors match ErrTree.
func HTML(source []byte) (string, error) {
	if len(source) > MaxBytes {
		return "", fmt.Errorf("%w: it has more than %d KB", ErrTree, MaxBytes>>10)
	}
	w := &writer{}
	w.b.WriteString("<!doctype html><html><style>" + preset + "</style><body>")
	if err := w.node(source, 0, false); err != nil {
		return "", err
	}
	w.b.WriteString("</body></html>")
	return w.b.String(), nil
}

type writer struct {
	b     strings.Builder
	nodes int
}

func fail(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrTree}, args...)...)
}

// node writes a child: an element, a text or a number, a list of children, or nothing.
func (w *writer) node(raw json.RawMessage, depth int, svg bool) error {
	raw = bytes.TrimSpace(raw)
	if depth > maxDepth {
		return fail("elements are nested more than %d deep", maxDepth)
	}
	if len(raw) == 0 {
		return nil
	}
	switch raw[0] {
	case 'n', 't', 'f': // null, true and false are nothing
		var nothing any
		if err := json.Unmarshal(raw, &nothing); err != nil {
			return fail("%v", err)
		}
		return nil
	case '"':
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return fail("%v", err)
		}
		w.b.WriteString(html.EscapeString(text))
		return nil
	case '[':
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return fail("%v", err)
		}
		for _, child := range list {
			if err := w.node(child, depth+1, svg); err != nil {
				return err
			}
		}
		return nil
	case '{':
		return w.element(raw, depth, svg)
	}
	var n json.Number
	if err := json.Unmarshal(raw, &n); err != nil {
		return fail("%v", err)
	}
	w.b.WriteString(html.EscapeString(n.String()))
	return nil
}

// kinds are the nodes of Takumi, and the elements that they are.
var kinds = map[string]string{"container": "div", "text": "div", "image": "img"}

// void are the elements without an end tag.
var void = map[string]bool{"img": true, "br": true, "hr": true, "wbr": true, "input": true}

func (w *writer) element(raw json.RawMessage, depth int, svg bool) error {
	if w.nodes++; w.nodes > maxNodes {
		return fail("it has more than %d elements", maxNodes)
	}
	var e element
	if err := json.Unmarshal(raw, &e); err != nil {
		return fail("%v", err)
	}
	p, attributes := e.properties, e.Props
	if e.Props != nil {
		p = properties{}
		if err := json.Unmarshal(e.Props, &p); err != nil {
			return fail("%v", err)
		}
	}
	if e.Type == "" { // a fragment
		return w.node(p.Children, depth+1, svg)
	}
	if p.DangerOut != nil {
		return fail("dangerouslySetInnerHTML isn't supported")
	}
	name := e.Type
	if tag := kinds[name]; tag != "" && e.Props == nil {
		name = tag
		if p.TagName != "" {
			name = p.TagName
		}
	}
	if !isName(name) || name == "script" || name == "style" || name == "link" {
		return fail("elements of type %q aren't drawn", short(name))
	}
	svg = svg || name == "svg"
	w.b.WriteString("<" + name)
	switch {
	case e.Props == nil:
	case inline[name] || svg:
		w.b.WriteString(" data-element")
	default:
		w.b.WriteString(" data-element=box")
	}
	w.attributes(&p, attributes, svg)
	w.b.WriteByte('>')
	if void[name] {
		return nil
	}
	w.b.WriteString(html.EscapeString(p.Text))
	if err := w.node(p.Children, depth+1, svg); err != nil {
		return err
	}
	w.b.WriteString("</" + name + ">")
	return nil
}

func (w *writer) attributes(p *properties, raw json.RawMessage, svg bool) {
	put := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&w.b, ` %s="%s"`, name, html.EscapeString(value))
		}
	}
	put("id", p.ID)
	put("class", p.Class)
	put("tw", p.TW)
	put("lang", p.Lang)
	put("dir", p.Dir)
	put("src", p.Source)
	put("width", textOf(p.Width))
	put("height", textOf(p.Height))
	if svg {
		w.drawing(raw, put)
	}
	put("style", declarations(p.Style))
}

// drawing writes the attributes of an element of SVG.
func (w *writer) drawing(raw json.RawMessage, put func(name, value string)) {
	all := map[string]any{}
	if json.Unmarshal(raw, &all) != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		switch name {
		case "style", "children", "tw", "className", "id", "lang", "dir", "src", "width", "height", "text":
			continue
		}
		v := textOf(all[name])
		if !keptCase[name] {
			name = kebab(name)
		}
		if v != "" && isName(name) && !strings.HasPrefix(name, "on") {
			put(name, v)
		}
	}
}

// keptCase are attributes of SVG that have capitals.
var keptCase = map[string]bool{
	"viewBox": true, "preserveAspectRatio": true, "gradientUnits": true, "gradientTransform": true, "stdDeviation": true,
	"clipPathUnits": true, "maskUnits": true, "patternUnits": true, "spreadMethod": true, "pathLength": true,
}

// declarations writes a style object as CSS, in the order of its names.
func declarations(style map[string]any) string {
	var b strings.Builder
	names := slices.SortedFunc(maps.Keys(style), func(x, y string) int {
		// A shorthand stands before its parts, which begin with its name.
		return strings.Compare(kebab(x), kebab(y))
	})
	for _, name := range names {
		v := textOf(style[name])
		if n, ok := style[name].(float64); ok && !unitless[name] && !strings.HasPrefix(name, "--") && n != 0 {
			v += "px"
		}
		property := kebab(name)
		if v == "" || !isName(strings.TrimLeft(property, "-")) {
			continue
		}
		b.WriteString(property + ":" + v + ";")
	}
	return b.String()
}

// unitless are the properties whose numbers have no unit. Source: React's list, as far as they are drawn.
var unitless = map[string]bool{
	"opacity": true, "zIndex": true, "fontWeight": true, "lineHeight": true, "flex": true, "flexGrow": true,
	"flexShrink": true, "order": true, "aspectRatio": true, "lineClamp": true, "WebkitLineClamp": true, "scale": true,
	"gridRow": true, "gridColumn": true, "gridRowStart": true, "gridRowEnd": true, "gridColumnStart": true,
	"gridColumnEnd": true, "gridArea": true, "tabSize": true, "fillOpacity": true, "strokeOpacity": true,
	"strokeWidth": true, "orphans": true, "widows": true, "columnCount": true, "zoom": true,
}

// kebab returns a name in camel case with hyphens.
func kebab(name string) string {
	if strings.HasPrefix(name, "--") {
		return name
	}
	var b strings.Builder
	for _, c := range name {
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('-')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

// isName reports whether a name is one of elements, attributes and properties: letters, digits and hyphens.
func isName(s string) bool {
	for i, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '-' && c != '_' && c != ':' && (c < '0' || c > '9')) {
			return false
		}
	}
	const most = 60
	return s != "" && len(s) <= most
}

func short(s string) string {
	const most = 40
	return s[:min(len(s), most)]
}

// textOf returns a value as text; that of lists and objects is empty.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return map[bool]string{true: "true"}[v]
	}
	return ""
}
