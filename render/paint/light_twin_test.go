package paint

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"
)

// Forms of light, strokes and veils are drawn only where they reach. Here each place and each sample is looked at.

// stops returns two or three stops of light at random.
func (s *script) stops() []LightStop {
	stops := []LightStop{{Color: s.ink(), Alpha: float64(s.n(9)) / 8}}
	for at := s.n(4); at < 8; at += 3 + s.n(5) {
		stops = append(stops, LightStop{At: float64(at) / 8, Color: s.ink(), Alpha: float64(s.n(9)) / 8})
	}
	return stops
}

// FuzzLamp lays discs and beams of light at random.
func FuzzLamp(f *testing.F) {
	scripts(f, 60, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		fast := &Lamp{cols: 2*lightMargin + s.n(40), rows: 1 + s.n(30)}
		fast.pix = make([]rgbFloat, fast.cols*fast.rows)
		slow := &Lamp{cols: fast.cols, rows: fast.rows, pix: slices.Clone(fast.pix)}
		each := func(use func(p *rgbFloat, x, y float64)) {
			for i := range slow.pix {
				use(&slow.pix[i], (float64(i%slow.cols-lightMargin)+.5)*lightCell, (float64(i/slow.cols)+.5)*lightCell)
			}
		}
		for s.more() {
			x, y, w, h := float64(s.n(300)-100), float64(s.n(300)-100), float64(s.n(900))/8, float64(s.n(900))/8
			stops := s.stops()
			table := lightTable(stops)
			switch s.n(3) {
			case 0:
				colors := []color.NRGBA{s.ink(), s.ink(), s.ink()}[s.n(3):]
				fast.Down(y, y+h+1, colors...)
				each(func(p *rgbFloat, _, at float64) {
					if at >= y-lightCell && at < y+h+1+lightCell {
						c := colorAt(colors, (at-y)/(h+1))
						*p = rgbFloat{float32(c[0]), float32(c[1]), float32(c[2])}
					}
				})
			case 1:
				fast.Disc(x, y, w, h, stops...)
				each(func(p *rgbFloat, px, py float64) {
					dx, dy := (px-x)/w, (py-y)/h
					if d := dx*dx + dy*dy; w > 0 && h > 0 && d < 1 {
						p.lay(table.at(math.Sqrt(d)), 1)
					}
				})
			default:
				b := Beam{Y0: y, Y1: y + h, Left0: x, Right0: x + w, Left1: x - w, Right1: x + 2*w, Sigma: float64(s.n(80)) / 8}
				fast.Beam(b, stops...)
				j0, j1 := fast.rowsIn(b.Y0, b.Y1)
				each(func(p *rgbFloat, px, py float64) {
					if row := int(py / lightCell); b.Sigma <= 0 || b.Y1 <= b.Y0 || row < j0 || row >= j1 {
						return
					}
					at := (py - b.Y0) / (b.Y1 - b.Y0)
					left, right := b.Left0+(b.Left1-b.Left0)*at, b.Right0+(b.Right1-b.Right0)*at
					if v := gauss.below((px-left)/b.Sigma) - gauss.below((px-right)/b.Sigma); v > 0 {
						p.lay(table.at(at), float32(v))
					}
				})
			}
			if !slices.Equal(fast.pix, slow.pix) {
				i := 0
				for fast.pix[i] == slow.pix[i] {
					i++
				}
				t.Fatalf("the place %d,%d is %v, want %v", i%slow.cols, i/slow.cols, fast.pix[i], slow.pix[i])
			}
		}
	})
}

// slowSilk returns the shades and edges of a cloth, from all samples of each pixel.
func slowSilk(s Silk, r image.Rectangle) (shades []uint8, edges []levelEdge) {
	pieces := s.pieces(r)
	slices.SortStableFunc(pieces, func(p, q silkPiece) int { return cmp.Compare(p.shade, q.shade) })
	line := make([]uint8, r.Dx()*silkSamples)
	samples := make([][]uint8, r.Dx())
	for y := range r.Dy() {
		for i := range samples {
			samples[i] = samples[i][:0]
		}
		for i := range silkSamples {
			clear(line)
			for _, p := range pieces {
				p.fill(line, float64(r.Min.X), float64(r.Min.Y+y)+(float64(i)+.5)/silkSamples)
			}
			for x := range samples {
				samples[x] = append(samples[x], line[x*silkSamples:][:silkSamples]...)
			}
		}
		for x, all := range samples {
			highest := slices.Max(all)
			var upper, sum, under, behind, bare int
			for _, v := range all {
				switch {
				case v == 0:
					bare++
				case int(v)+foldStep > int(highest):
					upper, sum = upper+1, sum+int(v)
				default:
					under, behind = under+1, behind+int(v)
				}
			}
			if upper == 0 {
				shades = append(shades, 0)
				continue
			}
			shades = append(shades, uint8((2*sum+upper)/(2*upper)))
			if upper < len(all) {
				e := levelEdge{at: int32(y*r.Dx() + x), shade: shades[len(shades)-1], cover: uint8(upper * 255 / len(all))}
				if under > bare {
					e.under = uint8(behind / under)
				}
				edges = append(edges, e)
			}
		}
	}
	return shades, edges
}

// FuzzSilk draws cloths at random, folded and cut.
func FuzzSilk(f *testing.F) {
	scripts(f, 30, 60)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		r := image.Rect(0, 0, 1+s.n(60), 1+s.n(40)).Add(image.Pt(s.n(40)-20, s.n(40)-20))
		silk := Silk{Strokes: 2 + s.n(30), Width: float64(1+s.n(80)) / 8}
		for i := range silk.From {
			silk.From[i] = [2]float64{float64(s.n(100) - 20), float64(s.n(80) - 20)}
			silk.To[i] = [2]float64{float64(s.n(100) - 20), float64(s.n(80) - 20)}
		}
		l := silk.Levels(r)
		shades, edges := slowSilk(silk, r)
		var got []uint8
		for i := 0; i+1 < len(l.runs); i += 2 {
			got = append(got, slices.Repeat([]uint8{l.runs[i+1]}, int(l.runs[i]))...)
		}
		if !slices.Equal(got, shades) {
			t.Errorf("the shades of %v differ", r)
		}
		if !slices.Equal(l.edges, edges) {
			t.Errorf("%d edges differ from %d", len(l.edges), len(edges))
		}
	})
}

// FuzzVeilShape compares a shape that is laid by parts with the same opacity laid at once: they differ by what a
// fraction of 24 bits is rounded.
func FuzzVeilShape(f *testing.F) {
	scripts(f, 40, 40)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		w, h := 1+s.n(120), 1+s.n(60)
		fast, slow := NewVeil(w, h), NewVeil(w, h)
		for s.more() {
			r := image.Rect(s.n(w+20)-10, s.n(h+20)-10, s.n(w+40), s.n(h+40))
			part, base, slope := float64(s.n(9))/8, float64(s.n(9))/8, float64(s.n(20)-10)/999
			opacity := func(x, y float64) float64 { return min(max(base+slope*(x-y), 0), 1) }
			fast.CoverBy(fast.NewVeilShape(r, opacity), part)
			slow.Cover(r, func(x, y float64) float64 { return part * opacity(x, y) })
			for i, v := range fast.cover {
				if math.Abs(float64(v)-float64(slow.cover[i])) > 1e-6*float64(len(data)) {
					t.Fatalf("node %d of %v is %v, want %v", i, r, v, slow.cover[i])
				}
			}
		}
	})
}
