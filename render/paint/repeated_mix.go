package paint

import (
	"encoding/binary"
	"image/color"
	"slices"
)

// repeatedMix mixes an ink into rows of pixels that have the same noise and, mostly, the same opacities: those of a
// veil from the side. What depends on these is computed once.
type repeatedMix struct {
	y        int     // of the first row
	last     []int32 // opacities of the last row
	nodes    []int32 // those that pairs are for
	pairs    []mixedPair
	from, to int // pixels that aren't the ink alone, or the picture alone, up to the edges of the row
}

// mixedPair is what two pixels keep, and what is added to their channels in each of two words.
type mixedPair struct{ keep, rb, ga uint64 }

// start begins with rows of other noise.
func (m *repeatedMix) start(y int) { m.y, m.last, m.nodes = y, m.last[:0], m.nodes[:0] }

// row draws a row as [veilRow] does, from x0 of the canvas on. It returns false for opacities that aren't repeated.
func (m *repeatedMix) row(dst, src []uint8, nodes []int32, x0 int, ink color.NRGBA) bool {
	if x0%veilStep != 0 || len(dst)%(4*veilStep) != 0 {
		return false
	}
	nodes = nodes[x0/veilStep:][:len(dst)/(4*veilStep)+1]
	if !slices.Equal(nodes, m.nodes) {
		if !slices.Equal(nodes, m.last) {
			m.last = append(m.last[:0], nodes...)
			return false
		}
		m.make(nodes, x0, ink)
	}
	fill32(dst[:4*m.from], ink)
	mixPairs(dst[4*m.from:4*m.to], src[4*m.from:4*m.to], m.pairs[m.from/2:])
	copy(dst[4*m.to:], src[4*m.to:])
	return true
}

// make computes what rows with some opacities have in common.
func (m *repeatedMix) make(nodes []int32, x0 int, ink color.NRGBA) {
	m.nodes, m.pairs = append(m.nodes[:0], nodes...), m.pairs[:0]
	whole := uint64(ink.R) | uint64(ink.G)<<8 | uint64(ink.B)<<16 | 255<<24
	rb, ga, noise := whole*both&lanes, whole*both>>8&lanes, noiseWords(m.y)
	m.from, m.to = 0, 0
	for i := range len(nodes) - 1 {
		left, right := nodes[i], nodes[i+1]
		step := (right - left) / veilStep
		a := uint32(left + step/2)
		hidden, shown := left >= full-nearly && right >= full-nearly, left < nearly && right < nearly
		for k := range veilStep / 2 {
			t := noise[(x0+i*veilStep)%noiseSide/2+k]
			f := min((uint64(a)+t&0xffff)>>8, 256)
			switch {
			case hidden:
				f, t = 256, 0
			case shown:
				f, t = 0, 0
			}
			m.pairs = append(m.pairs, mixedPair{256 - f, rb*f + t, ga*f + t})
			a += uint32(2 * step)
		}
		if hidden && m.from == i*veilStep {
			m.from += veilStep
		}
		if !shown {
			m.to = (i + 1) * veilStep
		}
	}
	m.to = max(m.from, m.to)
}

// mixPairs mixes two pixels at a time, half of their channels in each of two words.
func mixPairs(d, s []uint8, pairs []mixedPair) {
	for len(d) >= 16 && len(s) >= 16 && len(pairs) >= 2 {
		by, next := &pairs[0], &pairs[1]
		p, q := binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[8:])
		rb, ga := p&lanes*by.keep+by.rb, p>>8&lanes*by.keep+by.ga
		rb1, ga1 := q&lanes*next.keep+next.rb, q>>8&lanes*next.keep+next.ga
		binary.LittleEndian.PutUint64(d, rb>>8&lanes|ga&^uint64(lanes)|0xff00_0000_ff00_0000)
		binary.LittleEndian.PutUint64(d[8:], rb1>>8&lanes|ga1&^uint64(lanes)|0xff00_0000_ff00_0000)
		d, s, pairs = d[16:], s[16:], pairs[2:]
	}
}

// both is one in each half of a word.
const both = 1<<32 + 1
