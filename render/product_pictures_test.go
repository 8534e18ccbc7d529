package render_test

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"
	"time"

	"masthead/render"
)

// thingOn draws a round thing in the middle of a picture, on a ground; a clear ground is clear.
func thingOn(w, h int, ground color.NRGBA, r float64, ink func(dx, dy float64) color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(ground), image.Point{}, draw.Src)
	for i := range w * h {
		dx, dy := float64(i%w)-float64(w)/2, float64(i/w)-float64(h)/2
		if math.Hypot(dx, dy) < r {
			img.SetNRGBA(i%w, i/w, ink(dx/r, dy/r))
		}
	}
	return img
}

// woven is an ink with many tones, since a mark with few is a logo.
func woven(c color.NRGBA) func(dx, dy float64) color.NRGBA {
	return func(dx, dy float64) color.NRGBA {
		u, v, w := uint8(12*(1+math.Sin(dx*7))), uint8(20*(1+math.Sin(dy*5))), uint8(24*(1+math.Sin(dx*3+dy*11)))
		return color.NRGBA{R: c.R - u, G: c.G - v, B: c.B - w, A: 255}
	}
}

// textured is a photograph without a plain border: gray with half as much red.
func textured(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		x, y := i%w, i/w
		v := uint8(70 + (x*x/97+y*y/53+x*y/71)%90)
		img.SetNRGBA(x, y, color.NRGBA{R: v / 2, G: v, B: v, A: 255})
	}
	return img
}

