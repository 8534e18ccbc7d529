package paint_test

import (
	"fmt"
	"image"

	"github.com/fogleman/gg"

	"masthead/render/encode"
	"masthead/render/paint"
	"masthead/render/palette"
)

func Example() {
	th := palette.New(palette.RGB(0x4F46E5), true)
	c := paint.New(1200, 630, paint.Solid(th.BG))
	defer c.Release()

	c.Fill(image.Rect(72, 72, 1128, 74), th.Line)
	c.Fill(image.Rect(72, 70, 168, 76), th.Gfx)
	c.RoundRect(image.Rect(72, 530, 112, 570), 9.6, th.Fill)
	c.Path(image.Rect(800, 200, 1128, 528), th.AccentText, func(g *gg.Context) {
		g.DrawCircle(964, 364, 160)
		g.SetLineWidth(2)
		g.Stroke()
	})

	pic, err := encode.Encode(c.Image(), encode.OG)
	fmt.Println(pic.ContentType, err, c.Indexed(), len(pic.Bytes) < 10_000)
	// Output: image/png <nil> true true
}
