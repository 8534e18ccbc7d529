package page

// leavesForeign reports whether the current start tag ends SVG and MathML content because it can only be HTML. So an
// svg element without an end tag doesn't swallow the rest of a page. Source: HTML standard, 13.2.6.5.
func (r *reader) leavesForeign() bool {
	s := &r.sc
	name := s.src[s.name.from:s.name.to]
	if len(name) > len("blockquote") {
		return false
	}
	var buf [10]byte
	for i, c := range name {
		if class[c]&foldsUpper != 0 {
			c |= 0x20
		}
		buf[i] = c
	}
	switch string(buf[:len(name)]) {
	case "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed",
		"h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p",
		"pre", "ruby", "s", "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var":
		return true
	case "font":
		for _, attr := range [...]string{"color", "face", "size"} {
			if _, ok := s.attr(attr); ok {
				return true
			}
		}
	}
	return false
}

// foreignStart handles a start tag of SVG or MathML.
func (r *reader) foreignStart() {
	s := &r.sc
	if s.selfClosing || len(r.foreign) >= maxForeign {
		return
	}
	name := s.src[s.name.from:s.name.to]
	root := r.foreign[len(r.foreign)-1].name
	if equalFold(name, root) {
		r.foreign = append(r.foreign, frame{name: root})
		return
	}
	points := [...]string{"foreignobject", "desc", "title", "", ""}
	if root == "math" {
		points = [...]string{"mi", "mo", "mn", "ms", "mtext"}
	}
	for _, point := range points {
		if equalFold(name, point) {
			r.foreign = append(r.foreign, frame{name: point, integration: true})
			return
		}
	}
}

// foreignEnd handles an end tag inside SVG or MathML: it closes the innermost frame of that name and everything in it.
func (r *reader) foreignEnd() {
	s := &r.sc
	name := s.src[s.name.from:s.name.to]
	for i := len(r.foreign) - 1; i >= 0; i-- {
		if equalFold(name, r.foreign[i].name) {
			r.foreign = r.foreign[:i]
			return
		}
	}
}
