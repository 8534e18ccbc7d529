package paint

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// A canvas that has a palette draws as one of full color does, as far as a palette can, and goes on as one when it
// becomes one in the middle of whatever is drawn. How far off a pixel may be is said by lostBy.

// inFullColor returns a canvas of full color that shows what another one does, with its clip.
func inFullColor(c *Canvas) *Canvas {
	out := NewBlank(c.w, c.h)
	out.clip, out.mask, out.dither = c.clip, c.mask, c.dither
	for y := range c.h {
		for x := range c.w {
			p := c.At(x, y)
			copy(out.rgba.Pix[4*(y*c.w+x):], []uint8{p.R, p.G, p.B, 255})
		}
	}
	return out
}

// lostBy returns by how many levels a channel of a pixel may be off after one operation on a palette that has so much
// room left: by a step of coverage of what the ink changes (half of one of 31, or in soft inks four of 255), by what is
// rounded, and by how far the entry for a blend may be away. Those distances count green by 4, red by 3 and blue by 2.
func lostBy(room int, soft bool, ink, background uint8, channel int) int {
	distance := 9 * 30 * 30
	switch {
	case room > 96:
		distance = 9 * 4 * 4
	case room > 48:
		distance = 9 * 9 * 9
	case room > 0:
		distance = 9 * 16 * 16
	}
	step := 1. / (2 * hardSteps)
	if soft {
		step = 4. / softSteps
	}
	entry := math.Sqrt(float64(distance) / [3]float64{3, 4, 2}[channel])
	return int(step*math.Abs(float64(ink)-float64(background))+entry) + 1
}

// operation is one that blends an ink on pixels.
type operation struct {
	name string
	ink  color.NRGBA
	soft bool
	draw func(c *Canvas)
}

// operation returns one at random.
func (s *script) operation(w, h int) operation {
	ink := s.ink()
	if s.n(3) == 0 {
		ink = color.NRGBA{R: s.byte(), G: s.byte(), B: s.byte(), A: s.byte() | uint8(s.n(2)*255)}
	}
	r := image.Rect(0, 0, 1+s.n(w+30), 1+s.n(h+30)).Add(image.Pt(s.n(w+20)-20, s.n(h+20)-20))
	radius, x, y := float64(s.n(200))/8, float64(s.n(8*w))/8, float64(s.n(8*h))/8
	stops := []AlphaStop{{At: 0, Alpha: float64(s.n(9)) / 8}, {At: 1, Alpha: float64(s.n(9)) / 8}}
	width, angle := 1+s.n(9), Angle(45*(1+s.n(4)))
	switch s.n(9) {
	case 0:
		return operation{"fill", ink, false, func(c *Canvas) { c.Fill(r, ink) }}
	case 1:
		return operation{"rounded rectangle", ink, false, func(c *Canvas) { c.RoundRect(r, radius, ink) }}
	case 2:
		return operation{"border", ink, false, func(c *Canvas) { c.Border(r, radius, width, ink) }}
	case 3:
		return operation{"disc", ink, false, func(c *Canvas) { c.Disc(x, y, radius, ink) }}
	case 4:
		return operation{"ring", ink, false, func(c *Canvas) { c.Ring(x, y, radius, float64(width), ink) }}
	case 5:
		return operation{"shadow", ink, true, func(c *Canvas) { c.Shadow(r, radius, .5+radius/3, width-4, ink) }}
	case 6:
		return operation{"scrim", ink, true, func(c *Canvas) { c.Scrim(r, angle, ink, stops...) }}
	case 7:
		return operation{"glow", ink, true, func(c *Canvas) { c.Glow(x, y, 1+radius, 2+radius/2, ink, stops...) }}
	}
	mask := &image.Alpha{Pix: s.coverage(r.Dx() * r.Dy()), Stride: r.Dx(), Rect: r}
	return operation{"mask", ink, false, func(c *Canvas) { c.Stencil(NewStencil(mask), ink) }}
}

