package mustache

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Render returns the document with the values of data: what encoding/json reads into an any. Errors are of type *Error.
func (t *Template) Render(data any) (string, error) {
	r := &renderer{}
	if err := r.nodes(t.nodes, []any{data}); err != nil {
		return "", err
	}
	return r.out.String(), nil
}

// Outline is a document without its texts. Pages whose data have the same sections have the same outline, so that what
// was made of it can be kept.
type Outline struct {
	// Text is the document. The nth value, from 0, is the character FirstValue+n.
	Text string
	// Values are those that were left out.
	Values []string
	// Origins say which parts of Text are from which offset of the template, in their order.
	Origins []Origin
}

// Origin says that the bytes of a document from Out on, up to the next origin, are those of the template from Source.
type Origin struct{ Out, Source int }

// Values of an outline are characters of this range, which is for private use.
const (
	FirstValue = '\U00100000'
	LastValue  = '\U0010FFFD'
)

// Outline returns the document without the values that stand in text, as Render would put them there. Those that a
// parser of HTML would change, and those in attributes and styles, are part of it. Errors are of type *Error.
func (t *Template) Outline(data any) (Outline, error) {
	r := &renderer{outline: true}
	if err := r.nodes(t.nodes, []any{data}); err != nil {
		return Outline{}, err
	}
	if r.clash {
		text, err := t.Render(data)
		return Outline{Text: text}, err
	}
	return Outline{r.out.String(), r.values, r.origins}, nil
}

type renderer struct {
	out     strings.Builder
	steps   int
	outline bool
	values  []string
	size    int  // of the values, in bytes
	clash   bool // a value has characters that stand for values
	origins []Origin
}

func (r *renderer) nodes(list []node, context []any) error {
	for i := range list {
		n := &list[i]
		if r.steps++; r.out.Len()+r.size > maxOutput || r.steps > maxSteps {
			return &Error{max(n.line, 1), fmt.Sprintf("The result has more than %d KB or %d values.", maxOutput>>10, maxSteps)}
		}
		var err error
		switch n.kind {
		case textNode:
			if r.outline {
				r.origins = append(r.origins, Origin{r.out.Len(), n.at})
			}
			r.out.WriteString(n.text)
		case variableNode:
			err = r.variable(n, context)
		default:
			err = r.section(n, context)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// variable writes a value as text.
func (r *renderer) variable(n *node, context []any) error {
	s := textOf(lookUp(n.path, context))
	r.clash = r.clash || r.outline && strings.IndexFunc(s, func(c rune) bool { return c >= FirstValue }) >= 0
	if ok, wanted := n.place.accepts(s); !ok {
		if n.place == inTag {
			return &Error{n.line, fmt.Sprintf("{{%s}} stands in a tag: it must be %s, as the value of an attribute.", n.name, wanted)}
		}
		return &Error{n.line, fmt.Sprintf("The value of {{%s}} must be %s here, not %.40q.", n.name, wanted, s)}
	}
	if r.outline && n.place == inText && r.leave(s) {
		return nil
	}
	if n.place == inStyle || n.place == inSheetURL {
		r.out.WriteString(s) // nothing in it needs to be escaped
		return nil
	}
	_, err := escaper.WriteString(&r.out, s)
	return err
}

// leave leaves a value out, unless it is empty, or a parser would change it: white space at its beginning, controls.
func (r *renderer) leave(s string) bool {
	if s == "" || s[0] == ' ' || strings.IndexFunc(s, func(c rune) bool { return c < ' ' }) >= 0 ||
		len(r.values) > LastValue-FirstValue {
		return false
	}
	r.out.WriteRune(FirstValue + rune(len(r.values)))
	r.values = append(r.values, s)
	r.size += len(s)
	return true
}

// section writes a section once, or for each element of a list.
func (r *renderer) section(n *node, context []any) error {
	v := lookUp(n.path, context)
	list, isList := v.([]any)
	if n.kind == invertedNode {
		if truthy(v) {
			return nil
		}
		return r.nodes(n.nodes, context)
	}
	if !truthy(v) {
		return nil
	}
	if !isList {
		return r.nodes(n.nodes, append(context[:len(context):len(context)], v))
	}
	for _, item := range list {
		if r.steps++; r.steps > maxSteps {
			break // the next node tells
		}
		if err := r.nodes(n.nodes, append(context[:len(context):len(context)], item)); err != nil {
			return err
		}
	}
	return nil
}

// lookUp returns the value of a path: its first name in the innermost context that has it, the others in that value.
func lookUp(path []string, context []any) any {
	if len(path) == 0 {
		return context[len(context)-1]
	}
	for i := len(context) - 1; i >= 0; i-- {
		object, ok := context[i].(map[string]any)
		if !ok {
			continue
		}
		v, ok := object[path[0]]
		if !ok {
			continue
		}
		for _, name := range path[1:] {
			object, _ := v.(map[string]any)
			v = object[name]
		}
		return v
	}
	return nil
}

// truthy reports whether a section with a value is shown.
func truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case []any:
		return len(v) > 0
	case string:
		return v != ""
	}
	return true
}

// textOf returns a value as text.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	}
	return ""
}