// productStage draws a product with a picture, and returns its stage.
func productStage(t *testing.T, dark bool, photo *image.NRGBA, change func(*render.Request)) *image.NRGBA {
	t.Helper()
	r, _ := render.Sample("product")
	r.Photo, r.Dark, r.Accent = photo, dark, color.NRGBA{B: 220, G: 90, R: 40, A: 255}
	if change != nil {
		change(&r)
	}
	img, err := render.Paint(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	stage := image.NewNRGBA(image.Rect(0, 0, 540, 630))
	draw.Draw(stage, stage.Rect, img, image.Point{}, draw.Src)
	return stage
}

// columns returns the first and last column of a stage with a pixel of a kind, and how many there are in all.
func columns(stage *image.NRGBA, is func(color.NRGBA) bool) (first, last, n int) {
	first = -1
	for x := range stage.Rect.Dx() {
		for y := range stage.Rect.Dy() {
			if is(stage.NRGBAAt(x, y)) {
				if first < 0 {
					first = x
				}
				last, n = x, n+1
			}
		}
	}
	return first, last, n
}

var (
	clearGround = color.NRGBA{}
	whiteGround = color.NRGBA{R: 255, G: 255, B: 255, A: 255}
)

// TestProduct_aThingIsCutOut draws things on clear and white grounds, even those that touch the edges, and small ones:
// they are whole, in front of the stage.
func TestProduct_aThingIsCutOut(t *testing.T) {
	t.Parallel()
	green := func(c color.NRGBA) bool { return int(c.G) > int(c.R)+60 && int(c.G) > int(c.B)+40 }
	ink := woven(color.NRGBA{R: 40, G: 190, B: 70, A: 255})
	for _, dark := range []bool{true, false} {
		ground := productStage(t, dark, thingOn(900, 900, whiteGround, 300, ink), nil).NRGBAAt(537, 2)
		for _, c := range []struct {
			name  string
			photo *image.NRGBA
			side  int // of the thing on the stage
		}{
			{"clear", thingOn(900, 900, clearGround, 300, ink), 400}, {"trimmed", thingOn(600, 600, clearGround, 300, ink), 400},
			{"on white", thingOn(900, 900, whiteGround, 300, ink), 400},
			{"little on clear", thingOn(1600, 1600, clearGround, 130, ink), 350},
			{"little on white", thingOn(1600, 1600, whiteGround, 130, ink), 350},
			{"in a tall one", thingOn(260, 1400, clearGround, 110, ink), 296},
			{"in a wide one", thingOn(1400, 240, whiteGround, 110, ink), 296},
			{"tiny", thingOn(300, 240, whiteGround, 100, ink), 270},
		} {
			stage := productStage(t, dark, c.photo, nil)
			first, last, n := columns(stage, green)
			if w := last - first + 1; w < c.side-8 || w > c.side+8 || float64(n) < .97*math.Pi/4*float64(w*w) {
				t.Errorf("%s (dark %v): it is %d wide and has %d pixels, want %d and no hole", c.name, dark, w, n, c.side)
			}
			if got := stage.NRGBAAt(537, 2); got != ground {
				t.Errorf("%s (dark %v): beside it is %v, want the stage, %v", c.name, dark, got, ground)
			}
		}
	}
}

// TestProduct_whatCannotBeCutOutIsWholeOnItsGround: a white thing on white would lose a part, a soft shadow would leave
// one.
func TestProduct_whatCannotBeCutOutIsWholeOnItsGround(t *testing.T) {
	t.Parallel()
	shade := func(dx, dy float64) color.NRGBA {
		v := uint8(252 - 90*max(dx, 0)*max(dx, 0) - 4*math.Abs(math.Sin(dy*50)))
		return color.NRGBA{R: v, G: v - 2, B: v - 3, A: 255}
	}
	shadow := thingOn(900, 900, whiteGround, 420, func(dx, dy float64) color.NRGBA {
		v := uint8(255 - 90*(1-math.Hypot(dx, dy)))
		return color.NRGBA{R: v, G: v, B: v, A: 255}
	})
	thing := thingOn(900, 900, clearGround, 200, woven(color.NRGBA{R: 40, G: 190, B: 70, A: 255}))
	draw.Draw(shadow, shadow.Rect, thing, image.Point{}, draw.Over)
	white := thingOn(900, 900, whiteGround, 300, shade)
	for name, photo := range map[string]*image.NRGBA{"white": white, "shadow": shadow} {
		for _, dark := range []bool{true, false} {
			stage := productStage(t, dark, photo, nil)
			for _, at := range []image.Point{{2, 2}, {2, 627}, {537, 2}, {537, 627}, {8, 315}} {
				if c := stage.NRGBAAt(at.X, at.Y); c != whiteGround {
					t.Errorf("%s (dark %v): %v is %v, want the ground of the picture", name, dark, at, c)
				}
			}
		}
	}
}

// TestProduct_photographs: those that the stage would cut fill it only if they show a dish; otherwise they are shown
// whole, strips as far as they are not too long.
func TestProduct_photographs(t *testing.T) {
	t.Parallel()
	shown := func(c color.NRGBA) bool {
		return max(c.G, c.B)-min(c.G, c.B) < 3 && c.G >= 60 && max(c.R, c.G/2)-min(c.R, c.G/2) < 3
	}
	for _, c := range []struct {
		name        string
		w, h        int
		dish, fills bool
		most        int // width of what isn't filled
	}{
		{"square", 800, 800, false, true, 0}, {"portrait", 800, 1200, false, true, 0},
		{"wide", 1200, 675, false, false, 444}, {"a wide dish", 1200, 675, true, true, 0},
		{"panorama", 1600, 300, false, false, 444}, {"tall", 400, 1600, false, false, 220},
		{"tiny", 260, 180, false, false, 351},
	} {
		stage := productStage(t, true, textured(c.w, c.h), func(r *render.Request) {
			if c.dish {
				r.Product = render.Product{Time: 40 * time.Minute, Servings: 4}
			}
		})
		first, last, n := columns(stage, shown)
		if fills := n == 540*630; fills != c.fills {
			t.Errorf("%s: it fills the stage: %v, want %v", c.name, fills, c.fills)
		}
		if w := last - first + 1; !c.fills && (w < c.most-2 || w > c.most+2) {
			t.Errorf("%s: it is %d wide, want %d", c.name, w, c.most)
		}
	}
}

// TestProduct_whatThePictureCutsFillsTheStage draws things on white that edges of their pictures cut: they fill the
// stage, with the middle of what is seen in the middle.
func TestProduct_whatThePictureCutsFillsTheStage(t *testing.T) {
	t.Parallel()
	for _, x := range []int{420, 600, 780} { // the middle of the thing
		photo, ink := image.NewNRGBA(image.Rect(0, 0, 1200, 800)), woven(color.NRGBA{R: 40, G: 190, B: 70, A: 255})
		draw.Draw(photo, photo.Rect, image.White, image.Point{}, draw.Src)
		for i := range 320 * 800 {
			photo.SetNRGBA(x-160+i%320, i/320, ink(float64(i%320)/160-1, float64(i/320)/400-1))
		}
		stage := productStage(t, true, photo, nil)
		first, last, n := columns(stage, func(c color.NRGBA) bool { return int(c.G) > int(c.R)+60 && int(c.G) > int(c.B)+40 })
		if w := last - first + 1; n < 630*(w-4) || w < 240 || max(first+last-540, 540-first-last) > 24 {
			t.Errorf("a thing at %d is from %d to %d, with %d pixels", x, first, last, n)
		}
		for _, at := range []image.Point{{2, 2}, {2, 627}, {537, 2}, {537, 627}} {
			if c := stage.NRGBAAt(at.X, at.Y); c != whiteGround {
				t.Errorf("a thing at %d: %v is %v, want the ground of the picture", x, at, c)
			}
		}
	}
}

// TestPhoto_clearPartsAreWhite: what shows through a picture is white, as on a page, or black behind a light thing, in
// every design that shows the picture of a page.
func TestPhoto_clearPartsAreWhite(t *testing.T) {
	t.Parallel()
	black := color.NRGBA{R: 24, G: 24, B: 27, A: 255}
	for _, c := range []struct{ ink, want color.NRGBA }{
		{color.NRGBA{R: 40, G: 190, B: 70, A: 255}, whiteGround}, {color.NRGBA{R: 250, G: 255, B: 255, A: 255}, black},
	} {
		photo := thingOn(1400, 900, clearGround, 440, woven(c.ink))
		for _, slug := range []string{"editorial", "cover", "split", "episode"} {
			r, _ := render.Sample(slug)
			r.Photo, r.Dark = photo, false
			img, err := render.Paint(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			n, b := 0, img.Bounds()
			for i := range b.Dx() * b.Dy() {
				p := color.NRGBAModel.Convert(img.At(i%b.Dx(), i/b.Dx())).(color.NRGBA)
				if p == c.want {
					n++
				}
				if p == (color.NRGBA{R: 128, G: 128, B: 128, A: 255}) {
					t.Fatalf("%s: there is a gray hole", slug)
				}
			}
			if n < 4000 {
				t.Errorf("%s: %d pixels are %v", slug, n, c.want)
			}
		}
	}
}

// TestPhoto_roundCornersAreFilled: no white corner shows on a dark card where a photograph has round ones.
func TestPhoto_roundCornersAreFilled(t *testing.T) {
	const radius = 90
	for _, c := range []struct {
		slug string
		w, h int
		at   image.Point // next to a corner of the picture
	}{
		{"editorial", 1000, 1004, image.Pt(1197, 627)}, {"editorial", 1000, 1004, image.Pt(1197, 135)},
		{"cover", 1400, 735, image.Pt(2, 2)}, {"cover", 1400, 735, image.Pt(1197, 2)},
	} {
		photo := image.NewNRGBA(image.Rect(0, 0, c.w, c.h))
		for i := range c.w * c.h {
			x, y := i%c.w, i/c.w
			dx, dy := max(radius-x, x-(c.w-1-radius), 0), max(radius-y, y-(c.h-1-radius), 0)
			if dx*dx+dy*dy <= radius*radius {
				photo.SetNRGBA(x, y, color.NRGBA{R: uint8(60 + x%40), G: uint8(20 + y%50), B: uint8(90 + (x+y)%30), A: 255})
			}
		}
		r, _ := render.Sample(c.slug)
		r.Photo, r.Dark = photo, true
		img, err := render.Paint(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if r, g, b, _ := img.At(c.at.X, c.at.Y).RGBA(); max(r, g, b)>>8 > 140 || max(r, g, b)>>8 < 40 {
			t.Errorf("%s: the pixel at %v is %d %d %d", c.slug, c.at, r>>8, g>>8, b>>8)
		}
	}
}

// TestSplit_aSmallPictureIsNoWallpaper: one that would be enlarged by more than a third is not shown.
func TestSplit_aSmallPictureIsNoWallpaper(t *testing.T) {
	r, _ := render.Sample("split")
	for h, want := range map[int]bool{315: false, 460: false, 480: true, 630: true} {
		if got := showsPhoto(t, r, textured(h*40/21, h)); got != want {
			t.Errorf("a picture %d high is shown: %v, want %v", h, got, want)
		}
	}
}

// TestProduct_aThingOnItsGroundIsLarge: what can't be cut out fills the stage, with little of its ground.
func TestProduct_aThingOnItsGroundIsLarge(t *testing.T) {
	t.Parallel()
	soft := thingOn(1200, 1200, whiteGround, 320, func(dx, dy float64) color.NRGBA {
		v := uint8(255 - 90*(1-math.Hypot(dx, dy)))
		return color.NRGBA{R: v, G: v, B: v, A: 255}
	})
	thing := thingOn(1200, 1200, clearGround, 200, woven(color.NRGBA{R: 40, G: 190, B: 70, A: 255}))
	draw.Draw(soft, soft.Rect, thing, image.Point{}, draw.Over)
	green := func(c color.NRGBA) bool { return c.G > c.R && c.G > c.B+60 }
	first, last, _ := columns(productStage(t, true, soft, nil), green)
	if w := last - first + 1; w < 220 || first < 10 || last > 530 {
		t.Errorf("it is at %d to %d, want it 220 wide at least", first, last)
	}
}

// TestProduct_photographsFillTheStage: also a narrower one beside a long title, and those of things on white that edges
// cut, which would be a white card on a disc.
func TestProduct_photographsFillTheStage(t *testing.T) {
	t.Parallel()
	plant := image.NewNRGBA(image.Rect(0, 0, 1800, 1200))
	draw.Draw(plant, plant.Rect, image.NewUniform(whiteGround), image.Point{}, draw.Src)
	draw.Draw(plant, image.Rect(400, 0, 1400, 1200), textured(1000, 1200), image.Point{}, draw.Src)
	const long = "Handthrown stoneware mug with a dark blue glaze and a wide handle, for the coldest of all mornings"
	for _, c := range []struct {
		name, title string
		photo       *image.NRGBA
		fills       bool
	}{
		{"a landscape", "Mug", textured(1600, 1200), true},
		{"a landscape beside a long title", long, textured(1600, 1200), true},
		{"a wide photograph", "Mug", textured(2000, 1100), false},
		{"a plant on white", "Mug", plant, true},
	} {
		stage := productStage(t, true, c.photo, func(r *render.Request) { r.Title = c.title })
		if at := stage.NRGBAAt(2, 2); (at.G == at.B) != c.fills { // the stage itself is blue
			t.Errorf("%s: the corner of the stage is %v, want the picture there: %v", c.name, at, c.fills)
		}
	}
}