// FuzzIndexed draws at random on a palette. After each operation every pixel is compared with the same operation in
// full color on the pixels that were there; and as soon as the canvas has become one of full color, all is exact.
func FuzzIndexed(f *testing.F) {
	scripts(f, 150, 900)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		w, h := 1+s.n(90), 1+s.n(40)
		var background Background = Solid(s.ink())
		if s.n(3) == 0 { // with colors of its own, whose blends are not laid out ahead
			background = Linear{Angle: Angle(45 * (1 + s.n(4))), Colors: []color.NRGBA{s.ink(), s.ink()}}
		}
		c := New(w, h, background)
		defer c.Release()
		switch s.n(3) {
		case 1:
			c.Clip(image.Rect(w/5, h/5, w-w/7, h-h/9))
		case 2:
			c.ClipRound(image.Rect(-3, h/9, w-w/9, h+2), float64(s.n(20)))
		}
		for c.Indexed() && s.more() {
			exact, before := inFullColor(c), inFullColor(c)
			op := s.operation(w, h)
			op.draw(c)
			op.draw(exact)
			room := 0
			if c.Indexed() {
				room = maxColors - exactRoom - c.blends.n
			}
			inks := [3]uint8{op.ink.R, op.ink.G, op.ink.B}
			for y := range h {
				for x := range w {
					got, want, was := c.At(x, y), exact.At(x, y), before.At(x, y)
					backgrounds := [3]uint8{was.R, was.G, was.B}
					for ch, d := range [3]int{int(got.R) - int(want.R), int(got.G) - int(want.G), int(got.B) - int(want.B)} {
						if most := lostBy(room, op.soft, inks[ch], backgrounds[ch], ch); abs(d) > most {
							t.Fatalf("%s in %v on %v: %d,%d is %v, want %v; channel %d may be off by %d", op.name, op.ink, was, x, y, got,
								want, ch, most)
						}
					}
				}
			}
			exact.Release()
			before.Release()
		}
		exact := inFullColor(c)
		defer exact.Release()
		for !c.Indexed() && s.more() {
			op := s.operation(w, h)
			op.draw(c)
			op.draw(exact)
			wantSame(t, op.name, c, exact)
		}
	})
}

// FuzzUpgrade draws whole pixels in opaque inks, and pictures that no palette holds, on a palette and in full color.
// As long as the palette is not full, and ever after it was given up, pixels are the same; a color for which a full
// palette has one nearly alike has that, as far off as a gray of two levels more.
func FuzzUpgrade(f *testing.F) {
	scripts(f, 60, 2500)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		w, h := 200+s.n(60), 190+s.n(20)
		c, exact := New(w, h, Solid{R: 9}), NewRGBA(w, h, Solid{R: 9})
		defer c.Release()
		defer exact.Release()
		many := s.n(300) // colors that fill the palette, or nearly
		for i := range many {
			ink := color.NRGBA{R: uint8(i * 37), G: uint8(i * 59), B: uint8(i * 83), A: 255}
			c.Fill(image.Rect(i%w, i/w, w, h), ink)
			exact.Fill(image.Rect(i%w, i/w, w, h), ink)
		}
		most := 0
		for s.more() {
			ink := color.NRGBA{R: s.byte(), G: s.byte(), B: s.byte(), A: 255}
			if near := s.n(max(many, 1)); s.n(2) == 0 { // one that is nearly there
				ink = color.NRGBA{R: uint8(near*37 + s.n(7)), G: uint8(near*59 + s.n(7)), B: uint8(near*83 + s.n(3)), A: 255}
			}
			r := image.Rect(0, 0, 1+s.n(40), 1+s.n(20)).Add(image.Pt(s.n(w), s.n(h)))
			draw := func(c *Canvas) { c.Fill(r, ink) }
			switch s.n(40) {
			case 0, 1, 2, 3, 4, 5:
				mask := &image.Alpha{Pix: s.coverage(r.Dx() * r.Dy()), Stride: r.Dx(), Rect: r}
				for i, v := range mask.Pix {
					mask.Pix[i] = v >> 7 * 255
				}
				draw = func(c *Canvas) { c.Mask(r.Min.X, r.Min.Y, mask, ink) }
			case 6, 7:
				draw = func(c *Canvas) {
					c.Levels(newTwoLevels(r), []color.NRGBA{ink, {G: ink.R, B: 77, A: 255}}, ink.R%2 == 0)
				}
			case 8: // too large for a palette
				img := &image.NRGBA{Pix: s.bytes(4 * 190 * 190), Stride: 4 * 190, Rect: image.Rect(0, 0, 190, 190)}
				if s.n(12) > 0 {
					continue
				}
				draw = func(c *Canvas) { c.Picture(img, img.Rect.Add(r.Min.Div(9)), float64(ink.R)/9) }
			}
			full := c.Indexed() && c.blends.n == maxColors
			draw(c)
			draw(exact)
			if full && c.Indexed() {
				most = 9 * 2 * 2
			}
		}
		for y := range h {
			for x := range w {
				p, q := c.At(x, y), exact.At(x, y)
				if distance(rgb{p.R, p.G, p.B}, rgb{q.R, q.G, q.B}) > most {
					t.Fatalf("indexed %v: %d,%d is %v, want %v to a distance of %d", c.Indexed(), x, y, p, q, most)
				}
			}
		}
	})
}

