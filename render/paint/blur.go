package paint

import (
	"image"
	"math"
)

// Blur returns a mask after a Gaussian blur of the given sigma, larger by three sigmas on each side; the shadow of a
// path is its blurred mask, drawn with SoftMask. Three box blurs by running sums stand for the Gaussian: the time does
// not depend on sigma.
//
// Source: P. Kovesi, "Fast Almost-Gaussian Filtering", 2010.
func Blur(mask *image.Alpha, sigma float64) *image.Alpha {
	grow := int(math.Ceil(3 * max(sigma, 0)))
	out := image.NewAlpha(mask.Rect.Inset(-grow))
	w := mask.Rect.Dx()
	for y := range mask.Rect.Dy() {
		copy(out.Pix[(y+grow)*out.Stride+grow:], mask.Pix[y*mask.Stride:][:w])
	}
	blur(out.Pix, out.Rect.Dx(), out.Rect.Dy(), 1, sigma)
	return out
}

// BlurPicture returns a picture after a Gaussian blur; its edges repeat, so that it does not darken or fade there.
// Alpha is taken as opaque. For large sigmas blur a reduced picture and enlarge it (see Scale): that is sixteen times
// faster at a quarter.
func BlurPicture(img *image.NRGBA, sigma float64) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		copy(out.Pix[y*out.Stride:], img.Pix[y*img.Stride:][:4*w])
	}
	blur(out.Pix, w, h, 4, sigma)
	return out
}

// blur blurs a block of w×h pixels of so many channels in place.
func blur(pix []uint8, w, h, channels int, sigma float64) {
	if sigma <= 0 || w == 0 || h == 0 {
		return
	}
	n := max(w, h)
	line := make([]uint16, n)
	for _, radius := range boxRadii(sigma) {
		for ch := range channels {
			for y := range h {
				boxLine(pix[y*w*channels+ch:], channels, w, radius, line)
			}
			for x := range w {
				boxLine(pix[x*channels+ch:], w*channels, h, radius, line)
			}
		}
	}
}

// boxRadii returns the radii of the three box blurs whose variance is nearest to that of the Gaussian.
func boxRadii(sigma float64) [3]int {
	ideal := math.Sqrt(12*sigma*sigma/3 + 1)
	low := int(ideal)
	if low%2 == 0 {
		low--
	}
	l := float64(low)
	m := int(math.Round((12*sigma*sigma - 3*l*l - 12*l - 9) / (-4*l - 4)))
	var r [3]int
	for i := range r {
		size := low
		if i >= m {
			size += 2
		}
		r[i] = (size - 1) / 2
	}
	return r
}

// boxLine blurs one row or column of n pixels that lie step bytes apart. What lies outside is as the nearest pixel.
func boxLine(pix []uint8, step, n, radius int, line []uint16) {
	if radius < 1 {
		return
	}
	radius = min(radius, n)
	line = line[:n]
	for i := range line {
		line[i] = uint16(pix[i*step])
	}
	width := 2*radius + 1
	// The reciprocal in 8.24 fixed point; sums stay below 2^8·8193.
	scale := uint64((1<<24 + width/2) / width)
	sum := int(line[0]) * radius
	for i := 0; i < radius; i++ {
		sum += int(line[min(i, n-1)])
	}
	for i := range n {
		sum += int(line[min(i+radius, n-1)])
		pix[i*step] = uint8((uint64(sum)*scale + 1<<23) >> 24)
		sum -= int(line[max(i-radius, 0)])
	}
}
