package css

import (
	"maps"
	"slices"

	"masthead/render/html/css/value"
	"masthead/render/html/meter"
)

// Vars are custom properties: those of an element, then its parent's.
type Vars struct {
	parent *Vars
	values map[string]*custom
}

// custom is the value of a custom property, with the variables in it not replaced yet unless done.
type custom struct {
	values        []value.Value
	done, invalid bool
	busy          bool
}

// maxValues bounds a value after its variables are replaced.
const maxValues = 5000

// settle replaces the variables in all values, so that Get only reads: styled trees are read concurrently.
func (v *Vars) settle(m *meter.Meter) {
	for _, name := range slices.Sorted(maps.Keys(v.values)) {
		budget := maxValues
		v.get(name, &budget)
		if m.Spend(1 + maxValues - budget) {
			return
		}
	}
}

// Get returns the value of a custom property as text.
func (v *Vars) Get(name string) (string, bool) {
	budget := maxValues
	list, ok := v.get(name, &budget)
	return value.Format(list), ok
}

func (v *Vars) get(name string, budget *int) ([]value.Value, bool) {
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
func (v *Vars) replace(list []value.Value, budget *int, depth int) (out []value.Value, ok bool) {
	if depth > value.MaxNesting {
		return nil, false
	}
	for i := range list {
		x := &list[i]
		if *budget--; *budget < 0 {
			return nil, false
		}
		switch {
		case x.Fn("var"), x.Fn("env"):
			got, ok := v.reference(x, budget, depth)
			if !ok {
				return nil, false
			}
			if *budget -= len(got); *budget < 0 {
				return nil, false
			}
			for k, g := range got {
				g.At, g.End = x.At, x.End
				if k == 0 {
					g.Space = x.Space
				}
				out = append(out, g)
			}
		case len(x.Args) > 0:
			y := *x
			if y.Args, ok = v.replace(x.Args, budget, depth+1); !ok {
				return nil, false
			}
			out = append(out, y)
		default:
			out = append(out, *x)
		}
	}
	return out, true
}

func (v *Vars) reference(x *value.Value, budget *int, depth int) ([]value.Value, bool) {
	if len(x.Args) == 0 || x.Args[0].Kind != value.Ident {
		return nil, false
	}
	if x.Text == "var" {
		if got, ok := v.get(x.Args[0].Text, budget); ok {
			return got, true
		}
	}
	if len(x.Args) > 1 && x.Args[1].Delim(",") {
		return v.replace(x.Args[2:], budget, depth+1)
	}
	return nil, false
}