// newTwoLevels returns a figure of two shades side by side, without edges.
func newTwoLevels(r image.Rectangle) *Levels {
	f := newFigure(r)
	for i := range f.pix {
		f.pix[i] = uint8(1 + 2*(i%r.Dx())/(r.Dx()+1))
	}
	return f.levels()
}

// picture returns a picture at random: of noise, of a few colors, or of ones that change slowly.
func (s *script) picture(w, h int) *image.NRGBA {
	img := &image.NRGBA{Pix: s.bytes(4 * w * h), Stride: 4 * w, Rect: image.Rect(0, 0, w, h)}
	kind, few, soft := s.n(3), 1+s.n(30), s.n(2) == 0
	base, across, down := s.ink(), s.n(7), s.n(7)
	for i := range w * h {
		p := img.Pix[4*i:][:4]
		switch kind {
		case 0:
			copy(p, img.Pix[4*(i%few):][:3])
		case 1:
			p[0], p[1], p[2] = base.R/2+uint8(i%w*across/4), base.G/2+uint8(i/w*down/4), base.B/2+uint8(i%w)
		}
		if !soft {
			p[3] = p[3] >> 7 * 255
		}
	}
	return img
}

// FuzzPictureOnIndexed draws small pictures on a palette. Where it cannot hold one, and becomes full color, the picture
// is exact. Where it takes all colors of one, a pixel that the picture covers whole has its color to a distance of 9·2;
// where it takes some, what FuzzDiffuse says. Nothing changes about it. And a picture that was drawn before, and so is
// copied, comes out as it did.
func FuzzPictureOnIndexed(f *testing.F) {
	scripts(f, 120, 1000)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		w, h := 1+s.n(60), 1+s.n(60)
		background, room, clip := Solid(s.ink()), s.n(3)*s.n(128), s.n(4)
		img := s.picture(w, h)
		r, radius := img.Rect.Add(image.Pt(s.n(60)-20, s.n(50)-20)), float64(s.n(30))
		few := s.rest
		draw := func() (c, before *Canvas) {
			s := &script{few}
			c = New(80, 70, background)
			for range room {
				if c.blends.n < maxColors {
					c.blends.add(rgb{s.byte(), s.byte(), s.byte()}, false)
				}
			}
			switch clip {
			case 0:
				c.Clip(image.Rect(11, 7, 60, 55))
			case 1:
				c.ClipRound(image.Rect(11, 7, 60, 55), 9)
			}
			before = inFullColor(c)
			c.Picture(img, r, radius)
			return c, before
		}
		c, before := draw()
		defer c.Release()
		defer before.Release()
		for range 2 {
			again, background := draw()
			wantSame(t, "drawn again", again, c)
			again.Release()
			background.Release()
		}
		exact := inFullColor(before)
		defer exact.Release()
		exact.Picture(img, r, radius)
		kinds, cover, alphas := map[rgb]bool{}, slowRoundRect(r, radius), map[image.Point]int{}
		for y := range c.h {
			for x := range c.w {
				a, want := 0, before.At(x, y)
				if image.Pt(x, y).In(r.Intersect(c.clip)) {
					a = slowDiv255(int(cover(x, y)) * int(img.NRGBAAt(x-r.Min.X, y-r.Min.Y).A))
				}
				if c.mask != nil {
					a = slowDiv255(a * int(c.mask.AlphaAt(x, y).A))
				}
				ink := img.NRGBAAt(x-r.Min.X, y-r.Min.Y)
				want.R = uint8(slowDiv255(int(ink.R)*a + int(want.R)*(255-a)))
				want.G = uint8(slowDiv255(int(ink.G)*a + int(want.G)*(255-a)))
				want.B = uint8(slowDiv255(int(ink.B)*a + int(want.B)*(255-a)))
				if got := exact.At(x, y); got != want || !c.Indexed() && c.At(x, y) != want {
					t.Fatalf("in full color %d,%d, covered by %d, is %v and %v, want %v", x, y, a, got, c.At(x, y), want)
				}
				if got := c.At(x, y); a == 0 && got != want {
					t.Fatalf("%d,%d, which the picture does not cover, is %v, was %v", x, y, got, want)
				}
				if alphas[image.Pt(x, y)] = a; a > 250 {
					kinds[rgb{want.R, want.G, want.B}] = true
				}
			}
		}
		if !c.Indexed() || len(kinds) > min(pictureColors-edgeColors, maxColors-pictureRoom-edgeColors-room) {
			return // it may have been diffused
		}
		for at, a := range alphas {
			p, q := c.At(at.X, at.Y), exact.At(at.X, at.Y)
			if d := distance(rgb{p.R, p.G, p.B}, rgb{q.R, q.G, q.B}); a > 250 && d > 9*2 {
				t.Fatalf("%v, covered by %d, is %v, want %v to a distance of 18", at, a, p, q)
			}
		}
	})
}

