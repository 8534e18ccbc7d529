package paint

import (
	"cmp"
	"encoding/binary"
	"image"
	"math"
	"slices"
)

// Curve is a cubic: its start, its two control points and its end, each as x and y.
type Curve [4][2]float64

// at returns the point of the curve at t, 0 to 1.
func (c *Curve) at(t float64) (p [2]float64) {
	u := 1 - t
	k := [4]float64{u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t}
	for i, w := range k {
		p[0] += w * c[i][0]
		p[1] += w * c[i][1]
	}
	return p
}

// Silk is a cloth of strokes that morph from one curve to another, each over the ones before it: where the cloth folds,
// its far side covers its near one.
type Silk struct {
	From, To Curve
	Strokes  int     // 2 to [MaxLevels]: the n-th has shade n
	Width    float64 // of a stroke, in pixels: more than the distance between strokes
}

// Samples per side of a pixel at an edge, and pieces per stroke.
const (
	silkSamples = 4
	silkPieces  = 64
)

// silkPiece is a convex piece of a stroke, from one end of a step along its curve to the other.
type silkPiece struct {
	corners     [4][2]float64
	top, bottom float64
	shade       uint8
}

// Levels draws the cloth within a rectangle. The union of the strokes is antialiased as one, and so is each fold, so
// there are no seams between strokes.
//
// Strokes are cut into convex pieces, filled by spans on four lines per row of pixels, from the first to the last.
func (s Silk) Levels(r image.Rectangle) *Levels {
	l := newFigure(r)
	pieces := s.pieces(r)
	slices.SortFunc(pieces, func(p, q silkPiece) int { return cmp.Compare(p.top, q.top) })
	var lines [silkSamples][]uint8
	for i := range lines {
		lines[i] = make([]uint8, r.Dx()*silkSamples)
	}
	next, active := 0, make([]silkPiece, 0, 1024)
	for y := range r.Dy() {
		top := float64(r.Min.Y + y)
		active = slices.DeleteFunc(active, func(p silkPiece) bool { return p.bottom <= top })
		for ; next < len(pieces) && pieces[next].top < top+1; next++ {
			at, _ := slices.BinarySearchFunc(active, pieces[next].shade+1, func(p silkPiece, shade uint8) int {
				return cmp.Compare(p.shade, shade)
			})
			active = slices.Insert(active, at, pieces[next])
		}
		for i, line := range lines {
			clear(line)
			for k := range active {
				active[k].fill(line, float64(r.Min.X), top+(float64(i)+.5)/silkSamples)
			}
		}
		l.resolve(y, &lines)
	}
	return l.levels()
}

// pieces returns the pieces of all strokes that extend into the rows of a rectangle.
func (s Silk) pieces(r image.Rectangle) []silkPiece {
	pieces := make([]silkPiece, 0, s.Strokes*silkPieces)
	for n := range s.Strokes {
		k := float64(n) / float64(s.Strokes-1)
		var c Curve
		for i := range c {
			for j := range c[i] {
				c[i][j] = s.From[i][j] + k*(s.To[i][j]-s.From[i][j])
			}
		}
		var last [2][2]float64
		for i := range silkPieces + 1 {
			t := float64(i) / silkPieces
			p, before, after := c.at(t), c.at(max(t-.5/silkPieces, 0)), c.at(min(t+.5/silkPieces, 1))
			dx, dy := after[0]-before[0], after[1]-before[1]
			h := s.Width / 2 / max(math.Hypot(dx, dy), 1e-9)
			sides := [2][2]float64{{p[0] - dy*h, p[1] + dx*h}, {p[0] + dy*h, p[1] - dx*h}}
			if i > 0 {
				q := silkPiece{corners: [4][2]float64{last[0], last[1], sides[1], sides[0]}, shade: uint8(n + 1)}
				q.top, q.bottom = math.Inf(1), math.Inf(-1)
				for _, corner := range q.corners {
					q.top, q.bottom = min(q.top, corner[1]), max(q.bottom, corner[1])
				}
				if q.bottom > float64(r.Min.Y) && q.top < float64(r.Max.Y) {
					pieces = append(pieces, q)
				}
			}
			last = sides
		}
	}
	return pieces
}

// fill fills the part of the piece on a line at y.
func (p *silkPiece) fill(line []uint8, left, y float64) {
	if y < p.top || y >= p.bottom {
		return
	}
	x0, x1 := math.Inf(1), math.Inf(-1)
	for i, a := range p.corners {
		b := p.corners[(i+1)%4]
		if (a[1] <= y) == (b[1] <= y) {
			continue
		}
		x := a[0] + (y-a[1])/(b[1]-a[1])*(b[0]-a[0])
		x0, x1 = min(x0, x), max(x1, x)
	}
	from := max(int(math.Ceil((x0-left)*silkSamples-.5)), 0)
	to := min(int(math.Ceil((x1-left)*silkSamples-.5)), len(line))
	if from < to {
		set(line[from:to], p.shade)
	}
}

// foldStep is the minimum difference in shades between two samples of a pixel on two sides of a fold.
const foldStep = 8

// resolve computes the pixels of a row from its samples: the mean of those of the uppermost shade, and what is seen
// behind its edge.
func (l *figure) resolve(y int, lines *[silkSamples][]uint8) {
	w := l.rect.Dx()
	for x := range w {
		at := y*w + x
		if v, same := sameSamples(lines, x*silkSamples); same {
			l.pix[at] = v
			continue
		}
		highest := uint8(0)
		for i := range lines {
			highest = max(highest, slices.Max(lines[i][x*silkSamples:][:silkSamples]))
		}
		upper, under, sum, behind, bare := 0, 0, 0, 0, 0
		for i := range lines {
			for _, v := range lines[i][x*silkSamples:][:silkSamples] {
				switch {
				case v == 0:
					bare++
				case v+foldStep > highest:
					upper, sum = upper+1, sum+int(v)
				default:
					under, behind = under+1, behind+int(v)
				}
			}
		}
		l.pix[at] = uint8((sum + upper/2) / upper)
		if upper == silkSamples*silkSamples {
			continue
		}
		e := levelEdge{at: int32(at), cover: uint8(upper * 255 / (silkSamples * silkSamples))}
		if under > bare {
			e.under = uint8(behind / under)
		}
		l.edges = append(l.edges, e)
	}
}

// sameSamples reports whether all samples of a pixel have one shade, as most have.
func sameSamples(lines *[silkSamples][]uint8, x int) (shade uint8, same bool) {
	word := binary.LittleEndian.Uint32(lines[0][x:])
	shade = uint8(word)
	if word != uint32(shade)*0x01010101 {
		return 0, false
	}
	for _, line := range lines[1:] {
		if binary.LittleEndian.Uint32(line[x:]) != word {
			return 0, false
		}
	}
	return shade, true
}
