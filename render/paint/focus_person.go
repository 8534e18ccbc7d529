package paint

import (
	"image"
	"math"

	"masthead/render/palette"
)

// How a person looks from afar: something narrow, rather even, that differs from what is beside and above it in the
// upper half of a picture, over something wider that differs from what is beside it down to the lower edge. That holds
// for all skins and clothes. The values were found with people drawn in front of the specimens' pictures.
const (
	headHighest, headLowest = .17, .47 // the middle of a head, as fractions of the height
	headEvenness            = .06      // what the deviation within a head or a body is increased by
	headTall                = 1.2      // times its width
	bodyWide                = 1.5      // times a head
	headInterest            = 1        // times the mean interest, from which a head is no less likely
	atPictureEdge           = .4       // times the contrast of heads there, which only have one side to differ from

	leastOfHead = .5 // of a head, which is in the subject of the picture

	personUnlikely, personCertain = .75, 1.5 // contrasts of head and body, multiplied
)

// headSizes are half the widths of heads, as fractions of the height.
var headSizes = [...]float64{.07, .1, .14}

// person is where someone may be in a picture.
type person struct {
	likely float64         // 0 to 1
	head   image.Rectangle // the likeliest, in sample points
}

// findPerson looks for the heads of people in a picture of a size.
func findPerson(s *labSums, t *interest, size image.Point) *person {
	stands := t.standing()
	p, best, column := new(person), 0.0, 0
	for i := range focusSide {
		s.headsIn(i, size, stands, func(_, _, _ int, clear float64) {
			if clear > best {
				best, column = clear, i
			}
		})
	}
	p.likely = min(max((best-personUnlikely)/(personCertain-personUnlikely), 0), 1)
	var all, top, bottom, wide float64 // of the heads that it may be, by how clear they are
	s.headsIn(column, size, stands, func(j, w, h int, clear float64) {
		clear *= clear
		all, wide = all+clear, wide+clear*float64(w)
		top, bottom = top+clear*float64(j-h), bottom+clear*float64(j+h+1)
	})
	if all > 0 {
		w := int(math.Round(wide / all))
		p.head = image.Rect(column-w, int(math.Round(top/all)), column+w+1, int(math.Round(bottom/all)))
	}
	return p
}

// within makes nobody likely whose head is mostly beside the subject of the picture.
func (p *person) within(core image.Rectangle) {
	in := p.head.Intersect(core)
	if float64(in.Dx()*in.Dy()) < leastOfHead*float64(p.head.Dx()*p.head.Dy()) {
		p.likely = 0
	}
}

// doubt makes faces less likely whose middle is beside the head of someone who is likely by their outline.
func (p *person) doubt(heads []head) {
	for i := range heads {
		h := &heads[i]
		if x := (h.x0 + h.x1) / 2 * focusSide; x < float64(p.head.Min.X) || x > float64(p.head.Max.X) {
			h.likely *= 1 - p.likely*min(2*(1-h.likely), 1)
		}
	}
}

// headsIn calls use for each head that may be in a column: around the row j, w and h points in each direction.
func (s *labSums) headsIn(i int, size image.Point, stands *interestSums, use func(j, w, h int, clear float64)) {
	from, to := int(math.Floor(headHighest*focusSide)), int(math.Ceil(headLowest*focusSide))
	for _, half := range headSizes {
		h := max(int(math.Round(headTall*half*focusSide)), 1)
		w := max(int(math.Round(half*focusSide*float64(size.Y)/float64(size.X))), 1)
		clear := 1.0
		if ground := w * 3 / 2; i < ground || i >= focusSide-ground {
			clear = atPictureEdge
		}
		for j := from; j < to; j += 2 {
			if v := s.headAt(i, j, w, h); v > 0 {
				use(j, w, h, clear*v*s.bodyBelow(i, j, w, h)*stands.share(image.Rect(i-w, j-h, i+w+1, j+h+1)))
			}
		}
	}
}

// headAt returns how clearly a box around a point, w and h points in each direction, differs from those at its sides
// and above it.
func (s *labSums) headAt(i, j, w, h int) float64 {
	inner := image.Rect(i-w*2/3, j-h*2/3, i+w*2/3+1, j+h*2/3+1)
	return s.contrast(inner,
		image.Rect(i-w*5/2, inner.Min.Y, i-w*5/4, inner.Max.Y), image.Rect(i+w*5/4+1, inner.Min.Y, i+w*5/2+1, inner.Max.Y),
		image.Rect(i-w, j-h*5/2, i+w+1, j-h*3/2))
}

