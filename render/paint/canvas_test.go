package paint_test

import (
	"image"
	"image/color"
	"math"
	"sync"
	"testing"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
)

// psnr compares two canvases of one size, in decibels over all channels, and returns the largest difference of a
// channel too.
func psnr(a, b *paint.Canvas) (db float64, worst int) {
	r := a.Bounds()
	sum := 0.0
	for y := range r.Dy() {
		for x := range r.Dx() {
			p, q := a.At(x, y), b.At(x, y)
			for _, d := range [3]int{int(p.R) - int(q.R), int(p.G) - int(q.G), int(p.B) - int(q.B)} {
				sum += float64(d * d)
				worst = max(worst, d, -d)
			}
		}
	}
	if sum == 0 {
		return math.Inf(1), 0
	}
	return 10 * math.Log10(255*255*float64(3*r.Dx()*r.Dy())/sum), worst
}

// What is drawn on a palette looks like what is drawn exactly.
func TestIndexed_sameCalls_looksLikeRGBA(t *testing.T) {
	masks := glyphs()
	th := palette.New(palette.RGB(0x4F46E5), true)
	light := palette.New(palette.RGB(0x4F46E5), false)
	shadow := palette.Fade(black, .35)
	diagonal := paint.Linear{Angle: paint.DownRight, Colors: palette.Gradient(slate...)}
	pale := paint.Linear{
		Angle: paint.DownRight, Colors: palette.Gradient(light.Ramp(.82, .8, -25), light.Ramp(.70, .9, 25)),
	}
	for _, c := range []struct {
		name       string
		background paint.Background
		inks       []color.NRGBA
		least      float64 // dB
		worst      int
		draw       func(c *paint.Canvas)
	}{
		{"shapes", paint.Solid(th.BG), nil, 52, 30, func(c *paint.Canvas) { shapes(c, th, masks) }},
		{"light shapes", paint.Solid(light.BG), nil, 52, 30, func(c *paint.Canvas) { shapes(c, light, masks) }},
		{"patterns", paint.Solid(th.BG), nil, 52, 12, func(c *paint.Canvas) { patterns(c, th) }},
		{"text on a gradient", diagonal, []color.NRGBA{white, palette.RGB(0xCBD5E1)}, 46, 32, func(c *paint.Canvas) {
			letters(c, 30, 30, 540, 3, white, masks)
			letters(c, 30, 220, 540, 1, palette.RGB(0xCBD5E1), masks)
		}},
		{"window on a gradient", pale, []color.NRGBA{shadow}, 43, 32, func(c *paint.Canvas) {
			window(c, light, shadow)
		}},
		{"glow", paint.Solid(th.BG), nil, 48, 16, func(c *paint.Canvas) {
			c.Glow(300, 85, 320, 180, th.Ramp(.5, 1, 0), paint.AlphaStop{At: 0, Alpha: .75}, paint.AlphaStop{At: 1})
		}},
		{"an ink that was not named", diagonal, nil, 30, 60, func(c *paint.Canvas) {
			letters(c, 30, 30, 540, 3, white, masks)
		}},
	} {
		indexed, exact := paint.New(goldenW, goldenH, c.background, c.inks...), paint.NewRGBA(goldenW, goldenH, c.background)
		c.draw(indexed)
		c.draw(exact)
		db, worst := psnr(indexed, exact)
		t.Logf("%s: %.1f dB, worst %d", c.name, db, worst)
		if !indexed.Indexed() || db < c.least || worst > c.worst {
			t.Errorf("%s: indexed %v, %.1f dB (want %v), worst %d (want %d)",
				c.name, indexed.Indexed(), db, c.least, worst, c.worst)
		}
		indexed.Release()
		exact.Release()
	}
}

// The same calls give the same pixels, whatever else is drawn at the same time with the same pools.
func TestCanvas_concurrentUse_samePixels(t *testing.T) {
	th, masks := palette.New(palette.RGB(0xFACC15), false), glyphs()
	draw := func() *paint.Canvas {
		c := paint.New(goldenW, goldenH, paint.Solid(th.BG))
		shapes(c, th, masks)
		patterns(c, th)
		c.Picture(logo(90), image.Rect(10, 200, 100, 290), 20)
		return c
	}
	want := draw()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				got := draw()
				if _, worst := psnr(got, want); worst != 0 {
					t.Errorf("another run differs by %d", worst)
				}
				got.Release()
			}
		})
	}
	wg.Wait()
}

