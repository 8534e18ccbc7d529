package render

import (
	"image"
	"image/color"
	"math"
	"sync"
)

// sampleThing draws a mug without a background, as shops show things: the picture of the sample of the design product.
var sampleThing = sync.OnceValue(func() *image.NRGBA {
	const side = 720
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			u, v := (float64(x)-310)/230, (float64(y)-90)/540 // of the body: across from -1 to 1, down from 0 to 1
			wide := 1 - .22*math.Pow(max(v, 0), 3)
			shade := func(u float64) float64 { return .30 + .42*math.Exp(-12*(u+.35)*(u+.35)) + .10*u }
			ink := func(l float64) {
				img.SetNRGBA(x, y, color.NRGBA{uint8(40 + 110*l), uint8(52 + 120*l), uint8(96 + 140*l), 255})
			}
			ring := math.Hypot((float64(x)-540)/120, (float64(y)-330)/150)
			top := u*u + math.Pow((float64(y)-100)/46, 2)
			foot := v <= 1 || math.Hypot(u/(.78*1), (v-1)/.055) < 1
			switch {
			case top < .84:
				l := .08 + .05*v
				img.SetNRGBA(x, y, color.NRGBA{uint8(58 + 90*l), uint8(34 + 60*l), uint8(20 + 40*l), 255})
			case top < 1:
				ink(.75 - .15*u)
			case v > .02 && foot && math.Abs(u) < wide:
				ink(shade(u / wide))
			case ring > .66 && ring < 1 && x > 480:
				ink(.24 + .30*math.Exp(-40*(ring-.78)*(ring-.78)))
			}
		}
	}
	return img
})
