package raster

import (
	"encoding/binary"
	"math"

	"masthead/render/html/css"
)

// blendMemo has results of blending two pixels by one mode, by a hash of both: blurred light and flat areas have few
// pairs of colors.
type blendMemo struct {
	mode  css.Blend
	alpha uint8
	kept  [1 << memoBits]struct {
		pair uint64
		out  uint32
	}
}

const memoBits = 11

// BlendRow blends premultiplied pixels by a mode of compositing level 1.
func (p *Compositor) BlendRow(dst, src, mask []uint8, alpha uint8, mode css.Blend) {
	if p.blends == nil || p.blends.mode != mode || p.blends.alpha != alpha {
		p.blends = &blendMemo{mode: mode, alpha: alpha}
	}
	for i := 0; i+3 < len(dst); i += 4 {
		if mask != nil && mask[i/4] != 255 {
			blendRow(dst[i:i+4], src[i:i+4], mask[i/4:i/4+1], alpha, mode)
			continue
		}
		if src[i+3] == 0 || alpha == 0 {
			continue
		}
		pair := uint64(binary.LittleEndian.Uint32(dst[i:])) | uint64(binary.LittleEndian.Uint32(src[i:]))<<32
		k := &p.blends.kept[pair*0x9E3779B97F4A7C15>>(64-memoBits)]
		if k.pair != pair { // no pair is 0: the source isn't transparent
			blendRow(dst[i:i+4], src[i:i+4], nil, alpha, mode)
			k.pair, k.out = pair, binary.LittleEndian.Uint32(dst[i:])
			continue
		}
		binary.LittleEndian.PutUint32(dst[i:], k.out)
	}
}

// blendRow is BlendRow by its definition, pixel by pixel.
func blendRow(dst, src, mask []uint8, alpha uint8, mode css.Blend) {
	for i := 0; i+3 < len(dst); i += 4 {
		m := alpha
		if mask != nil {
			m = Mul(m, mask[i/4])
		}
		if m == 0 || src[i+3] == 0 {
			continue
		}
		sa := float64(Mul(src[i+3], m)) / 255
		da := float64(dst[i+3]) / 255
		var s, d [3]float64
		for k := range s {
			s[k] = float64(src[i+k]) / float64(src[i+3])
			if dst[i+3] > 0 {
				d[k] = float64(dst[i+k]) / float64(dst[i+3])
			}
		}
		if mode == css.BlendPlusLighter {
			for k := range s {
				dst[i+k] = To8(s[k]*sa + d[k]*da)
			}
			dst[i+3] = To8(sa + da)
			continue
		}
		b := blendColors(d, s, mode)
		for k := range s {
			v := sa*(1-da)*s[k] + sa*da*b[k] + (1-sa)*da*d[k]
			dst[i+k] = To8(v)
		}
		dst[i+3] = To8(sa + da - sa*da)
	}
}

// To8 returns a share of 1 as one of 255.
func To8(v float64) uint8 {
	if !(v > 0) {
		return 0
	}
	return uint8(min(v*255+.5, 255))
}

// blendColors returns the blend of the backdrop b and the source s.
func blendColors(b, s [3]float64, mode css.Blend) (out [3]float64) {
	switch mode {
	case css.BlendHue:
		return setLum(setSat(s, sat(b)), lum(b))
	case css.BlendSaturation:
		return setLum(setSat(b, sat(s)), lum(b))
	case css.BlendColor:
		return setLum(s, lum(b))
	case css.BlendLuminosity:
		return setLum(b, lum(s))
	}
	for i := range out {
		out[i] = blendChannel(b[i], s[i], mode)
	}
	return out
}

func blendChannel(b, s float64, mode css.Blend) float64 {
	switch mode {
	case css.BlendMultiply:
		return b * s
	case css.BlendScreen:
		return b + s - b*s
	case css.BlendOverlay:
		return blendChannel(s, b, css.BlendHardLight)
	case css.BlendDarken:
		return min(b, s)
	case css.BlendLighten:
		return max(b, s)
	case css.BlendColorDodge:
		switch {
		case b == 0:
			return 0
		case s >= 1:
			return 1
		}
		return min(1, b/(1-s))
	case css.BlendColorBurn:
		switch {
		case b >= 1:
			return 1
		case s <= 0:
			return 0
		}
		return 1 - min(1, (1-b)/s)
	case css.BlendHardLight:
		if s <= .5 {
			return b * 2 * s
		}
		return b + (2*s - 1) - b*(2*s-1)
	case css.BlendSoftLight:
		if s <= .5 {
			return b - (1-2*s)*b*(1-b)
		}
		d := math.Sqrt(b)
		if b <= .25 {
			d = ((16*b-12)*b + 4) * b
		}
		return b + (2*s-1)*(d-b)
	case css.BlendDifference:
		return math.Abs(b - s)
	case css.BlendExclusion:
		return b + s - 2*b*s
	}
	return s
}

func lum(c [3]float64) float64 { return .3*c[0] + .59*c[1] + .11*c[2] }

func sat(c [3]float64) float64 { return max(c[0], c[1], c[2]) - min(c[0], c[1], c[2]) }

func setLum(c [3]float64, l float64) [3]float64 {
	d := l - lum(c)
	for i := range c {
		c[i] += d
	}
	l = lum(c)
	n, x := min(c[0], c[1], c[2]), max(c[0], c[1], c[2])
	for i := range c {
		if n < 0 {
			c[i] = l + (c[i]-l)*l/(l-n)
		}
		if x > 1 {
			c[i] = l + (c[i]-l)*(1-l)/(x-l)
		}
	}
	return c
}

func setSat(c [3]float64, s float64) [3]float64 {
	n, x := min(c[0], c[1], c[2]), max(c[0], c[1], c[2])
	if x <= n {
		return [3]float64{}
	}
	for i := range c {
		c[i] = (c[i] - n) * s / (x - n)
	}
	return c
}
