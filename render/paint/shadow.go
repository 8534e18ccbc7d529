package paint

import (
	"image"
	"image/color"
	"math"

	"masthead/render/cache"
)

// Shadow draws the soft shadow of a rounded rectangle: its Gaussian blur of the given sigma (half of the blur in CSS),
// shifted down by dy, in an ink with alpha. The object is assumed to be opaque and drawn afterwards: most of what it
// hides is skipped.
//
// The blur is exact along x by the error function and summed over a few taps along y, so corners are right for every
// radius.
func (c *Canvas) Shadow(r image.Rectangle, radius, sigma float64, dy int, ink color.NRGBA) {
	if !sane(r) || !(sigma > 0) || r.Dx() > maxSide || r.Dy() > maxSide {
		return
	}
	radius = fitRadius(r, radius)
	dy = min(max(dy, -maxSide), maxSide)
	s := shadowFor(r.Dx(), r.Dy(), radius, min(sigma, 256))
	b := c.softBrush(ink)
	hidden := r.Inset(int(math.Ceil(radius)) + 1)
	reach := s.reach
	w := r.Dx() + 2*reach
	cov := make([]uint8, w)
	last := -1
	for i := range r.Dy() + 2*reach {
		y := r.Min.Y - reach + i + dy
		if y < c.clip.Min.Y || y >= c.clip.Max.Y {
			continue
		}
		if k := min(i, r.Dy()+2*reach-1-i, s.rows-1); k != last {
			s.fill(k, cov)
			last = k
		}
		if y >= hidden.Min.Y && y < hidden.Max.Y {
			c.row(y, r.Min.X-reach, cov[:hidden.Min.X-(r.Min.X-reach)], b)
			c.row(y, hidden.Max.X, cov[hidden.Max.X-(r.Min.X-reach):], b)
			continue
		}
		c.row(y, r.Min.X-reach, cov, b)
	}
}

// shadow is the part of a blurred rectangle that differs: its upper left corner, as far as it fades. Everything else is
// constant or mirrored.
type shadow struct {
	reach, rows, cols int
	pix               []uint8
}

// shadowKey is everything that a shadow depends on.
type shadowKey struct {
	w, h          int
	radius, sigma float64
}

// shadows caches those of the shapes in designs: some 30 KB each.
var shadows = cache.NewPart(cache.Pieces, func(_ shadowKey, s *shadow) int { return len(s.pix) + 200 })

// shadowFor returns the shadow of a rounded rectangle. All rectangles large enough that an edge isn't affected by the
// opposite one share the same.
func shadowFor(w, h int, radius, sigma float64) *shadow {
	reach := int(math.Ceil(ShadowReach * sigma))
	fades := 2*reach + int(math.Ceil(radius)) + 1
	alone := func(side int) int { return min(side, 2*fades+side%2) }
	key := shadowKey{alone(w), alone(h), radius, sigma}
	if s, ok := shadows.Get(key); ok {
		return s
	}
	s := &shadow{
		reach: reach, rows: min(fades, (key.h+2*reach+1)/2), cols: min(fades, (key.w+2*reach+1)/2),
	}
	shape := newShadowShape(key.w, key.h, radius, sigma)
	for k := range s.rows {
		s.pix = append(s.pix, make([]uint8, s.cols)...)
		shape.row(k, s.pix[k*s.cols:])
	}
	shadows.Put(key, s)
	return s
}

// fill fills a row of coverage with the kth row of the shadow.
func (s *shadow) fill(k int, cov []uint8) {
	row, mid := s.pix[k*s.cols:][:s.cols], (len(cov)+1)/2
	set(cov[copy(cov[:mid], row):mid], row[s.cols-1])
	for i, v := range cov[:min(mid, s.cols)] {
		cov[len(cov)-1-i] = v
	}
	if s.cols < mid {
		set(cov[mid:len(cov)-s.cols], row[s.cols-1])
	}
}

// shadowShape is the blurred coverage of a rounded rectangle centered at 0,0.
type shadowShape struct {
	halfW, halfH, radius, sigma float64
	reach                       int
	taps                        []tap
	cdfTable                    []float64 // integral of the Gaussian, in steps of 1/cdfSteps pixel, from 0
}

type tap struct{ dy, weight float64 }

// ShadowReach is the visible extent of a shadow in sigmas: beyond it less than 1 in 700 is left.
const ShadowReach = 3

const (
	shadowTaps = 17 // along y, over the reach
	cdfSteps   = 8
)

func newShadowShape(w, h int, radius, sigma float64) *shadowShape {
	s := &shadowShape{halfW: float64(w) / 2, halfH: float64(h) / 2, sigma: sigma}
	s.radius = radius
	s.reach = int(math.Ceil(ShadowReach * sigma))
	s.cdfTable = make([]float64, s.reach*cdfSteps+2)
	for i := range s.cdfTable {
		s.cdfTable[i] = .5 + .5*math.Erf(float64(i)/cdfSteps/(sigma*math.Sqrt2))
	}
	sum := 0.0
	for i := range shadowTaps {
		at := (float64(i)+.5)/shadowTaps*2 - 1
		t := tap{dy: at * ShadowReach * sigma, weight: math.Exp(-at * at * ShadowReach * ShadowReach / 2)}
		s.taps = append(s.taps, t)
		sum += t.weight
	}
	for i := range s.taps {
		s.taps[i].weight /= sum
	}
	return s
}

// cdf returns the part of the Gaussian below x.
func (s *shadowShape) cdf(x float64) float64 {
	p := math.Abs(x) * cdfSteps
	i := int(p)
	v := 1.0
	if i < len(s.cdfTable)-1 {
		f := p - float64(i)
		v = s.cdfTable[i] + (s.cdfTable[i+1]-s.cdfTable[i])*f
	}
	if x < 0 {
		return 1 - v
	}
	return v
}

// row computes the coverage of the left part of a row; the first is the uppermost that the shadow reaches.
func (s *shadowShape) row(k int, cov []uint8) {
	y := float64(k-s.reach) + .5 - s.halfH
	// Each tap sees a slice of the rectangle: its half width, and how much of the tap is between top and bottom. Those
	// between the round corners, which are most of them, see the same.
	var widths, weights [shadowTaps + 1]float64
	n := 1
	widths[0] = s.halfW
	step := 2 * ShadowReach * s.sigma / shadowTaps
	for _, t := range s.taps {
		at := math.Abs(y + t.dy)
		inside := min(max((s.halfH-at)/step+.5, 0), 1)
		if inside == 0 {
			continue
		}
		d := min(at-(s.halfH-s.radius), s.radius)
		if d <= 0 {
			weights[0] += t.weight * inside
			continue
		}
		widths[n] = s.halfW + math.Sqrt(s.radius*s.radius-d*d) - s.radius
		weights[n] = t.weight * inside
		n++
	}
	for i := range cov {
		x := float64(i-s.reach) + .5 - s.halfW
		v := 0.0
		for k := range n {
			v += weights[k] * s.cdf(x+widths[k])
			if widths[k] < x+float64(s.reach) { // the far edge is close enough to matter
				v -= weights[k] * s.cdf(x-widths[k])
			}
		}
		cov[i] = coverage(v)
	}
}
