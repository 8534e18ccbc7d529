package encode

import "image"

// shown is how far the color of a sample may be from that of its pixel, in 8-bit levels, before it is visible at small
// text that four pixels share it. Source: by eye, from labels in 24 px and hosts in 30 px over pictures, compared at
// twice their size: pale labels on dark backgrounds have 16 at most, white on red and yellow on black 34 and more.
const shown = 26

// shownShare is the share of the groups of four pixels under a text that must differ for it to be visible.
const shownShare = .05

// colorShows reports whether text in one of the rectangles would visibly lose its color if four pixels share one color
// sample: with 4:2:0 a thin stroke takes on half of its background.
func colorShows(pix []uint8, stride int, size image.Point, texts []image.Rectangle) bool {
	for _, r := range texts {
		r = r.Intersect(image.Rectangle{Max: size.Sub(image.Pt(1, 1))})
		off, all := 0, 0
		for y := r.Min.Y &^ 1; y < r.Max.Y; y += 2 {
			for x := r.Min.X &^ 1; x < r.Max.X; x += 2 {
				if all++; groupDeviation(pix[y*stride+4*x:], stride) > shown {
					off++
				}
			}
		}
		if float64(off) > shownShare*float64(all) {
			return true
		}
	}
	return false
}

// groupDeviation returns the maximum difference between the colors of 2×2 pixels and their mean.
func groupDeviation(pix []uint8, stride int) int {
	var cb, cr [4]int
	var sumB, sumR int
	for i, at := range [4]int{0, 4, stride, stride + 4} {
		r, g, b := int(pix[at]), int(pix[at+1]), int(pix[at+2])
		cb[i], cr[i] = (-11059*r-21709*g+32768*b)>>16, (32768*r-27439*g-5329*b)>>16
		sumB, sumR = sumB+cb[i], sumR+cr[i]
	}
	most := 0
	for i := range cb {
		dB, dR := 4*cb[i]-sumB, 4*cr[i]-sumR
		most = max(most, dB, -dB, dR, -dR)
	}
	return most / 4
}