func TestUpgrade_halfDrawn_keepsPixels(t *testing.T) {
	th, masks := palette.New(palette.RGB(0x10B981), true), glyphs()
	a, b := paint.New(goldenW, goldenH, paint.Solid(th.BG)), paint.New(goldenW, goldenH, paint.Solid(th.BG))
	shapes(a, th, masks)
	shapes(b, th, masks)
	b.Upgrade()
	b.Upgrade()
	if _, worst := psnr(a, b); worst != 0 || b.Indexed() {
		t.Errorf("the upgraded canvas differs by %d", worst)
	}
}

// A shape that is begun on a palette and ended on RGBA is whole.
func TestFill_fullPalette_upgradesAndStaysExact(t *testing.T) {
	many := paint.New(300, 300, paint.Solid(black))
	for i := range 300 {
		many.Fill(image.Rect(0, i, 300, i+1), color.NRGBA{R: uint8(i * 37), G: uint8(i * 59), B: uint8(i * 83), A: 255})
	}
	if many.Indexed() {
		t.Error("300 flat colors are still indexed")
	}
	for i := range 300 {
		want := color.NRGBA{R: uint8(i * 37), G: uint8(i * 59), B: uint8(i * 83), A: 255}
		if got := many.At(299, i); got != want {
			t.Fatalf("row %d is %v, want %v", i, got, want)
		}
	}
}

func TestPicture_onIndexedCanvas_staysIndexedUnlessColorful(t *testing.T) {
	th := palette.New(palette.RGB(0x4F46E5), true)
	for _, c := range []struct {
		name    string
		img     *image.NRGBA
		r       image.Rectangle
		indexed bool
	}{
		{"a logo with gradients", logo(128), image.Rect(10, 10, 74, 74), true},
		{"a colorful thumbnail", photo(64, 64), image.Rect(10, 10, 74, 74), false},
		{"a photograph", photo(400, 300), image.Rect(100, 0, 500, 300), false},
		{"a flat icon, enlarged", logo(16), image.Rect(10, 10, 58, 58), true},
		{"beyond the edge", logo(64), image.Rect(570, 290, 634, 354), true},
		{"outside", photo(64, 64), image.Rect(700, 400, 764, 464), true},
		{"nothing", image.NewNRGBA(image.Rectangle{}), image.Rect(10, 10, 58, 58), true},
	} {
		a, b := paint.New(goldenW, goldenH, paint.Solid(th.BG)), paint.NewRGBA(goldenW, goldenH, paint.Solid(th.BG))
		a.Picture(c.img, c.r, 8)
		b.Picture(c.img, c.r, 8)
		if db, _ := psnr(a, b); a.Indexed() != c.indexed || db < 42 {
			t.Errorf("%s: indexed %v, %.1f dB", c.name, a.Indexed(), db)
		}
		a.Release()
		b.Release()
	}
}

// Whatever is drawn, nothing changes outside of a clip.
func TestClip_anyDrawing_leavesOutside(t *testing.T) {
	th, masks := palette.New(palette.RGB(0xE11D48), true), glyphs()
	clip := image.Rect(137, 61, 411, 233)
	for _, rgba := range []bool{false, true} {
		c := paint.New(goldenW, goldenH, paint.Solid(th.BG))
		if rgba {
			c.Upgrade()
		}
		undo := c.Clip(clip)
		shapes(c, th, masks)
		patterns(c, th)
		window(c, th, palette.Fade(black, .5))
		c.Paint(c.Bounds(), paint.Linear{Angle: paint.Down, Colors: []color.NRGBA{th.Fill, th.AccentText}})
		c.Picture(logo(128), image.Rect(380, 200, 508, 328), 10)
		undo()
		for y := range goldenH {
			for x := range goldenW {
				if in := image.Pt(x, y).In(clip); !in && c.At(x, y) != th.BG {
					t.Fatalf("rgba %v: pixel %d,%d outside of the clip was drawn", rgba, x, y)
				} else if in && c.At(x, y) == th.BG {
					t.Fatalf("rgba %v: pixel %d,%d inside of the clip was not drawn", rgba, x, y)
				}
			}
		}
		c.Release()
	}
}

