package motif

import (
	"image"
	"image/color"
	"math"
	"slices"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
)

// Parameters of the dots.
const (
	halftonePitch = 32
	halftoneRow   = 28  // of an approximately equilateral triangle
	halftoneLeast = 1.5 // radius of a dot in the shade
	halftoneMost  = 14  // by which one in the light is larger
	halftoneInks  = 10  // colors, and sizes: finer steps are invisible, and take twice the bytes
	halftoneFade  = 260 // over which they grow from there on
)

// DrawBall draws a ball of dots around a center in the layout.
func DrawBall(c *kit.Card, cx, cy, r float64) {
	inks := halftoneInksOf(&c.Theme)
	eachHalftoneDot(cx-r, float64(c.W), float64(c.H), func(x, y float64) {
		nx, ny := (x-cx)/r, (y-cy)/r
		depth := 1 - nx*nx - ny*ny
		if depth < 0 {
			return
		}
		light := max(0, -.55*nx-.5*ny+.67*math.Sqrt(depth))
		drawHalftoneDot(c, inks, x, y, min(light, 1), 1)
	})
}

// DrawDots draws the picture of the card in dots: the more it differs from the background, the larger.
// within returns how far a place in the layout is from the texts: from there on dots grow.
func DrawDots(c *kit.Card, at image.Rectangle, within func(x, y float64) float64) {
	area := c.MotifRect(at.Min.X, at.Min.Y, at.Dx(), at.Dy())
	plate := c.Plate(area)
	type dot struct{ x, y, light float64 }
	var dots []dot
	eachHalftoneDot(float64(at.Min.X), float64(c.W), float64(at.Max.Y), func(x, y float64) {
		at := image.Pt(int(c.MotifX(x)), int(y)).Sub(area.Min)
		sum, n := 0.0, 0.0
		plate.Cells(image.Rectangle{Min: at, Max: at}.Inset(-halftonePitch/2), func(_, _ int, cell *paint.Cell) {
			sum, n = sum+float64(cell.Luma)/255, n+1
		})
		if n > 0 {
			dots = append(dots, dot{x, y, sum / n})
		}
	})
	if len(dots) == 0 {
		return
	}
	// The full range of dots is used, whatever the picture's.
	lights := make([]float64, len(dots))
	for i, d := range dots {
		lights[i] = d.light
	}
	slices.Sort(lights)
	low, high := lights[len(lights)/20], lights[len(lights)-1-len(lights)/20]
	inks := halftoneInksOf(&c.Theme)
	for _, d := range dots {
		light := min(max((d.light-low)/max(high-low, .1), 0), 1)
		if !c.Theme.Dark {
			light = 1 - light
		}
		drawHalftoneDot(c, inks, d.x, d.y, light, paint.Ease(within(d.x, d.y)/halftoneFade))
	}
}

// eachHalftoneDot calls use with the centers of dots from an x on, in the layout: on whole pixels, so that dots of a
// size are identical, and compress to a third.
func eachHalftoneDot(from, w, h float64, use func(x, y float64)) {
	for j := 0; float64(j*halftoneRow) < h+halftonePitch; j++ {
		x := halftonePitch * (math.Floor(from/halftonePitch) + .5*float64(j%2))
		for ; x < w+halftonePitch; x += halftonePitch {
			if x >= from {
				use(x, float64(j*halftoneRow))
			}
		}
	}
}

// drawHalftoneDot draws a dot for a luminance, 0 to 1, at a position in the layout.
func drawHalftoneDot(c *kit.Card, inks []color.NRGBA, x, y, light, size float64) {
	step := math.Round(size * light * (halftoneInks - 1))
	c.Canvas().Disc(c.MotifX(x), y, halftoneLeast+halftoneMost*step/(halftoneInks-1), inks[int(step)])
}

// halftoneInksOf returns the colors of dots from the shade to the light.
func halftoneInksOf(th *palette.Theme) []color.NRGBA {
	inks := make([]color.NRGBA, halftoneInks)
	for i := range inks {
		light := float64(i) / (halftoneInks - 1)
		l, dh := .80-.26*light, -40*(1-light)
		switch {
		case th.Dark:
			l = .42 + .36*light
		case th.Yellow(): // a dark yellow looks olive
			l, dh = .80-.14*light, -25*light
		}
		inks[i] = th.Ramp(l, 1, dh)
	}
	return inks
}
