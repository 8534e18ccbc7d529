package selector

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Element is an element of a document, prepared for matching selectors.
type Element struct {
	Node    *html.Node
	Tag     string
	ID      string
	Classes []string // each once
	Parent  *Element
	// Among the elements of its parent: the siblings, and its place.
	siblings []*Element
	index    int
	Children []*Element
	Line     int
	Column   int
	Order    int // in the document, from 0
}

// Attr returns an attribute, whose name is in any case.
func (e *Element) Attr(name string) (string, bool) {
	for _, a := range e.Node.Attr {
		if strings.EqualFold(a.Key, name) {
			return a.Val, true
		}
	}
	return "", false
}

// NewTree prepares the elements of a document. root is the html element; position says where a node begins in its
// source.
func NewTree(root *html.Node, position func(n *html.Node) (line, column int)) *Element {
	count := 0
	var prepare func(n *html.Node, parent *Element) *Element
	prepare = func(n *html.Node, parent *Element) *Element {
		e := &Element{Node: n, Tag: strings.ToLower(n.Data), Parent: parent, Order: count}
		count++
		e.Line, e.Column = position(n)
		e.ID, _ = e.Attr("id")
		if class, ok := e.Attr("class"); ok {
			e.Classes = distinct(strings.Fields(class))
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode {
				child := prepare(c, e)
				child.index = len(e.Children)
				e.Children = append(e.Children, child)
			}
		}
		for _, c := range e.Children {
			c.siblings = e.Children
		}
		return e
	}
	e := prepare(root, nil)
	e.siblings = []*Element{e}
	return e
}

// distinct returns a list without repetitions.
func distinct(list []string) []string {
	seen := make(map[string]bool, len(list))
	return slices.DeleteFunc(list, func(s string) bool {
		was := seen[s]
		seen[s] = true
		return was
	})
}

// All yields an element and those in it.
func (e *Element) All() func(yield func(*Element) bool) {
	return func(yield func(*Element) bool) {
		var walk func(e *Element) bool
		walk = func(e *Element) bool {
			if !yield(e) {
				return false
			}
			for _, c := range e.Children {
				if !walk(c) {
					return false
				}
			}
			return true
		}
		walk(e)
	}
}
