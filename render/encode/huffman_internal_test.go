package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// plainLengths is the slow twin of huffmanTable.build: the two lightest nodes are joined until one is left, of equal
// ones the leaves first; where a code is too long, the weights are halved.
func plainLengths(freq []uint32, longest int) []int {
	type node struct {
		weight, order int // leaves by symbol, then nodes as they are made
		symbols       []int
	}
	weights := make([]int, len(freq))
	for i, f := range freq {
		weights[i] = int(f)
	}
	for {
		var nodes []node
		for i, w := range weights {
			if w > 0 {
				nodes = append(nodes, node{w, i, []int{i}})
			}
		}
		lengths := make([]int, len(freq))
		if len(nodes) == 1 {
			lengths[nodes[0].symbols[0]] = 1
		}
		for made := len(freq); len(nodes) > 1; made++ {
			slices.SortFunc(nodes, func(a, b node) int {
				if a.weight != b.weight {
					return a.weight - b.weight
				}
				return a.order - b.order
			})
			joined := node{nodes[0].weight + nodes[1].weight, made, slices.Concat(nodes[0].symbols, nodes[1].symbols)}
			for _, s := range joined.symbols {
				lengths[s]++
			}
			nodes = append(nodes[2:], joined)
		}
		if slices.Max(append(lengths, 0)) <= longest {
			return lengths
		}
		for i, w := range weights {
			if w > 0 {
				weights[i] = w/2 + 1
			}
		}
	}
}

// checkCodes compares the codes of frequencies with those of their twin.
func checkCodes(t *testing.T, c *huffmanTable, s *huffmanTree, freq []uint32, longest int) {
	t.Helper()
	c.build(freq, uint8(longest), s)
	want := plainLengths(freq, longest)
	// Codes of a length follow each other by symbol, and those of the next length the last of them. RFC 1951, 3.2.2.
	code := 0
	for n := 1; n <= 15; n++ {
		code *= 2
		for symbol, length := range want {
			if length != n {
				continue
			}
			mirrored, _ := parseBits(reversed(fmt.Sprintf("%0*b", n, code)))
			if int(c.length[symbol]) != n || int(c.code[symbol]) != mirrored {
				t.Fatalf("frequencies %v: symbol %d has code %b of %d bits, want %b of %d", freq, symbol, c.code[symbol],
					c.length[symbol], mirrored, n)
			}
			code++
		}
	}
	for symbol, length := range want {
		if length == 0 && c.length[symbol] != 0 {
			t.Fatalf("frequencies %v: symbol %d has a code", freq, symbol)
		}
	}
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

func parseBits(s string) (v int, err error) {
	_, err = fmt.Sscanf(s, "%b", &v)
	return v, err
}

// Codes are those of Huffman's algorithm done the long way, with weights halved where one is too long, whatever the
// memory was used for before.
func TestHuffmanTable_build_isThatOfItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var c huffmanTable
	var s huffmanTree
	for _, symbols := range []int{1, 2, 3, 19, 30, 286} {
		for kind := range 6 {
			freq := make([]uint32, symbols)
			for i := range freq {
				switch kind {
				case 0:
					freq[i] = r.Uint32N(4)
				case 1:
					freq[i] = 1 << r.UintN(20)
				case 2:
					freq[i] = uint32(1) << (i % 24) // too long for 15 and 7 bits
				case 3:
					freq[i] = 1
				case 4:
					freq[i] = r.Uint32N(3) / 2 * r.Uint32N(1<<15)
				}
			}
			for _, longest := range []int{7, 15} {
				if symbols <= 30 || longest == 15 {
					checkCodes(t, &c, &s, freq, longest)
				}
			}
		}
	}
}

func FuzzHuffmanTable(f *testing.F) {
	f.Add(true, []byte{1, 0, 0, 0, 1, 0, 0, 0})
	f.Add(false, []byte{1, 0, 1, 0, 2, 0, 3, 0, 5, 0, 8, 0, 13, 0, 21, 0, 34, 0, 55, 0, 89, 0, 144, 0, 233, 0})
	f.Fuzz(func(t *testing.T, short bool, data []byte) {
		freq, longest := make([]uint32, min(len(data)/2, 286)), 15
		if short {
			freq, longest = freq[:min(len(freq), 19)], 7
		}
		for i := range freq {
			freq[i] = uint32(binary.LittleEndian.Uint16(data[2*i:]))
		}
		checkCodes(t, new(huffmanTable), new(huffmanTree), freq, longest)
	})
}

// plainCode returns the code of a value of a table of a JPEG, in figures. Source: ITU T.81, annex C.
func plainCode(table, value int) string {
	code, k := 0, 0
	for n, count := range huffmanSpecs[table].count {
		for range count {
			if int(huffmanSpecs[table].value[k]) == value {
				return fmt.Sprintf("%0*b", n+1, code)
			}
			code, k = code+1, k+1
		}
		code *= 2
	}
	panic(fmt.Sprintf("table %d has no code of %#x", table, value))
}

