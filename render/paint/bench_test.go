package paint_test

import (
	"image"
	"image/color"
	"testing"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
)

// The stages of a 1200×630 card, one by one. What they are measured against: docs of the rendering pipeline.

const cardW, cardH = 1200, 630

var (
	slate    = []color.NRGBA{palette.RGB(0x0F172A), palette.RGB(0x4338CA)}
	diagonal = paint.Linear{Angle: paint.DownRight, Colors: slate}
	inks     = []color.NRGBA{white, palette.RGB(0xCBD5E1), palette.RGB(0xE2E8F0)}
)

func BenchmarkBackground(b *testing.B) {
	th := palette.New(palette.RGB(0x4F46E5), true)
	for _, g := range []struct {
		name       string
		background paint.Background
		rgba       bool
	}{
		{"solid/indexed", paint.Solid(th.BG), false},
		{"solid/rgba", paint.Solid(th.BG), true},
		{"linear/indexed", diagonal, false},
		{"linear/rgba", diagonal, true},
	} {
		b.Run(g.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if g.rgba {
					paint.NewRGBA(cardW, cardH, g.background).Release()
				} else {
					paint.New(cardW, cardH, g.background, inks...).Release()
				}
			}
		})
	}
}

// A theme that was not seen before: its palette is worked out anew.
func BenchmarkGradientPalette(b *testing.B) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		g := diagonal
		g.Colors = []color.NRGBA{slate[0], {R: uint8(i), G: uint8(i >> 8), B: 220, A: 255}}
		paint.New(64, 64, g, inks...).Release()
	}
}

// bench draws on one warm canvas, indexed and RGBA.
func bench(b *testing.B, background paint.Background, draw func(c *paint.Canvas)) {
	for _, rgba := range []bool{false, true} {
		name := "indexed"
		if rgba {
			name = "rgba"
		}
		b.Run(name, func(b *testing.B) {
			c := paint.New(cardW, cardH, background, inks...)
			defer c.Release()
			if rgba {
				c.Upgrade()
			}
			b.ReportAllocs()
			for b.Loop() {
				draw(c)
			}
		})
	}
}

// About 190 glyphs: a title, a description and a byline.
func BenchmarkText(b *testing.B) {
	masks := glyphs()
	bench(b, diagonal, func(c *paint.Canvas) {
		letters(c, 80, 60, 1000, 5, white, masks)
		letters(c, 80, 400, 1000, 2, inks[1], masks)
	})
}

func BenchmarkRoundRect(b *testing.B) {
	bench(b, paint.Solid(black), func(c *paint.Canvas) { c.RoundRect(image.Rect(100, 65, 1100, 565), 20, white) })
}

func BenchmarkDisc(b *testing.B) {
	bench(b, paint.Solid(black), func(c *paint.Canvas) { c.Disc(600, 315, 250, white) })
}

func BenchmarkShadow(b *testing.B) {
	bench(b, paint.Solid(white), func(c *paint.Canvas) {
		c.Shadow(image.Rect(100, 65, 1100, 565), 20, 24, 12, palette.Fade(black, .35))
	})
}

func BenchmarkScrim(b *testing.B) {
	bench(b, paint.Solid(white), func(c *paint.Canvas) {
		c.Scrim(c.Bounds(), paint.Right, black, paint.AlphaStop{Alpha: .8}, paint.AlphaStop{At: 1})
	})
}

func BenchmarkGlow(b *testing.B) {
	bench(b, paint.Solid(black), func(c *paint.Canvas) {
		c.Glow(600, 170, 640, 360, slate[1], paint.AlphaStop{Alpha: .75}, paint.AlphaStop{At: 1})
	})
}

func BenchmarkPath(b *testing.B) {
	bench(b, paint.Solid(black), func(c *paint.Canvas) {
		c.Path(image.Rect(390, 105, 810, 525), white, func(g *gg.Context) {
			g.DrawCircle(600, 315, 208)
			g.SetLineWidth(2)
			g.Stroke()
		})
	})
}

func BenchmarkPicture(b *testing.B) {
	flat := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range flat.Pix {
		flat.Pix[i] = []uint8{249, 115, 22, 255}[i%4]
	}
	for name, img := range map[string]*image.NRGBA{"flat": flat, "gradient": logo(64)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c := paint.New(200, 200, diagonal, inks...)
				c.Picture(img, image.Rect(80, 64, 144, 128), 14)
				c.Release()
			}
		})
	}
}

func BenchmarkCover(b *testing.B) {
	img := photo(2400, 1600)
	b.ReportAllocs()
	for b.Loop() {
		paint.Cover(img, cardW, cardH, .5, .5)
	}
}

func BenchmarkBlurPicture(b *testing.B) {
	img := photo(cardW/4, cardH/4)
	b.ReportAllocs()
	for b.Loop() {
		paint.BlurPicture(img, 5)
	}
}

// BenchmarkSilk draws the figure of a silk, which is kept, and lays a kept one onto a card.
func BenchmarkSilk(b *testing.B) {
	s := paint.Silk{
		From: paint.Curve{{560, 1000}, {980, 760}, {900, 260}, {1700, -120}},
		To:   paint.Curve{{1240, 1080}, {1000, 420}, {1560, 640}, {1760, 300}}, Strokes: 120, Width: 15,
	}
	at := image.Rect(480, 0, 1600, 900)
	b.Run("figure", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Levels(at)
		}
	})
	figure, colors := s.Levels(at), make([]color.NRGBA, s.Strokes)
	for i := range colors {
		colors[i] = color.NRGBA{R: uint8(2 * i), G: uint8(255 - 2*i), B: uint8(i), A: 255}
	}
	b.Run("onto a card", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c := paint.New(1600, 900, paint.Solid{A: 255})
			c.Levels(figure, colors, false)
			c.Release()
		}
	})
}
