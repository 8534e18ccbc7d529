// Package sheet reads style sheets and style attributes: rules with their selectors, conditions and Declarations, and
// which of them apply to an element. What properties there are and what they accept is known to its caller, package
// css, through a [Grammar].
package sheet

import (
	"sort"
	"strings"

	"masthead/render/html/css/media"
	"masthead/render/html/css/selector"
	"masthead/render/html/css/value"
	"masthead/render/html/meter"
)

// Limits of a document's style.
const (
	MaxRules        = 2000
	maxDeclarations = 20_000
)

// Warning is something in a document that isn't drawn, and where.
type Warning struct {
	Line, Column int
	Message      string
}

// Declaration is a property with its value.
type Declaration struct {
	Name      string // lower case, or as written of custom properties
	Values    []value.Value
	Vars      bool // contains var()
	Important bool
	Size      int // of values, with those in functions

	Line, Column int
}

// Rule is a style rule.
type Rule struct {
	Declarations []Declaration
	Conditions   []media.Condition // all must hold
	Layer        int               // 0 outside of layers; layers that come later are greater but weaker than none

	selectors []selector.Selector
}

// Grammar is what a sheet can't know by itself.
type Grammar interface {
	value.Units
	// Known reports whether there is a property with this name, in lower case.
	Known(name string) bool
	// Supports evaluates the condition of @supports.
	Supports(v []value.Value) bool
	// Container reads the condition of @container.
	Container(v []value.Value) (c media.Condition, ok bool)
}

// Sheet is a parsed style sheet. [New] makes one.
type Sheet struct {
	Rules    []Rule
	Warnings []Warning

	grammar Grammar
	layers  map[string]int
	count   int
	decls   int
	over    Warning // the first rule beyond MaxRules
	at      place
}

// New returns an empty sheet.
func New(g Grammar) *Sheet { return &Sheet{grammar: g} }

// Over returns the place of the first rule beyond [MaxRules], if there is one.
func (s *Sheet) Over() (line, column int, over bool) {
	return s.over.Line, s.over.Column, s.count > MaxRules
}

// place turns offsets of a part of the document into lines and columns.
type place struct {
	source       string
	line, column int // of its first byte
}

func (p place) of(offset int) (line, column int) {
	offset = min(max(offset, 0), len(p.source))
	before := p.source[:offset]
	n := strings.Count(before, "\n")
	if n == 0 {
		return p.line, p.column + len(before)
	}
	return p.line + n, len(before) - strings.LastIndexByte(before, '\n')
}

func (s *Sheet) warn(at int, message string) {
	const most = 200
	if len(s.Warnings) < most {
		line, column := s.at.of(at)
		s.Warnings = append(s.Warnings, Warning{line, column, message})
	}
}

// Parse adds the rules of a style element, whose content begins at a line and column of the document.
func (s *Sheet) Parse(source string, line, column int) {
	s.at = place{source, line, column}
	p := value.NewParser(source)
	s.rulesOf(p, nil, 0, nil)
}

// rulesOf reads rules up to the end of the source, or of a block.
func (s *Sheet) rulesOf(p *value.Parser, conditions []media.Condition, layer int, parents []selector.Selector) {
	var prelude []value.Value
	for !p.Done() {
		v := p.Value()
		switch {
		case v.Delim(";") && len(prelude) > 0 && prelude[0].Kind == value.AtKeyword:
			s.statement(prelude)
			prelude = nil
		case v.Kind == value.Block && v.Text == "{":
			s.rule(prelude, v, conditions, layer, parents)
			prelude = nil
		default:
			prelude = append(prelude, v)
		}
	}
	if len(prelude) > 0 && prelude[0].Kind == value.AtKeyword {
		s.statement(prelude)
	}
}

// statement is an at-rule without a block.
func (s *Sheet) statement(prelude []value.Value) {
	switch prelude[0].Text {
	case "charset", "namespace":
	case "layer":
		for _, name := range value.SplitCommas(prelude[1:]) {
			s.layerOf(name)
		}
	case "import":
		s.warn(prelude[0].At, "@import is not followed: put the styles into the document.")
	default:
		s.warn(prelude[0].At, "@"+prelude[0].Text+" is not supported.")
	}
}

func (s *Sheet) layerOf(name []value.Value) int {
	var b strings.Builder
	for i := range name {
		b.WriteString(name[i].Text)
	}
	key := b.String()
	if n := s.layers[key]; n != 0 && key != "" {
		return n
	}
	if s.layers == nil {
		s.layers = map[string]int{}
	}
	n := len(s.layers) + 1
	if key == "" {
		key = "\x00" + string(rune(n))
	}
	s.layers[key] = n
	return n
}

