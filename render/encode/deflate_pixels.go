package encode

import (
	"encoding/binary"
	"math/bits"
)

// Truecolor rows are compressed by whole pixels: a pixel of three bytes is compared as a word of four, straight from
// the picture, and one without a match becomes three literals at once. What that misses, matches that begin or end
// within a pixel, is a hundredth of a file.

// words is a picture of opaque pixels in words of four bytes, R, G, B and one that is the same for all of them,
// filtered row by row: what is compressed are the filter of each row and the first three bytes of its words.
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
	left, up := run{1, -1, 3}, run{p.w, 0, 3*p.w + 1}
	last, n := left, 4*p.w
	var row checksum
	sum := checksum{1, 0}
	for y := range p.h {
		d.lits[p.filter]++
		d.tokens = append(d.tokens, literalToken(p.filter))
		cur := p.pix[y*n:][:n]
		if y > 0 && string(cur) == string(p.pix[(y-1)*n:y*n]) {
			for x := 0; x < p.w; x += longestRun {
				d.matched(3*min(longestRun, p.w-x), up.bytes)
			}
			last = up
		} else {
			last = d.rowOfWords(p, y, [8]run{{p.w + 1, -1, up.bytes + 3}, {p.w - 1, 1, up.bytes - 3}, up, left, last})
			if !d.sizeOnly {
				row = sumOf(adlerWords(adler(0, []byte{p.filter}), cur))
			}
		}
		sum = sum.then(row, up.bytes)
		if len(d.tokens) >= blockTokens {
			d.block(false)
			if limit > 0 && len(d.out) > limit {
				d.out = nil
				return nil, false
			}
		}
	}
	return d.end(sum.b<<16|sum.a, limit)
}

// unmatched adds a pixel without a match.
func (d *deflater) unmatched(v uint32) {
	d.lits[uint8(v)]++
	d.lits[uint8(v>>8)]++
	d.lits[uint8(v>>16)]++
	d.tokens = append(d.tokens, isPixel|v&0xffffff)
}

// The likely places of a match, in the order in which they are preferred when as many pixels are equal.
const (
	_ = iota // up and to the left
	upRight
	above
	toTheLeft
	asLast
)

// rowOfWords compresses row y; it returns the last match. A match is of one row, from one row.
func (d *deflater) rowOfWords(p words, y int, runs [8]run) run {
	b, w, x := p.pix, p.w, 0
	end := w
	if y == p.h-1 { // two pixels are read at a time
		end--
	}
	for x < end {
		i := y*w + x
		v := load64(b, 4*i)
		best := 0
		// For each place: how many of two pixels are equal, and which place it is.
		if x > 0 && y > 0 {
			up, left := (*[16]byte)(b[4*(i-w)-4:]), binary.LittleEndian.Uint64(b[4*i-4:])
			best = bits.TrailingZeros64(v^left)&^31 | toTheLeft
			best = max(best, bits.TrailingZeros64(v^binary.LittleEndian.Uint64(up[4:12]))&^31|above)
			best = max(best, bits.TrailingZeros64(v^binary.LittleEndian.Uint64(up[8:16]))&^31|upRight)
			best = max(best, bits.TrailingZeros64(v^binary.LittleEndian.Uint64(up[0:8]))&^31)
		} else if x > 0 {
			best = bits.TrailingZeros64(v^load64(b, 4*i-4))&^31 | toTheLeft
		} else if y > 0 {
			best = bits.TrailingZeros64(v^load64(b, 4*(i-w)))&^31 | above
		}
		if l := &runs[asLast]; l.back <= i && uint(x+l.right) < uint(w) {
			best = max(best, bits.TrailingZeros64(v^load64(b, 4*(i-l.back)))&^31|asLast)
		}
		n, r := best>>5, runs[best&7]
		if n == 2 {
			n = sameWords(b, i, i-r.back, min(longestRun, w-max(x, x+r.right)))
		}
		if n < 2 {
			n, r = d.earlier(p, x, y, v)
		}
		if n < 2 {
			d.unmatched(uint32(v))
			x++
			continue
		}
		d.matched(3*n, r.bytes)
		runs[asLast] = r
		x += n
	}
	if x < w {
		d.unmatched(load32(b, 4*(y*w+x)))
	}
	return runs[asLast]
}

// earlier returns a match of the last pixels with the hash of those at x, y, and remembers these. Less than two pixels
// are none.
func (d *deflater) earlier(p words, x, y int, v uint64) (n int, r run) {
	i := y*p.w + x
	h := &d.head[v*0x9E3779B97F4A7C15>>(64-hashBits)]
	q := int(*h) - 1
	*h = int32(i + 1)
	if q < 0 || i-q >= window/3 || v != load64(p.pix, 4*q) {
		return 0, r
	}
	from := q / p.w
	r = run{i - q, q - from*p.w - x, 3*(i-q) + y - from}
	if r.bytes > window {
		return 0, r
	}
	return sameWords(p.pix, i, q, min(longestRun, p.w-max(x, x+r.right))), r
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
		until := 2 * (weighted(evens, 1, 1, 1, 1) + weighted(odds, 1, 0, 1, 0))
		until -= weighted(even, 0, 0, 1, 1) + weighted(odd, 0, 0, 1, 0)
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

// checksum is an Adler-32 in its halves, both less than adlerPrime.
type checksum struct{ a, b uint32 }

func sumOf(v uint32) checksum { return checksum{v & 0xffff, v >> 16} }

// then returns the checksum of n more bytes, whose own, from 0 on, is c.
func (s checksum) then(c checksum, n int) checksum {
	b := (uint64(s.b) + uint64(n)*uint64(s.a) + uint64(c.b)) % adlerPrime
	return checksum{(s.a + c.a) % adlerPrime, uint32(b)}
}

// filterWords stores a row less what its filter foretells: words of the row above or those to the left, without their
// fourth bytes.
func filterWords(dst, row, above []byte, filter byte) {
	const high, colors = 0x8080808080808080, 0x00ffffff00ffffff
	less := func(a, b uint64) uint64 {
		return (((a | high) - (b &^ high)) ^ ((a ^ ^b) & high)) & colors
	}
	if filter == filterSub {
		v := binary.LittleEndian.Uint32(row) & (colors >> 32)
		binary.LittleEndian.PutUint32(dst, v)
		dst, above, row = dst[4:], row, row[4:]
	}
	const size = 32
	for ; len(row) >= size; dst, row, above = dst[size:], row[size:], above[size:] {
		to, a, b := (*[size]byte)(dst), (*[size]byte)(row), (*[size]byte)(above)
		for i := 0; i < size; i += 8 {
			v := less(binary.LittleEndian.Uint64(a[i:i+8]), binary.LittleEndian.Uint64(b[i:i+8]))
			binary.LittleEndian.PutUint64(to[i:i+8], v)
		}
	}
	for i := 0; i < len(row); i += 4 {
		v := less(uint64(load32(row, i)), uint64(load32(above, i)))
		binary.LittleEndian.PutUint32(dst[i:], uint32(v))
	}
}
