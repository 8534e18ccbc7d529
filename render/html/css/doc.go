// Package css turns style sheets and a parsed document into a tree of nodes with computed styles.
package css

import (
	"strings"

	"masthead/render/html/css/media"
	"masthead/render/html/css/sheet"
	"masthead/render/html/css/value"
)

// Warning is something in a document that isn't drawn, and where.
type Warning = sheet.Warning

// NewSheet returns an empty style sheet, whose rules are those of the properties here.
func NewSheet() *sheet.Sheet { return sheet.New(grammar{queryUnits}) }

// grammar is what sheets ask of the properties.
type grammar struct{ value.Units }

func (grammar) Known(name string) bool        { return known(name) }
func (grammar) Supports(v []value.Value) bool { return supports(v) }

func (grammar) Container(v []value.Value) (media.Condition, bool) {
	q, ok := parseContainer(v)
	return q, ok
}

// ParseDeclarations splits the text of a style attribute into properties and their values as text.
func ParseDeclarations(s string) map[string]string {
	m := map[string]string{}
	for _, d := range NewSheet().Inline(s, 1, 1) {
		m[d.Name] = strings.TrimSpace(value.Format(d.Values))
	}
	return m
}
