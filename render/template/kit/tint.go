package kit

import (
	"image"
	"image/color"

	"masthead/render/paint"
	"masthead/render/palette"
)

// Parameters of the tint of a shade, chosen by eye.
const (
	tintBand     = 8    // pixels, the height of rows whose light is added up
	tintReach    = 6    // bands to each side, over which it is smoothed, three times
	tintStrength = 1.15 // how much less of a channel is hidden that the light has more of
	tintLess     = .40  // the most that less is hidden of a channel
	tintMore     = .25  // … and more
	grayWeight   = .03  // of light without a color; the rest is by how colorful it is
)

// tint gives the shade behind texts the hue that the picture's light has at each height: what is white or yellow gets
// the color of dusk, and doesn't become gray or olive.
func (s *scrim) tint() {
	light := s.light()
	s.veil.Tint(func(y float64) (r, g, b float64) {
		at := light[min(int(y)/tintBand, len(light)-1)]
		most := max(at[0], at[1], at[2])
		if most == 0 {
			return 1, 1, 1
		}
		mean := (.2126*at[0] + .7152*at[1] + .0722*at[2]) / most
		share := func(channel float64) float64 {
			return min(max(1-tintStrength*(channel/most-mean), 1-tintLess), 1+tintMore)
		}
		return share(at[0]), share(at[1]), share(at[2])
	})
}

// light returns the color of the picture's light in bands of the canvas, smoothed: that of its colorful parts rather
// than of gray ones.
func (s *scrim) light() (bands [][3]float64) {
	bands = make([][3]float64, s.card.H/tintBand+2)
	s.plate.EveryOther(image.Rect(0, 0, s.card.W, s.card.H), func(x, y int, c *paint.Cell) bool {
		if x/paint.CellSide%8 > 1 { // a quarter of them is enough
			return true
		}
		m := c.Mean
		colorful := float64(max(m.R, m.G, m.B)-min(m.R, m.G, m.B)) / 255
		weight, band := palette.Luminance(m)*(grayWeight+colorful), &bands[y/tintBand]
		band[0] += weight * float64(m.R)
		band[1] += weight * float64(m.G)
		band[2] += weight * float64(m.B)
		return true
	})
	last := len(bands) - 1
	for range 3 {
		smooth := make([][3]float64, len(bands))
		for j := range bands {
			for k := j - tintReach; k <= j+tintReach; k++ {
				for i, channel := range bands[min(max(k, 0), last)] {
					smooth[j][i] += channel
				}
			}
		}
		bands = smooth
	}
	return bands
}

// seenTinted is [seen] through a shade that hides a part of each channel, and is never blurred.
func seenTinted(c *paint.Cell, ink color.NRGBA, parts *[3]int32, light, wanted bool) (mean, extreme color.NRGBA) {
	mix := func(v int32, over uint8, part int32) uint8 { return uint8(v + (int32(over)-v)*part>>8) }
	m := c.Mean
	mean = color.NRGBA{
		R: mix(int32(m.R), ink.R, parts[0]), G: mix(int32(m.G), ink.G, parts[1]), B: mix(int32(m.B), ink.B, parts[2]), A: 255,
	}
	if !wanted {
		return mean, color.NRGBA{}
	}
	off := int32(c.Low) - int32(c.Luma)
	if light {
		off = int32(c.High) - int32(c.Luma)
	}
	most := func(v, over uint8, part int32) uint8 { return mix(min(max(int32(v)+off, 0), 255), over, part) }
	return mean, color.NRGBA{
		R: most(m.R, ink.R, parts[0]), G: most(m.G, ink.G, parts[1]), B: most(m.B, ink.B, parts[2]), A: 255,
	}
}
