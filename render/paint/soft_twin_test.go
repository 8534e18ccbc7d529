package paint

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/fogleman/gg"
)

// What is worked out in a reduced size, at nodes or in tables is compared here with the same for each pixel.

// softly interpolates between the pixels of a picture that is reduced by so many steps, at the middle of pixel x, y.
// The sums are exact: parts are eighths.
func softly(x, y, steps int, at func(i, j int) uint8) float64 {
	fx, fy := (float64(x)+.5)/float64(steps)-.5, (float64(y)+.5)/float64(steps)-.5
	i, j := math.Floor(fx), math.Floor(fy)
	sum := 0.0
	for k := range 4 {
		dx, dy := float64(k%2), float64(k/2)
		sum += float64(at(int(i+dx), int(j+dy))) * (1 - math.Abs(i+dx-fx)) * (1 - math.Abs(j+dy-fy))
	}
	return sum
}

// FuzzSoftPath draws polygons at random within bounds on all sides of the origin, and compares with a reduced mask that
// is cut far outside.
func FuzzSoftPath(f *testing.F) {
	scripts(f, 24, 60)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		bounds := image.Rect(0, 0, 1+s.n(90), 1+s.n(60)).Add(image.Pt(s.n(120)-60, s.n(120)-60))
		sigma := 3 + float64(s.n(200))/8
		corners := make([][2]float64, 3+s.n(4))
		for i := range corners {
			corners[i] = [2]float64{float64(s.n(2400))/8 - 100, float64(s.n(2400))/8 - 100}
		}
		draw := func(g *gg.Context) {
			for _, p := range corners {
				g.LineTo(p[0], p[1])
			}
			g.Fill()
		}
		near := image.Rect(bounds.Min.X/4, bounds.Min.Y/4, bounds.Max.X/4, bounds.Max.Y/4).Inset(-60)
		small := Blur(PathMask(near, func(g *gg.Context) {
			g.Scale(.25, .25)
			draw(g)
		}), math.Sqrt(sigma*sigma-4)/4) // means of 4×4 have a variance of 4/3, triangles of 8 pixels one of 8/3
		got := SoftPath(bounds, sigma, draw)
		for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
			for x := bounds.Min.X; x < bounds.Max.X; x++ {
				v := softly(x, y, 4, func(i, j int) uint8 { return small.AlphaAt(i, j).A })
				if got, want := got.AlphaAt(x, y).A, uint8(math.Floor(v+.5)); got != want {
					t.Fatalf("%v blurred by %v in %v: %d,%d is %d, want %d", corners, sigma, bounds, x, y, got, want)
				}
			}
		}
	})
}

// slowSheets returns the shade of each pixel, and the edges by their places.
func slowSheets(s Sheets, r image.Rectangle) (pix []uint8, edges []levelEdge) {
	w, h := r.Dx(), r.Dy()
	pix = make([]uint8, w*h)
	above := bytes.Repeat([]uint8{255}, w*h)
	for n, outline := range s.Openings {
		mask := image.NewAlpha(r)
		fillPolygon(mask, outline)
		hole := make([]uint8, w*h)
		for i, v := range mask.Pix {
			hole[i] = uint8(slowDiv255(int(v) * int(above[i])))
		}
		// The shadow is that of what is beside the hole, of each four pixels in the third of each four rows.
		dw, dh := (w+3)/4, (h+3)/4
		dark := make([]uint8, dw*dh)
		for i := range dark {
			sum, count := 0, 0
			for x := i % dw * 4; x < min(i%dw*4+4, w); x++ {
				sum, count = sum+int(hole[min(i/dw*4+2, h-1)*w+x]), count+1
			}
			dark[i] = uint8(255 - sum/count)
		}
		blur(dark, dw, dh, 1, s.Sigma/4)
		for i, c := range hole {
			shadow := softly(i%w-s.DX, i/w-s.DY, 4, func(x, y int) uint8 {
				return dark[min(max(y, 0), dh-1)*dw+min(max(x, 0), dw-1)]
			})
			shade := uint8(1 + n*s.Steps + int(math.Floor((shadow*float64(s.Steps-1)+127)/255)))
			switch {
			case c == 0:
			case above[i] == 255:
				if c < 255 {
					edges = append(edges, levelEdge{at: int32(i), under: pix[i], cover: c})
				}
				pix[i] = shade
			case 2*int(c) > int(above[i]):
				pix[i] = shade
			}
		}
		above = hole
	}
	for i := range edges {
		edges[i].shade = pix[edges[i].at]
	}
	return pix, edges
}

