package css

import (
	"maps"
	"slices"
	"strings"
)

// Vars are custom properties: those of an element, then its parent's.
type Vars struct {
	parent *Vars
	values map[string]*custom
}

// custom is the value of a custom property, with the variables in it not replaced yet unless done.
type custom struct {
	values        []value
	done, invalid bool
	busy          bool
}

// maxValues bounds a value after its variables are replaced.
const maxValues = 5000

// settle replaces the variables in all values, so that Get only reads: styled trees are read concurrently.
func (v *Vars) settle() {
	for _, name := range slices.Sorted(maps.Keys(v.values)) {
		budget := maxValues
		v.get(name, &budget)
	}
}

// Get returns the value of a custom property as text.
func (v *Vars) Get(name string) (string, bool) {
	budget := maxValues
	list, ok := v.get(name, &budget)
	return textOf(list), ok
}

func (v *Vars) get(name string, budget *int) ([]value, bool) {
	for s := v; s != nil; s = s.parent {
		c, ok := s.values[name]
		if !ok {
			continue
		}
		if c.busy { // a cycle
			return nil, false
		}
		if !c.done {
			c.busy = true
			list, ok := s.replace(c.values, budget, 0)
			c.busy = false
			c.values, c.invalid, c.done = list, !ok, true
		}
		return c.values, !c.invalid
	}
	return nil, false
}

// replace puts the values of variables in place of var(). ok is false if one has no value, or it all gets too long.
func (v *Vars) replace(list []value, budget *int, depth int) (out []value, ok bool) {
	if depth > maxNesting {
		return nil, false
	}
	for i := range list {
		x := &list[i]
		if *budget--; *budget < 0 {
			return nil, false
		}
		switch {
		case x.fn("var"), x.fn("env"):
			got, ok := v.reference(x, budget, depth)
			if !ok {
				return nil, false
			}
			if *budget -= len(got); *budget < 0 {
				return nil, false
			}
			for k, g := range got {
				g.at, g.end = x.at, x.end
				if k == 0 {
					g.space = x.space
				}
				out = append(out, g)
			}
		case len(x.args) > 0:
			y := *x
			if y.args, ok = v.replace(x.args, budget, depth+1); !ok {
				return nil, false
			}
			out = append(out, y)
		default:
			out = append(out, *x)
		}
	}
	return out, true
}

func (v *Vars) reference(x *value, budget *int, depth int) ([]value, bool) {
	if len(x.args) == 0 || x.args[0].kind != ident {
		return nil, false
	}
	if x.text == "var" {
		if got, ok := v.get(x.args[0].text, budget); ok {
			return got, true
		}
	}
	if len(x.args) > 1 && x.args[1].delim(",") {
		return v.replace(x.args[2:], budget, depth+1)
	}
	return nil, false
}

// textOf writes values as CSS.
func textOf(list []value) string {
	var b strings.Builder
	writeValues(&b, list)
	return b.String()
}

func writeValues(b *strings.Builder, list []value) {
	for i := range list {
		v := &list[i]
		if v.space && i > 0 {
			b.WriteByte(' ')
		}
		switch v.kind {
		case number:
			b.WriteString(v.raw)
		case text:
			b.WriteString(quoted(v.text))
		case address:
			b.WriteString("url(" + quoted(v.text) + ")")
		case hash:
			b.WriteString("#" + v.text)
		case atKeyword:
			b.WriteString("@" + v.text)
		case function:
			b.WriteString(v.text + "(")
			writeValues(b, v.args)
			b.WriteByte(')')
		case block:
			b.WriteString(v.text)
			writeValues(b, v.args)
			b.WriteString(map[string]string{"(": ")", "[": "]", "{": "}"}[v.text])
		default:
			b.WriteString(v.text)
		}
	}
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\a `).Replace(s) + `"`
}