// rule reads a rule from its prelude and block, and those nested in it.
func (s *Sheet) rule(
	prelude []value.Value, body value.Value, conditions []media.Condition, layer int, parents []selector.Selector,
) {
	if s.count++; s.count > MaxRules {
		if s.count == MaxRules+1 {
			s.over.Line, s.over.Column = s.at.of(body.At)
			s.warn(body.At, "The document has too many rules: the rest is ignored.")
		}
		return
	}
	if len(prelude) > 0 && prelude[0].Kind == value.AtKeyword {
		s.atRule(prelude, body, conditions, layer, parents)
		return
	}
	selectors, unknown := selector.Parse(prelude, parents)
	if unknown != "" {
		at := body.At
		if len(prelude) > 0 {
			at = prelude[0].At
		}
		s.warn(at, "The rule is ignored: "+unknown+" is not supported.")
		return
	}
	r := Rule{selectors: selectors, Conditions: conditions, Layer: layer}
	var nested []func()
	r.Declarations = s.body(body.Args, func(prelude []value.Value, body value.Value) {
		nested = append(nested, func() { s.rule(prelude, body, conditions, layer, selectors) })
	})
	s.Rules = append(s.Rules, r)
	const deepest = 8
	if len(nested) > 0 && selector.Depth(selectors) < deepest {
		for _, f := range nested {
			f()
		}
	}
}

// atRule reads an at-rule with a block.
func (s *Sheet) atRule(
	prelude []value.Value, body value.Value, conditions []media.Condition, layer int, parents []selector.Selector,
) {
	inside := func(conditions []media.Condition, layer int) {
		s.blockRules(body.Args, conditions, layer, parents)
	}
	switch name := prelude[0].Text; name {
	case "media":
		c, ok := media.Read(s.grammar, prelude[1:])
		if !ok {
			s.warn(prelude[0].At, "A condition of @media is not supported: its rules are ignored.")
			return
		}
		inside(append(conditions[:len(conditions):len(conditions)], c), layer)
	case "supports":
		if s.grammar.Supports(prelude[1:]) {
			inside(conditions, layer)
		}
	case "layer":
		inside(conditions, s.layerOf(prelude[1:]))
	case "container":
		c, ok := s.grammar.Container(prelude[1:])
		if !ok {
			s.warn(prelude[0].At, "A condition of @container is not supported: its rules are ignored.")
			return
		}
		inside(append(conditions[:len(conditions):len(conditions)], c), layer)
	case "font-face":
		s.warn(prelude[0].At, "@font-face is not loaded: name a font of the program or of your project.")
	case "keyframes", "-webkit-keyframes", "property", "page", "counter-style", "font-feature-values", "view-transition":
		if name != "property" {
			s.warn(prelude[0].At, "@"+name+" has no effect on a picture.")
		}
	default:
		s.warn(prelude[0].At, "@"+name+" is not supported: its rules are ignored.")
	}
}

// blockRules reads rules that are already component values.
func (s *Sheet) blockRules(v []value.Value, conditions []media.Condition, layer int, parents []selector.Selector) {
	if parents != nil { // declarations in a nested at-rule belong to the parent
		r := Rule{selectors: parents, Conditions: conditions, Layer: layer}
		r.Declarations = s.body(v, func(prelude []value.Value, body value.Value) {
			s.rule(prelude, body, conditions, layer, parents)
		})
		if len(r.Declarations) > 0 {
			s.Rules = append(s.Rules, r)
		}
		return
	}
	start := 0
	for i := range v {
		switch {
		case v[i].Delim(";") && i > start && v[start].Kind == value.AtKeyword:
			s.statement(v[start:i])
			start = i + 1
		case v[i].Kind == value.Block && v[i].Text == "{":
			s.rule(v[start:i], v[i], conditions, layer, nil)
			start = i + 1
		}
	}
}

// body reads the declarations of a block, and passes on nested rules.
func (s *Sheet) body(v []value.Value, nested func(prelude []value.Value, body value.Value)) []Declaration {
	var list []Declaration
	for len(v) > 0 {
		end, open := len(v), -1
		for i := range v {
			if v[i].Delim(";") {
				end = i
				break
			}
			if v[i].Kind == value.Block && v[i].Text == "{" && open < 0 && !isCustom(v) {
				open = i
				if !s.isDeclaration(v) {
					end = i + 1
					break
				}
			}
		}
		part := v[:end]
		if open >= 0 && open < end && !s.isDeclaration(v) {
			nested(v[:open], v[open])
			v = v[end:]
			continue
		}
		v = v[min(end+1, len(v)):]
		if len(part) > 0 {
			if d, ok := s.declaration(part); ok {
				list = append(list, d)
			}
		}
	}
	return list
}