// FuzzSheets lays sheets with holes at random over each other.
func FuzzSheets(f *testing.F) {
	scripts(f, 80, 120)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		r := image.Rect(0, 0, 1+s.n(70), 1+s.n(50)).Add(image.Pt(s.n(40)-20, s.n(40)-20))
		sheets := Sheets{Sigma: float64(s.n(100)) / 8, DX: s.n(30) - 15, DY: s.n(30) - 15, Steps: 1 + s.n(24)}
		for range 1 + s.n(4) {
			corners := make([][2]float64, 3+s.n(4))
			for i := range corners {
				corners[i] = [2]float64{
					float64(r.Min.X) + float64(s.n(8*r.Dx()+160))/8 - 10, float64(r.Min.Y) + float64(s.n(8*r.Dy()+160))/8 - 10,
				}
			}
			sheets.Openings = append(sheets.Openings, corners)
		}
		pix, edges := slowSheets(sheets, r)
		got := sheets.Levels(r)
		var have []uint8
		for i := 0; i < len(got.runs); i += 2 {
			have = append(have, bytes.Repeat(got.runs[i+1:i+2], int(got.runs[i]))...)
		}
		for i, want := range pix {
			if have[i] != want {
				t.Fatalf("%+v in %v: pixel %d,%d has the shade %d, want %d", sheets, r, i%r.Dx(), i/r.Dx(), have[i], want)
			}
		}
		if !slices.Equal(got.edges, edges) {
			t.Fatalf("%+v in %v: the edges are %v, want %v", sheets, r, got.edges, edges)
		}
	})
}

// FuzzVeilAt reads a veil at every pixel of its canvas: the mean of the four nodes about it, by their distances.
func FuzzVeilAt(f *testing.F) {
	scripts(f, 40, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		w, h := 1+s.n(60), 1+s.n(40)
		v := NewVeil(w, h)
		v.blurs = s.n(4) > 0
		for i := range v.cover { // parts of 256, so that the sums are exact
			if v.cover[i] = float32(s.byte()) / 256; v.blurs {
				v.blur[i] = float32(s.byte()) / 256
			}
		}
		mean := func(nodes []float32, x, y int) (sum float64) {
			for j := range v.rows {
				for i := range v.cols {
					across, down := max(0, 8-abs(x-8*i)), max(0, 8-abs(y-8*j))
					sum += float64(nodes[j*v.cols+i]) * float64(across*down) / 64
				}
			}
			return sum
		}
		for y := range h {
			for x := range w {
				cover, blur := v.At(x, y)
				if a, b := mean(v.cover, x, y), mean(v.blur, x, y); cover != a || blur != b {
					t.Fatalf("%d,%d of %d×%d is covered by %v and blurred by %v, want %v and %v", x, y, w, h, cover, blur, a, b)
				}
			}
		}
	})
}

// slowSoftLight lays an accent over a channel in soft light, by a share.
func slowSoftLight(below, accent uint8, share float64) uint8 {
	s, b := float64(accent)/255, float64(below)/255
	lit := (1-2*s)*b*b + 2*s*b
	return uint8(math.Floor(255*(b+share*(lit-b)) + .5))
}

// slowUnify is Tone.unify, a pixel at a time.
func slowUnify(pix []uint8, accent color.NRGBA) []uint8 {
	with := func(share float64) []uint8 {
		out := slices.Clone(pix)
		for i := range out[:len(out)/4*4] {
			if i%4 < 3 {
				out[i] = slowSoftLight(out[i], [3]uint8{accent.R, accent.G, accent.B}[i%4], share)
			}
		}
		return out
	}
	chroma := func(pix []uint8) (sum, n float64) {
		for i := 0; i < len(pix)/4; i += 61 {
			p := pix[4*i : 4*i+3]
			sum, n = sum+float64(slices.Max(p))-float64(slices.Min(p)), n+1
		}
		return sum, n
	}
	before, n := chroma(pix)
	for _, share := range []float64{.1, .05, .025} {
		out := with(share)
		if after, _ := chroma(out); after <= 1.15*before+5*n {
			return out
		}
	}
	return with(.0125)
}

