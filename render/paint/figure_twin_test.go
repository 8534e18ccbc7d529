package paint

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"
)

// Figures and gradients in shapes are kept as runs and drawn in pieces. Here they are drawn from their pixels.

// slowLevels draws a figure from a shade for each of its pixels, on RGBA.
func slowLevels(c *Canvas, r image.Rectangle, shades []uint8, edges []levelEdge, colors []color.NRGBA, mirrored bool) {
	for i, shade := range shades {
		x, y := r.Min.X+i%r.Dx(), r.Min.Y+i/r.Dx()
		if mirrored {
			x = c.w - 1 - x
		}
		if !(image.Point{X: x, Y: y}).In(c.clip) {
			continue
		}
		have, ink := c.rgba.Pix[4*(y*c.w+x):][:4], color.NRGBA{A: 255}
		p := rgb{have[0], have[1], have[2]}
		if shade != 0 {
			ink = colors[shade-1]
		}
		at := slices.IndexFunc(edges, func(e levelEdge) bool { return int(e.at) == i })
		switch {
		case at < 0 && shade == 0:
			continue
		case at < 0:
			p = rgb{ink.R, ink.G, ink.B}
		default:
			if under := edges[at].under; under != 0 {
				p = rgb{colors[under-1].R, colors[under-1].G, colors[under-1].B}
			}
			p = over(p, ink, int(edges[at].cover), 255)
		}
		have[0], have[1], have[2] = p.r, p.g, p.b
	}
}

// FuzzLevels draws figures at random, mirrored and cut, on RGBA as from their pixels. On a palette what their shades
// cover whole is exact, and an edge is as far off as its steps and the nearest entry are.
func FuzzLevels(f *testing.F) {
	scripts(f, 80, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		w, h := 1+s.n(90), 1+s.n(30)
		r := image.Rect(0, 0, 1+s.n(700), 1+s.n(20)).Add(image.Pt(s.n(30)-15, s.n(20)-10))
		colors := make([]color.NRGBA, 1+s.n(60))
		for i := range colors {
			colors[i] = color.NRGBA{R: uint8(i * 4), G: uint8(i * 37), B: 255 - uint8(i), A: 255}
		}
		fig := newFigure(r)
		for i := 0; i < len(fig.pix); {
			shade := uint8(s.n(len(colors) + 1))
			for run := 1 + s.n([2]int{12, 600}[s.n(2)]); run > 0 && i < len(fig.pix); run-- {
				fig.pix[i] = shade
				i++
			}
		}
		for at := s.n(9); at < len(fig.pix); at += 1 + s.n(60) {
			if fig.pix[at] != 0 {
				fig.edges = append(fig.edges, levelEdge{at: int32(at), under: uint8(s.n(len(colors) + 1)), cover: s.byte()})
			}
		}
		shades, edges := slices.Clone(fig.pix), slices.Clone(fig.edges)
		l, mirrored := fig.levels(), s.n(2) == 1
		background := Solid(s.ink())
		got, want, indexed := NewRGBA(w, h, background), NewRGBA(w, h, background), New(w, h, background)
		clip := image.Rect(s.n(w), s.n(h), w-s.n(5), h)
		for _, c := range []*Canvas{got, want, indexed} {
			defer c.Release()
			c.Clip(clip)
		}
		got.Levels(l, colors, mirrored)
		indexed.Levels(l, colors, mirrored)
		slowLevels(want, r, shades, edges, colors, mirrored)
		wantSame(t, "levels", got, want)
		if !indexed.Indexed() {
			t.Fatalf("%d colors do not fit the palette", len(colors))
		}
		isEdge := map[image.Point]bool{}
		for _, e := range edges {
			x, y := r.Min.X+int(e.at)%r.Dx(), r.Min.Y+int(e.at)/r.Dx()
			if mirrored {
				x = w - 1 - x
			}
			isEdge[image.Pt(x, y)] = true
		}
		for y := range h {
			for x := range w {
				p, q := indexed.At(x, y), want.At(x, y)
				if !isEdge[image.Pt(x, y)] && p != q {
					t.Fatalf("on a palette %d,%d is %v, want %v", x, y, p, q)
				}
				// Coverage comes in steps of 2/31, and between takes an entry of the distance 9·6²: 10 levels of red.
				const most = 255*2/31 + 1 + 13
				if max(abs(int(p.R)-int(q.R)), abs(int(p.G)-int(q.G)), abs(int(p.B)-int(q.B))) > most {
					t.Fatalf("on a palette the edge %d,%d is %v, want about %v", x, y, p, q)
				}
			}
		}
	})
}

