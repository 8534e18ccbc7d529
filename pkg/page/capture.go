package page

// capture collects the text of one element. Boxes inside it must close before a closing box can end it.
type capture struct {
	open   bool
	buf    []byte
	boxes  int
	max    int
	linked int // bytes of text inside links
}

func (c *capture) begin(maxBytes int) {
	*c = capture{open: true, buf: c.buf[:0], max: maxBytes}
}

func (c *capture) add(b []byte) {
	if c.open {
		c.buf = append(c.buf, limit(b, max(0, c.max-len(c.buf)))...)
	}
}

func (c *capture) space() {
	if c.open && len(c.buf) < c.max {
		c.buf = append(c.buf, ' ')
	}
}

// box counts boxes inside an open capture and reports whether the one that closes contains the capture.
func (c *capture) box(opens bool) (left bool) {
	switch {
	case !c.open:
	case opens:
		c.boxes++
	case c.boxes > 0:
		c.boxes--
	default:
		return true
	}
	return false
}
