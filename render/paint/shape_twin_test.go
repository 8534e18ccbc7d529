package paint

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// Shapes are drawn as spans where they are covered whole, and by what mirrors and repeats of their edges. Here each
// pixel has its coverage worked out alone.

// byPixel lays ink over each pixel of an RGBA canvas, by the coverage that a function gives for it.
func byPixel(c *Canvas, ink color.NRGBA, soft bool, cover func(x, y int) uint8) {
	b := brush{color: ink, soft: soft}
	for y := range c.h {
		for x := range c.w {
			slowRow(c, y, x, []uint8{cover(x, y)}, b)
		}
	}
}

// slowRoundRect returns the coverage of a rounded rectangle.
func slowRoundRect(r image.Rectangle, radius float64) func(x, y int) uint8 {
	radius = fitRadius(r, radius)
	return func(x, y int) uint8 {
		if !(image.Point{X: x, Y: y}).In(r) {
			return 0
		}
		return roundEdge(min(x-r.Min.X, r.Max.X-1-x), min(y-r.Min.Y, r.Max.Y-1-y), radius)
	}
}

// slowBorder returns the coverage of the outline of a rounded rectangle.
func slowBorder(r image.Rectangle, radius float64, width int) func(x, y int) uint8 {
	outer := slowRoundRect(r, radius)
	inner := slowRoundRect(r.Inset(width), max(fitRadius(r, radius)-float64(width), 0))
	if width >= (min(r.Dx(), r.Dy())+1)/2 {
		return outer
	}
	return func(x, y int) uint8 { return outer(x, y) - min(outer(x, y), inner(x, y)) }
}

// slowRing returns the coverage of what lies between two radii, or within the outer one where inner is below 0.
func slowRing(cx, cy, outer, inner float64) func(x, y int) uint8 {
	return func(x, y int) uint8 {
		d := math.Hypot(float64(x)+.5-cx, float64(y)+.5-cy)
		v := outer - d + .5
		if inner >= 0 {
			v = min(v, d-inner+.5)
		}
		return coverage(v)
	}
}

// slowConvex returns the coverage of a convex polygon on a canvas that is w pixels wide, whose edges cut it: by how
// much of each of four lines of a row lies within it.
func slowConvex(w int, corners []Point) func(x, y int) uint8 {
	return func(x, y int) uint8 {
		sum := 0.
		for i := range convexLines {
			x0, x1, ok := chordOf(corners, float64(y)+(float64(i)+.5)/convexLines)
			if ok {
				sum += max(0, min(x1, float64(x)+1, float64(w))-max(x0, float64(x), 0))
			}
		}
		return coverage(math.Round(sum/convexLines*convexLevels) / convexLevels)
	}
}

// slowShadow returns the coverage of the shadow of a rounded rectangle, all of it: which of it is drawn is the same as
// with Shadow, that leaves out what lies well within r.
func slowShadow(r image.Rectangle, radius, sigma float64, dy int) func(x, y int) uint8 {
	radius = fitRadius(r, radius)
	shape := newShadowShape(r.Dx(), r.Dy(), radius, sigma)
	cast := r.Inset(-shape.reach).Add(image.Pt(0, dy))
	hidden := r.Inset(int(math.Ceil(radius)) + 1)
	rows := make([][]uint8, r.Dy()+2*shape.reach)
	return func(x, y int) uint8 {
		p := image.Pt(x, y)
		if !p.In(cast) || p.In(hidden) {
			return 0
		}
		i, j := x-cast.Min.X, y-cast.Min.Y
		i, j = min(i, cast.Dx()-1-i), min(j, cast.Dy()-1-j)
		if rows[j] == nil {
			rows[j] = make([]uint8, (cast.Dx()+1)/2)
			shape.row(j, rows[j])
		}
		return rows[j][i]
	}
}

// slowLine returns the coverage of a gradient of opacity over a rectangle.
func slowLine(r image.Rectangle, angle Angle, stops []AlphaStop) func(x, y int) uint8 {
	return func(x, y int) uint8 {
		if !(image.Point{X: x, Y: y}).In(r) {
			return 0
		}
		at, n := x-r.Min.X, r.Dx()
		switch angle {
		case Down:
			at, n = y-r.Min.Y, r.Dy()
		case DownRight:
			at, n = at+y-r.Min.Y, r.Dx()+r.Dy()-1
		case UpRight:
			at, n = at+r.Max.Y-1-y, r.Dx()+r.Dy()-1
		}
		return coverage(alphaAt(stops, (float64(at)+.5)/float64(n)))
	}
}

// slowGlow returns the coverage of a glow.
func slowGlow(cx, cy, rx, ry float64, stops []AlphaStop) func(x, y int) uint8 {
	return func(x, y int) uint8 {
		if float64(x) < math.Trunc(cx-rx)-1 || float64(x) >= math.Trunc(cx+rx)+2 {
			return 0 // a glow is never narrower than a thousandth of a pixel
		}
		at := newEllipseRow(cx, cy, rx, ry, y).at(x)
		if at == tableSteps {
			return 0
		}
		return coverage(alphaAt(stops, (float64(at)+.5)/tableSteps))
	}
}