// FuzzPaintStencil fills shapes at random with gradients. On RGBA each pixel has its shade by its coverage; on a
// palette a pixel that is covered whole has the color of its shade, out of as many as there are.
func FuzzPaintStencil(f *testing.F) {
	scripts(f, 200, 300)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		fast, slow := s.twins()
		defer fast.Release()
		defer slow.Release()
		r := image.Rect(0, 0, 1+s.n(fast.w+30), 1+s.n(fast.h+30)).Add(image.Pt(s.n(fast.w+20)-20, s.n(fast.h+20)-20))
		mask := &image.Alpha{Pix: s.coverage(r.Dx() * r.Dy()), Stride: r.Dx(), Rect: r}
		l := Linear{Angle: Angle(45 * (1 + s.n(4))), Colors: []color.NRGBA{s.ink(), s.ink(), s.ink()}[s.n(3):]}
		area := r.Inset(s.n(20) - 10)
		if area.Empty() {
			area = r
		}
		if s.n(2) == 0 {
			l.From, l.To = s.n(10)-5, s.n(60)
		}
		if s.n(2) > 0 {
			fast.Upgrade()
			slow.Upgrade()
		}
		wasIndexed := fast.indexed != nil
		fast.PaintMask(mask, area, l)
		if fast.indexed == nil {
			slow.Upgrade()
		}
		n := l.steps(area)
		from, to := l.span(n)
		count := min(levels(l.Colors), to-from, 255)
		if fast.indexed != nil {
			count = min(count, maxShades, maxColors-shapeMargin-slow.blends.n)
		}
		dither := fast.indexed != nil && levels(l.Colors) >= visibleStep*count
		for y := range fast.h {
			for x := range fast.w {
				v, got, have := mask.AlphaAt(x, y).A, fast.At(x, y), slow.At(x, y)
				if !(image.Point{X: x, Y: y}).In(fast.clip) {
					v = 0
				}
				if fast.mask != nil && v != 0 {
					v = uint8(slowDiv255(int(v) * int(fast.mask.AlphaAt(x, y).A)))
				}
				at := 0
				switch l.Angle {
				case Right:
					at = x - area.Min.X
				case Down:
					at = y - area.Min.Y
				case DownRight:
					at = x - area.Min.X + y - area.Min.Y
				case UpRight:
					at = x - area.Min.X + area.Max.Y - 1 - y
				}
				p := min(max(min(max(at, 0), n-1)-from, 0), to-from-1)
				shade := rgb{l.Colors[0].R, l.Colors[0].G, l.Colors[0].B}
				if len(l.Colors) > 1 {
					shade = stop(l.Colors, slowStop(x, y, p, to-from, count, dither), count)
				}
				whole := hardStep[v] == hardSteps && wasIndexed && fast.indexed != nil
				if fast.indexed != nil && !whole && hardStep[v] != 0 {
					continue // edges take what is near: TestPaintStencil_hasTheColorsOfTheGradient
				}
				if whole {
					v = 255
				} else if fast.indexed != nil {
					v = 0
				}
				want := have
				for ch, d := range [3]*uint8{&want.R, &want.G, &want.B} {
					ink := [3]uint8{shade.r, shade.g, shade.b}[ch]
					*d = uint8(slowDiv255(int(ink)*int(v) + int(*d)*(255-int(v))))
				}
				if got != want {
					t.Fatalf("indexed %v: %d,%d, covered by %d, is %v, want %v", fast.indexed != nil, x, y, v, got, want)
				}
			}
		}
	})
}

// slowStop returns which of count shades a pixel has at position p of n: the one whose stretch it is in, or, dithered,
// that one or the next by how far p is between their middles.
func slowStop(x, y, p, n, count int, dither bool) int {
	if !dither {
		return min((2*p+1)*count/(2*n), count-1)
	}
	threshold := 0 // of Bayer's matrix of eight by eight
	for bit := range 3 {
		threshold = 4*threshold + [2][2]int{{0, 2}, {3, 1}}[y>>bit&1][x>>bit&1]
	}
	between := min(max((2*p+1)*count*128/n-128, 0), (count-1)*256)
	return (between + 4*threshold) / 256
}

