package fakeai

import "math"

// blob is a patch of light: an ellipse that fades.
type blob struct {
	x, y, rx, ry, sin, cos float64
	color                  lab
	strength               float64
}

func (c *canvas) blob(i int) blob {
	sin, cos := math.Sincos(c.between(0, math.Pi))
	return blob{
		x: c.place(), y: c.between(-.15, 1.15), rx: c.between(.22, .5), ry: c.between(.18, .36), sin: sin, cos: cos,
		color: c.colors.glow(i, c.between(.1, .9)), strength: c.between(.5, .9),
	}
}

// at is how much of the blob's colour is at a point.
func (b *blob) at(x, y, aspect float64) float64 {
	dx, dy := (x-b.x)*aspect, y-b.y
	u, v := (dx*b.cos+dy*b.sin)/b.rx, (dy*b.cos-dx*b.sin)/b.ry
	return b.strength * math.Exp(-(u*u + v*v))
}

// lights fills the canvas with patches of light that flow into one another.
func (c *canvas) lights(n int) {
	blobs := make([]blob, n)
	for i := range blobs {
		blobs[i] = c.blob(i)
	}
	from, to := c.colors.ground(0, 0), c.colors.ground(1, 1)
	sin, cos := math.Sincos(c.between(.3, 1.2))
	aspect := float64(c.w) / float64(c.h)
	c.fillSoft(func(x, y float64) lab {
		wx := x + .09*c.noise.fractal(1.6*x, 1.6*y+5, 2)
		wy := y + .12*c.noise.fractal(1.6*x+9, 1.6*y, 2)
		px := mix(from, to, float32(smooth(0, 1, (wx*cos+wy*sin)/(cos+sin))))
		for i := range blobs {
			px = mix(px, blobs[i].color, float32(blobs[i].at(wx, wy, aspect)*c.detail(x)))
		}
		return px
	})
}

// softLight is a mesh of soft colours, as of light behind frosted glass.
func softLight(c *canvas) {
	c.lights(7)
	// A veil of light from above the edge, over all.
	x, y := c.place(), c.between(-.3, -.05)
	shine := c.colors.shine(0)
	aspect := float64(c.w) / float64(c.h)
	c.rows(func(row int) {
		py := (float64(row) + .5) / float64(c.h)
		for i := range c.w {
			px := (float64(i) + .5) / float64(c.w)
			d := math.Hypot((px-x)*aspect, py-y)
			at := &c.px[row*c.w+i]
			*at = mix(*at, shine, float32(.34*math.Exp(-2.6*d*d)*c.detail(px)))
		}
	})
}

// disc is a light out of focus, in pixels.
type disc struct {
	x, y, r, edge, alpha, rim float64
	color                     lab
}

// bokeh is lights of a city at night, or through leaves, out of focus.
func bokeh(c *canvas) {
	c.lights(5)
	unit := float64(c.h)
	for i := range 62 {
		depth := math.Pow(c.rng.Float64(), 1.7) // most are small
		d := disc{
			x: c.place() * float64(c.w), y: c.between(-.08, 1.08) * unit, r: (.012 + .105*depth) * unit,
			alpha: c.between(.1, .42) * (1 - .55*depth), rim: c.between(0, .5), color: c.colors.glow(i, c.between(.6, 1)),
		}
		d.edge = d.r * c.between(.06, .3)
		if i%4 == 0 {
			d.color = c.colors.shine(i / 4)
		}
		d.alpha *= .35 + .65*c.detail(d.x/float64(c.w))
		c.disc(d)
	}
}

func (c *canvas) disc(d disc) {
	reach := d.r + d.edge
	for row := max(0, int(d.y-reach)); row < min(c.h, int(d.y+reach)+1); row++ {
		for i := max(0, int(d.x-reach)); i < min(c.w, int(d.x+reach)+1); i++ {
			far := math.Hypot(float64(i)+.5-d.x, float64(row)+.5-d.y)
			in := 1 - smooth(d.r-d.edge, d.r+d.edge, far)
			if in <= 0 {
				continue
			}
			rim := 1 - d.rim + d.rim*smooth(.4*d.r, d.r, far)
			at := &c.px[row*c.w+i]
			*at = mix(*at, d.color, float32(d.alpha*in*rim))
		}
	}
}

// silk is cloth in folds, lit from one side.
func silk(c *canvas) {
	angle := c.between(-.6, .6)
	sin, cos := math.Sincos(angle)
	scale, phase := c.between(3.2, 4.4), c.between(0, 6)
	aspect := float64(c.w) / float64(c.h)
	height := func(x, y float64) float64 {
		u, v := (x*aspect*cos-y*sin)*scale, (x*aspect*sin+y*cos)*scale
		wu := u + .9*c.noise.at(.3*u+3, .4*v)
		wv := v + 1.3*c.noise.fractal(.22*u, .35*v+8, 2)
		return math.Sin(2.2*wv+.4*wu+phase)*.55 + math.Sin(4.1*wv-.7*wu)*.16 + .2*c.noise.at(.5*wu, wv)
	}
	low, mid, high := c.colors.ground(0, .1), c.colors.glow(0, .3), c.colors.glow(1, .95)
	calm, shine := c.colors.ground(0, .6), c.colors.shine(1)
	if !c.colors.dark {
		low, mid, high = c.colors.glow(1, .95), c.colors.glow(0, .3), c.colors.ground(0, 0)
		calm = c.colors.ground(0, .7)
	}
	c.fillSoft(func(x, y float64) lab {
		const e = .004
		h := height(x, y)
		slope := (height(x+e, y) - h + (height(x, y+e)-h)*1.2) / e
		lit := .5 + .5*math.Tanh(slope*.13)
		px := mix(low, mid, float32(smooth(0, .6, lit)))
		px = mix(px, high, float32(smooth(.5, 1, lit)*.85))
		px = mix(px, shine, float32(smooth(.85, 1, lit)*.4))
		return mix(calm, px, float32(c.detail(x)))
	})
}
