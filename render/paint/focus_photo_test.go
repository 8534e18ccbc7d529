package paint

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"
)

// portrait draws a picture of a head on a plain ground with a busy dress below it.
func portrait(w, h int, headX, headY float64) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(color.NRGBA{200, 205, 210, 255}), image.Point{}, draw.Src)
	for i := range w * h {
		x, y := i%w, i/w
		dx, dy := float64(x)-headX*float64(w), float64(y)-headY*float64(h)
		switch r := .14 * float64(h); {
		case math.Hypot(dx, dy) < r:
			img.SetNRGBA(x, y, color.NRGBA{uint8(150 + x%40), uint8(100 + y%30), 80, 255})
		case float64(y) > .55*float64(h) && math.Abs(dx) < 2*r:
			img.SetNRGBA(x, y, color.NRGBA{uint8(x * 13 % 255), uint8(y * 7 % 255), 120, 255})
		}
	}
	return img
}

// Rule: crops of portraits of 3:4 and 2:3 keep the band from 12 to 45 % of their height, where heads are.
func TestFocusPhoto_heightIsCut_headsStay(t *testing.T) {
	for _, size := range []image.Point{{600, 800}, {600, 900}, {900, 600}, {1200, 1000}} {
		for _, to := range []image.Point{{1200, 630}, {1600, 900}, {496, 498}, {560, 900}} {
			img := portrait(size.X, size.Y, .5, .28)
			c := coverCrop(size.X, size.Y, to.X, to.Y, 0, 0)
			room, shown := float64(size.Y)-c.h, c.h/float64(size.Y)
			if room < 1 {
				continue
			}
			_, at := FocusPhoto(img, to.X, to.Y, []image.Rectangle{image.Rect(0, to.Y/2, to.X, to.Y)})
			top := at * room / float64(size.Y)
			if top < -1e-9 || top > headTop+1e-9 || shown >= headBottom-headTop && top+shown < headBottom-1e-9 {
				t.Errorf("%v in %v: it shows %.2f to %.2f of the height", size, to, top, top+shown)
			}
		}
	}
}

// Something tall keeps its upper end, however thin that is, though a text covers the lower part of the picture.
func TestFocusPhoto_heightIsCut_tallThingsStayWhole(t *testing.T) {
	const w, h = 960, 640
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for k := range w * h {
		x, y := k%w, k/w
		c := color.NRGBA{R: 120, G: 160, B: uint8(220 - y/8), A: 255}
		switch from := x - 400; {
		case from >= 0 && from < 160 && y > 200, from >= 70 && from < 90 && y > 40:
			c = color.NRGBA{R: 90, G: 40, B: 20, A: 255}
		}
		img.SetNRGBA(x, y, c)
	}
	_, at := FocusPhoto(img, 1200, 630, []image.Rectangle{image.Rect(72, 316, 917, 556)})
	if top := at * (h - coverCrop(w, h, 1200, 630, 0, 0).h); top > 40 {
		t.Errorf("%.0f pixels are cut above a tower that begins at 40", top)
	}
}

// A face at a side stays whole, and a picture without a subject is cropped in the middle.
func TestFocusPhoto_widthIsCut_subjectStays(t *testing.T) {
	for _, x := range []float64{.2, .5, .8} {
		img := portrait(1200, 630, x, .3)
		at, _ := FocusPhoto(img, 496, 498, nil)
		c := coverCrop(1200, 630, 496, 498, 0, 0)
		left := at * (1200 - c.w)
		if r := .14 * 630.0; x*1200-r < left || x*1200+r > left+c.w {
			t.Errorf("a head at %.0f is cut: the crop is from %.0f to %.0f", x*1200, left, left+c.w)
		}
	}
	plain := image.NewNRGBA(image.Rect(0, 0, 800, 400))
	if x, y := FocusPhoto(plain, 400, 400, nil); x != .5 || y != .5 {
		t.Errorf("a plain picture: got %.2f, %.2f, want the middle", x, y)
	}
	for _, odd := range []image.Rectangle{
		{}, image.Rect(0, 0, 1, 5000), image.Rect(0, 0, 5000, 1), image.Rect(3, 7, 400, 900),
	} {
		x, y := FocusPhoto(image.NewNRGBA(odd), 1200, 630, nil)
		if !(x >= 0 && x <= 1 && y >= 0 && y <= 1) {
			t.Errorf("%v: got %v, %v", odd, x, y)
		}
	}
}

