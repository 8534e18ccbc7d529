package icon_test

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/disintegration/imaging"

	"masthead/render/golden"
	"masthead/render/icon"
	"masthead/render/palette"
)

// fine draws at a multiple of the size and reduces, so that edges are soft as those of real icons.
func fine(w, h int, paint func(img *image.NRGBA)) *image.NRGBA {
	factor := 4
	if w > 64 {
		factor = 2
	}
	img := image.NewNRGBA(image.Rect(0, 0, factor*w, factor*h))
	paint(img)
	return imaging.Resize(img, w, h, imaging.Box)
}

// wheel paints a ring with a spoke in the middle of a picture, at a fraction of its height.
func wheel(img *image.NRGBA, share float64, ink, inner color.NRGBA) {
	h := float64(img.Rect.Dy()) * share / 2
	disc(img, h, ink)
	disc(img, h*.62, inner)
	c := img.Rect.Max.Div(2)
	bar := image.Rect(c.X-int(h/8), c.Y-int(h), c.X+int(h/8), c.Y)
	draw.Draw(img, bar, image.NewUniform(ink), image.Point{}, draw.Src)
}

func fill(img *image.NRGBA, c color.NRGBA) {
	draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
}

// letters paints a row of n strokes and gaps across a picture, as a word does.
func letters(img *image.NRGBA, n int, ink color.NRGBA) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	for i := range n {
		x := i * w / n
		draw.Draw(img, image.Rect(x, h*i%3*h/12, x+w/n*2/3, h), image.NewUniform(ink), image.Point{}, draw.Src)
		draw.Draw(img, image.Rect(x+w/n/4, h/2, x+w/n*2/5, h*3/4), image.Transparent, image.Point{}, draw.Src)
	}
}

// oddIcons are sources whose sets looked like nothing that their sites had drawn.
func oddIcons() []struct {
	name string
	icon.Request
} {
	white, none := palette.RGB(0xFFFFFF), color.NRGBA{}
	green, navy, red := palette.RGB(0x16A34A), palette.RGB(0x1E3A8A), palette.RGB(0xDC2626)
	on := func(side int, ground color.NRGBA, share float64, ink color.NRGBA) *image.NRGBA {
		return fine(side, side, func(img *image.NRGBA) { fill(img, ground); wheel(img, share, ink, ground) })
	}
	round := func(side int, share float64) *image.NRGBA { // a disc on white
		return fine(side, side, func(img *image.NRGBA) {
			fill(img, white)
			disc(img, share*float64(img.Rect.Dx())/2, navy)
			wheel(img, share*.6, white, navy)
		})
	}
	edge := fine(192, 192, func(img *image.NRGBA) { // a mark in the corner of its square
		fill(img, navy)
		w := img.Rect.Dx()
		letters(img.SubImage(image.Rect(w/2, w*5/8, w*15/16, w*15/16)).(*image.NRGBA), 3, white)
		for y := w * 5 / 8; y < w*15/16; y++ {
			for x := w / 2; x < w*15/16; x++ {
				if (x-w/2)/(w/12)%2 == 0 {
					img.SetNRGBA(x, y, white)
				}
			}
		}
	})
	dawn := fine(180, 180, func(img *image.NRGBA) {
		for y := range img.Rect.Dy() {
			row := img.SubImage(image.Rect(0, y, img.Rect.Dx(), y+1)).(*image.NRGBA)
			fill(row, color.NRGBA{R: uint8(90 + 160*y/img.Rect.Dy()), G: 90, B: uint8(220 - 150*y/img.Rect.Dy()), A: 255})
		}
		disc(img, float64(img.Rect.Dx())*.3, white)
	})
	word := fine(480, 96, func(img *image.NRGBA) { letters(img, 7, navy) })
	wide := icon.Source{Name: "/word.png", Picture: word}
	one := func(img *image.NRGBA) icon.Request { return raster(img) }
	list := []struct {
		name string
		icon.Request
	}{
		{"touch icon of 180, mark on a color", one(on(180, green, .55, white))},
		{"touch icon of 180, mark on white", one(on(180, white, .6, green))},
		{"touch icon of 180 up to its edges", one(dawn)},
		{"256 with a margin", one(on(256, none, .6, green))},
		{"256 on a color", one(on(256, navy, .7, white))},
		{"16", one(on(16, none, 1, red))},
		{"16 on white", one(on(16, white, .9, red))},
		{"disc on white, 32", one(round(32, 1))},
		{"disc on white, 180", one(round(180, .95))},
		{"mark in a corner", one(edge)},
		{"wordmark", icon.Request{Sources: []icon.Source{wide}, Name: "Example", Brand: navy, Extras: true}},
		{"own maskable and silhouette", one(on(180, none, 1, green))},
	}
	last := &list[len(list)-1].Request
	last.Maskable, last.MaskableBackground = icon.Source{Picture: on(512, none, .5, white)}, green
	last.Silhouette = icon.Source{Draw: func(_ context.Context, side int) (*image.NRGBA, error) {
		return fine(side, side, func(img *image.NRGBA) { disc(img, float64(img.Rect.Dx())*.4, palette.RGB(0)) }), nil
	}}
	return list
}

// TestDraw_oddIcons compares the sets of [oddIcons] with those that somebody has looked at.
func TestDraw_oddIcons(t *testing.T) {
	var out *image.NRGBA
	icons := oddIcons()
	for i, odd := range icons {
		_, pictures := drawn(t, odd.Request)
		checkSet(t, pictures)
		one := sheet(t, pictures)
		if out == nil {
			out = image.NewNRGBA(image.Rect(0, 0, 2*one.Rect.Dx(), len(icons)/2*one.Rect.Dy()))
		}
		at := image.Pt(i%2*one.Rect.Dx(), i/2*one.Rect.Dy())
		draw.Draw(out, one.Rect.Add(at), one, image.Point{}, draw.Src)
	}
	golden.Image(t, "odd", out)
}
