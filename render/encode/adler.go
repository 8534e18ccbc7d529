package encode

import "encoding/binary"

// Summed a byte at a time, as in hash/adler32, the checksum of a zlib stream takes a tenth of a card's encoding time.
// Here eight bytes are summed at a time, in lanes of 16 bits.

const (
	adlerPrime = 65521
	lowBytes   = 0x00ff00ff00ff00ff // every second byte of a word
	lowHalves  = 0x0000ffff0000ffff
	// laneWords is how many words are added to the lanes, two at a time, before they are emptied: the second sums reach
	// 255·21·22/2 of 65,535.
	laneWords = 22
	// adlerBlocks is how often lanes are emptied before the 64-bit sums are reduced.
	adlerBlocks = 1 << 12
)

// adlerStart is the checksum of no bytes, and of a single zero.
const (
	adlerStart = 1
	adlerZero  = 1<<16 | 1
)

// adler returns the Adler-32 checksum of b appended to data with the checksum sum. Source: RFC 1950, 8.2.
func adler(sum uint32, b []byte) uint32 {
	s1, s2 := uint64(sum&0xffff), uint64(sum>>16)
	for len(b) >= 8*laneWords {
		for n := 0; n < adlerBlocks && len(b) >= 8*laneWords; n++ {
			// For the even and the odd bytes: their sums, and the sums of those before each word.
			var even, odd, evens, odds uint64
			block := (*[8 * laneWords]byte)(b)
			for i := 0; i < len(block); i += 16 {
				w := binary.LittleEndian.Uint64(block[i : i+8])
				evens += even
				odds += odd
				even += w & lowBytes
				odd += w >> 8 & lowBytes
				w = binary.LittleEndian.Uint64(block[i+8 : i+16])
				evens += even
				odds += odd
				even += w & lowBytes
				odd += w >> 8 & lowBytes
			}
			// A byte counts once more for each byte after it in the block: eight times for each word after its own, and by its
			// position.
			s2 += 8*laneWords*s1 + 8*(total(evens)+total(odds)) + weighted(even, 8, 6, 4, 2) + weighted(odd, 7, 5, 3, 1)
			s1 += total(even) + total(odd)
			b = b[8*laneWords:]
		}
		s1, s2 = s1%adlerPrime, s2%adlerPrime
	}
	for _, v := range b {
		s1 += uint64(v)
		s2 += s1
	}
	return uint32(s2%adlerPrime<<16 | s1%adlerPrime)
}

// total returns the sum of the four lanes of a word.
func total(w uint64) uint64 {
	w = w&lowHalves + w>>16&lowHalves
	return w&0xffffffff + w>>32
}

// weighted is total with a factor for each lane, the lowest first.
func weighted(w, a, b, c, d uint64) uint64 {
	return a*(w&0xffff) + b*(w>>16&0xffff) + c*(w>>32&0xffff) + d*(w>>48)
}
