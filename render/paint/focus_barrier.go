package paint

import (
	"math"

	"masthead/render/palette"
)

const (
	barrierPasses = 4  // over all points, forth and back in turn
	barrierSlope  = 14 // how clearly what is apart from the border is told from the rest
)

// apart returns how far each sample point of a picture is apart from its border: the least of all ways from there, of
// which each is as long as the range of its colors. Ways through what is even, or changes gradually, are short, so sky,
// water and blurred grounds are near, however bright they are, and a thing in front of them is far. Source: Zhang et
// al., "Minimum Barrier Salient Object Detection at 80 FPS", ICCV 2015.
func apart(labs *[focusSide * focusSide]palette.Lab) *interest {
	out, farthest := new(interest), 0.0
	var values [focusSide * focusSide]float64
	for _, of := range [...]func(*palette.Lab) float64{
		func(c *palette.Lab) float64 { return c.L }, func(c *palette.Lab) float64 { return c.A },
		func(c *palette.Lab) float64 { return c.B },
	} {
		for k := range labs {
			values[k] = of(&labs[k])
		}
		addBarriers(out, &values)
	}
	for _, v := range out {
		farthest = max(farthest, v)
	}
	for k, v := range out {
		if farthest > 0 {
			out[k] = 1 / (1 + math.Exp(-barrierSlope*(v/farthest-.5)))
		}
	}
	return out
}

// addBarriers adds to each point the least range of values of the ways from the border to it.
func addBarriers(to *interest, values *[focusSide * focusSide]float64) {
	const side, inner = focusSide, focusSide - 2
	var least [side * side]float64
	low, high := *values, *values
	for k := range least {
		if i, j := k%side, k/side; min(i, j, side-1-i, side-1-j) > 0 {
			least[k] = math.Inf(1)
		}
	}
	for pass := range barrierPasses {
		for n := range inner * inner {
			k, before := (n/inner+1)*side+n%inner+1, -1
			if pass%2 == 1 {
				k, before = len(least)-1-k, 1
			}
			for _, from := range [2]int{k + before, k + before*side} {
				l, h := min(low[from], values[k]), max(high[from], values[k])
				if h-l < least[k] {
					least[k], low[k], high[k] = h-l, l, h
				}
			}
		}
	}
	for k, v := range least {
		to[k] += v
	}
}