// FuzzThrough compares the background with its gradient and the rest of its color laid over it as a mask.
func FuzzThrough(f *testing.F) {
	scripts(f, 60, 300)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		w, h := 1+s.n(90), 1+s.n(40)
		at := image.Rect(0, 0, 1+s.n(w+30), 1+s.n(h+30)).Add(image.Pt(s.n(w+20)-20, s.n(h+20)-20))
		mask := &image.Alpha{Pix: s.coverage(at.Dx() * at.Dy()), Stride: at.Dx(), Rect: at}
		rest := image.NewAlpha(image.Rect(0, 0, w, h))
		for i := range rest.Pix {
			rest.Pix[i] = 255 - mask.AlphaAt(i%w, i/w).A
		}
		l := Linear{Angle: Angle(45 * (1 + s.n(4))), Colors: []color.NRGBA{s.ink(), s.ink(), s.ink()}[s.n(3):]}
		for i := range l.Colors {
			l.Colors[i].A = 255
		}
		ink := s.ink()
		ink.A = 255
		got, want := NewRGBA(w, h, Through{l, NewStencil(mask), ink}), NewRGBA(w, h, l)
		defer got.Release()
		defer want.Release()
		byPixel(want, ink, false, func(x, y int) uint8 { return rest.AlphaAt(x, y).A })
		wantSame(t, "through", got, want)
	})
}

// FuzzGradient compares each pixel of a gradient with the color of its position.
func FuzzGradient(f *testing.F) {
	scripts(f, 80, 60)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		c := NewRGBA(1+s.n(90), 1+s.n(60), Solid{})
		defer c.Release()
		r := image.Rect(s.n(c.w), s.n(c.h), c.w, c.h)
		l := Linear{Angle: Angle(45 * (1 + s.n(4))), Colors: []color.NRGBA{s.ink(), s.ink(), s.ink()}[s.n(2):]}
		if s.n(2) == 0 {
			l.From, l.To = s.n(40)-20, s.n(99)
		}
		c.Paint(r, l)
		for y := range c.h {
			for x := range c.w {
				var at, n int
				switch l.Angle {
				case Right:
					at, n = x-r.Min.X, r.Dx()
				case Down:
					at, n = y-r.Min.Y, r.Dy()
				case DownRight:
					at, n = x-r.Min.X+y-r.Min.Y, r.Dx()+r.Dy()-1
				case UpRight:
					at, n = x-r.Min.X+r.Max.Y-1-y, r.Dx()+r.Dy()-1
				}
				from, to := l.From, l.To
				if from >= to {
					from, to = 0, n
				}
				want := color.NRGBA{A: 255}
				if (image.Point{X: x, Y: y}).In(r) {
					p := colorAt(l.Colors, (float64(at-from)+.5)/float64(to-from))
					want = color.NRGBA{R: round8(p[0]), G: round8(p[1]), B: round8(p[2]), A: 255}
				}
				if got := c.At(x, y); got != want {
					t.Fatalf("angle %d of %v: %d,%d is %v, want %v", l.Angle, r, x, y, got, want)
				}
			}
		}
	})
}

// FuzzRidge compares the rows of a ridge with its colors, rounded, and where the canvas is dithered rounded by noise.
func FuzzRidge(f *testing.F) {
	scripts(f, 60, 80)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		fast, slow := s.twins()
		defer fast.Release()
		defer slow.Release()
		fast.Upgrade()
		slow.Upgrade()
		r := Ridge{Base: float64(s.n(60)) - 10, Amplitude: float64(s.n(20)), Period: 1 + float64(s.n(90)),
			Phase: float64(s.n(9)) / 8, Colors: []color.NRGBA{s.ink(), s.ink(), s.ink()}[s.n(3):], Mirror: s.n(2) == 1}
		fast.Ridge(r)
		crests, top, low := make([]float64, slow.w), float64(slow.h), 0.
		for x := range crests {
			at := float64(x) + .5
			if r.Mirror {
				at = float64(slow.w) - at
			}
			crests[x] = r.crest(at)
			top, low = min(top, crests[x]), max(low, crests[x])
		}
		for y := range slow.h {
			p := [3]float64{float64(r.Colors[0].R), float64(r.Colors[0].G), float64(r.Colors[0].B)}
			if len(r.Colors) > 1 {
				p = colorAt(r.Colors, (float64(y)+.5-top)/(float64(slow.h)-top))
			}
			ink := color.NRGBA{R: round8(p[0]), G: round8(p[1]), B: round8(p[2]), A: 255}
			for x, crest := range crests {
				fine := slow.dither && slow.mask == nil && float64(y) > low+1 && (image.Point{X: x, Y: y}).In(slow.clip)
				if !fine {
					slowRow(slow, y, x, []uint8{coverage(float64(y) + 1 - crest)}, brush{color: ink})
					continue
				}
				threshold := float64(noiseRow(y)[(x-slow.clip.Min.X)%noiseSide])
				for ch := range 3 {
					slow.rgba.Pix[4*(y*slow.w+x)+ch] = uint8((math.Floor(p[ch]*256) + threshold) / 256)
				}
			}
		}
		wantSame(t, "ridge", fast, slow)
	})
}
