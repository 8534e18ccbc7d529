package encode

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// codeBook holds the code and its length of each symbol. Codes are mirrored: deflate writes them from the highest bit.
type codeBook struct {
	code   [286]uint16
	length [286]uint8
}

// build gives each symbol a code whose length goes by its frequency, longest at most. A lone symbol has a code of one bit.
func (c *codeBook) build(freq []uint32, longest uint8) {
	clear(c.length[:])
	weights := make([]uint64, 0, len(freq))
	for s, f := range freq {
		if f > 0 {
			weights = append(weights, uint64(f)<<16|uint64(s))
		}
	}
	if len(weights) == 1 {
		c.length[weights[0]&0xffff] = 1
	} else if len(weights) > 1 {
		// Frequencies are halved until no code is too long: that happens to pictures of millions of equal pixels, and costs them nothing.
		for !c.lengths(weights, longest) {
			for i, w := range weights {
				weights[i] = (w>>17+1)<<16 | w&0xffff
			}
		}
	}
	c.assign(len(freq))
}

// lengths computes the lengths of Huffman codes. It reports false when one is too long.
func (c *codeBook) lengths(weights []uint64, longest uint8) bool {
	slices.SortFunc(weights, func(a, b uint64) int { return cmp.Compare(a, b) })
	// Nodes are made in order of weight, so two queues do for a heap: leaves, and the nodes made of them.
	n := len(weights)
	weight, parent := make([]uint64, 2*n-1), make([]int, 2*n-1)
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
			parent[pick] = made
		}
	}
	depth := make([]uint8, 2*n-1)
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
func (c *codeBook) assign(symbols int) {
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

// block writes all tokens with codes made for them. Source: RFC 1951, 3.2.7.
func (d *deflater) block(final bool) {
	d.lits[256] = 1
	var lits, dists codeBook
	lits.build(d.lits[:], 15)
	dists.build(d.dists[:], 15)
	first := uint64(2 << 1) // dynamic codes
	if final {
		first |= 1
	}
	d.put(first, 3)
	d.codeLengths(&lits, &dists)
	for _, t := range d.tokens {
		if t&isMatch == 0 {
			d.put(uint64(lits.code[t]), uint(lits.length[t]))
			continue
		}
		length, dist := t>>15&0xff, uint(t&(window-1))
		s := lengthCodes[length]
		n := uint(lits.length[s])
		d.put(uint64(lits.code[s])|uint64(uint8(length)-lengthBase[s-257])<<n, n+uint(lengthExtra[s-257]))
		c := distCode(int(dist) + 1)
		n = uint(dists.length[c])
		v := uint64(dists.code[c])
		if c >= 4 {
			extra := c/2 - 1
			v |= uint64(dist&(1<<extra-1)) << n
			n += extra
		}
		d.put(v, n)
	}
	d.put(uint64(lits.code[256]), uint(lits.length[256]))
	out := d.out
	d.reset()
	d.out = out
}

// lengthOrder is the order in which the lengths of the codes of lengths stand.
var lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// codeLengths writes the lengths of both sets of codes, with runs shortened, and with codes of their own.
func (d *deflater) codeLengths(lits, dists *codeBook) {
	nl, nd := 286, 30
	for nl > 257 && lits.length[nl-1] == 0 {
		nl--
	}
	for nd > 1 && dists.length[nd-1] == 0 {
		nd--
	}
	all := append(slices.Clone(lits.length[:nl]), dists.length[:nd]...)
	type item struct{ symbol, extra, bits uint8 }
	var items []item
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
	var codes codeBook
	codes.build(freq[:], 7)
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
