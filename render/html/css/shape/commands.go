package shape

import "masthead/render/html/css/value"

// shapeFunction reads the commands of shape().
func (r reader) shapeFunction(s *Shape, args []value.Value) bool {
	s.Kind = Commands
	for i, part := range value.SplitCommas(args) {
		if i == 0 {
			if len(part) > 0 && (part[0].Is("nonzero") || part[0].Is("evenodd")) {
				s.EvenOdd = part[0].Is("evenodd")
				part = part[1:]
			}
			if len(part) == 0 || !part[0].Is("from") {
				return false
			}
			p, n, ok := r.shapePoint(part[1:])
			if !ok || n != len(part)-1 {
				return false
			}
			s.Commands = append(s.Commands, Command{Op: 'M', To: p})
			continue
		}
		c, ok := r.shapeCommand(part)
		if !ok || len(s.Commands) > maxSteps {
			return false
		}
		s.Commands = append(s.Commands, c)
	}
	return true
}

// shapePoint reads a pair of lengths, or a position by keywords.
func (r reader) shapePoint(v []value.Value) (p [2]value.Length, n int, ok bool) {
	if len(v) < 2 {
		return p, 0, false
	}
	p, ok = r.Position(v[:2])
	return p, 2, ok
}

func (r reader) shapeCommand(v []value.Value) (c Command, ok bool) {
	if len(v) == 1 && v[0].Is("close") {
		return Command{Op: 'Z'}, true
	}
	if len(v) < 3 || v[0].Kind != value.Ident {
		return c, false
	}
	ops := map[string]byte{"move": 'M', "line": 'L', "hline": 'H', "vline": 'V', "curve": 'Q', "smooth": 'T', "arc": 'A'}
	if c.Op, ok = ops[v[0].Text]; !ok {
		return c, false
	}
	c.Rel = v[1].Is("by")
	if !c.Rel && !v[1].Is("to") {
		return c, false
	}
	v = v[2:]
	if c.Op == 'H' || c.Op == 'V' {
		if len(v) != 1 {
			return c, false
		}
		l, ok := r.Axis(&v[0], c.Op == 'V')
		c.To[0], c.To[1] = l, l
		return c, ok
	}
	var n int
	if c.To, n, ok = r.shapePoint(v); !ok {
		return c, false
	}
	v = v[n:]
	if c.Op == 'A' {
		return r.shapeArc(c, v)
	}
	if len(v) == 0 {
		return c, c.Op == 'M' || c.Op == 'L' || c.Op == 'T'
	}
	if !v[0].Is("with") {
		return c, false
	}
	v = v[1:]
	if c.A, c.FromA, v, ok = r.control(v); !ok {
		return c, false
	}
	if len(v) > 0 {
		if !v[0].Delim("/") || c.Op != 'Q' {
			return c, false
		}
		c.Op = 'C'
		if c.B, c.FromB, v, ok = r.control(v[1:]); !ok || len(v) > 0 {
			return c, false
		}
	} else if c.Op == 'T' {
		c.Op = 'S'
	}
	return c, true
}

// control reads a control point: two lengths, and from what.
func (r reader) control(v []value.Value) (p [2]value.Length, from Origin, rest []value.Value, ok bool) {
	var n int
	if p, n, ok = r.shapePoint(v); !ok {
		return p, from, nil, false
	}
	v = v[n:]
	if len(v) >= 2 && v[0].Is("from") {
		from, ok = map[string]Origin{"start": FromStart, "end": FromEnd, "origin": FromOrigin}[v[1].Text]
		v = v[2:]
	}
	return p, from, v, ok
}

func (r reader) shapeArc(c Command, v []value.Value) (Command, bool) {
	for i := 0; i < len(v); i++ {
		switch {
		case v[i].Is("of"):
			if i+1 >= len(v) {
				return c, false
			}
			var ok bool
			if c.RX, ok = r.Length(&v[i+1]); !ok {
				return c, false
			}
			c.RY = c.RX
			i++
			if i+1 < len(v) && v[i+1].Kind != value.Ident {
				if c.RY, ok = r.Length(&v[i+1]); !ok {
					return c, false
				}
				i++
			}
		case v[i].Is("cw"), v[i].Is("ccw"):
			c.Sweep = v[i].Is("cw")
		case v[i].Is("large"), v[i].Is("small"):
			c.Large = v[i].Is("large")
		case v[i].Is("rotate") && i+1 < len(v):
			a, ok := r.Angle(&v[i+1])
			if !ok {
				return c, false
			}
			c.Rotation = a
			i++
		default:
			return c, false
		}
	}
	return c, true
}

// Command is a command of shape(): M, L, H, V, C, S, Q, T, A or Z. To is its end, relative to the pen if Rel;
// A and B are control points.
type Command struct {
	Op           byte
	Rel          bool
	To, A, B     [2]value.Length
	FromA, FromB Origin
	RX, RY       value.Length // of an arc
	Rotation     float64
	Large, Sweep bool
}

// Origin is what a control point is relative to.
type Origin uint8

// The origins; FromDefault is the origin of absolute commands and the start of relative ones.
const (
	FromDefault Origin = iota
	FromStart
	FromEnd
	FromOrigin
)