// bodyBelow returns how clearly what is below a head differs from what is beside it, down to the lower edge.
func (s *labSums) bodyBelow(i, j, w, h int) float64 {
	top, body := j+h*5/2, int(bodyWide*float64(w))
	return s.contrast(image.Rect(i-body, top, i+body+1, focusSide),
		image.Rect(i-w*5, top, i-w*5/2, focusSide), image.Rect(i+w*5/2+1, top, i+w*5+1, focusSide))
}

// contrast returns the least distance of the mean color of a rectangle from those of others, of which those outside of
// the picture don't count, in deviations within it.
func (s *labSums) contrast(of image.Rectangle, from ...image.Rectangle) float64 {
	mean, deviation, ok := s.mean(of)
	least := math.Inf(1)
	for _, r := range from {
		if m, _, within := s.mean(r); within {
			least = min(least, m.Distance(mean))
		}
	}
	if !ok || math.IsInf(least, 1) {
		return 0
	}
	return least / (deviation + headEvenness)
}

// labSums are the sums of the colors and their squares, of all sample points above and to the left of each.
type labSums [(focusSide + 1) * (focusSide + 1)]struct {
	color  palette.Lab
	square float64
}

func sumsOf(labs *[focusSide * focusSide]palette.Lab) *labSums {
	const side = focusSide + 1
	s := new(labSums)
	for k, v := range labs {
		at := (k/focusSide+1)*side + k%focusSide + 1
		above, before, corner := &s[at-side], &s[at-1], &s[at-side-1]
		s[at].color = palette.Lab{
			L: v.L + above.color.L + before.color.L - corner.color.L,
			A: v.A + above.color.A + before.color.A - corner.color.A,
			B: v.B + above.color.B + before.color.B - corner.color.B,
		}
		s[at].square = v.L*v.L + v.A*v.A + v.B*v.B + above.square + before.square - corner.square
	}
	return s
}

// mean returns the mean color of a rectangle of sample points and the deviation from it; ok is false if all of it is
// outside of the picture.
func (s *labSums) mean(r image.Rectangle) (mean palette.Lab, deviation float64, ok bool) {
	if r = r.Intersect(image.Rect(0, 0, focusSide, focusSide)); r.Empty() {
		return mean, 0, false
	}
	const side = focusSide + 1
	a, b := &s[r.Max.Y*side+r.Max.X], &s[r.Min.Y*side+r.Max.X]
	c, d := &s[r.Max.Y*side+r.Min.X], &s[r.Min.Y*side+r.Min.X]
	n := float64(r.Dx() * r.Dy())
	mean = palette.Lab{
		L: (a.color.L - b.color.L - c.color.L + d.color.L) / n, A: (a.color.A - b.color.A - c.color.A + d.color.A) / n,
		B: (a.color.B - b.color.B - c.color.B + d.color.B) / n,
	}
	squares := (a.square - b.square - c.square + d.square) / n
	return mean, math.Sqrt(max(squares-mean.L*mean.L-mean.A*mean.A-mean.B*mean.B, 0)), true
}

// interestSums are the sums of the interest of all sample points above and to the left of each, as shares of the mean.
type interestSums [(focusSide + 1) * (focusSide + 1)]float64

// standing returns the sums of the interest.
func (t *interest) standing() *interestSums {
	const side = focusSide + 1
	s, all := new(interestSums), t.sum()
	for k, v := range t {
		at := (k/focusSide+1)*side + k%focusSide + 1
		s[at] = v*float64(len(t))/max(all, 1e-9) + s[at-side] + s[at-1] - s[at-side-1]
	}
	return s
}

// share returns how interesting a rectangle is, 0 to 1: a head is at least as interesting as the picture on average.
func (s *interestSums) share(r image.Rectangle) float64 {
	const side = focusSide + 1
	if r = r.Intersect(image.Rect(0, 0, focusSide, focusSide)); r.Empty() {
		return 0
	}
	sum := s[r.Max.Y*side+r.Max.X] - s[r.Min.Y*side+r.Max.X] - s[r.Max.Y*side+r.Min.X] + s[r.Min.Y*side+r.Min.X]
	return min(max(sum/float64(r.Dx()*r.Dy()), 0)/headInterest, 1)
}