// plainNumber returns the size of a number and its bits, in figures: those of a negative one are of the number one
// less. Source: ITU T.81, F.1.2.1.
func plainNumber(v int) (size int, figures string) {
	size = bits.Len(uint(max(v, -v)))
	if size == 0 {
		return 0, ""
	}
	if v < 0 {
		v += 1<<size - 1
	}
	return size, fmt.Sprintf("%0*b", size, v)
}

// plainScan is the slow twin of bitWriter: it writes blocks in figures, and then bytes. Source: ITU T.81, F.1.2.
func plainScan(blocks [][64]int, table int) (out []byte) {
	var s strings.Builder
	dc := 0
	for _, b := range blocks {
		size, figures := plainNumber(b[0] - dc)
		s.WriteString(plainCode(table, size) + figures)
		dc = b[0]
		run := 0
		for z := 1; z < 64; z++ {
			if b[z] == 0 {
				run++
				continue
			}
			for ; run >= 16; run -= 16 {
				s.WriteString(plainCode(table+1, 0xf0))
			}
			size, figures = plainNumber(b[z])
			s.WriteString(plainCode(table+1, run*16+size) + figures)
			run = 0
		}
		if run > 0 {
			s.WriteString(plainCode(table+1, 0))
		}
	}
	for s.Len()%8 != 0 {
		s.WriteByte('1')
	}
	for all := s.String(); all != ""; all = all[8:] {
		v, _ := parseBits(all[:8])
		if out = append(out, byte(v)); v == 0xff {
			out = append(out, 0)
		}
	}
	return out
}

// checkScan compares the bytes of blocks with those of their twin. Coefficients are in zigzag order.
func checkScan(t *testing.T, blocks [][64]int, table int) {
	t.Helper()
	w, dc := bitWriter{}, int16(0)
	for _, c := range blocks {
		var b block
		for z, v := range c {
			if b.coefficients[z] = int16(v); v != 0 {
				b.nonzero |= 1 << z
			} else if z > 0 {
				b.coefficients[z] = 77 // only those with a bit are set
			}
		}
		if len(blocks)%2 == 0 {
			b.nonzero |= 1 // or not: the first one counts in any case
		}
		w.block(&b, &dc, table)
	}
	w.flush()
	if want := plainScan(blocks, table); !bytes.Equal(w.out, want) {
		t.Fatalf("blocks %v: % x, want % x", blocks, w.out, want)
	}
}

// Blocks are written bit by bit as the standard says: numbers of every size and sign, runs of every length, and bytes
// of 0xFF at every place of a word.
func TestBitWriter_block_isThatOfItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for _, table := range []int{0, 2} {
		for size := range 11 {
			for _, v := range []int{1<<size - 1, 1 - 1<<size, 1 << size >> 1, -(1 << size >> 1)} {
				for _, at := range []int{1, 2, 16, 17, 18, 33, 49, 50, 62, 63} {
					var b [64]int
					b[0], b[at] = -v, v
					checkScan(t, [][64]int{b, {}, {0: 1016}, {0: -1024}, b}, table)
				}
			}
		}
		for n := range 600 {
			blocks := make([][64]int, 1+n%7)
			for i := range blocks {
				blocks[i][0] = r.IntN(2041) - 1024
				for k := r.IntN(64); k > 0; k -= 1 + r.IntN(8) {
					size := r.IntN(11)
					blocks[i][63-r.IntN(63)] = (r.IntN(2)*2 - 1) * (1<<size - 1 - r.IntN(1<<size)*r.IntN(2))
				}
			}
			checkScan(t, blocks, table)
		}
		// Nothing but ones: positive numbers as large as they may be.
		var ones [64]int
		for z := range ones {
			ones[z] = 1023
		}
		for n := range 9 {
			checkScan(t, append([][64]int{{0: n}}, ones, ones), table)
		}
	}
}

func FuzzBitWriter(f *testing.F) {
	f.Add(false, []byte{0, 1, 2, 63, 0, 4})
	f.Add(true, bytes.Repeat([]byte{255, 3}, 90))
	f.Fuzz(func(t *testing.T, chroma bool, data []byte) {
		blocks, table := make([][64]int, min(len(data)/128, 20)+1), 0
		if chroma {
			table = 2
		}
		for i := 0; i+1 < len(data) && i/128 < len(blocks); i += 2 {
			blocks[i/128][i%128/2] = int(int16(binary.LittleEndian.Uint16(data[i:]))) >> 6 * 2
		}
		for i := range blocks {
			for z, v := range blocks[i] {
				blocks[i][z] = min(max(v, -1023), 1023)
			}
		}
		checkScan(t, blocks, table)
	})
}
