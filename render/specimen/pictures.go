package specimen

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"sync"

	"masthead/render/palette"
)

// The pictures are of the size that providers give.
const pictureW, pictureH = 1536, 1024

// Pictures returns the names of pictures that somebody may want behind a text.
func Pictures() []string {
	return []string{"dunes", "bokeh", "waves", "city", "sky", "forest", "market"}
}

// HardPictures returns the names of pictures that nobody wants there, and that no text may be lost on.
func HardPictures() []string { return []string{"noise", "white", "black", "stripes", "checks"} }

var (
	picturesMu sync.Mutex
	pictures   = map[string]*image.NRGBA{}
)

// Picture returns the picture of a name, drawn once; it panics for a name that is not there. Nobody changes it.
func Picture(name string) *image.NRGBA {
	picturesMu.Lock()
	defer picturesMu.Unlock()
	if img := pictures[name]; img != nil {
		return img
	}
	paint, ok := painters[name]
	if !ok {
		panic("specimen: there is no picture " + name)
	}
	img := image.NewNRGBA(image.Rect(0, 0, pictureW, pictureH))
	paint(img)
	pictures[name] = img
	return img
}

var painters = map[string]func(*image.NRGBA){
	"dunes": dunes, "bokeh": bokeh, "waves": waves, "city": city, "sky": sky, "forest": forest, "market": market,
	"noise": func(img *image.NRGBA) {
		r := rand.New(rand.NewPCG(1, 2))
		for i := 0; i < len(img.Pix); i += 4 {
			v := r.Uint32()
			img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = uint8(v), uint8(v>>8), uint8(v>>16), 255
		}
	},
	"white":   func(img *image.NRGBA) { each(img, func(_, _ float64) rgb { return rgb{1, 1, 1} }) },
	"black":   func(img *image.NRGBA) { each(img, func(_, _ float64) rgb { return rgb{} }) },
	"stripes": func(img *image.NRGBA) { each(img, func(x, _ float64) rgb { return gray(int(x*32) % 2) }) },
	"checks": func(img *image.NRGBA) {
		each(img, func(x, y float64) rgb { return gray((int(x*96) + int(y*64)) % 2) })
	},
}

type rgb [3]float64

func gray(v int) rgb { return rgb{float64(v), float64(v), float64(v)} }

func hex(v uint32) rgb {
	c := palette.RGB(v)
	return rgb{float64(c.R) / 255, float64(c.G) / 255, float64(c.B) / 255}
}

func (c rgb) to(d rgb, t float64) rgb {
	t = min(max(t, 0), 1)
	for i := range c {
		c[i] += (d[i] - c[i]) * t
	}
	return c
}

func (c rgb) times(f float64) rgb { return rgb{c[0] * f, c[1] * f, c[2] * f} }

// each paints every pixel, from places of 0 to 1.
func each(img *image.NRGBA, at func(x, y float64) rgb) {
	for y := range pictureH {
		for x := range pictureW {
			c := at((float64(x)+.5)/pictureW, (float64(y)+.5)/pictureH)
			img.SetNRGBA(x, y, color.NRGBA{R: to8(c[0]), G: to8(c[1]), B: to8(c[2]), A: 255})
		}
	}
}

func to8(v float64) uint8 { return uint8(min(max(v, 0), 1)*255 + .5) }

func smooth(a, b, v float64) float64 {
	t := min(max((v-a)/(b-a), 0), 1)
	return t * t * (3 - 2*t)
}

// hash returns a number of 0 to 1 for a place on a grid.
func hash(x, y int) float64 {
	h := uint32(x)*374761393 + uint32(y)*668265263
	h = (h ^ h>>13) * 1274126177
	return float64(h^h>>16) / math.MaxUint32
}

// cloud is noise of several sizes, about .5.
func cloud(x, y float64, octaves int) float64 {
	sum, weight := 0.0, .5
	for o := range octaves {
		i, j := math.Floor(x), math.Floor(y)
		u, v := smooth(0, 1, x-i), smooth(0, 1, y-j)
		a, b := int(i)+o*57, int(j)+o*131
		top := hash(a, b) + (hash(a+1, b)-hash(a, b))*u
		low := hash(a, b+1) + (hash(a+1, b+1)-hash(a, b+1))*u
		sum, weight = sum+weight*(top+(low-top)*v), weight/2
		x, y = 2*x, 2*y
	}
	return sum
}

// dunes at dusk: long crests, light from the right, grain of sand.
func dunes(img *image.NRGBA) {
	top, horizon := hex(0x27406E), hex(0xF4A56A)
	each(img, func(x, y float64) rgb {
		c := top.to(horizon, smooth(0, .5, y))
		c = c.to(hex(0xFFE9C4), .9*math.Exp(-((x-.78)*(x-.78)*3+(y-.36)*(y-.36)*9)*18))
		for k := range 5 {
			f := float64(k)
			crest := .44 + f*.115 + .05*math.Sin(x*(3.1+f*.9)+f*2.2) + .02*math.Sin(x*(9+f)+f)
			if d := y - crest; d > 0 {
				lit := hex(0xE9A15B).to(hex(0x8A4B2E), f/5).times(1.05 - .09*f)
				side := smooth(-.6, .6, math.Cos(x*(3.1+f*.9)+f*2.2))
				c = lit.to(lit.times(.45), side).to(hex(0xE9B98A), .35*math.Exp(-d*14))
				c = c.times(.95 + .1*cloud(x*260, y*420, 3))
			}
		}
		return c
	})
}

