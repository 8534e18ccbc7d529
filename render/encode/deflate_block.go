package encode

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// huffmanTable has the code and its length for each symbol. Codes are bit-reversed: deflate writes them from the
// highest bit.
type huffmanTable struct {
	code   [286]uint16
	length [286]uint8
}

// blockTables are the codes of one block, with the memory for building them.
type blockTables struct {
	lits, dists, lengths huffmanTable
	scratch              huffmanTree
}

// huffmanTree is a Huffman tree of at most 286 symbols being built: leaves first, its root last.
type huffmanTree struct {
	sorted [286]uint64 // frequency and symbol
	weight [2 * 286]uint64
	parent [2 * 286]uint16
	depth  [2 * 286]uint8
}

// build gives each symbol a code whose length depends on its frequency, at most longest. A single symbol has a code of
// one bit.
func (c *huffmanTable) build(freq []uint32, longest uint8, s *huffmanTree) {
	clear(c.length[:])
	weights := s.sorted[:0]
	for i, f := range freq {
		if f > 0 {
			weights = append(weights, uint64(f)<<16|uint64(i))
		}
	}
	if len(weights) == 1 {
		c.length[weights[0]&0xffff] = 1
	} else if len(weights) > 1 {
		// Frequencies are halved until no code is too long: that happens for pictures with millions of equal pixels, and
		// costs them nothing.
		for !c.lengths(weights, longest, s) {
			for i, w := range weights {
				weights[i] = (w>>17+1)<<16 | w&0xffff
			}
		}
	}
	c.assign(len(freq))
}

// lengths computes the lengths of Huffman codes. It returns false if one is too long.
func (c *huffmanTable) lengths(weights []uint64, longest uint8, s *huffmanTree) bool {
	slices.Sort(weights)
	// Nodes are created in order of weight, so two queues replace a heap: leaves, and the nodes built from them.
	n := len(weights)
	weight, parent, depth := s.weight[:2*n-1], s.parent[:2*n-1], s.depth[:2*n-1]
	clear(weight[n:])
	for i, w := range weights {
		weight[i] = w >> 16
	}
	leaf, node := 0, n
	for made := n; made < 2*n-1; made++ {
		for range 2 {
			pick := leaf
			if leaf >= n || node < made && weight[node] < weight[leaf] {
				pick = node
				node++
			} else {
				leaf++
			}
			weight[made] += weight[pick]
			parent[pick] = uint16(made)
		}
	}
	depth[2*n-2] = 0
	for i := 2*n - 3; i >= 0; i-- {
		depth[i] = depth[parent[i]] + 1
		if i < n {
			if depth[i] > longest {
				return false
			}
			c.length[weights[i]&0xffff] = depth[i]
		}
	}
	return true
}

// assign numbers the codes of each length in order of symbols. Source: RFC 1951, 3.2.2.
func (c *huffmanTable) assign(symbols int) {
	var count, next [16]uint16
	for _, l := range c.length[:symbols] {
		count[l]++
	}
	count[0] = 0
	for l := 1; l < 16; l++ {
		next[l] = (next[l-1] + count[l-1]) << 1
	}
	for s, l := range c.length[:symbols] {
		if l > 0 {
			c.code[s] = bits.Reverse16(next[l]) >> (16 - l)
			next[l]++
		}
	}
}

// put appends the low n bits of v, 32 at most.
func (d *deflater) put(v uint64, n uint) {
	d.acc |= v << d.n
	d.n += n
	if d.n >= 32 {
		d.out = binary.LittleEndian.AppendUint32(d.out, uint32(d.acc))
		d.acc >>= 32
		d.n -= 32
	}
}

// flush fills the last byte with zeros.
func (d *deflater) flush() {
	for d.n > 0 {
		d.out = append(d.out, byte(d.acc))
		d.acc >>= 8
		d.n -= min(d.n, 8)
	}
}

// block writes all tokens with codes built for them. Source: RFC 1951, 3.2.7.
func (d *deflater) block(final bool) {
	d.lits[256] = 1
	b := &d.tables
	b.lits.build(d.lits[:], 15, &b.scratch)
	b.dists.build(d.dists[:], 15, &b.scratch)
	first := uint64(2 << 1) // dynamic codes
	if final {
		first |= 1
	}
	d.put(first, 3)
	d.codeLengths()
	if d.sizeOnly {
		d.size += d.tokenBits()
	} else {
		d.write()
		d.put(uint64(b.lits.code[256]), uint(b.lits.length[256]))
	}
	d.tokens = d.tokens[:0]
	clear(d.lits[:])
	clear(d.dists[:])
}

// tokenBits returns how many bits the tokens and the end of their block take.
func (d *deflater) tokenBits() (n int) {
	for i, count := range d.lits {
		bits := d.tables.lits.length[i]
		if i > 256 {
			bits += lengthExtra[i-257]
		}
		n += int(count) * int(bits)
	}
	for c, count := range d.dists {
		n += int(count) * (int(d.tables.dists.length[c]) + max(c/2-1, 0))
	}
	return n
}

