package encode

import (
	"encoding/binary"
	"math/bits"
)

// Truecolor rows are compressed by whole pixels: a pixel of three bytes is compared as a word of four, straight from the
// picture, and one without a match becomes three literals at once. What that misses, matches that begin or end within a
// pixel, is a hundredth of a file.

// words is a picture of opaque pixels in words of four bytes, R, G, B and one that is the same for all of them, filtered
// row by row: what is compressed are the filter of each row and the first three bytes of its words.
type words struct {
	pix    []byte // rows without bytes between
	w, h   int
	filter byte
}

// isPixel marks the token of three literals, the bytes of a pixel.
const isPixel = 1 << 30

// longestRun is how many pixels a match has at most.
const longestRun = maxMatch / 3

// run is how far back a match is.
type run struct {
	back  int // in pixels of the picture, without what is between rows
	right int // columns to the right; negative to the left
	bytes int // in bytes of the rows
}

// compressWords is compress for whole pixels and a waiting caller.
func (d *deflater) compressWords(out []byte, p words, limit int) (_ []byte, ok bool) {
	d.out = append(out, 0x78, 0x01)
	d.acc, d.n = 0, 0
	clear(d.head[:])
	sum := uint32(adlerStart)
	last := run{back: 1, right: -1, bytes: 3}
	for y := range p.h {
		d.lits[p.filter]++
		d.tokens = append(d.tokens, uint32(p.filter))
		last = d.rowOfWords(p, y, last)
		sum = adlerWords(adler(sum, []byte{p.filter}), p.pix[4*y*p.w:4*(y+1)*p.w])
		if len(d.tokens) >= blockTokens {
			d.block(false)
			if limit > 0 && len(d.out) > limit {
				d.out = nil
				return nil, false
			}
		}
	}
	d.block(true)
	d.flush()
	d.out = binary.BigEndian.AppendUint32(d.out, sum)
	out, d.out = d.out, nil
	return out, limit == 0 || len(out) <= limit
}

// rowOfWords compresses row y. A match is of one row, from one row.
func (d *deflater) rowOfWords(p words, y int, last run) run {
	b, w := p.pix, p.w
	end := w
	if y == p.h-1 { // two pixels are read at a time
		end--
	}
	runs := [8]run{
		{w + 1, -1, 3*w + 4}, {w - 1, 1, 3*w - 2}, {w, 0, 3*w + 1}, {1, -1, 3}, last,
	}
	tokens := d.tokens
	x := 0
	for x < end {
		i := y*w + x
		v := load64(b, 4*i)
		best := 0
		// For each place before: how many of two pixels are equal, and which place it is.
		if x > 0 {
			best = bits.TrailingZeros64(v^load64(b, 4*i-4))&^31 | 3
			if y > 0 {
				best = max(best, bits.TrailingZeros64(v^load64(b, 4*(i-w)))&^31|2)
				best = max(best, bits.TrailingZeros64(v^load64(b, 4*(i-w+1)))&^31|1)
				best = max(best, bits.TrailingZeros64(v^load64(b, 4*(i-w-1)))&^31)
			}
		} else if y > 0 {
			best = bits.TrailingZeros64(v^load64(b, 4*(i-w)))&^31 | 2
		}
		if l := &runs[4]; l.back <= i && uint(x+l.right) < uint(w) {
			best = max(best, bits.TrailingZeros64(v^load64(b, 4*(i-l.back)))&^31|4)
		}
		n, r := best>>5, &runs[best&7]
		if n == 2 {
			n = sameWords(b, i, i-r.back, min(longestRun, w-max(x, x+r.right)))
		}
		if n < 2 {
			h := &d.head[v*0x9E3779B97F4A7C15>>(64-hashBits)]
			q := int(*h) - 1
			*h = int32(i + 1)
			if q >= 0 && i-q < window/3 && v == load64(b, 4*q) {
				from := q / w
				found := run{i - q, q - from*w - x, 3*(i-q) + y - from}
				if l := sameWords(b, i, q, min(longestRun, w-max(x, x+found.right))); l >= 2 && found.bytes <= window {
					runs[5], n, r = found, l, &runs[5]
				}
			}
			if n < 2 {
				d.lits[uint8(v)]++
				d.lits[uint8(v>>8)]++
				d.lits[uint8(v>>16)]++
				tokens = append(tokens, isPixel|uint32(v)&0xffffff)
				x++
				continue
			}
		}
		d.lits[lengthCodes[3*n-3]]++
		d.dists[distCode(r.bytes)]++
		tokens = append(tokens, matchToken(3*n, r.bytes))
		x += n
		runs[4] = *r
	}
	if x < w {
		v := b[4*(y*w+x):][:4]
		d.lits[v[0]]++
		d.lits[v[1]]++
		d.lits[v[2]]++
		tokens = append(tokens, isPixel|uint32(v[0])|uint32(v[1])<<8|uint32(v[2])<<16)
	}
	d.tokens = tokens
	return runs[4]
}