// slowDuotone is Tone.duotone, a pixel at a time, with the limits of its light found in a sorted list.
func slowDuotone(pix []uint8, dark, light color.NRGBA) []uint8 {
	lightOf := func(i int) int {
		p := pix[4*i:]
		return int(math.Floor((19595*float64(p[0])+38470*float64(p[1])+7471*float64(p[2]))/65536 + .5))
	}
	var lights []int
	for i := 0; i < len(pix)/4; i += 7 {
		lights = append(lights, lightOf(i))
	}
	slices.Sort(lights)
	low, high := 0, 255
	if n := len(lights); n > 0 {
		out := int(tails * float64(n)) // so many may be left out at either end
		low = min(lights[out], 254)
		high = max(lights[n-1-out], low+1)
	}
	if high-low < 85 {
		middle := (low + high) / 2
		low, high = max(middle-42, 0), min(middle+42, 255)
	}
	out := slices.Clone(pix)
	for i := range len(pix) / 4 {
		part := min(max(float64(lightOf(i)-low)/float64(high-low), 0), 1)
		for ch, ends := range [3][2]uint8{{dark.R, light.R}, {dark.G, light.G}, {dark.B, light.B}} {
			out[4*i+ch] = uint8(math.Floor(float64(ends[0]) + (float64(ends[1])-float64(ends[0]))*part + .5))
		}
	}
	return out
}

// FuzzTone tones pixels of few and of many levels, pale and colorful ones.
func FuzzTone(f *testing.F) {
	scripts(f, 150, 40)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		pix := s.bytes(4 * s.n(1200))
		switch base, spread := s.byte(), 1+s.n(60); s.n(3) {
		case 0: // of one hue and few levels
			for i := range pix {
				pix[i] = uint8(min(int(base)+int(pix[i])%spread, 255))
			}
		case 1: // gray
			for i := range pix {
				pix[i] = pix[i/4*4]
			}
		}
		accent, dark := s.ink(), s.ink()
		tone, want := Tone{Accent: accent}, pix
		switch {
		case s.n(5) == 0 && dark.A != 0:
			tone, want = Tone{Dark: dark, Light: accent}, slowDuotone(pix, dark, accent)
		case accent.A != 0:
			want = slowUnify(pix, accent)
		}
		got := slices.Clone(pix)
		tone.apply(got)
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%+v: channel %d of pixel %d became %d of %d, want %d", tone, i%4, i/4, got[i], pix[i], want[i])
			}
		}
	})
}

// TestSoftLight_tableIsItsFormula has every level under every accent.
func TestSoftLight_tableIsItsFormula(t *testing.T) {
	for _, share := range []float64{.1, .05, .025, .0125} {
		for accent := range 256 {
			for below, got := range softLight(uint8(accent), share) {
				if want := slowSoftLight(uint8(below), uint8(accent), share); got != want {
					t.Fatalf("%d under %d by %v is %d, want %d", below, accent, share, got, want)
				}
			}
		}
	}
}

// FuzzSoftTable lays rows of blends out at random, and finds the entry of each step of coverage over each entry of the
// gradient among all of them.
func FuzzSoftTable(f *testing.F) {
	scripts(f, 60, 400)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		g := &gradientPalette{n: 1 + s.n(maxGradient)}
		k := gradientInk{color: color.NRGBA{A: uint8(1 + s.n(254))}}
		opacity := float64(k.color.A) / 255
		rows := make([]coverageRow, 1+s.n(12))
		for i := range rows {
			rows[i].coverage = opacity * softReach * float64(i+1) / float64(len(rows))
			rows[i].entries = make([]uint8, 1+s.n(2*g.n))
			for z := range rows[i].entries {
				rows[i].entries[z] = uint8(g.n) + s.byte()%uint8(256-g.n)
			}
		}
		k.tabulateSoft(g, rows)
		for step := range 256 {
			coverage := float64(step) / 255 * float64(k.color.A) / 255
			nearest := -1
			for i, least := 0, coverage; i < len(rows); i++ {
				if off := max(rows[i].coverage-coverage, coverage-rows[i].coverage); off < least {
					nearest, least = i, off
				}
			}
			wantZone := 0
			if nearest >= 0 {
				wantZone = g.n / len(rows[nearest].entries)
			}
			if int(k.zones[step]) != wantZone {
				t.Fatalf("step %d has zones of %d, want %d", step, k.zones[step], wantZone)
			}
			for e := range g.n {
				want := uint8(e)
				for z := 0; nearest >= 0 && z*g.n <= e*len(rows[nearest].entries); z++ { // the last that begins by then
					want = rows[nearest].entries[z]
				}
				if got := k.soft[e*256+step]; got != want {
					t.Fatalf("step %d over entry %d of %d is entry %d, want %d", step, e, g.n, got, want)
				}
			}
		}
		// A fade is dithered by the steps from one row to the next.
		if want := max(1, int(255*softReach/float64(len(rows)))); abs(int(k.ditherStep)-want) > 1 {
			t.Errorf("%d rows are dithered by %d steps, want %d", len(rows), k.ditherStep, want)
		}
	})
}
