package paint

import (
	"image/color"
	"math"
)

// Ridge is a line of hills that is cut off by the lower edge of the card.
type Ridge struct {
	// Base is the mean height of its crest; Amplitude how far that goes up and down, in waves no shorter than a Period.
	// All are in pixels.
	Base, Amplitude, Period float64
	Phase                   float64 // in periods
	// Colors go from the highest point of the crest to the lower edge, evenly spaced.
	Colors []color.NRGBA
	Mirror bool // left and right are swapped
}

// crest returns the height of the crest at x: the sum of two waves without a visible period.
func (r *Ridge) crest(x float64) float64 {
	at := 2 * math.Pi * (x/r.Period + r.Phase)
	return r.Base - r.Amplitude*(.68*math.Sin(at*.29)+.32*math.Sin(at*.71+1.3))
}

// Ridge fills a ridge, its crest with soft steps of coverage and each row in one color.
func (c *Canvas) Ridge(r Ridge) {
	if !(r.Period > 0) || len(r.Colors) == 0 {
		return
	}
	crests := make([]float64, c.w)
	top, low := float64(c.h), 0.0
	for i := range crests {
		x := float64(i) + .5
		if r.Mirror {
			x = float64(c.w) - x
		}
		crests[i] = r.crest(x)
		top, low = min(top, crests[i]), max(low, crests[i])
	}
	noise := noiseRow(0)
	cov := make([]uint8, c.w)
	for y := max(int(top)-1, c.clip.Min.Y, 0); y < c.clip.Max.Y; y++ {
		p := colorAt(r.Colors, (float64(y)+.5-top)/(float64(c.h)-top))
		if float64(y) > low+1 && c.rgba != nil && c.mask == nil {
			if c.dither {
				noise = noiseRow(y)
			}
			c.levelRow(y, p, noise)
			continue
		}
		for i, crest := range crests {
			cov[i] = coverage(float64(y) + 1 - crest)
		}
		c.row(y, 0, cov, c.brush(color.NRGBA{R: round8(p[0]), G: round8(p[1]), B: round8(p[2]), A: 255}))
	}
}

// levelRow fills a row with a color between two 8-bit levels, dithered if the canvas is.
func (c *Canvas) levelRow(y int, p [3]float64, noise []uint8) {
	dst := c.rgba.Pix[4*(y*c.w+c.clip.Min.X):][:4*c.clip.Dx()]
	if !c.dither {
		fill32(dst, color.NRGBA{R: round8(p[0]), G: round8(p[1]), B: round8(p[2])})
		return
	}
	// The noise repeats, and so does the row.
	var fine [3]uint32
	for k, v := range p {
		fine[k] = uint32(min(max(v, 0), 255) * 256)
	}
	n := min(4*noiseSide, len(dst))
	for i := 0; i < n; i += 4 {
		t := uint32(noise[i/4])
		dst[i], dst[i+1], dst[i+2] = uint8((fine[0]+t)>>8), uint8((fine[1]+t)>>8), uint8((fine[2]+t)>>8)
		dst[i+3] = 255
	}
	for k := n; k < len(dst); k *= 2 {
		copy(dst[k:], dst[:k])
	}
}