// area sums up how much of a white ink lies on a black canvas, in pixels.
func area(c *paint.Canvas) float64 {
	sum := 0.0
	for y := range c.Bounds().Dy() {
		for x := range c.Bounds().Dx() {
			sum += float64(c.At(x, y).R) / 255
		}
	}
	return sum
}

func TestShapes_white_coverTheirArea(t *testing.T) {
	r := image.Rect(50, 40, 250, 160)
	for _, c := range []struct {
		name string
		want float64
		draw func(c *paint.Canvas)
	}{
		{"rectangle", 200 * 120, func(c *paint.Canvas) { c.Fill(r, white) }},
		{"rounded rectangle", 200*120 - (4-math.Pi)*24*24, func(c *paint.Canvas) { c.RoundRect(r, 24, white) }},
		{"radius of nothing", 200 * 120, func(c *paint.Canvas) { c.RoundRect(r, -3, white) }},
		{"radius too large", 80*120 + math.Pi*60*60, func(c *paint.Canvas) { c.RoundRect(r, 500, white) }},
		{"fractional radius", 200*120 - (4-math.Pi)*9.6*9.6, func(c *paint.Canvas) { c.RoundRect(r, 9.6, white) }},
		{"border", 2*200*3 + 2*114*3, func(c *paint.Canvas) { c.Border(r, 0, 3, white) }},
		{"rounded border", (200*120 - (4-math.Pi)*400) - (196*116 - (4-math.Pi)*18*18), func(c *paint.Canvas) {
			c.Border(r, 20, 2, white)
		}},
		{"disc", math.Pi * 70 * 70, func(c *paint.Canvas) { c.Disc(150.3, 100.7, 70, white) }},
		{"small disc", math.Pi * 3.3 * 3.3, func(c *paint.Canvas) { c.Disc(20, 20, 3.3, white) }},
		{"ring", 2 * math.Pi * 70 * 6, func(c *paint.Canvas) { c.Ring(150, 100, 70, 6, white) }},
		{"thin ring", 2 * math.Pi * 70 * 1.5, func(c *paint.Canvas) { c.Ring(150, 100, 70, 1.5, white) }},
		{"hairline ring", 2 * math.Pi * 70 * .4, func(c *paint.Canvas) { c.Ring(150, 100, 70, .4, white) }},
		{"half seen", .5 * 200 * 120, func(c *paint.Canvas) { c.Fill(r, palette.Fade(white, .5)) }},
		{"grid", 5*100 + 4*120 - 20, func(c *paint.Canvas) {
			c.Grid(image.Rect(50, 40, 170, 140), 25, 2, white, white)
		}},
		{"path", 200 * 120, func(c *paint.Canvas) {
			c.Path(image.Rect(0, 0, 300, 200), white, func(g *gg.Context) {
				g.DrawRectangle(50, 40, 200, 120)
				g.Fill()
			})
		}},
		{"round clip", math.Pi * 50 * 50, func(c *paint.Canvas) {
			undo := c.ClipRound(image.Rect(100, 50, 200, 150), 50)
			c.Fill(c.Bounds(), white)
			undo()
		}},
	} {
		for _, rgba := range []bool{false, true} {
			canvas := paint.New(300, 200, paint.Solid(black))
			if rgba {
				canvas.Upgrade()
			}
			c.draw(canvas)
			if got := area(canvas); math.Abs(got-c.want) > .01*c.want+1.5 {
				t.Errorf("%s, rgba %v: area %.1f, want %.1f", c.name, rgba, got, c.want)
			}
			canvas.Release()
		}
	}
}

