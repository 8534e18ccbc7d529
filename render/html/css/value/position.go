package value

// Axis reads one coordinate of a position: a length, or a keyword.
func (r Reader) Axis(v *Value, vertical bool) (Length, bool) {
	switch {
	case v.Is("center"):
		return Length{Percent: 50}, true
	case v.Is("left") && !vertical, v.Is("top") && vertical, v.Is("x-start") && !vertical, v.Is("y-start") && vertical:
		return Length{}, true
	case v.Is("right") && !vertical, v.Is("bottom") && vertical, v.Is("x-end") && !vertical, v.Is("y-end") && vertical:
		return Length{Percent: 100}, true
	}
	return r.Length(v)
}

// AxisOffset reads background-position-x and -y.
func (r Reader) AxisOffset(v []Value, vertical bool) (Length, bool) {
	switch len(v) {
	case 1:
		return r.Axis(&v[0], vertical)
	case 2:
		l, ok := r.Length(&v[1])
		if v[0].Is("right") || v[0].Is("bottom") {
			return Length{Percent: 100}.Minus(l), ok
		}
		return l, ok && (v[0].Is("left") || v[0].Is("top"))
	}
	return Length{}, false
}

// Position reads a position of one to four values.
func (r Reader) Position(v []Value) (p [2]Length, ok bool) {
	center := Length{Percent: 50}
	vertical := func(x *Value) bool { return x.Is("top") || x.Is("bottom") }
	horizontal := func(x *Value) bool { return x.Is("left") || x.Is("right") }
	switch len(v) {
	case 1:
		if vertical(&v[0]) {
			l, ok := r.Axis(&v[0], true)
			return [2]Length{center, l}, ok
		}
		l, ok := r.Axis(&v[0], false)
		return [2]Length{l, center}, ok
	case 2:
		x, y := &v[0], &v[1]
		if vertical(x) || horizontal(y) {
			x, y = y, x
			if v[0].Kind != Ident || v[1].Kind != Ident {
				return p, false
			}
		}
		var ok1, ok2 bool
		p[0], ok1 = r.Axis(x, false)
		p[1], ok2 = r.Axis(y, true)
		return p, ok1 && ok2
	case 3, 4:
		p = [2]Length{center, center}
		for i := 0; i < len(v); i++ {
			x := &v[i]
			if x.Is("center") {
				continue
			}
			if !vertical(x) && !horizontal(x) {
				return p, false
			}
			axis := 0
			if vertical(x) {
				axis = 1
			}
			l := Length{}
			if i+1 < len(v) && v[i+1].Kind != Ident {
				if l, ok = r.Length(&v[i+1]); !ok {
					return p, false
				}
				i++
			}
			if x.Is("right") || x.Is("bottom") {
				l = Length{Percent: 100}.Minus(l)
			}
			p[axis] = l
		}
		return p, true
	}
	return p, false
}
