package encode_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"testing"

	"masthead/render/encode"
	"masthead/render/paint"
	"masthead/render/palette"
)

// cards are the kinds of picture that a service makes all day, 1200×630.
func cards() map[string]image.Image {
	th := palette.New(palette.RGB(0x4F46E5), true)
	colors := palette.Gradient(th.Ramp(.42, .8, -25), th.Ramp(.28, .9, 25))
	gradient := paint.Linear{Angle: paint.DownRight, Colors: colors}
	draw := func(c *paint.Canvas) image.Image {
		for i := range 130 { // as many edges as a title and a description have
			x, y := float64(90+i%26*38), float64(150+i/26*70)
			c.Ring(x, y, float64(9+i%4*2), 5, th.Text)
			c.Fill(image.Rect(int(x)+18, int(y)-20, int(x)+24, int(y)+18), th.Text)
		}
		return c.Image()
	}
	return map[string]image.Image{
		"flat":   draw(paint.New(1200, 630, paint.Solid(th.BG))),
		"linear": draw(paint.New(1200, 630, gradient, th.Text)),
		"rgb":    draw(paint.NewRGBA(1200, 630, gradient)),
		"glows":  draw(glows(th)),
		"photo":  smooth(1200, 630),
	}
}

// glows returns a background of soft lights in all colors.
func glows(th palette.Theme) *paint.Canvas {
	c := paint.NewRGBA(1200, 630, paint.Solid(th.BG))
	for _, g := range []struct{ x, y, l, k, dh float64 }{
		{960, 80, .62, 1.15, 0}, {1130, 430, .58, 1, 42}, {820, 640, .45, .9, 18}, {180, 700, .36, .7, -60},
	} {
		c.Glow(g.x, g.y, 480, 480, th.Ramp(g.l, g.k, g.dh), paint.AlphaStop{Alpha: 1}, paint.AlphaStop{At: 1})
	}
	return c
}

func BenchmarkEncode(b *testing.B) {
	all := cards()
	for _, name := range []string{"flat", "linear", "rgb", "glows", "photo"} {
		for _, l := range []struct {
			name   string
			limits encode.Limits
		}{{"fast", encode.OG}, {"thorough", thorough(encode.OG)}} {
			b.Run(name+"/"+l.name, func(b *testing.B) {
				b.ReportAllocs()
				var pic encode.File
				for b.Loop() {
					pic, _ = encode.Encode(all[name], l.limits)
				}
				b.ReportMetric(float64(len(pic.Bytes)), "bytes")
			})
		}
	}
}

// The standard library on the same cards, for comparison.
func BenchmarkStandardLibrary(b *testing.B) {
	all := cards()
	for _, name := range []string{"flat", "linear", "rgb"} {
		b.Run("png/"+name, func(b *testing.B) {
			b.ReportAllocs()
			var out bytes.Buffer
			for b.Loop() {
				out.Reset()
				_ = png.Encode(&out, all[name])
			}
			b.ReportMetric(float64(out.Len()), "bytes")
		})
	}
	for _, name := range []string{"glows", "photo"} {
		b.Run("jpeg/"+name, func(b *testing.B) {
			b.ReportAllocs()
			var out bytes.Buffer
			for b.Loop() {
				out.Reset()
				_ = jpeg.Encode(&out, all[name], &jpeg.Options{Quality: encode.MaxQuality})
			}
			b.ReportMetric(float64(out.Len()), "bytes")
		})
	}
}
