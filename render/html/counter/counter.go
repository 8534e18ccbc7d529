// Package counter has the counters of CSS: their scopes in a document, and how their values are written.
package counter

import "math"

// Op changes a counter.
type Op struct {
	Name  string
	Value int
}

// Has reports whether a list of changes has one of a counter.
func Has(list []Op, name string) bool {
	for i := range list {
		if list[i].Name == name {
			return true
		}
	}
	return false
}

// Scopes are the counters at a place of a document, whose elements are visited in their order: [Scopes.Reset],
// [Scopes.Increment] and [Scopes.Set] for an element, then its children between [Scopes.Enter] and [Scopes.Leave]. The
// zero value is for the root. A counter is in the scope of the element that made it, its descendants and its following
// siblings. Source: CSS Lists 3, 4.
type Scopes struct {
	depth int
	named map[string][]instance // the innermost last
}

// instance is a counter of an element at a depth.
type instance struct{ depth, value int }

// Enter begins the children of the element that was visited last.
func (s *Scopes) Enter() { s.depth++ }

// Leave ends them, and the scopes of the counters that they made.
func (s *Scopes) Leave() {
	for name, list := range s.named {
		if n := len(list); n > 0 && list[n-1].depth == s.depth {
			s.named[name] = list[:n-1]
		}
	}
	s.depth--
}

// Reset makes a counter.
func (s *Scopes) Reset(c Op) {
	list := s.named[c.Name]
	if n := len(list); n > 0 && list[n-1].depth == s.depth { // of a sibling, or of this element
		list = list[:n-1]
	}
	if s.named == nil {
		s.named = map[string][]instance{}
	}
	s.named[c.Name] = append(list, instance{s.depth, clamp(c.Value)})
}

// Increment adds to a counter; without one it makes it, from 0.
func (s *Scopes) Increment(c Op) {
	i := s.innermost(c.Name)
	i.value = clamp(i.value + clamp(c.Value))
}

// Set sets a counter; without one it makes it.
func (s *Scopes) Set(c Op) { s.innermost(c.Name).value = clamp(c.Value) }

func (s *Scopes) innermost(name string) *instance {
	if len(s.named[name]) == 0 {
		s.Reset(Op{Name: name})
	}
	list := s.named[name]
	return &list[len(list)-1]
}

// clamp keeps values within 32 bits.
func clamp(v int) int { return min(max(v, math.MinInt32), math.MaxInt32) }

// Value returns the value of the innermost counter of a name, 0 without one.
func (s *Scopes) Value(name string) int {
	if list := s.named[name]; len(list) > 0 {
		return list[len(list)-1].value
	}
	return 0
}

// Values returns the values of all counters of a name, the outermost first: at least one.
func (s *Scopes) Values(name string) []int {
	values := make([]int, 0, 1)
	for _, i := range s.named[name] {
		values = append(values, i.value)
	}
	if len(values) == 0 {
		values = append(values, 0)
	}
	return values
}
