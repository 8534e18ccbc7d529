package paint

import (
	"encoding/binary"
	"image"
	"image/color"
)

// Stencil is the coverage of a shape as runs of pixels: fully covered runs take no memory and are filled as spans, so
// that a letter as large as a card takes a twentieth of its mask's memory and a tenth of its drawing time. It has no
// color, is immutable, and may be shared and cached.
type Stencil struct {
	Rect image.Rectangle // bounds; nothing outside is covered
	rows []int32         // the first run of each row, plus one more
	runs []stencilRun
	cov  []uint8 // of partly covered runs
}

// stencilRun is a run of pixels of a row: fully covered (at < 0), or by cov from at on.
type stencilRun struct {
	x0, x1 int16
	at     int32
}

// shortestRun is the minimum length of a fully covered run.
const shortestRun = 16

// NewStencil returns the stencil of a mask, at its place.
func NewStencil(m *image.Alpha) *Stencil {
	s := &Stencil{Rect: m.Rect, rows: make([]int32, 1, m.Rect.Dy()+1)}
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		s.addRow(m.Pix[m.PixOffset(m.Rect.Min.X, y):][:m.Rect.Dx()])
	}
	return s
}

// addRow appends the runs of the next row.
func (s *Stencil) addRow(row []uint8) {
	for x := 0; x < len(row); {
		if row[x] == 0 {
			x += alikeFrom(row[x:])
			continue
		}
		from, part := x, -1 // part: where the fully covered pixels begin if the run is such
		for x < len(row) && row[x] != 0 {
			n := 1
			if row[x] == 255 {
				if n = alikeFrom(row[x:]); n >= shortestRun {
					part = x
					break
				}
			}
			x += n
		}
		if x > from {
			s.runs = append(s.runs, stencilRun{x0: int16(from), x1: int16(x), at: int32(len(s.cov))})
			s.cov = append(s.cov, row[from:x]...)
		}
		if part >= 0 {
			x = part + alikeFrom(row[part:])
			s.runs = append(s.runs, stencilRun{x0: int16(part), x1: int16(x), at: -1})
		}
	}
	s.rows = append(s.rows, int32(len(s.runs)))
}

// alikeFrom returns the number of equal bytes at the start.
func alikeFrom(b []uint8) int {
	v, n := b[0], 1
	for word := alike * uint64(v); n+8 <= len(b) && binary.LittleEndian.Uint64(b[n:]) == word; {
		n += 8
	}
	for n < len(b) && b[n] == v {
		n++
	}
	return n
}

// Bytes returns about how much memory the stencil takes.
func (s *Stencil) Bytes() int { return 8*cap(s.runs) + cap(s.cov) + 4*cap(s.rows) + 128 }

// Add returns the stencil moved by p, which shares its runs.
func (s *Stencil) Add(p image.Point) *Stencil {
	moved := *s
	moved.Rect = s.Rect.Add(p)
	return &moved
}

// row returns the runs of a row of the canvas.
func (s *Stencil) row(y int) []stencilRun {
	if y -= s.Rect.Min.Y; y < 0 || y >= len(s.rows)-1 {
		return nil
	}
	return s.runs[s.rows[y]:s.rows[y+1]]
}

// within calls draw with the runs of a row of the canvas, clipped to r; cov is nil for a fully covered run.
func (s *Stencil) within(y int, r image.Rectangle, draw func(x0, x1 int, cov []uint8)) {
	for _, run := range s.row(y) {
		x0, x1 := s.Rect.Min.X+int(run.x0), s.Rect.Min.X+int(run.x1)
		from, to := max(x0, r.Min.X), min(x1, r.Max.X)
		switch {
		case from >= to:
		case run.at < 0:
			draw(from, to, nil)
		default:
			draw(from, to, s.cov[run.at:][from-x0:to-x0])
		}
	}
}

// Stencil draws a shape in an ink.
func (c *Canvas) Stencil(s *Stencil, ink color.NRGBA) {
	r, b := s.Rect.Intersect(c.clip), c.brush(ink)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for _, run := range s.row(y) {
			if x := s.Rect.Min.X; run.at < 0 {
				c.span(y, x+int(run.x0), x+int(run.x1), b)
			} else {
				c.row(y, x+int(run.x0), s.cov[run.at:][:run.x1-run.x0], b)
			}
		}
	}
}

// PaintStencil fills a shape with a gradient. The gradient spans area, which may extend beyond the shape and the
// canvas: a letter that is cut by the edge of the card keeps its colors.
func (c *Canvas) PaintStencil(s *Stencil, area image.Rectangle, l Linear) {
	r, n := s.Rect.Intersect(c.clip), l.steps(area)
	if r.Empty() || n < 1 || len(l.Colors) == 0 {
		return
	}
	f := newShapeFill(c, l, n)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		first, step := l.offset(area, y-area.Min.Y)-area.Min.X, 1 // of a pixel at x: first + x·step
		if l.Angle == Down {
			first, step = y-area.Min.Y, 0
		}
		for _, run := range s.row(y) {
			x0, x1 := s.Rect.Min.X+int(run.x0), s.Rect.Min.X+int(run.x1)
			cov := solid[:x1-x0]
			if run.at >= 0 {
				cov = s.cov[run.at:][:x1-x0]
			}
			if from, to := max(x0, r.Min.X), min(x1, r.Max.X); from < to {
				cov = cov[from-x0 : to-x0]
				if c.mask != nil {
					m := c.mask.Pix[c.mask.PixOffset(from, y):]
					for i, v := range cov {
						c.masked[i] = mul8(v, m[i])
					}
					cov = c.masked[:len(cov)]
				}
				f.row(y, from, cov, first+from*step, step, run.at < 0 && c.mask == nil)
			}
		}
	}
}

// RectStencil returns the stencil of a rectangle.
func RectStencil(r image.Rectangle) *Stencil {
	if !sane(r) || r.Dx() > maxSide {
		return &Stencil{}
	}
	s := &Stencil{Rect: r, rows: make([]int32, r.Dy()+1), runs: make([]stencilRun, r.Dy())}
	for i := range s.runs {
		s.rows[i+1], s.runs[i] = int32(i+1), stencilRun{x1: int16(r.Dx()), at: -1}
	}
	return s
}
