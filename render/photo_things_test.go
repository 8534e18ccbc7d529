package render_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"math"
	"os"
	"testing"

	"masthead/render"
	"masthead/render/paint"
	"masthead/render/specimen"
)

// onPlain draws a disc at a fraction of the width of a square of one color, and a bar in its lower left corner, as on
// the cover of a podcast.
func onPlain(x float64, bar bool) *image.NRGBA {
	const side = 400
	out := image.NewNRGBA(image.Rect(0, 0, side, side))
	draw.Draw(out, out.Rect, image.NewUniform(color.NRGBA{R: 30, G: 60, B: 70, A: 255}), image.Point{}, draw.Src)
	for i := range side * side {
		px, py := i%side, i/side
		switch {
		case math.Hypot(float64(px)-x*side, float64(py)-.45*side) < .13*side:
			out.SetNRGBA(px, py, color.NRGBA{R: 220, G: 200, B: 120, A: 255})
		case bar && py > .84*side && py < .93*side && px > .1*side && px < .72*side && px/12%2 == 0:
			out.SetNRGBA(px, py, color.NRGBA{R: 255, G: 255, B: 255, A: 255})
		}
	}
	return out
}

// TestFocusPhoto_whatIsOnAPlainGroundIsInTheMiddle crops pictures of things on plain grounds.
func TestFocusPhoto_whatIsOnAPlainGroundIsInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		name string
		img  *image.NRGBA
		x    float64 // middle of what it shows, as a fraction
	}{
		{"the cover of a podcast", onPlain(.5, true), .41}, {"a thing in the middle", onPlain(.5, false), .5},
		{"a thing at a side", onPlain(.66, false), .66},
	} {
		part := shown(c.img, image.Pt(560, 900))
		beside := []image.Rectangle{image.Rect(-900, 200, -40, 700)} // a title next to it
		if x, _ := paint.FocusPhoto(c.img, 560, 900, beside); math.Abs(x*(400-249)+124-c.x*400) > 20 {
			t.Errorf("%s beside a title: the crop is at %.2f", c.name, x)
		}
		if got := float64(part.Min.X+part.Max.X) / 2 / 400; math.Abs(got-c.x) > .05 {
			t.Errorf("%s: the crop is around %.2f of the width, want %.2f", c.name, got, c.x)
		}
	}
}

// TestPhoto_OfThing_noOneIsKept crops pictures in which something looks like a person from afar: those of things aren't
// cropped around it.
func TestPhoto_OfThing_noOneIsKept(t *testing.T) {
	differ := 0
	for _, ground := range []string{"market", "bokeh", "dunes"} {
		for _, y := range []float64{.38, .6} {
			img, _ := withPerson(specimen.Picture(ground), image.Pt(256, 384), .5, y, skins[1])
			person, thing := paint.NewPhoto(img), paint.NewPhoto(img)
			thing.OfThing()
			spec := paint.PlateSpec{W: 450, H: 236}
			a, b := person.Plate(spec, nil).Image(), thing.Plate(spec, nil).Image()
			if !bytes.Equal(a.Pix, b.Pix) {
				differ++
			}
		}
	}
	if differ < 3 {
		t.Errorf("%d of 6 crops differ, want at least half", differ)
	}
}

// window returns a part of a photograph of a person, enlarged to a width.
func window(t *testing.T, file string, part image.Rectangle, width int) *image.NRGBA {
	t.Helper()
	data, err := os.ReadFile("testdata/people/" + file)
	if err != nil {
		t.Fatal(err)
	}
	photo, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	cut := image.NewNRGBA(image.Rectangle{Max: part.Size()})
	draw.Draw(cut, cut.Rect, photo, part.Min, draw.Src)
	return paint.Scale(cut, width, width*part.Dy()/part.Dx())
}

// TestChosen_coverOverPhotographs checks which photographs a title or its label would hide too much of.
func TestChosen_coverOverPhotographs(t *testing.T) {
	large := window(t, "collins.jpg", image.Rect(60, 10, 320, 150), 1200) // the face has half of the height
	low := paint.Scale(specimen.Picture("sky"), 1200, 630)
	for i := range 1200 * 630 {
		if x, y := i%1200, i/1200; math.Hypot(float64(x)-360, float64(y)-470) < 120 && (x/20+y/20)%2 == 0 {
			low.SetNRGBA(x, y, color.NRGBA{R: 230, G: 40, B: 30, A: 255})
		}
	}
	for _, c := range []struct {
		name  string
		photo *image.NRGBA
		dark  bool
		want  string
	}{
		{"text over a large face", large, true, "editorial"}, {"a label over a large face", large, false, "editorial"},
		{"a label over something low", low, false, "editorial"},
		{"a label over the sky", paint.Scale(specimen.Picture("sky"), 1200, 630), false, "cover"},
	} {
		r := specimen.Find("five-words").Request("cover", render.OG)
		r.Title, r.Dark, r.Photo = "The woman who built a firm in her basement", c.dark, c.photo
		if got, err := render.Chosen(r); err != nil || got != c.want {
			t.Errorf("%s: %s is drawn (%v), want %s", c.name, got, err, c.want)
		}
	}
}

// TestFocusPhoto_thingsInFrontOfGradientsStayWhole crops pictures of something round in front of a ground that gets
// light from one side to the other, and of a dark pole, which looks like a person from afar.
func TestFocusPhoto_thingsInFrontOfGradientsStayWhole(t *testing.T) {
	const w, h = 900, 560
	for _, x := range []float64{.3, .5, .7} {
		img := image.NewNRGBA(image.Rect(0, 0, w, h))
		for i := range w * h {
			px, py := float64(i%w), float64(i/w)
			shade := 60 + 120*px/w + 30*py/h
			switch ring := math.Hypot(px-x*w, py-.62*h) / (.13 * h); {
			case ring < 1:
				shade = 130 + 100*math.Cos(9*ring)
			case math.Abs(px-(1-x)*w) < 9 && py > .2*h || math.Hypot(px-(1-x)*w, py-.25*h) < 32:
				shade *= .7
			}
			img.SetNRGBA(i%w, i/w, color.NRGBA{R: uint8(shade), G: uint8(shade), B: uint8(min(shade+14, 255)), A: 255})
		}
		thing := image.Rect(int(x*w-.12*h), 0, int(x*w+.12*h), h)
		for _, to := range []image.Point{{560, 900}, {496, 498}} {
			if part := shown(img, to); !thing.In(part.Inset(-2)) {
				t.Errorf("at %.1f, in %v: the crop is %v, and cuts the thing at %v", x, to, part, thing)
			}
		}
	}
}
