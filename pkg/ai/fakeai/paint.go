package fakeai

import (
	"hash/fnv"
	"image"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
)

// Draw draws a background for a prompt, the same for the same prompt: soft light, bokeh, silk, waves, dunes or paper,
// in the colours that the prompt names, dark or light as it says, and calm on the side that it keeps free. It chooses
// by the words waves, dunes and so on where the prompt has one, else by its own.
func Draw(prompt string, width, height int) *image.NRGBA {
	h := fnv.New64a()
	_, _ = h.Write([]byte(prompt)) // a hash takes everything
	rng := rand.New(rand.NewPCG(h.Sum64(), 7))
	c := &canvas{w: width, h: height, rng: rng, noise: newNoise(rng), px: make([]lab, width*height)}
	lower := strings.ToLower(prompt)
	c.calm = calmOf(lower)
	c.colors = schemeOf(lower, rng)
	paint := motifs[rng.IntN(len(motifs))].paint
	for _, m := range motifs {
		if strings.Contains(lower, m.word) {
			paint = m.paint
		}
	}
	paint(c)
	return c.image()
}

// motifs are what there is to draw.
var motifs = []struct {
	word  string
	paint func(*canvas)
}{
	{"soft light", softLight}, {"bokeh", bokeh}, {"silk", silk}, {"waves", waves}, {"dunes", dunes}, {"paper", paper},
}

// canvas is a picture under way, in OKLab. Positions run from 0 to 1 across it.
type canvas struct {
	w, h   int
	px     []lab
	rng    *rand.Rand
	noise  *noise
	colors scheme
	calm   side
	grain  float64 // of the surface, in parts of 255
}

// side is where there is to be little detail.
type side int

const (
	calmLeft side = iota
	calmCenter
	calmRight
	calmNowhere
)

// calmOf reads the side off a prompt.
func calmOf(prompt string) side {
	switch {
	case strings.Contains(prompt, "on the left"):
		return calmLeft
	case strings.Contains(prompt, "on the right"):
		return calmRight
	case strings.Contains(prompt, "in the center"), strings.Contains(prompt, "in the middle"):
		return calmCenter
	}
	return calmNowhere
}

// detail is how much of it there may be at x, from .15 to 1.
func (c *canvas) detail(x float64) float64 {
	const least = .15
	switch c.calm {
	case calmLeft:
		return least + (1-least)*smooth(.3, .85, x)
	case calmRight:
		return least + (1-least)*smooth(.3, .85, 1-x)
	case calmCenter:
		return least + (1-least)*smooth(.15, .48, math.Abs(x-.5))
	}
	return 1
}

// place returns a random x with more of them where detail may be.
func (c *canvas) place() float64 {
	for {
		x := -.1 + 1.2*c.rng.Float64()
		if c.rng.Float64() < c.detail(x) {
			return x
		}
	}
}

// between returns a random number from a to b.
func (c *canvas) between(a, b float64) float64 { return a + (b-a)*c.rng.Float64() }

// fillSoft gives each pixel its colour, of what has no edges: it is worked out on a coarse grid. at is called from
// several goroutines.
func (c *canvas) fillSoft(at func(x, y float64) lab) {
	const step = 6
	gw, gh := c.w/step+2, c.h/step+2
	grid := &canvas{w: gw, h: gh, px: make([]lab, gw*gh)}
	grid.rows(func(row int) {
		for i := range gw {
			grid.px[row*gw+i] = at(float64(i*step)/float64(c.w), float64(row*step)/float64(c.h))
		}
	})
	c.rows(func(row int) {
		y, fy := row/step, float32(row%step)/step
		for i := range c.w {
			x, fx := i/step, float32(i%step)/step
			top := mix(grid.px[y*gw+x], grid.px[y*gw+x+1], fx)
			c.px[row*c.w+i] = mix(top, mix(grid.px[(y+1)*gw+x], grid.px[(y+1)*gw+x+1], fx), fy)
		}
	})
}

// rows calls each for every row, in as many goroutines as there are processors.
func (c *canvas) rows(each func(row int)) {
	var work sync.WaitGroup
	strips := min(runtime.GOMAXPROCS(0), c.h)
	for strip := range strips {
		work.Go(func() {
			for row := strip * c.h / strips; row < (strip+1)*c.h/strips; row++ {
				each(row)
			}
		})
	}
	work.Wait()
}

// image turns the canvas into pixels, with as much noise as keeps gradients from showing steps.
func (c *canvas) image() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, c.w, c.h))
	seed, amount := c.rng.Uint64(), float32(math.Max(1, c.grain))
	c.rows(func(row int) {
		state := seed ^ uint64(row+1)*0x9e3779b97f4a7c15
		for i := range c.w {
			state = state*6364136223846793005 + 1442695040888963407
			bits := state >> 24
			grain := (float32(bits&0xffff) + float32(bits>>16&0xffff) - 65535) / 65535 * amount
			r, g, b := c.px[row*c.w+i].srgb()
			at := img.Pix[row*img.Stride+4*i:]
			at[0], at[1], at[2], at[3] = level(r+grain), level(g+grain), level(b+grain), 255
		}
	})
	return img
}

// level rounds a level of 0 to 255.
func level(v float32) uint8 { return uint8(max(0, min(255, v+.5))) }

// smooth goes from 0 at a to 1 at b, without corners.
func smooth(a, b, v float64) float64 {
	t := max(0, min(1, (v-a)/(b-a)))
	return t * t * (3 - 2*t)
}