// sameWords returns how many words are equal from two places on, at most most: two are known to be, or most is less.
func sameWords(b []byte, i, q, most int) int {
	n := 2
	s, t := b[4*i:][:4*max(most, 0)], b[4*q:][:4*max(most, 0)]
	for n+2 <= most {
		if x := load64(s, 4*n) ^ load64(t, 4*n); x != 0 {
			return n + bits.TrailingZeros64(x)>>5
		}
		if n += 2; n == 8 && string(s[32:]) == string(t[32:]) {
			return most
		}
	}
	if n < most && load32(s, 4*n) == load32(t, 4*n) {
		n++
	}
	return min(n, most)
}

// adlerWords is adler of the first three bytes of each word.
func adlerWords(sum uint32, b []byte) uint32 {
	s1, s2 := uint64(sum&0xffff), uint64(sum>>16)
	const size = 8 * (laneWords - 1)
	for ; len(b) >= size; b = b[size:] {
		// Of two words at a time: the sums of their first and third bytes, and their second and fourth; the sums of those
		// until each.
		var even, odd, evens, odds uint64
		block := (*[size]byte)(b)
		for i := 0; i < len(block); i += 8 {
			v := binary.LittleEndian.Uint64(block[i : i+8])
			even += v & lowBytes
			odd += v >> 8 & lowBytes
			evens += even
			odds += odd
		}
		const pixels = size / 4
		all := weighted(even, 1, 1, 1, 1) + weighted(odd, 1, 0, 1, 0)
		// A byte counts once more for each byte after it: three for each pixel, two pixels for each pair.
		until := 2*(weighted(evens, 1, 1, 1, 1)+weighted(odds, 1, 0, 1, 0)) - weighted(even, 0, 0, 1, 1) - weighted(odd, 0, 0, 1, 0)
		s2 += 3*pixels*s1 + 3*until - weighted(odd, 1, 0, 1, 0) - 2*weighted(even, 0, 1, 0, 1)
		s1 += all
	}
	for ; len(b) >= 4; b = b[4:] {
		for _, v := range b[:3] {
			s1 += uint64(v)
			s2 += s1
		}
	}
	return uint32(s2%adlerPrime<<16 | s1%adlerPrime)
}

// filterWords stores a row less what its filter foretells: words of the row above or those to the left, without their
// fourth bytes.
func filterWords(dst, row, above []byte, filter byte) {
	const high, colors = 0x8080808080808080, 0x00ffffff00ffffff
	less := func(a, b uint64) uint64 {
		return (((a | high) - (b &^ high)) ^ ((a ^ ^b) & high)) & colors
	}
	n := len(row)
	switch filter {
	case filterUp:
		above = above[:n]
	case filterSub:
		v := binary.LittleEndian.Uint32(row) & (colors >> 32)
		binary.LittleEndian.PutUint32(dst, v)
		dst, above, row = dst[4:], row, row[4:]
		n -= 4
	}
	i := 0
	for ; i+8 <= n; i += 8 {
		binary.LittleEndian.PutUint64(dst[i:], less(load64(row, i), load64(above, i)))
	}
	if i < n {
		v := less(uint64(load32(row, i)), uint64(load32(above, i)))
		binary.LittleEndian.PutUint32(dst[i:], uint32(v))
	}
}