// FuzzDiffuse compares error diffusion with one that keeps the errors of all pixels: rows in turns from either side.
func FuzzDiffuse(f *testing.F) {
	scripts(f, 60, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		b := newBlendTable()
		var entries []uint8
		for range 1 + s.n(30) {
			entries = append(entries, b.add(rgb{s.byte(), s.byte(), s.byte()}, false))
		}
		w, h := 1+s.n(30), 1+s.n(20)
		values, cov := s.bytes(3*w*h), s.coverage(w*h)
		pixels, solid, errs := make([]rgb, w*h), make([]bool, w*h), map[image.Point][3]int{}
		for i := range pixels {
			pixels[i], solid[i] = rgb{values[3*i], values[3*i+1], values[3*i+2]}, cov[i] > 60
		}
		got := b.diffuse(pixels, solid, w, entries)
		for y := range h {
			for k := range w {
				x, ahead := k, 1
				if y%2 == 1 {
					x, ahead = w-1-k, -1
				}
				if !solid[y*w+x] {
					if got[y*w+x] != 0 {
						t.Fatalf("%d,%d, which is not solid, has an entry", x, y)
					}
					continue
				}
				p, e := pixels[y*w+x], errs[image.Pt(x, y)]
				want := [3]int{int(p.r), int(p.g), int(p.b)}
				for ch := range want {
					want[ch] += min(max(e[ch]/16, -20), 20)
				}
				at := b.nearestOf(entries, rgb{clamp8(want[0]), clamp8(want[1]), clamp8(want[2])})
				if got[y*w+x] != at {
					t.Fatalf("%d,%d has the entry %d, want %d", x, y, got[y*w+x], at)
				}
				have := [3]int{int(b.colors[at].r), int(b.colors[at].g), int(b.colors[at].b)}
				for to, part := range map[image.Point]int{
					{X: x + ahead, Y: y}: 7, {X: x - ahead, Y: y + 1}: 3, {X: x, Y: y + 1}: 5, {X: x + ahead, Y: y + 1}: 1,
				} {
					sum := errs[to]
					for ch := range sum {
						sum[ch] += part * (want[ch] - have[ch])
					}
					errs[to] = sum
				}
			}
		}
	})
}

// FuzzGradientTable compares the blends that are laid out for hard inks over a gradient with the nearest entry to each:
// to the blend over the middle of its eight neighbors.
func FuzzGradientTable(f *testing.F) {
	scripts(f, 12, 60)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		colors := []color.NRGBA{s.ink(), s.ink(), s.ink()}[s.n(2):]
		inks := []color.NRGBA{s.ink(), s.ink()}[s.n(2):]
		c := New(1+s.n(200), 2, Linear{Angle: Right, Colors: colors}, inks...)
		defer c.Release()
		g := c.blends.gradient
		if g == nil {
			return
		}
		for _, ink := range inks {
			k := c.blends.blendsOf(ink, hardSteps)
			for e := range g.n {
				middle := g.colors[min(e/8*8+4, g.n-1)]
				for step := range hardSteps + 1 {
					want, least := e, math.MaxInt
					for i, p := range g.colors[:g.size] {
						if d := distance(p, over(middle, ink, step, hardSteps)); step > 0 && d < least {
							want, least = i, d
						}
					}
					if got := int(k.table[e*(hardSteps+1)+step]); got != want {
						t.Fatalf("%v over entry %d by %d of 31 is entry %d, want %d", ink, e, step, got, want)
					}
				}
			}
		}
	})
}
