package raster

import (
	"encoding/binary"
	"image"
)

// Rows of pixels over one another. Two pixels are a word: its even bytes, reds and blues, are four lanes, and so are
// its odd ones, greens and alphas. Both pixels of a word are often weighted alike, as within a fill or the plain part
// of a shadow; then a word costs two multiplications of lanes.

// pairMask has the even bytes of a word.
const pairMask = laneMask

// mulPair is mulLanes for both pixels of a word.
func mulPair(v, share uint64) uint64 {
	return mulLanes(v&pairMask, share) | mulLanes(v>>8&pairMask, share)<<8
}

// sumPair adds the channels of two pixels, whose sums are at most 255. A sum beyond it wraps, within its channel.
func sumPair(a, b uint64) uint64 {
	return (a&pairMask+b&pairMask)&pairMask | (a>>8&pairMask+b>>8&pairMask)<<8
}

// pixel32 returns lanes as the four bytes of a pixel.
func pixel32(v uint64) uint32 {
	v = (v | v>>8) & 0x0000ffff0000ffff
	return uint32(v | v>>16)
}

// twice returns a word of a pixel twice.
func twice(c uint32) uint64 { return uint64(c) | uint64(c)<<32 }

// lanes returns the color as lanes, by an alpha of 255.
func (k Solid) lanes(alpha uint8) uint64 {
	v := uint64(k.R) | uint64(k.G)<<16 | uint64(k.B)<<32 | uint64(k.A)<<48
	if alpha == 255 {
		return v
	}
	return mulLanes(v, uint64(alpha))
}

// alphaLane returns the alpha of lanes.
func alphaLane(v uint64) uint64 { return v >> 48 }

func (k Solid) over(dst []uint8, alpha uint8) {
	v := k.lanes(alpha)
	a := alphaLane(v)
	switch a {
	case 0:
		return
	case 255:
		Fill4(dst, []uint8{k.R, k.G, k.B, 255})
		return
	}
	n, own := 255-a, twice(pixel32(v))
	var last, out uint64 // a word, and what becomes of it: that of most before it
	out = sumPair(own, mulPair(0, n))
	for ; len(dst) >= 8; dst = dst[8:] {
		if d := binary.LittleEndian.Uint64(dst); d != last {
			last, out = d, sumPair(own, mulPair(d, n))
		}
		binary.LittleEndian.PutUint64(dst, out)
	}
	if len(dst) >= 4 {
		putLanes(dst, v+mulLanes(lanes(dst), n))
	}
}

func (k Solid) overMask(dst, mask []uint8, alpha uint8) {
	v := k.lanes(alpha)
	opaque := alphaLane(v) == 255
	for len(mask) >= 4 {
		m := binary.LittleEndian.Uint32(mask)
		if m == 0 {
			dst, mask = dst[16:], mask[4:]
			continue
		}
		if m != m&0xff*0x01010101 {
			k.each(dst[:16:16], mask[:4:4], v, opaque)
			dst, mask = dst[16:], mask[4:]
			continue
		}
		// A run of one coverage.
		s, n := v, uint64(255)
		if m != 0xffffffff || !opaque {
			s = mulLanes(v, uint64(m&0xff))
		}
		n -= alphaLane(s)
		own := twice(pixel32(s))
		last, out := uint64(0), sumPair(own, mulPair(0, n))
		for {
			for i := 0; i < 16; i += 8 {
				if d := binary.LittleEndian.Uint64(dst[i:]); d != last {
					last, out = d, sumPair(own, mulPair(d, n))
				}
				binary.LittleEndian.PutUint64(dst[i:], out)
			}
			dst, mask = dst[16:], mask[4:]
			if len(mask) < 4 || binary.LittleEndian.Uint32(mask) != m {
				break
			}
		}
	}
	k.each(dst, mask, v, opaque)
}

// each is overMask for one pixel at a time, with the color as lanes.
func (k Solid) each(dst, mask []uint8, v uint64, opaque bool) {
	for i, m := range mask {
		if m == 0 {
			continue
		}
		d := dst[4*i : 4*i+4 : 4*i+4]
		if m == 255 && opaque {
			putLanes(d, v)
			continue
		}
		s := mulLanes(v, uint64(m))
		putLanes(d, s+mulLanes(lanes(d), 255-alphaLane(s)))
	}
}

// alphaPair has the alphas of both pixels of a word.
const alphaPair = 0xff000000ff000000

