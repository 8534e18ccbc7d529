package kit

import (
	"image"
	"image/color"

	"masthead/render/paint"
	"masthead/render/palette"
)

// LightVariants is the number of pictures of a design with soft light: few enough to be cached.
const LightVariants = 8

// Light returns the soft light of a card, which draw creates for a variant chosen by the seed of the page.
func (c *Card) Light(scene string, draw func(lamp *paint.Lamp, variant int)) *paint.Light {
	variant := int(c.Seed % LightVariants)
	return paint.NewLight(paint.LightKey{
		Scene: scene, W: c.W, H: c.H, Accent: c.Theme.Accent, Dark: c.Theme.Dark, Variant: uint8(variant),
	}, func(lamp *paint.Lamp) { draw(lamp, variant) })
}

// Scatter returns a number from -1 to 1 for the i-th choice of a variant; neighbors differ much.
func Scatter(variant, i int) float64 {
	const golden = .6180339887
	at := float64(variant*3+i*5+1) * golden
	return 2*(at-float64(int(at))) - 1
}

// Hues between which a tone looks like olive or slime, unless the accent itself has such a hue.
const slimeFrom, slimeTo = 88, 156

// SoftTone is a tone of the accent in soft light: yellow becomes amber instead of olive, green doesn't turn to yellow,
// and a neutral accent has a hint of color.
func SoftTone(th *palette.Theme, l, k, dh float64) color.NRGBA {
	h := th.LCH.H
	switch {
	case th.Neutral:
		return palette.LCH{L: l, C: .012 * k, H: 260}.Color()
	case IsAmber(th): // from bright yellow down to amber
		h += min(max(.25*dh, -10), 4) - 38*min(max((.88-l)/.4, 0), 1)
		most := th.LCH.C
		if l < .4 { // a dark glowing amber is brown
			most = min(most, .04+.2*max(l-.15, 0))
		}
		return palette.LCH{L: l, C: min(th.LCH.C*k, most), H: h}.Color()
	case h > 115 && h+dh < slimeTo:
		dh = min(slimeTo-h, 0)
	case h < 50 && h+dh > slimeFrom:
		dh = slimeFrom - h
	}
	return th.Ramp(l, k, dh)
}

// IsAmber reports whether an accent is a yellow, whose darker tones are amber.
func IsAmber(th *palette.Theme) bool { return !th.Neutral && th.LCH.H >= 50 && th.LCH.H <= 115 }

// Parameters of calming.
const (
	calmTitle = 7.0                  // contrast of titles if the background allows it
	calmOther = palette.MinText + .3 // of all other texts, and of titles on their ink
	calmStep  = 4                    // distance between sampled pixels
	calmReach = 40                   // by which it extends beyond the text at full strength
)

// Calm draws an ink over the background as far as the placed texts need it: with one opacity for each column or, if
// down is set, each row. Icons and logos are where none is needed, or are drawn afterwards.
func (c *Card) Calm(down bool, ink color.NRGBA, within image.Rectangle) {
	within = within.Intersect(c.canvas.Bounds())
	n := within.Dx()
	if down {
		n = within.Dy()
	}
	need, any := make([]uint8, n), false
	for _, p := range c.texts {
		if p.Role == Monogram {
			continue
		}
		least := calmOther
		if p.Role == Title {
			least = max(min(calmTitle, .9*palette.Contrast(p.Color, ink)), calmOther)
		}
		for _, l := range p.Lines {
			box := p.Box(l.Ink).Inset(-calmStep).Intersect(within)
			for y := box.Min.Y; y < box.Max.Y; y += calmStep {
				for x := box.Min.X; x < box.Max.X; x += calmStep {
					at := x - within.Min.X
					if down {
						at = y - within.Min.Y
					}
					if a := hidden(c.canvas.At(x, y), ink, p.Color, least, need[at]); a > need[at] {
						any = true
						for k := range min(calmStep, n-at) {
							need[at+k] = max(need[at+k], a)
						}
					}
				}
			}
		}
	}
	if any {
		c.canvas.ScrimAlong(within, down, ink, smoothed(need))
	}
}

// hidden returns how much of a background an ink must hide, starting at a minimum opacity, to give a text a contrast.
func hidden(background, ink, text color.NRGBA, contrast float64, from uint8) uint8 {
	enough := func(a int) bool {
		mix := func(g, i uint8) uint8 { return uint8((int(g)*(255-a) + int(i)*a + 127) / 255) }
		return palette.Contrast(color.NRGBA{R: mix(background.R, ink.R), G: mix(background.G, ink.G), B: mix(background.B, ink.B)},
			text) >= contrast
	}
	low, high := int(from), 255
	if enough(low) {
		return from
	}
	for low < high {
		if mid := (low + high) / 2; enough(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return uint8(high)
}

// smoothed returns opacities that are nowhere less than those given, and change slowly.
func smoothed(need []uint8) []uint8 {
	n := len(need)
	wide := make([]uint8, n) // the maximum within the reach
	for i := range wide {
		for k := max(i-2*calmReach, 0); k < min(i+2*calmReach+1, n); k++ {
			wide[i] = max(wide[i], need[k])
		}
	}
	for range 2 { // means of means fall off like a bell curve
		sums := make([]int, n+1)
		for i, v := range wide {
			sums[i+1] = sums[i] + int(v)
		}
		for i := range wide {
			from, to := max(i-calmReach, 0), min(i+calmReach+1, n)
			wide[i] = uint8((sums[to] - sums[from] + to - from - 1) / (to - from))
		}
	}
	return wide
}

// Parameters of the fade behind a logo.
const (
	fadeOpacity = .92
	fadeReach   = 170 // over which it ends, in pixels
)

// FadeBehindLogo fades the light into the background color of the theme behind a logo in a corner at the end of lines,
// or in any corner, starting at the edge of the card.
func (c *Card) FadeBehindLogo(at Corners, anywhere bool) {
	if c.Logo == nil || c.HasPicture() || !anywhere && (c.Corner.Right == c.RTL) {
		return
	}
	opacity := make([]uint8, c.H)
	for y := range opacity {
		beyond := float64(y-at.Upper.Middle-at.Upper.MaxH*3/4) - c.down
		if c.Corner.Bottom {
			beyond = float64(at.Lower.Middle-at.Lower.MaxH*3/4-y) + c.down
		}
		opacity[y] = uint8(255 * fadeOpacity * (1 - paint.Ease(beyond/fadeReach)))
	}
	c.canvas.ScrimAlong(c.canvas.Bounds(), true, c.Theme.BG, opacity)
}