// write writes the tokens. All bits of a token are added to the accumulator at once: up to 48, in addition to the 7
// waiting there.
func (d *deflater) write() {
	// For each literal, and from 256 on for each length minus 3: its code with the bits after it, and above them their
	// number. For each code of a distance: the code, its length and the number of bits after it; all 0 for noDistance.
	var codes [512]uint32
	var dists [32]uint32
	const numberAt, extraAt, codeMask = 24, 28, 1<<24 - 1
	for i := range lengthCodes {
		codes[i] = uint32(d.tables.lits.code[i]) | uint32(d.tables.lits.length[i])<<numberAt
		s := lengthCodes[i]
		n := uint32(d.tables.lits.length[s])
		v := uint32(d.tables.lits.code[s]) | uint32(uint8(i)-lengthBase[s-257])<<n
		codes[256+i] = v | (n+uint32(lengthExtra[s-257]))<<numberAt
	}
	for c := range d.dists {
		length, extra := uint32(d.tables.dists.length[c]), uint32(max(c/2-1, 0))
		dists[c] = uint32(d.tables.dists.code[c]) | length<<numberAt | extra<<extraAt
	}
	const most = 6 // bytes per token; eight are stored at a time
	at := len(d.out)
	d.out = slices.Grow(d.out, most*len(d.tokens)+16)
	out := d.out[:cap(d.out)]
	acc, n := d.acc, d.n
	for ; n >= 8; n -= 8 {
		out[at] = byte(acc)
		acc >>= 8
		at++
	}
	for _, t := range d.tokens {
		if t&isPixel != 0 { // three literals of at most 45 bits
			a, b, c := codes[t&0xff], codes[t>>8&0xff], codes[t>>16&0xff]
			ab := uint(a>>numberAt) + uint(b>>numberAt)
			bits := uint64(a&codeMask) | uint64(b&codeMask)<<(a>>numberAt&63) | uint64(c&codeMask)<<(ab&63)
			acc |= bits << (n & 63)
			n += ab + uint(c>>numberAt)
		} else { // a literal or a match, which nobody can predict: so both take the same steps
			l, code := codes[t>>31<<8|t>>valueAt&0xff], dists[t>>codeAt&31]
			k, extra := uint(l>>numberAt), uint(code>>extraAt)
			bits := uint64(l&codeMask) | uint64(code&codeMask)<<(k&63)
			k += uint(code >> numberAt & 15)
			bits |= uint64(t&(1<<(extra&31)-1)) << (k & 63)
			acc |= bits << (n & 63)
			n += k + extra
		}
		binary.LittleEndian.PutUint64(out[at:], acc)
		at += int(n >> 3)
		acc >>= n & 56
		n &= 7
	}
	d.out, d.acc, d.n = out[:at], acc, n
}

// lengthOrder is the order of the code length codes in the file.
var lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// codeLengths writes the lengths of both sets of codes, run-length encoded, with codes of their own.
func (d *deflater) codeLengths() {
	lits, dists := &d.tables.lits, &d.tables.dists
	nl, nd := 286, 30
	for nl > 257 && lits.length[nl-1] == 0 {
		nl--
	}
	for nd > 1 && dists.length[nd-1] == 0 {
		nd--
	}
	var joined [286 + 30]uint8
	all := append(append(joined[:0], lits.length[:nl]...), dists.length[:nd]...)
	type item struct{ symbol, extra, bits uint8 }
	var made [len(joined)]item
	items := made[:0]
	var freq [19]uint32
	for i := 0; i < len(all); {
		run := 1
		for i+run < len(all) && all[i+run] == all[i] {
			run++
		}
		it, take := item{symbol: all[i]}, 1
		switch {
		case all[i] == 0 && run >= 11:
			take = min(run, 138)
			it = item{18, uint8(take - 11), 7}
		case all[i] == 0 && run >= 3:
			take = run
			it = item{17, uint8(take - 3), 3}
		case i > 0 && all[i-1] == all[i] && run >= 3:
			take = min(run, 6)
			it = item{16, uint8(take - 3), 2}
		}
		items = append(items, it)
		freq[it.symbol]++
		i += take
	}
	codes := &d.tables.lengths
	codes.build(freq[:], 7, &d.tables.scratch)
	n := 19
	for n > 4 && codes.length[lengthOrder[n-1]] == 0 {
		n--
	}
	d.put(uint64(nl-257)|uint64(nd-1)<<5|uint64(n-4)<<10, 14)
	for _, s := range lengthOrder[:n] {
		d.put(uint64(codes.length[s]), 3)
	}
	for _, it := range items {
		l := uint(codes.length[it.symbol])
		d.put(uint64(codes.code[it.symbol])|uint64(it.extra)<<l, l+uint(it.bits))
	}
}
