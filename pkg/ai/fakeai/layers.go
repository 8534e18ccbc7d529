package fakeai

import "math"

// layer is a shape that covers what is below its upper edge.
type layer struct {
	edge     []float64 // of each column, from 0 at the top to 1
	near     lab       // just below the edge
	far      lab       // at depth and below
	depth    float64
	shadow   float64 // that it throws on what is behind, at its edge
	reach    float64 // of the shadow
	rim      lab     // of the edge itself
	rimWidth float64
	rimAlpha float64
	lit      []float64 // of each column: how much lighter or darker, from -1 to 1; nil for none
}

// sky fills the canvas with a gradient and a light in it.
func (c *canvas) sky(x, y, size float64) {
	top, bottom := c.colors.ground(0, .15), c.colors.glow(1, .3)
	if !c.colors.dark {
		top, bottom = c.colors.glow(1, .35), c.colors.ground(0, .1)
	}
	bottom = mix(bottom, c.colors.ground(1, .8), .35)
	shine, halo := c.colors.shine(1), c.colors.glow(2, .8)
	aspect := float64(c.w) / float64(c.h)
	c.fillSoft(func(px, py float64) lab {
		d := math.Hypot((px-x)*aspect, py-y)
		at := mix(top, bottom, float32(smooth(0, .8, py+.05*c.noise.at(2*px, 2*py))))
		at = mix(at, halo, float32(.55*math.Exp(-d*d/(size*size*14))))
		return mix(at, shine, float32(.75*math.Exp(-d*d/(size*size*2.2))))
	})
}

// cover draws the layer over what is there.
func (c *canvas) cover(l layer) {
	shade := c.colors.shade()
	soft := 1.2 / float64(c.h) // of the edge
	c.rows(func(row int) {
		y := (float64(row) + .5) / float64(c.h)
		for i := range c.w {
			below := y - l.edge[i]
			at := &c.px[row*c.w+i]
			if below < 0 && l.shadow > 0 {
				*at = mix(*at, shade, float32(l.shadow*math.Exp(below/l.reach)))
			}
			in := smooth(-soft, soft, below)
			if in <= 0 {
				continue
			}
			px := mix(l.near, l.far, float32(smooth(0, l.depth, below)))
			if l.lit != nil {
				if lit := l.lit[i] * math.Exp(-below/l.depth); lit > 0 {
					px = mix(px, l.rim, float32(.55*lit))
				} else {
					px = mix(px, shade, float32(-.5*lit))
				}
			}
			if l.rimWidth > 0 {
				px = mix(px, l.rim, float32(l.rimAlpha*math.Exp(-below/l.rimWidth)))
			}
			*at = mix(*at, px, float32(in))
		}
	})
}

// edges makes the upper edge of a layer of a function of x.
func (c *canvas) edges(of func(x float64) float64) []float64 {
	edge := make([]float64, c.w)
	for i := range edge {
		edge[i] = of((float64(i) + .5) / float64(c.w))
	}
	return edge
}

// waves are swells of coloured paper or water, one before the other.
func waves(c *canvas) {
	c.sky(c.place(), c.between(.12, .34), .12)
	const n = 7
	for k := range n {
		t := float64(k) / (n - 1)
		base := .42 + .56*math.Pow(t, 1.15)
		long, short := c.between(.8, 1.5), c.between(1.7, 2.7)
		p, q, drift := c.between(0, 6.3), c.between(0, 6.3), c.between(-.07, .07)
		high := .05 + .035*t
		edge := c.edges(func(x float64) float64 {
			swell := math.Sin(2*math.Pi*long*x+p) + .42*math.Sin(2*math.Pi*short*x+q)
			return base + drift*(x-.5) - high*swell*(.4+.6*c.detail(x))
		})
		near, far := c.colors.glow(k, .75-.55*t), c.colors.glow(k+1, .35-.3*t)
		haze := float32(.5 * (1 - t))
		c.cover(layer{
			edge: edge, near: mix(near, c.colors.ground(1, 1), haze), depth: .2,
			far:    mix(mix(far, c.colors.ground(0, 0), float32(.3+.45*t)), c.colors.ground(1, 1), haze*.6),
			shadow: .1 + .22*t, reach: .016 + .022*t, rim: c.colors.shine(k), rimWidth: .006, rimAlpha: .16,
		})
	}
}

