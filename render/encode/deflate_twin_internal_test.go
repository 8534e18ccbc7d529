package encode

import (
	"math"
	"testing"

	"masthead/render/encode/encodetest"
)

// plainDeflater is the slow twin of deflater: it finds the same matches, byte by byte.
type plainDeflater struct {
	raw        []byte
	row, pixel int
	effort     effort
	head       map[uint32]int // the last place with a hash
	before     map[int]int    // the place with the same hash before each
	last       int
}

// equal returns how many bytes are equal at two places, most at most.
func (d *plainDeflater) equal(i, p, most int) int {
	n := 0
	for n < most && i+n < len(d.raw) && d.raw[i+n] == d.raw[p+n] {
		n++
	}
	return n
}

// hash returns the hash of the four bytes at a place; those beyond the end are the deflater's own.
func (d *plainDeflater) hash(i int) uint32 {
	v := uint64(0)
	for k := range 4 {
		v += uint64(d.raw[i+k]) << (8 * k)
	}
	return uint32(v*0x9E3779B1%(1<<32)) / (1 << (32 - hashBits))
}

// enter enters a place into the table, and returns the one before it, or -1.
func (d *plainDeflater) enter(i int) int {
	h := d.hash(i)
	p, ok := d.head[h]
	switch {
	case ok && p == i:
		return d.before[i]
	case !ok:
		p = -1
	}
	d.head[h], d.before[i] = i, p
	return p
}

// penalty returns how much longer a match must be to be worth its distance.
func penalty(dist int) int { return int(math.Log2(float64(2*dist))) / 11 }

// tokens returns the literals and matches of a picture, with 0 where it is unfiltered.
func (d *plainDeflater) tokens(unfiltered bool) (out []encodetest.Token) {
	d.head, d.before, d.last = map[uint32]int{}, map[int]int{}, 1
	inBlock := 0
	if unfiltered {
		out, inBlock = append(out, encodetest.Token{}), 1
	}
	reach, end := d.row+d.pixel, len(d.raw)-maxMatch-8
	hasty := d.effort.depth == 0 && reach <= window
	for i := 0; i < len(d.raw); {
		token := encodetest.Token{Literal: d.raw[i]}
		if hasty && i >= reach && i < end && inBlock < blockTokens {
			token.Length, token.Dist = d.hasty(i)
		} else {
			token.Length, token.Dist = d.match(i)
			if n := token.Length; d.effort.lazy && n > 0 && n < goodMatch && i+1 < len(d.raw) {
				if next, _ := d.match(i + 1); next > n+1 {
					token.Length = 0
				}
			}
			if d.effort.depth > 0 && token.Length < goodMatch {
				for k := i + 1; k < i+token.Length && k+minMatch <= len(d.raw); k++ {
					d.enter(k)
				}
			}
			if inBlock+1 >= blockTokens {
				inBlock = -1 // a block ends only here
			}
		}
		if token.Length == 0 {
			token.Dist = 0
			i++
		} else {
			token.Literal, d.last = 0, token.Dist
			i += token.Length
		}
		inBlock++
		out = append(out, token)
	}
	return out
}

// match returns the longest match at a place among the likely ones, and those with the same hash.
func (d *plainDeflater) match(i int) (length, dist int) {
	most := min(maxMatch, len(d.raw)-i)
	if most < minMatch {
		return 0, 0
	}
	for k, at := range [4]int{d.last, d.row, d.row - d.pixel, d.row + d.pixel} {
		if at > i || at > window || k > 0 && at == d.last {
			continue
		}
		if n := d.equal(i, i-at, most); n >= minMatch && n > length {
			if length, dist = n, at; length >= goodMatch {
				return length, dist
			}
		}
	}
	p := d.enter(i)
	for tries := d.effort.depth; p >= 0 && i-p <= window; tries-- {
		if n := d.equal(i, p, most); n >= minMatch && n > length+penalty(i-p) {
			length, dist = n, i-p
		}
		if tries <= 0 || length >= goodMatch || i-p == window {
			break
		}
		p = d.before[p]
	}
	return length, dist
}

// hasty is match for a waiting caller.
func (d *plainDeflater) hasty(i int) (length, dist int) {
	for _, at := range [4]int{d.last, d.row, d.row - d.pixel, d.row + d.pixel} {
		if n := d.equal(i, i-at, 8); n > length || dist == 0 {
			length, dist = n, at
		}
	}
	if length == 8 {
		return d.equal(i, i-dist, maxMatch), dist
	}
	p := d.enter(i)
	if p >= 0 && i-p <= window {
		if n := d.equal(i, p, maxMatch); n >= minMatch && n > length+penalty(i-p) {
			length, dist = n, i-p
		}
	}
	if length < minMatch {
		return 0, 0
	}
	return length, dist
}

// checkDeflated compares a compressed picture with what its twin finds.
func checkDeflated(t *testing.T, name string, in bitmap, e effort, out []byte) {
	t.Helper()
	raw, tokens, err := encodetest.Inflate(out)
	if err != nil {
		t.Fatalf("%s, %+v: %v", name, e, err)
	}
	if i := encodetest.CutShort(raw, tokens); i >= 0 {
		t.Fatalf("%s, %+v: match %d, %+v, might be longer", name, e, i, tokens[i])
	}
	d := plainDeflater{raw: in.raw, row: in.row, pixel: in.pixel, effort: e}
	want := d.tokens(in.unfiltered)
	for i := range min(len(want), len(tokens)) {
		if tokens[i] != want[i] {
			t.Fatalf("%s, %+v: token %d is %+v, want %+v", name, e, i, tokens[i], want[i])
		}
	}
	if len(want) != len(tokens) {
		t.Fatalf("%s, %+v: %d tokens, want %d", name, e, len(tokens), len(want))
	}
}
