package encode

import (
	"encoding/binary"
	"math/bits"
)

func load64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// matchFast compresses from i on for a waiting caller, until end or until a block is full; it returns its end position
// and the last distance. At each position it compares eight bytes with those at four likely distances at once: so where
// edges of letters make matches short, which is most of a card, hardly any branch depends on pixels. The data before i
// must be at least a row and a pixel, and maxMatch+8 bytes must follow end.
func (d *deflater) matchFast(b []byte, i, end, row, pixel, last int) (int, int) {
	dists := [8]int{4: row + pixel, 5: row - pixel, 6: row, 7: last}
	tokens := d.tokens
	for i < end && len(tokens) < blockTokens {
		v := load64(b, i)
		// For each position: how many of eight bytes are equal, and which position it is.
		best := bits.TrailingZeros64(v^load64(b, i-dists[7]))&^7 | 7
		best = max(best, bits.TrailingZeros64(v^load64(b, i-row))&^7|6)
		best = max(best, bits.TrailingZeros64(v^load64(b, i-row+pixel))&^7|5)
		best = max(best, bits.TrailingZeros64(v^load64(b, i-row-pixel))&^7|4)
		length, dist := best>>3, dists[best&7]
		if length == 8 {
			length = extendFast(b, i, i-dist)
		} else {
			h := &d.head[hash(uint32(v))]
			p := int(*h) - 1
			*h = int32(i + 1)
			if p >= 0 && i-p <= window {
				if x := v ^ load64(b, p); uint32(x) == 0 {
					var l int
					if x == 0 {
						l = extendFast(b, i, p)
					} else {
						l = bits.TrailingZeros64(x) >> 3
					}
					if l > length+distancePenalty(i-p) {
						length, dist = l, i-p
					}
				}
			}
			if length < minMatch {
				d.lits[uint8(v)]++
				tokens = append(tokens, literalToken(uint8(v)))
				i++
				continue
			}
		}
		d.lits[lengthCodes[length-3]]++
		c := distCode(dist)
		d.dists[c]++
		tokens = append(tokens, matchToken(length, dist, c))
		i += length
		dists[7] = dist
	}
	d.tokens = tokens
	return i, dists[7]
}

// distancePenalty returns how much longer a match must be to be worth a distance, whose code is followed by up to 13
// bits.
func distancePenalty(dist int) int { return bits.Len(uint(dist)) / 11 }

// extendFast is extend for two positions with eight bytes known to be equal, and enough bytes after them. Most matches
// end within the next words; most of the others have the maximum length, which is checked at once.
func extendFast(b []byte, i, p int) int {
	s, t := (*[maxMatch + 6]byte)(b[i:]), (*[maxMatch + 6]byte)(b[p:])
	for n := 8; ; n += 8 { // ends at 24, or at the first difference after it
		if x := binary.LittleEndian.Uint64(s[n:n+8]) ^ binary.LittleEndian.Uint64(t[n:n+8]); x != 0 {
			return min(n+bits.TrailingZeros64(x)>>3, maxMatch)
		}
		if n == 24 && string(s[32:maxMatch]) == string(t[32:maxMatch]) {
			return maxMatch
		}
	}
}