// Round shapes are alike in all four quarters.
func TestShapes_aboutMiddle_quartersAreAlike(t *testing.T) {
	for name, draw := range map[string]func(c *paint.Canvas){
		"disc":    func(c *paint.Canvas) { c.Disc(100, 100, 61.3, white) },
		"ring":    func(c *paint.Canvas) { c.Ring(100, 100, 61.3, 7.5, white) },
		"rounded": func(c *paint.Canvas) { c.RoundRect(image.Rect(30, 50, 170, 150), 31.7, white) },
		"border":  func(c *paint.Canvas) { c.Border(image.Rect(30, 50, 170, 150), 31.7, 3, white) },
		"shadow":  func(c *paint.Canvas) { c.Shadow(image.Rect(60, 70, 140, 130), 20, 9, 0, white) },
		"glow": func(c *paint.Canvas) {
			c.Glow(100, 100, 80, 60, white, paint.AlphaStop{Alpha: 1}, paint.AlphaStop{At: 1})
		},
	} {
		c := paint.NewRGBA(200, 200, paint.Solid(black))
		draw(c)
		for y := range 100 {
			for x := range 100 {
				p := c.At(x, y)
				if p != c.At(199-x, y) || p != c.At(x, 199-y) || p != c.At(199-x, 199-y) {
					t.Fatalf("%s: the quarters differ at %d,%d", name, x, y)
				}
			}
		}
		c.Release()
	}
}

// The shadow is the Gaussian blur of the rounded rectangle: it is compared with a plain convolution.
func TestShadow_roundedRectangle_isGaussianBlur(t *testing.T) {
	const sigma, radius = 8, 18
	r := image.Rect(60, 60, 140, 120)
	mask := paint.RoundMask(r, radius)
	c := paint.NewRGBA(200, 180, paint.Solid(black))
	defer c.Release()
	c.Shadow(r, radius, sigma, 0, white)
	hidden := r.Inset(radius + 1)
	for y := 30; y < 150; y += 3 {
		for x := 30; x < 170; x += 3 {
			if image.Pt(x, y).In(hidden) {
				continue
			}
			sum, weights := 0.0, 0.0
			for dy := -4 * sigma; dy <= 4*sigma; dy++ {
				for dx := -4 * sigma; dx <= 4*sigma; dx++ {
					w := math.Exp(-float64(dx*dx+dy*dy) / (2 * sigma * sigma))
					weights += w
					sum += w * float64(mask.AlphaAt(x+dx, y+dy).A)
				}
			}
			if got, want := float64(c.At(x, y).R), sum/weights; math.Abs(got-want) > 4 {
				t.Fatalf("shadow at %d,%d is %.0f, want %.1f", x, y, got, want)
			}
		}
	}
}

func TestBlur_anySigma_keepsInk(t *testing.T) {
	mask := paint.RoundMask(image.Rect(10, 20, 110, 90), 0)
	for _, sigma := range []float64{0, .4, 3, 16, 40} {
		got := paint.Blur(mask, sigma)
		sum := 0
		for _, v := range got.Pix {
			sum += int(v)
		}
		if want := 100 * 70 * 255; math.Abs(float64(sum-want)) > .03*float64(want) {
			t.Errorf("sigma %v: the blur has %.3f of the ink", sigma, float64(sum)/float64(want))
		}
		// At the middle of a long edge half of the ink is left.
		if sigma > 0 && sigma < 16 {
			if a, b := got.AlphaAt(9, 55).A, got.AlphaAt(10, 55).A; int(a)+int(b) < 245 || int(a)+int(b) > 265 {
				t.Errorf("sigma %v: the edge has %d and %d", sigma, a, b)
			}
		}
	}
	flat := image.NewNRGBA(image.Rect(0, 0, 50, 40))
	for i := range flat.Pix {
		flat.Pix[i] = []uint8{10, 100, 200, 255}[i%4]
	}
	for i, v := range paint.BlurPicture(flat, 7).Pix {
		if v != flat.Pix[i] {
			t.Fatalf("a flat picture changes from %d to %d", flat.Pix[i], v)
		}
	}
}

func TestLinear_anyAngle_runsEvenlyBetweenItsColors(t *testing.T) {
	colors := []color.NRGBA{palette.RGB(0x0F172A), palette.RGB(0x4338CA)}
	for _, rgba := range []bool{false, true} {
		for _, angle := range []paint.Angle{paint.UpRight, paint.Right, paint.DownRight, paint.Down} {
			g := paint.Linear{Angle: angle, Colors: colors}
			c := paint.New(600, 300, g)
			if rgba {
				c = paint.NewRGBA(600, 300, g)
			}
			from, to := c.At(0, 0), c.At(599, 299)
			switch angle {
			case paint.UpRight:
				from, to = c.At(0, 299), c.At(599, 0)
			}
			if near(from, colors[0]) > 2 || near(to, colors[1]) > 2 {
				t.Errorf("angle %d: it runs from %s to %s", angle, palette.Hex(from), palette.Hex(to))
			}
			for x := 1; x < 600; x++ {
				if d := near(c.At(x, 150), c.At(x-1, 150)); d > 2 {
					t.Errorf("angle %d, rgba %v: a band of %d at %d", angle, rgba, d, x)
				}
			}
			c.Release()
		}
	}
	one := paint.New(20, 10, paint.Linear{Angle: paint.Right, Colors: colors[:1]})
	none := paint.New(20, 10, paint.Linear{})
	if one.At(10, 5) != colors[0] || none.At(10, 5) != black {
		t.Errorf("too few colors give %v and %v", one.At(10, 5), none.At(10, 5))
	}
}