func isCustom(v []value.Value) bool {
	return v[0].Kind == value.Ident && strings.HasPrefix(v[0].Text, "--")
}

// isDeclaration reports whether values begin like a declaration of a known property rather than like a selector.
func (s *Sheet) isDeclaration(v []value.Value) bool {
	return len(v) > 1 && v[0].Kind == value.Ident && v[1].Delim(":") &&
		(isCustom(v) || s.grammar.Known(strings.ToLower(v[0].Text)))
}

func (s *Sheet) declaration(v []value.Value) (d Declaration, ok bool) {
	at := v[0].At
	if s.decls++; s.decls > maxDeclarations {
		return d, false
	}
	if len(v) < 2 || v[0].Kind != value.Ident || !v[1].Delim(":") {
		s.warn(at, "A declaration can't be read: it is ignored.")
		return d, false
	}
	d.Line, d.Column = s.at.of(at)
	d.Name = v[0].Text
	v = v[2:]
	if n := len(v); n >= 2 && v[n-1].Is("important") && v[n-2].Delim("!") {
		d.Important = true
		v = v[:n-2]
	}
	d.Values = v
	d.Vars, d.Size = HasVar(v), sizeOf(v)
	if !strings.HasPrefix(d.Name, "--") {
		d.Name = strings.ToLower(d.Name)
	}
	return d, true
}

// Inline reads the declarations of a style attribute.
func (s *Sheet) Inline(source string, line, column int) []Declaration {
	s.at = place{source, line, column}
	return s.body(value.Parse(source), func(prelude []value.Value, body value.Value) {
		s.warn(body.At, "Rules in a style attribute are ignored.")
	})
}

// sizeOf counts values, with those in functions and blocks.
func sizeOf(v []value.Value) int {
	n := len(v)
	for i := range v {
		n += sizeOf(v[i].Args)
	}
	return n
}

// HasVar reports whether values contain var() or env().
func HasVar(v []value.Value) bool {
	for i := range v {
		if v[i].Kind == value.Function && (v[i].Text == "var" || v[i].Text == "env") || HasVar(v[i].Args) {
			return true
		}
	}
	return false
}

// Match is a rule that applies to an element.
type Match struct {
	Rule        *Rule
	specificity [3]int
	order       int
}

// Index finds the rules that may apply to an element.
type Index struct {
	byID, byClass, byTag map[string][]entry
	rest                 []entry
}

type entry struct {
	rule  *Rule
	sel   *selector.Selector
	order int
}

// NewIndex returns an index of the rules whose conditions hold for a size.
func NewIndex(rules []Rule, view media.Viewport) *Index {
	x := &Index{byID: map[string][]entry{}, byClass: map[string][]entry{}, byTag: map[string][]entry{}}
	for i := range rules {
		r := &rules[i]
		if !media.HoldAll(r.Conditions, view) {
			continue
		}
		for k := range r.selectors {
			e := entry{r, &r.selectors[k], i}
			id, class, tag := e.sel.Subject()
			switch {
			case id != "":
				x.byID[id] = append(x.byID[id], e)
			case class != "":
				x.byClass[class] = append(x.byClass[class], e)
			case tag != "":
				x.byTag[tag] = append(x.byTag[tag], e)
			default:
				x.rest = append(x.rest, e)
			}
		}
	}
	return x
}

// Find returns the rules that apply to an element or its pseudo-element, by growing weight.
func (x *Index) Find(e *selector.Element, pseudo string, m *meter.Meter) []Match {
	var list []Match
	try := func(entries []entry) {
		for _, c := range entries {
			if c.sel.Pseudo == pseudo && c.sel.Match(e, m) {
				list = append(list, Match{c.rule, c.sel.Specificity, c.order})
			}
		}
	}
	if e.ID != "" {
		try(x.byID[e.ID])
	}
	for _, class := range e.Classes {
		try(x.byClass[class])
	}
	try(x.byTag[e.Tag])
	try(x.rest)
	sort.SliceStable(list, func(i, k int) bool {
		a, b := &list[i], &list[k]
		if a.specificity != b.specificity {
			return selector.Heavier(b.specificity, a.specificity)
		}
		return a.order < b.order
	})
	return list
}