// A plate of a photograph whose interest is cached is the same as one cropped without the cache.
func TestPhotoPlate_isThatOfTheFocus(t *testing.T) {
	quiet := []image.Rectangle{image.Rect(40, 300, 900, 560)}
	for i, size := range []image.Point{{600, 800}, {1200, 630}, {900, 600}, {1200, 631}, {100, 90}, {0, 0}} {
		img := portrait(size.X, size.Y, .2+.1*float64(i), .3)
		for _, to := range []image.Point{{1200, 630}, {496, 498}} {
			spec := PlateSpec{W: to.X, H: to.Y, Softness: 1 + float64(i)/1000}
			spec.AtX, spec.AtY = FocusPhoto(img, to.X, to.Y, quiet)
			want := makePlate(img, spec)
			for range 2 {
				if got := NewPhoto(img).Plate(spec, quiet); !bytes.Equal(got.pix, want.pix) {
					t.Errorf("%v in %v: the plates differ", size, to)
				}
			}
		}
	}
}

// A subject that fits is well inside of a crop, not just within its edge.
func TestFocusPhoto_widthIsCut_subjectIsNotAtTheEdge(t *testing.T) {
	const w, h = 900, 600
	for _, x := range []float64{.3, .7, .74} {
		img := image.NewNRGBA(image.Rect(0, 0, w, h))
		for i := range w * h {
			px, py := float64(i%w), float64(i/w)
			wave := 10*math.Sin(px/9) + 10*math.Sin(py/7)
			c := color.NRGBA{uint8(100 + wave + px/30), uint8(120 - wave), 90, 255}
			if r := math.Hypot(px-x*w, py-.55*h) / (.11 * h); r < 1 {
				c = color.NRGBA{uint8(220 - 40*r), uint8(90 + 60*r), 40, 255}
			}
			img.SetNRGBA(i%w, i/w, c)
		}
		at, _ := FocusPhoto(img, 496, 498, nil)
		c := coverCrop(w, h, 496, 498, 0, 0)
		if in := (x*w - at*(w-c.w)) / c.w; in < .24 || in > .76 {
			t.Errorf("a subject at %.2f is at %.2f of the width of its crop", x, in)
		}
	}
}

// Something tall at a side that the picture's edge cuts isn't taken for somebody, and neither edge of a busy picture
// is the best because crops there cut on one side only: the middle stays.
func TestFocusPhoto_edgesOfPictures_areNoSubjects(t *testing.T) {
	const w, h = 900, 600
	post, busy := image.NewNRGBA(image.Rect(0, 0, w, h)), image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		x, y := i%w, i/w
		wave := 40*math.Sin(float64(x)/9) + 40*math.Sin(float64(y)/7)
		busy.SetNRGBA(x, y, color.NRGBA{uint8(120 + wave), uint8(130 - wave), 110, 255})
		c := color.NRGBA{uint8(70 + wave/8), 74, 60, 255}
		flower := math.Hypot(float64(x)-.5*w, float64(y)-.45*h)
		switch {
		case x < 40:
			c = color.NRGBA{12, 12, 14, 255}
		case flower < .3*h:
			c = color.NRGBA{uint8(190 + wave/2), uint8(60 + flower), 150, 255}
		}
		post.SetNRGBA(x, y, c)
	}
	for name, img := range map[string]*image.NRGBA{"a flower next to a post": post, "a busy picture": busy} {
		if at, _ := FocusPhoto(img, 560, 900, nil); at < .3 || at > .7 {
			t.Errorf("%s is cropped at %.2f of its free width, want near its middle", name, at)
		}
	}
}

