package render

import (
	"image"
	"image/color"
	"math"
	"sync"

	"masthead/render/paint"
	"masthead/render/palette"
)

// sampleSea is the picture of the invented page of [Sample]: a low sun over a calm sea.
var sampleSea = sync.OnceValue(func() *image.NRGBA {
	const w, h, horizon, sunX = 1600, 1000, 560, 1310
	hex := func(colors ...uint32) (out []color.NRGBA) {
		for _, c := range colors {
			out = append(out, palette.RGB(c))
		}
		return palette.Gradient(out...)
	}
	canvas := paint.NewRGBA(w, h, paint.Linear{
		Angle: paint.Down, To: horizon + 30, From: 0, Colors: hex(0x27406B, 0x6C6E9A, 0xD98F7A, 0xF9C784),
	})
	defer canvas.Release()
	glow := palette.RGB(0xFFE9B8)
	canvas.Glow(sunX, horizon-40, 620, 420, glow, paint.AlphaStop{Alpha: .75}, paint.AlphaStop{At: 1})
	canvas.GradientDisc(sunX, horizon-34, 92, hex(0xFFFBE8, 0xFFE3A1))
	canvas.Ridge(paint.Ridge{Base: horizon - 6, Amplitude: 26, Period: 260, Phase: 1, Colors: hex(0x8A6C86, 0x9A7486)})
	canvas.Paint(image.Rect(0, horizon, w, h), paint.Linear{
		Angle: paint.Down, Colors: hex(0xD8A184, 0x6F7396, 0x2C4468, 0x16263F),
	})
	// Waves: the nearer, the longer and the farther apart; those under the sun glitter.
	for y, step := float64(horizon)+6, 5.0; y < h; y, step = y+step, step*1.05 {
		for x, k := -40.0, 0; x < w; k++ {
			length := (40 + 60*(1+math.Sin(y*1.7+float64(k)*2.3))) * step / 9
			off := (x + length/2 - sunX) / (60 + 1.1*(y-horizon))
			sun := math.Exp(-off * off)
			ink := palette.Fade(palette.RGB(0x101E36), .10+.10*math.Sin(float64(k)+y))
			if math.Sin(y*.9+float64(k)*1.9) > .2 {
				ink = palette.Fade(palette.RGB(0xFFDFA6), .06+.62*sun)
			}
			canvas.RoundRect(image.Rect(int(x), int(y), int(x+length), int(y+max(step/3, 2))), step/6, ink)
			x += length * 1.35
		}
	}
	return copyOf(canvas)
})
