package paint

import (
	"image"
	"image/color"
	"math"
)

// Shadow draws the soft shadow of a rounded rectangle: its Gaussian blur of the given sigma (half of what style sheets
// call blur), shifted down by dy, in an ink with alpha. What casts the shadow is taken to be opaque and drawn after:
// most of what it hides is left out.
//
// The blur is exact along x by the error function and summed over a few taps along y, so corners are right for every
// radius.
func (c *Canvas) Shadow(r image.Rectangle, radius, sigma float64, dy int, ink color.NRGBA) {
	if !sane(r) || !(sigma > 0) || r.Dx() > maxSide || r.Dy() > maxSide {
		return
	}
	radius = fitRadius(r, radius)
	dy = min(max(dy, -maxSide), maxSide)
	s := newShadowShape(r, radius, min(sigma, 256))
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
		if k := s.distinctRow(i); k != last {
			s.row(k, cov)
			last = k
		}
		if y >= hidden.Min.Y && y < hidden.Max.Y {
			left := hidden.Min.X - (r.Min.X - reach)
			c.row(y, r.Min.X-reach, cov[:left], b)
			c.row(y, hidden.Max.X, cov[w-left:], b)
			continue
		}
		c.row(y, r.Min.X-reach, cov, b)
	}
}

// shadowShape is the blurred coverage of a rounded rectangle, with its middle at 0,0.
type shadowShape struct {
	halfW, halfH, radius, sigma float64
	w, h, reach                 int
	taps                        []tap
	cdfTable                    []float64 // integral of the Gaussian, in steps of 1/cdfSteps pixel, from 0
}

type tap struct{ dy, weight float64 }

const (
	shadowReach = 3  // sigmas: beyond it less than 1 in 700 is left
	shadowTaps  = 17 // along y, over the reach
	cdfSteps    = 8
)

func newShadowShape(r image.Rectangle, radius, sigma float64) *shadowShape {
	s := &shadowShape{halfW: float64(r.Dx()) / 2, halfH: float64(r.Dy()) / 2, sigma: sigma, w: r.Dx(), h: r.Dy()}
	s.radius = radius
	s.reach = int(math.Ceil(shadowReach * sigma))
	s.cdfTable = make([]float64, s.reach*cdfSteps+2)
	for i := range s.cdfTable {
		s.cdfTable[i] = .5 + .5*math.Erf(float64(i)/cdfSteps/(sigma*math.Sqrt2))
	}
	sum := 0.0
	for i := range shadowTaps {
		at := (float64(i)+.5)/shadowTaps*2 - 1
		t := tap{dy: at * shadowReach * sigma, weight: math.Exp(-at * at * shadowReach * shadowReach / 2)}
		s.taps = append(s.taps, t)
		sum += t.weight
	}
	for i := range s.taps {
		s.taps[i].weight /= sum
	}
	return s
}

// cdf returns the part of the Gaussian that lies below x.
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

// distinctRow numbers rows that look alike: mirrored ones, and all far from the ends.
func (s *shadowShape) distinctRow(i int) int {
	i = min(i, s.h+2*s.reach-1-i)
	return min(i, 2*s.reach+int(math.Ceil(s.radius)))
}

// row computes the coverage of the row with a number of distinctRow.
func (s *shadowShape) row(k int, cov []uint8) {
	y := float64(k-s.reach) + .5 - s.halfH
	// Each tap sees a slice of the rectangle: its half width, and how much of the tap lies between top and bottom.
	var widths, weights [shadowTaps]float64
	n := 0
	step := 2 * shadowReach * s.sigma / shadowTaps
	for _, t := range s.taps {
		at := math.Abs(y + t.dy)
		inside := min(max((s.halfH-at)/step+.5, 0), 1)
		if inside == 0 {
			continue
		}
		half := s.halfW
		if d := at - (s.halfH - s.radius); d > 0 {
			d = min(d, s.radius)
			half += math.Sqrt(s.radius*s.radius-d*d) - s.radius
		}
		widths[n], weights[n] = half, t.weight*inside
		n++
	}
	mid := (len(cov) + 1) / 2
	fading := min(mid, 2*s.reach+int(math.Ceil(s.radius))+1) // from there on all is level
	for i := range fading {
		x := float64(i-s.reach) + .5 - s.halfW
		v := 0.0
		for k := range n {
			v += weights[k] * s.cdf(x+widths[k])
			if widths[k] < x+float64(s.reach) { // the far edge is near enough to be felt
				v -= weights[k] * s.cdf(x-widths[k])
			}
		}
		cov[i] = coverage(v)
	}
	set(cov[fading:mid], cov[fading-1])
	for i, v := range cov[:mid] {
		cov[len(cov)-1-i] = v
	}
}
