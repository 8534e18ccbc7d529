package render

import (
	"image"
	"image/draw"
	"sync"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
)

// samplePortrait is the picture of the author of the invented page of [Sample]: head and shoulders before a wall.
var samplePortrait = sync.OnceValue(func() *image.NRGBA {
	const w, h = 640, 800
	canvas := paint.NewRGBA(w, h, paint.Linear{
		Angle: paint.DownRight, Colors: palette.Gradient(palette.RGB(0xE8D9C4), palette.RGB(0xB89F86)),
	})
	defer canvas.Release()
	fill := func(color uint32, shape func(g *gg.Context)) {
		m := paint.PathMask(image.Rect(0, 0, w, h), func(g *gg.Context) { shape(g); g.Fill() })
		canvas.Mask(m.Rect.Min.X, m.Rect.Min.Y, m, palette.RGB(color))
	}
	fill(0x2A1E1B, func(g *gg.Context) { g.DrawEllipse(320, 300, 158, 190) }) // hair
	fill(0x2A1E1B, func(g *gg.Context) { g.DrawRoundedRectangle(166, 290, 308, 230, 70) })
	fill(0x7A4A35, func(g *gg.Context) { g.DrawRoundedRectangle(262, 400, 116, 170, 50) }) // neck
	fill(0x1F4E5F, func(g *gg.Context) { g.DrawEllipse(320, 800, 290, 260) })              // coat
	fill(0xF3EFE6, func(g *gg.Context) {                                                   // collar
		g.MoveTo(246, 548)
		g.LineTo(320, 664)
		g.LineTo(394, 548)
		g.CubicTo(370, 590, 270, 590, 246, 548)
		g.ClosePath()
	})
	fill(0x8E5A42, func(g *gg.Context) { g.DrawEllipse(320, 320, 112, 146) }) // face
	fill(0x2A1E1B, func(g *gg.Context) {
		g.MoveTo(200, 300)
		g.CubicTo(220, 190, 380, 150, 440, 300)
		g.CubicTo(400, 240, 300, 230, 200, 300)
		g.ClosePath()
	})
	for _, x := range [...]float64{276, 364} {
		fill(0x24140F, func(g *gg.Context) { g.DrawEllipse(x, 318, 13, 8) })
		fill(0x3B241C, func(g *gg.Context) { g.DrawRoundedRectangle(x-26, 290, 52, 8, 4) })
	}
	fill(0x74432F, func(g *gg.Context) { g.DrawRoundedRectangle(308, 330, 24, 46, 12) })
	fill(0x5E2F28, func(g *gg.Context) { g.DrawEllipse(320, 404, 38, 10) })
	return copyOf(canvas)
})

// copyOf returns the pixels of a canvas as a picture of its own.
func copyOf(canvas *paint.Canvas) *image.NRGBA {
	out := image.NewNRGBA(canvas.Bounds())
	draw.Draw(out, out.Rect, canvas.Image(), image.Point{}, draw.Src)
	return out
}

// sampleScreen is the screenshot of the invented page of [Sample]: a sidebar, a chart and a table.
var sampleScreen = sync.OnceValue(func() *image.NRGBA {
	const w, h = 1440, 900
	canvas := paint.NewRGBA(w, h, paint.Solid(palette.RGB(0xF7F8FA)))
	defer canvas.Release()
	box := func(x, y, wide, high int, radius float64, color uint32) {
		canvas.RoundRect(image.Rect(x, y, x+wide, y+high), radius, palette.RGB(color))
	}
	box(0, 0, 260, h, 0, 0x1B2130)
	box(36, 40, 40, 40, 10, 0x6C7BFF)
	box(92, 50, 110, 20, 6, 0xC8CEDC)
	for i := range 7 {
		if i == 1 {
			box(20, 132+i*58, 220, 46, 10, 0x2E3750)
		}
		box(36, 145+i*58, 20, 20, 5, 0x5D6784)
		box(70, 147+i*58, 80+i*37%70, 16, 5, 0x8791AB)
	}
	box(300, 40, 260, 30, 8, 0x2A3040)
	box(1210, 36, 190, 44, 10, 0x4F5DEB)
	for i := range 3 {
		box(300+i*374, 112, 350, 130, 14, 0xFFFFFF)
		box(324+i*374, 136, 110, 14, 5, 0xA9B0BF)
		box(324+i*374, 172, 150-i*20, 34, 8, 0x2A3040)
	}
	box(300, 270, 1098, 280, 14, 0xFFFFFF)
	for i := range 24 {
		high := 40 + (i*i*13+i*29)%150
		box(336+i*43, 520-high, 26, high, 5, 0x8E99FF)
	}
	box(300, 578, 1098, 300, 14, 0xFFFFFF)
	for i := range 5 {
		box(300, 578+56*(i+1), 1098, 2, 0, 0xE6E8EE)
		for j, x := range [...]int{330, 650, 900, 1150} {
			box(x, 598+56*i, 90+(i*31+j*47)%110, 16, 5, [...]uint32{0x4A5163, 0xB4BAC8}[min(1, i*j)])
		}
	}
	return copyOf(canvas)
})
