package css

// Vars are custom properties: those of an element, and its parent's.
type Vars struct {
	parent *Vars
	values map[string]string
}

// Get returns the value of a custom property.
func (v *Vars) Get(name string) (string, bool) {
	for ; v != nil; v = v.parent {
		if s, ok := v.values[name]; ok {
			return s, s != invalidVar
		}
	}
	return "", false
}

// invalidVar marks a property that is invalid or initial.
const invalidVar = "\x00"