// dunes are ridges of sand one behind the other, with the light low at one side.
func dunes(c *canvas) {
	sun := c.place()
	c.colors.hues[2] = c.colors.hues[0] // sand is of one colour
	c.sky(sun, c.between(.16, .3), .085)
	const n = 6
	for k := range n {
		t := float64(k) / (n - 1)
		base, high := .4+.5*math.Pow(t, 1.1), .05+.1*t
		long, offset := c.between(1.1, 1.9)*(1.25-.45*t), c.between(0, 60)
		ridge := func(x float64) float64 {
			v := c.noise.fractal(long*x+offset, 4.7*float64(k), 2)
			crest := .35 - math.Abs(c.noise.at(long*.8*x+offset+31, 2.3*float64(k))) // with an edge, as the wind makes it
			return base - high*(1.1*v+.7*crest)*(.45+.55*c.detail(x))
		}
		edge := c.edges(ridge)
		lit := c.edges(func(x float64) float64 {
			slope := (ridge(x+.035) - ridge(x-.035)) / .07 // above 0 where it falls to the right
			return math.Tanh(3.2*slope*math.Tanh(5*(sun-x))) * (.4 + .6*c.detail(x))
		})
		haze := float32(.72 * (1 - t))
		near, far := c.colors.glow(0, .6-.15*t), mix(c.colors.glow(2, .2), c.colors.ground(0, .1), float32(.3+.4*t))
		mist := mix(c.colors.glow(1, .4), c.colors.ground(1, 1), .45)
		c.cover(layer{
			edge: edge, near: mix(near, mist, haze), far: mix(far, mist, haze*.7), depth: .13 + .22*t, lit: lit,
			rim: c.colors.shine(1), rimWidth: .004, rimAlpha: .14 * t,
		})
	}
	c.grain = 2.2
}

// paper is sheets that lie one on the other, each with its shadow.
func paper(c *canvas) {
	c.lights(3)
	const n = 6
	mirrored := c.calm == calmRight
	for k := range n {
		t := float64(k) / (n - 1)
		// Sheets come in from the side that is not calm, the later ones less far.
		reach := .62 - .1*float64(k) + c.between(-.02, .02)
		tilt, bend, phase := c.between(-.16, .16), c.between(.03, .075), c.between(0, 6.3)
		c.sheet(sheet{
			edge: func(y float64) float64 {
				return 1 - reach + tilt*(y-.5) + bend*math.Sin(2.6*y*math.Pi*.7+phase)
			},
			mirrored: mirrored, near: c.colors.glow(k, .15+.5*t),
			far:    mix(c.colors.glow(k+1, .5*t), c.colors.ground(0, .6), .35),
			shadow: .42, reach: .03,
		})
	}
	c.grain = 3
}

// sheet covers what is right of its edge, or left of it when it is mirrored.
type sheet struct {
	edge          func(y float64) float64
	mirrored      bool
	near, far     lab
	shadow, reach float64
}

func (c *canvas) sheet(s sheet) {
	shade, rim := c.colors.shade(), c.colors.shine(0)
	soft := 1.2 / float64(c.w)
	c.rows(func(row int) {
		edge := s.edge((float64(row) + .5) / float64(c.h))
		for i := range c.w {
			x := (float64(i) + .5) / float64(c.w)
			if s.mirrored {
				x = 1 - x
			}
			at := &c.px[row*c.w+i]
			past := x - edge
			if past < 0 {
				*at = mix(*at, shade, float32(s.shadow*math.Exp(past/s.reach)*smooth(-6*s.reach, 0, past)))
			}
			if in := smooth(-soft, soft, past); in > 0 {
				px := mix(s.near, s.far, float32(smooth(0, .5, past)))
				px = mix(px, rim, float32(.2*math.Exp(-past/.003)))
				*at = mix(*at, px, float32(in))
			}
		}
	})
}
