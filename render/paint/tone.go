package paint

import (
	"image/color"
)

// Tone changes the colors of a picture under a card. It is comparable. The zero value changes nothing.
type Tone struct {
	// Accent tints the picture: a tenth, in soft light.
	Accent color.NRGBA
	// Dark and Light, if opaque, replace the colors of the picture: its darkest parts become Dark, its lightest Light (a
	// duotone).
	Dark, Light color.NRGBA
}

// Source of these numbers: docs/rendering.md#pictures-behind-text.
const (
	accentShare = .10 // of the accent
	maxChroma   = 1.15
	// chromaSlack is how much color, in 8-bit levels of the mean difference of channels, an almost colorless picture may
	// gain: a gray one takes on the tone of the accent, too.
	chromaSlack = 5
)

// apply tones pixels of four bytes each.
func (t Tone) apply(pix []uint8) {
	switch {
	case t.Dark.A != 0:
		t.duotone(pix)
	case t.Accent.A != 0:
		t.unify(pix)
	}
}

// unify blends the accent over pixels in soft light, with less of it if the picture would become gaudy.
func (t Tone) unify(pix []uint8) {
	const sample = 4 * 61 // every 61st pixel
	share := accentShare
	var r, g, b [256]uint8
	for range 4 {
		r, g, b = softLight(t.Accent.R, share), softLight(t.Accent.G, share), softLight(t.Accent.B, share)
		before, after, n := 0, 0, 0
		for i := 0; i+3 < len(pix); i += sample {
			x, y, z := pix[i], pix[i+1], pix[i+2]
			before += int(max(x, y, z) - min(x, y, z))
			x, y, z = r[x], g[y], b[z]
			after, n = after+int(max(x, y, z)-min(x, y, z)), n+1
		}
		if float64(after) <= maxChroma*float64(before)+chromaSlack*float64(n) {
			break
		}
		share /= 2
	}
	for i := 0; i+3 < len(pix); i += 4 {
		p := pix[i : i+4 : i+4]
		p[0], p[1], p[2] = r[p[0]], g[p[1]], b[p[2]]
	}
}

// softLight returns a channel under a share of the accent's. Source: W3C Compositing and Blending Level 1, in the
// variant without a discontinuity (Pegtop's).
func softLight(accent uint8, share float64) (table [256]uint8) {
	s := float64(accent) / 255
	for i := range table {
		b := float64(i) / 255
		table[i] = round8(255 * (b + share*((1-2*s)*b*b+2*s*b-b)))
	}
	return table
}

// tails is the share of the darkest and of the lightest pixels of a picture that are clipped in a duotone.
const tails = .02

// duotone maps the luminance of pixels to a range between two colors: the full range, however pale the picture is.
func (t Tone) duotone(pix []uint8) {
	var count [256]int
	for i := 0; i+3 < len(pix); i += 4 * 7 {
		count[luma(pix[i:])]++
	}
	total := 0
	for _, n := range count {
		total += n
	}
	low, high := 0, 255
	for n := 0; low < 254; low++ {
		if n += count[low]; float64(n) > tails*float64(total) {
			break
		}
	}
	for n := 0; high > low+1; high-- {
		if n += count[high]; float64(n) > tails*float64(total) {
			break
		}
	}
	// A picture of one tone stays so: its range is stretched to at most three times.
	if spread := 85; high-low < spread {
		mid := (high + low) / 2
		low, high = max(mid-spread/2, 0), min(mid+spread/2, 255)
	}
	var table [256][3]uint8
	for i := range table {
		f := min(max(float64(i-low)/float64(high-low), 0), 1)
		table[i] = [3]uint8{
			round8(lerp(t.Dark.R, t.Light.R, f)), round8(lerp(t.Dark.G, t.Light.G, f)), round8(lerp(t.Dark.B, t.Light.B, f)),
		}
	}
	for i := 0; i+3 < len(pix); i += 4 {
		p := pix[i : i+4 : i+4]
		c := table[luma(p)]
		p[0], p[1], p[2] = c[0], c[1], c[2]
	}
}

// luma returns the luminance of a pixel as in JPEG. Source: JFIF 1.02.
func luma(p []uint8) uint8 {
	return uint8((19595*uint32(p[0]) + 38470*uint32(p[1]) + 7471*uint32(p[2]) + 1<<15) >> 16)
}