// What only looks like the outline of someone counts for nothing if it is mostly beside the subject, and faces that are
// elsewhere than someone who is likely by their outline are less likely, unless they are certain.
func TestPerson_andFaces_agreeWithTheSubject(t *testing.T) {
	outline := image.Rect(28, 17, 38, 35)
	for core, want := range map[image.Rectangle]float64{
		image.Rect(7, 1, 60, 56): .7, image.Rect(33, 10, 60, 60): .7, image.Rect(35, 10, 60, 60): 0, {}: 0,
	} {
		p := &person{likely: .7, head: outline}
		if p.within(core); p.likely != want {
			t.Errorf("with the subject in %v: likely %.2f, want %.2f", core, p.likely, want)
		}
	}
	for _, c := range []struct {
		x0, x1, likely, least, most float64
	}{{.19, .44, .63, .1, .35}, {.62, .92, .54, .1, .3}, {.45, .6, .63, .63, .63}, {.1, .3, 1, 1, 1}} {
		heads := []head{{x0: c.x0, x1: c.x1, y0: .2, y1: .6, likely: c.likely}}
		(&person{likely: .7, head: outline}).doubt(heads)
		if got := heads[0].likely; got < c.least || got > c.most {
			t.Errorf("a face from %.2f to %.2f: likely %.2f, want %.2f to %.2f", c.x0, c.x1, got, c.least, c.most)
		}
	}
}

// A crop that cuts a head, even a quarter of it, is worse than one without it.
func TestKeptHeads_cutHeads_areWorseThanNone(t *testing.T) {
	heads := []head{{x0: .4, x1: .6, y0: .2, y1: .5, likely: .8}}
	for _, c := range []struct{ from, to, least, most float64 }{
		{.2, .8, .9, 1}, {.45, .9, -1, -.1}, {.5, .9, -1, -.5}, {.65, .9, 0, 0},
	} {
		if got, _ := keptHeads(heads, c.from, c.to, false); got < c.least || got > c.most {
			t.Errorf("from %.2f to %.2f: got %.2f, want %.2f to %.2f", c.from, c.to, got, c.least, c.most)
		}
	}
}

// TestFocusPhoto_heightIsCut_whatATitleWouldCoverIsNoLower crops pictures of clouds above something small that is in
// the way of a title: it isn't lower than without one, though more clouds would be seen then.
func TestFocusPhoto_heightIsCut_whatATitleWouldCoverIsNoLower(t *testing.T) {
	const w, h = 1920, 1124
	for _, c := range []struct{ x, clouds int }{{500, 200}, {500, 300}, {860, 200}, {860, 300}} {
		img := image.NewNRGBA(image.Rect(0, 0, w, h))
		for i := range w * h {
			x, y := i%w, i/w
			ink := color.NRGBA{uint8(150 + x/60), 156, 164, 255}
			switch wave := 40 * math.Sin(float64(x)/23) * math.Sin(float64(y)/17); {
			case max(x-c.x, c.x-x) < 40 && y > 540 && y < 780:
				ink = color.NRGBA{20, 24, 40, 255}
			case y < c.clouds:
				ink = color.NRGBA{uint8(150 + wave), uint8(150 + wave/2), 130, 255}
			}
			img.SetNRGBA(x, y, ink)
		}
		_, alone := FocusPhoto(img, 1200, 630, nil)
		_, at := FocusPhoto(img, 1200, 630, []image.Rectangle{image.Rect(72, 316, 917, 630)})
		if at < alone {
			t.Errorf("%v: the crop is at %.2f of the free height, and at %.2f without a title", c, at, alone)
		}
	}
}