// Over draws premultiplied pixels over others.
func Over(dst, src []uint8) {
	n := min(len(dst), len(src)) &^ 3
	dst, src = dst[:n], src[:n]
	for ; len(src) >= 8 && len(dst) >= 8; src, dst = src[8:], dst[8:] {
		s := binary.LittleEndian.Uint64(src)
		for s&alphaPair == 0 && len(src) >= 40 && len(dst) >= 40 { // most of a layer is often transparent
			four := (*[32]byte)(src)
			s1, s2 := binary.LittleEndian.Uint64(four[8:16]), binary.LittleEndian.Uint64(four[16:24])
			if (s1|s2|binary.LittleEndian.Uint64(four[24:32]))&alphaPair != 0 {
				break
			}
			src, dst = src[32:], dst[32:]
			s = binary.LittleEndian.Uint64(src)
		}
		switch s & alphaPair {
		case 0:
		case alphaPair:
			binary.LittleEndian.PutUint64(dst, s)
			for len(src) >= 40 && len(dst) >= 40 { // so are pictures opaque
				four := (*[32]byte)(src[8:])
				s1, s2 := binary.LittleEndian.Uint64(four[:8]), binary.LittleEndian.Uint64(four[8:16])
				s3, s4 := binary.LittleEndian.Uint64(four[16:24]), binary.LittleEndian.Uint64(four[24:32])
				if s1&s2&s3&s4&alphaPair != alphaPair {
					break
				}
				copy(dst[8:40], four[:])
				src, dst = src[32:], dst[32:]
			}
		default:
			d := binary.LittleEndian.Uint64(dst)
			if a := s >> 56; a == s>>24&0xff {
				binary.LittleEndian.PutUint64(dst, sumPair(s, mulPair(d, 255-a)))
				continue
			}
			over1(dst[:4:4], src[:4:4])
			over1(dst[4:8:8], src[4:8:8])
		}
	}
	if len(src) >= 4 {
		over1(dst, src)
	}
}

// over1 is Over for one pixel.
func over1(dst, src []uint8) {
	switch src[3] {
	case 0:
	case 255:
		copy(dst[:4], src)
	default:
		putLanes(dst, lanes(src)+mulLanes(lanes(dst), uint64(255-src[3])))
	}
}

func overAlpha(dst, src []uint8, alpha uint8) {
	for ; len(src) >= 8 && len(dst) >= 8; src, dst = src[8:], dst[8:] {
		s := binary.LittleEndian.Uint64(src)
		if s&alphaPair == 0 {
			continue
		}
		if s>>56 == s>>24&0xff {
			s = mulPair(s, uint64(alpha))
			d := binary.LittleEndian.Uint64(dst)
			binary.LittleEndian.PutUint64(dst, sumPair(s, mulPair(d, 255-s>>56)))
			continue
		}
		overAlpha1(dst[:4:4], src[:4:4], alpha)
		overAlpha1(dst[4:8:8], src[4:8:8], alpha)
	}
	if len(src) >= 4 && len(dst) >= 4 {
		overAlpha1(dst, src, alpha)
	}
}

// overAlpha1 is overAlpha for one pixel.
func overAlpha1(dst, src []uint8, alpha uint8) {
	if src[3] != 0 {
		s := mulLanes(lanes(src), uint64(alpha))
		putLanes(dst, s+mulLanes(lanes(dst), 255-alphaLane(s)))
	}
}

func overMask(dst, src, mask []uint8, alpha uint8) {
	for len(mask) >= 4 {
		switch m := binary.LittleEndian.Uint32(mask); {
		case m == 0:
		case m == 0xffffffff && alpha == 255:
			Over(dst[:16], src[:16])
		default:
			overMaskEach(dst[:16:16], src[:16:16], mask[:4:4], alpha)
		}
		dst, src, mask = dst[16:], src[16:], mask[4:]
	}
	overMaskEach(dst, src, mask, alpha)
}

// overMaskEach is overMask for one pixel at a time.
func overMaskEach(dst, src, mask []uint8, alpha uint8) {
	for i, m := range mask {
		if alpha != 255 {
			m = Mul(m, alpha)
		}
		if m == 0 {
			continue
		}
		s, d := src[4*i:4*i+4:4*i+4], dst[4*i:4*i+4:4*i+4]
		if m == 255 && s[3] == 255 {
			copy(d, s)
			continue
		}
		v := mulLanes(lanes(s), uint64(m))
		putLanes(d, v+mulLanes(lanes(d), 255-alphaLane(v)))
	}
}

// Under draws a color by a mask below a layer, whose size the mask has.
func Under(l *Layer, m *image.Alpha, k Solid) {
	v := k.lanes(255)
	var of uint8
	s := mulLanes(v, 0) // the color by a coverage, which is that of most pixels before it
	pix := l.Pix
	for mask := m.Pix; len(mask) > 0; mask, pix = mask[1:], pix[4:] {
		for len(mask) > 8 {
			at := (*[32]byte)(pix)
			both := binary.LittleEndian.Uint64(at[:8]) & binary.LittleEndian.Uint64(at[8:16]) &
				binary.LittleEndian.Uint64(at[16:24]) & binary.LittleEndian.Uint64(at[24:32])
			if both&alphaPair != alphaPair && binary.LittleEndian.Uint64(mask) != 0 {
				break
			}
			mask, pix = mask[8:], pix[32:]
		}
		c, d := mask[0], pix[:4:4]
		if c == 0 || d[3] == 255 {
			continue
		}
		if c != of {
			of, s = c, mulLanes(v, uint64(c))
		}
		if d[3] == 0 {
			putLanes(d, lanes(d)+s)
			continue
		}
		putLanes(d, lanes(d)+mulLanes(s, uint64(255-d[3])))
	}
}
