package svg

// XML returns what the engine is given for a drawing of w×h pixels.
func (d *Document) XML(w, h int) string { return d.xml(d.content, w, h) }

// Module returns the engine as WebAssembly.
func Module() ([]byte, error) { return module() }