// shape draws one shape at random on a canvas, and the same on another by pixels.
func (s *script) shape(fast, slow *Canvas) (name string) {
	ink := s.ink()
	r := image.Rect(0, 0, 1+s.n(fast.w+30), 1+s.n(fast.h+30)).Add(image.Pt(s.n(fast.w+20)-20, s.n(fast.h+20)-20))
	radius := float64(s.n(200)) / 8
	if s.n(3) == 0 {
		radius = float64(min(r.Dx(), r.Dy())) / 2
	}
	x, y := float64(s.n(8*fast.w))/8, float64(s.n(8*fast.h))/8
	stops := []AlphaStop{{At: 0, Alpha: float64(s.n(9)) / 8}, {At: float64(s.n(9)) / 8, Alpha: float64(s.n(9)) / 8}}
	switch s.n(11) {
	case 0:
		fast.Fill(r, ink)
		byPixel(slow, ink, false, slowRoundRect(r, 0))
		return "fill"
	case 1:
		fast.RoundRect(r, radius, ink)
		byPixel(slow, ink, false, slowRoundRect(r, radius))
		return "rounded rectangle"
	case 2:
		width := 1 + s.n(12)
		fast.Border(r, radius, width, ink)
		byPixel(slow, ink, false, slowBorder(r, radius, width))
		return "border"
	case 3:
		fast.Disc(x, y, radius, ink)
		if radius > 0 {
			byPixel(slow, ink, false, slowRing(x, y, radius, -1))
		}
		return "disc"
	case 4:
		width := 1 + float64(s.n(80))/8
		fast.Ring(x, y, radius, width, ink)
		byPixel(slow, ink, false, slowRing(x, y, radius+width/2, radius-width/2))
		return "ring"
	case 5:
		corners := []Point{{x, y}, {float64(r.Min.X), float64(r.Min.Y) + radius/9}, {float64(r.Max.X), float64(r.Max.Y) - radius/7}}
		fast.Convex(ink, corners...)
		byPixel(slow, ink, false, slowConvex(slow.w, corners))
		return "polygon"
	case 6:
		sigma, dy := .1+float64(s.n(60))/8, s.n(20)-10
		fast.Shadow(r, radius, sigma, dy, ink)
		byPixel(slow, ink, true, slowShadow(r, radius, sigma, dy))
		return "shadow"
	case 7:
		angle := Angle(45 * (1 + s.n(4)))
		fast.Scrim(r, angle, ink, stops...)
		byPixel(slow, ink, true, slowLine(r, angle, stops))
		return "scrim"
	case 8:
		rx, ry := 1+float64(s.n(8*fast.w))/8, 1+float64(s.n(8*fast.h))/8
		fast.Glow(x, y, rx, ry, ink, stops...)
		byPixel(slow, ink, true, slowGlow(x, y, rx, ry, stops))
		return "glow"
	case 9:
		down, opacity := s.n(2) == 1, s.coverage(max(r.Dx(), r.Dy()))
		fast.ScrimAlong(r, down, ink, opacity)
		byPixel(slow, ink, true, func(x, y int) uint8 {
			switch {
			case !(image.Point{X: x, Y: y}).In(r):
				return 0
			case down:
				return opacity[y-r.Min.Y]
			}
			return opacity[x-r.Min.X]
		})
		return "scrim along"
	}
	mask := &image.Alpha{Pix: s.coverage(r.Dx() * r.Dy()), Stride: r.Dx(), Rect: r}
	if s.n(2) == 0 {
		fast.Mask(r.Min.X, r.Min.Y, mask, ink)
	} else {
		fast.Stencil(NewStencil(mask.SubImage(r).(*image.Alpha)), ink)
	}
	byPixel(slow, ink, false, func(x, y int) uint8 { return mask.AlphaAt(x, y).A })
	return "mask"
}

// FuzzShapesByPixel draws shapes at random, with and without clips and dither, and compares each of their pixels.
func FuzzShapesByPixel(f *testing.F) {
	scripts(f, 300, 500)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		fast, slow := s.twins()
		defer fast.Release()
		defer slow.Release()
		fast.Upgrade()
		slow.Upgrade()
		for s.more() {
			name := s.shape(fast, slow)
			wantSame(t, name, fast, slow)
		}
	})
}

// TestShapes_whereEndsMeet has shapes whose two ends share a column, or whose radius ends within a pixel.
func TestShapes_whereEndsMeet(t *testing.T) {
	ink, odd, fraction := color.NRGBA{R: 200, G: 30, B: 90, A: 100}, image.Rect(3, 2, 18, 39), image.Rect(3, 2, 38, 39)
	for name, draw := range map[string][2]func(c *Canvas){
		"a pill of 15 columns": {
			func(c *Canvas) { c.RoundRect(odd, 7.5, ink) },
			func(c *Canvas) { byPixel(c, ink, false, slowRoundRect(odd, 7.5)) },
		},
		"a radius of 2.2": {
			func(c *Canvas) { c.RoundRect(fraction, 2.2, ink) },
			func(c *Canvas) { byPixel(c, ink, false, slowRoundRect(fraction, 2.2)) },
		},
		"the outline of a pill": {
			func(c *Canvas) { c.Border(odd, 7.5, 2, ink) },
			func(c *Canvas) { byPixel(c, ink, false, slowBorder(odd, 7.5, 2)) },
		},
		"the shadow of a pill": {
			func(c *Canvas) { c.Shadow(odd, 7.5, 2, 3, ink) },
			func(c *Canvas) { byPixel(c, ink, true, slowShadow(odd, 7.5, 2, 3)) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, want := NewRGBA(42, 50, Solid{R: 250, G: 240, B: 9}), NewRGBA(42, 50, Solid{R: 250, G: 240, B: 9})
			defer got.Release()
			defer want.Release()
			draw[0](got)
			draw[1](want)
			wantSame(t, name, got, want)
		})
	}
}
