package render_test

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"masthead/render/paint"
	"masthead/render/specimen"
)

// skins are the colors of faces, as light and as dark as they get.
var skins = []color.NRGBA{
	{R: 241, G: 205, B: 178, A: 255}, {R: 176, G: 122, B: 86, A: 255}, {R: 72, G: 46, B: 34, A: 255},
}

// withPerson draws a person over a part of a picture: a face with hair and eyes, calm, above plain shoulders. It
// returns the box of the head.
func withPerson(ground *image.NRGBA, size image.Point, x, y float64, skin color.NRGBA) (*image.NRGBA, image.Rectangle) {
	out := image.NewNRGBA(image.Rectangle{Max: size})
	draw.Draw(out, out.Rect, paint.Cover(ground, size.X, size.Y, .5, .5), image.Point{}, draw.Src)
	r := .15 * float64(size.Y)
	cx, cy := x*float64(size.X), y*float64(size.Y)
	hair, cloth := color.NRGBA{R: 38, G: 28, B: 24, A: 255}, color.NRGBA{R: 60, G: 72, B: 96, A: 255}
	for i := range size.X * size.Y {
		px, py := i%size.X, i/size.X
		dx, dy := (float64(px)-cx)/r, (float64(py)-cy)/r
		switch face := math.Hypot(dx/.78, dy); {
		case face < 1 && dy > -.55+.25*dx*dx:
			c := skin
			shade := 1 - .18*max(dx, 0) - .12*max(dy, 0)
			if math.Hypot((math.Abs(dx)-.3)/.13, (dy+.1)/.07) < 1 || math.Hypot(dx/.26, (dy-.5)/.06) < 1 {
				shade = .35
			}
			out.SetNRGBA(px, py, color.NRGBA{
				R: uint8(float64(c.R) * shade), G: uint8(float64(c.G) * shade), B: uint8(float64(c.B) * shade), A: 255,
			})
		case math.Hypot(dx/.9, (dy+.08)/1.1) < 1 && dy < .3:
			out.SetNRGBA(px, py, hair)
		case dy > 1 && math.Hypot(dx/1.9, (dy-2.6)/1.6) < 1, math.Abs(dx) < .35 && dy > .6 && dy < 1.4,
			dy > 2.6 && math.Abs(dx) < 1.9:
			out.SetNRGBA(px, py, cloth)
		}
	}
	return out, image.Rect(int(cx-.8*r), int(cy-r), int(cx+.8*r), int(cy+r)).Intersect(out.Rect)
}

// TestFocusPhoto_facesAtASideStayWhole crops pictures with a person from side to side for the places of pictures that
// are narrower. On plain grounds no head is cut, and on busy ones few: what is busy may be what the picture shows.
func TestFocusPhoto_facesAtASideStayWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ground string
		most   float64 // fraction of heads that are cut
	}{
		{"", 0}, {"sky", .01}, {"waves", .03}, {"dunes", .04}, {"forest", .05}, {"city", .2},
		{"bokeh", .35}, {"market", .65},
	} {
		all, cut := 0, 0
		for _, size := range []image.Point{{400, 210}, {384, 256}, {300, 300}} {
			ground := image.NewNRGBA(image.Rectangle{Max: size})
			plain := image.NewUniform(color.NRGBA{R: 150, G: 170, B: 180, A: 255})
			draw.Draw(ground, ground.Rect, plain, image.Point{}, draw.Src)
			if c.ground != "" {
				ground = paint.Scale(specimen.Picture(c.ground), size.X, size.Y)
			}
			for _, skin := range skins {
				for _, x := range []float64{.2, .35, .5, .65, .8} {
					img, head := withPerson(ground, size, x, .38, skin)
					for _, to := range []image.Point{{496, 498}, {560, 900}} {
						all++
						if !head.In(shown(img, to)) {
							cut++
						}
					}
				}
			}
		}
		if float64(cut) > c.most*float64(all) {
			t.Errorf("on %q %d of %d heads are cut, want at most %.0f %%", c.ground, cut, all, 100*c.most)
		}
	}
}

// textsBelow is where the texts of a cover are.
var textsBelow = image.Rect(72, 316, 917, 556)

// TestPhotoChin_isWhereFacesEnd looks for the end of faces in pictures that fill a card: at most 10 % of the height
// off. On busier grounds some people aren't likely enough.
func TestPhotoChin_isWhereFacesEnd(t *testing.T) {
	size := image.Pt(400, 210)
	for _, ground := range []string{"sky", "waves", "city"} {
		for i, x := range []float64{.35, .5, .65} {
			img, head := withPerson(paint.Scale(specimen.Picture(ground), size.X, size.Y), size, x, .38, skins[i])
			y, ok := paint.NewPhoto(img).Chin(1200, 630, textsBelow, textsBelow)
			if want := head.Max.Y * 3; !ok || y < want-63 || y > want+63 {
				t.Errorf("on %s at %.2f: the chin is at %d (%v), want about %d", ground, x, y, ok, want)
			}
		}
		if y, ok := paint.NewPhoto(specimen.Picture(ground)).Chin(1200, 630, textsBelow, textsBelow); ok {
			t.Errorf("%s has a chin at %d", ground, y)
		}
	}
}

// shown returns the part of a picture that fills a place, a pixel more on each side.
func shown(img image.Image, to image.Point) image.Rectangle {
	size := img.Bounds().Size()
	x, y := paint.FocusPhoto(img, to.X, to.Y, nil)
	f := max(float64(to.X)/float64(size.X), float64(to.Y)/float64(size.Y))
	w, h := float64(to.X)/f, float64(to.Y)/f
	left, top := x*(float64(size.X)-w), y*(float64(size.Y)-h)
	return image.Rect(int(left), int(top), int(left+w+1), int(top+h+1)).Inset(-1)
}
