package draw

import (
	"image"
	"image/color"
	"testing"

	"masthead/render/html/css"
	"masthead/render/html/css/colors"
	"masthead/render/html/css/gradient"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/raster"
)

// squares is a picture of nine colors, each on 10 by 10 px: its red is 20 times the number, from 1.
var squares = func() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 30, 30))
	for i := range 900 {
		img.SetNRGBA(i%30, i/30, color.NRGBA{uint8(20 * (1 + i%30/10 + i/30/10*3)), 0, 0, 255})
	}
	return img
}()

// Each of the nine parts of a picture is where its part of the border is.
func TestBorderImage_parts_areInTheirPlaces(t *testing.T) {
	at := func(bi css.BorderImage, x, y int) int {
		t.Helper()
		bi.Source.URL = "squares"
		r := image.Rect(0, 0, 120, 90)
		l := raster.NewLayer(r)
		defer l.Release()
		f := &fragment.Fragment{
			Style:       &css.Style{Text: &css.Text{}, Effects: &css.Effects{BorderImage: bi}},
			BorderWidth: fragment.Edges{Top: 10, Right: 10, Bottom: 10, Left: 10},
		}
		p := &painter{ctx: t.Context(), width: 120, height: 90, in: &Input{Images: func(url string) Image {
			if url == "squares" {
				return testPicture{squares}
			}
			return nil
		}}}
		box := raster.RoundRect{Rect: raster.Rect{X0: 10, Y0: 10, X1: 110, Y1: 80}}
		if !p.borderImage(f, box, target{l: l, c: raster.Clip{R: r}, m: raster.Identity}) {
			t.Fatal("nothing is drawn")
		}
		return int(l.Row(y, x, x+1)[0]) / 20
	}
	third := value.Length{Percent: 100. / 3}
	plain := css.BorderImage{Slice: [4]value.Length{third, third, third, third}, Stretch: [2]bool{true, true}}
	for i := range plain.Width {
		plain.Width[i].Times = 1
	}
	fill, wide, far := plain, plain, plain
	fill.Fill = true
	wide.Width[3] = css.EdgeWidth{Length: value.Length{Percent: 50}}
	far.Outset[0] = css.EdgeWidth{Times: 1}
	spaced := plain
	spaced.Stretch, spaced.Repeat = [2]bool{}, [2]css.Repeat{css.RepeatSpace, css.RepeatRound}
	for i, c := range []struct {
		bi         css.BorderImage
		x, y, want int
	}{
		{plain, 12, 12, 1}, {plain, 60, 15, 2}, {plain, 105, 12, 3}, {plain, 15, 45, 4}, {plain, 60, 45, 0},
		{plain, 105, 45, 6}, {plain, 12, 75, 7}, {plain, 60, 75, 8}, {plain, 105, 75, 9}, {plain, 5, 45, 0},
		{fill, 60, 45, 5}, {wide, 50, 45, 4}, {wide, 63, 45, 0}, {far, 60, 3, 2}, {far, 60, 12, 0}, {spaced, 15, 45, 4},
		{spaced, 65, 15, 2},
	} {
		if got := at(c.bi, c.x, c.y); got != c.want {
			t.Errorf("case %d: part %d is at %d, %d, want %d", i, got, c.x, c.y, c.want)
		}
	}
}

// A gradient for an area of more pixels than a tile may have isn't drawn: the border is, as its style says.
func TestBorderImage_largeGradient_isNotDrawn(t *testing.T) {
	p := &painter{ctx: t.Context(), width: 120, height: 90, in: &Input{}}
	red := colors.Color{NRGBA: color.NRGBA{255, 0, 0, 255}}
	stop := gradient.Stop{Color: red, Auto: true}
	g := &gradient.Gradient{Kind: gradient.Linear, Stops: []gradient.Stop{stop, stop}}
	bi := css.BorderImage{Source: css.Image{Gradient: g}}
	f := &fragment.Fragment{Style: &css.Style{Text: &css.Text{}, Effects: &css.Effects{BorderImage: bi}}}
	for side, want := range map[float64]bool{0: false, 1: true, 2048: true, 2049: false, 1e12: false} {
		if got := p.borderPicture(f, raster.Rect{X0: 0, Y0: 0, X1: side, Y1: side}) != nil; got != want {
			t.Errorf("%g px a side: %v", side, got)
		}
	}
}