// near is the largest difference of a channel.
func near(a, b color.NRGBA) int {
	d := 0
	for _, v := range [3]int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B)} {
		d = max(d, v, -v)
	}
	return d
}

// TestGlow_overAPhotograph_keepsMean checks that blue noise rounds to the right mean: a faint light on a card that will
// be a JPEG is in the mean what the exact one is.
func TestGlow_overAPhotograph_keepsMean(t *testing.T) {
	photograph := image.NewNRGBA(image.Rect(0, 0, 256, 256))
	for i := range photograph.Pix {
		photograph.Pix[i] = [4]uint8{40, 41, 43, 255}[i%4]
	}
	c := paint.New(256, 256, paint.Solid(black))
	defer c.Release()
	c.Picture(photograph, c.Bounds(), 0)
	const alpha = 3 // of 255
	even := []paint.AlphaStop{{At: 0, Alpha: alpha / 255.}, {At: 1, Alpha: alpha / 255.}}
	c.Glow(128, 128, 4000, 4000, white, even...)
	want := 40 + (255-40)*alpha/255.
	sum, low, high := 0.0, 255, 0
	for y := range 256 {
		for x := range 256 {
			v := int(c.At(x, y).R)
			sum += float64(v)
			low, high = min(low, v), max(high, v)
		}
	}
	if mean := sum / 65536; math.Abs(mean-want) > .1 || high-low > 1 {
		t.Errorf("mean %.2f from %d to %d, want %.2f", mean, low, high, want)
	}
	if c.Indexed() {
		t.Error("a large photograph is indexed")
	}
}

func TestCanvas_absurdSizes_areBounded(t *testing.T) {
	for _, c := range []*paint.Canvas{paint.New(-5, 0, paint.Solid(black)), paint.NewRGBA(1, 1, paint.Solid(white))} {
		c.Disc(0, 0, 1e9, white)
		c.Disc(math.NaN(), 0, 1, white)
		c.Shadow(image.Rect(-1e6, -1e6, 1e6, 1e6), 5, 1e9, 0, white)
		c.RoundRect(image.Rect(-1e6, -1e6, 1e6, 1e6), 1e9, white)
		c.Picture(logo(10), image.Rect(0, 0, 1e6, 1e6), 3)
		if c.Bounds() != image.Rect(0, 0, 1, 1) {
			t.Errorf("bounds %v", c.Bounds())
		}
		c.Release()
	}
}

// Text on a warm canvas allocates nothing.
func TestMask_warmCanvas_allocatesNothing(t *testing.T) {
	masks := glyphs()
	indexed, rgba := paint.New(600, 315, paint.Solid(black)), paint.NewRGBA(600, 315, paint.Solid(black))
	for _, c := range []*paint.Canvas{indexed, rgba} {
		letters(c, 10, 10, 500, 3, white, masks)
		if n := testing.AllocsPerRun(10, func() { letters(c, 10, 10, 500, 3, white, masks) }); n > 0 {
			t.Errorf("indexed %v: %v allocations", c.Indexed(), n)
		}
	}
}

// TestPaint_underASoftClip_panics checks that a background is not drawn past soft edges in silence.
func TestPaint_underASoftClip_panics(t *testing.T) {
	c := paint.New(64, 48, paint.Solid(black))
	defer c.Release()
	undo := c.ClipRound(image.Rect(8, 8, 40, 40), 8)
	defer func() {
		if recover() == nil {
			t.Error("it covered pixels beyond the soft edge, want a panic")
		}
		undo()
	}()
	c.Paint(c.Bounds(), paint.Solid(white))
}