// bokeh is a street at night out of focus.
func bokeh(img *image.NRGBA) {
	r := rand.New(rand.NewPCG(3, 9))
	type disc struct {
		x, y, r, a float64
		c          rgb
	}
	inks := []rgb{hex(0xFFB04D), hex(0xFF6B5E), hex(0x58C4FF), hex(0xFFE3A8), hex(0xC38BFF)}
	var discs []disc
	for range 90 {
		x, y, radius := r.Float64(), .25+.6*r.Float64(), .015+.06*r.Float64()
		discs = append(discs, disc{x, y, radius, .15 + .55*r.Float64(), inks[r.IntN(5)]})
	}
	each(img, func(x, y float64) rgb {
		c := hex(0x0B1024).to(hex(0x2A1B3D), y)
		for _, d := range discs {
			dist := math.Hypot((x-d.x)*1.5, y-d.y)
			if dist < d.r*1.08 {
				edge := 1 - smooth(d.r*.94, d.r*1.06, dist)
				rim := .75 + .25*smooth(.7*d.r, d.r, dist)
				for i := range c {
					c[i] = 1 - (1-c[i])*(1-d.c[i]*d.a*edge*rim)
				}
			}
		}
		return c
	})
}

// waves are bands of a soft blue and green that swing.
func waves(img *image.NRGBA) {
	inks := []rgb{hex(0x0F4C75), hex(0x3282B8), hex(0x7FD8D4), hex(0xD9F3EC), hex(0x2A9D8F), hex(0x14506B)}
	each(img, func(x, y float64) rgb {
		p := y*5 + .7*math.Sin(x*4+y*2) + .35*math.Sin(x*9-y*5+1)
		p = math.Mod(p+12, 6)
		i := int(p)
		c := inks[i].to(inks[(i+1)%6], smooth(0, 1, p-float64(i)))
		return c.times(1 + .12*math.Sin(p*math.Pi*6))
	})
}

// city is a skyline by night with lit windows.
func city(img *image.NRGBA) {
	each(img, func(x, y float64) rgb {
		c := hex(0x101A3A).to(hex(0xE2795B), smooth(.1, .95, y))
		for layer := range 4 {
			f := float64(layer)
			cols := 15 + 5*f
			i := int(x*cols + f*.37)
			top := .28 + .12*f + .34*hash(i, layer*17+3) - .08
			if y < top {
				continue
			}
			c = hex(0x6A4A6B).to(hex(0x0C1024), (f+1)/4)
			wx, wy := x*cols*7, (y-top)*90
			lit := hash(int(wx)+layer*999, int(wy)) > .62
			if fx, fy := wx-math.Floor(wx), wy-math.Floor(wy); lit && fx > .25 && fx < .75 && fy > .3 && fy < .75 {
				c = c.to(hex(0xFFD98A), .35+.6*hash(int(wx), int(wy)+7))
			}
		}
		return c
	})
}

// sky is a bright day with clouds.
func sky(img *image.NRGBA) {
	each(img, func(x, y float64) rgb {
		c := hex(0x4C9BE8).to(hex(0xD6EEFF), smooth(0, 1, y))
		v := smooth(.42, .72, cloud(x*5, y*6, 6)+.12*math.Sin(x*5+1))
		return c.to(hex(0xFFFFFF).times(.90+.1*cloud(x*9+4, y*11, 4)*2), v)
	})
}

// forest is dark, with fog between trunks and fine leaves.
func forest(img *image.NRGBA) {
	each(img, func(x, y float64) rgb {
		c := hex(0x8FB3A3).to(hex(0x1F3B33), smooth(.1, 1, y)).times(.8)
		for layer := range 5 {
			f := float64(layer)
			n := 9 + 5*(4-f)
			p := x*n + f*.41
			i := int(p)
			mid, width := .5+.3*(hash(i, layer)-.5), .05+.10*hash(i, layer+40)
			trunk := math.Abs(p - float64(i) - mid - .02*math.Sin(y*9+f))
			shade := hex(0x5F8577).to(hex(0x07120E), (f+1)/5)
			leaves := cloud(x*(30+8*f)+f*11, y*(24+6*f), 5) > .42+.38*smooth(.1, .75, y)+.05*f
			if trunk < width || leaves && y < .85 {
				c = shade.times(.85 + .5*cloud(x*200, y*90, 3))
			}
		}
		return c
	})
}

// market is loud: many small things in many colors, light and dark.
func market(img *image.NRGBA) {
	inks := []rgb{hex(0xE63946), hex(0xF1FAEE), hex(0xA8DADC), hex(0x1D3557), hex(0xFFB703), hex(0x2B9348)}
	each(img, func(x, y float64) rgb {
		u, v := x*22+.8*cloud(x*7, y*7, 3), y*15+.8*cloud(x*6+9, y*8, 3)
		i, j := int(u), int(v)
		c := inks[int(hash(i, j)*5.99)]
		d := math.Hypot(u-float64(i)-.5, v-float64(j)-.5)
		return c.times(1.1-.9*smooth(.15, .6, d)).to(rgb{1, 1, 1}, .5*math.Exp(-d*d*60)).times(.7 + .6*cloud(x*80, y*60, 4))
	})
}
