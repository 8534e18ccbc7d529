package encode

import (
	"encoding/binary"
	"math/bits"
	"sync"
)

// Deflate (RFC 1951 framed by RFC 1950) for rows of pixels. A general compressor finds repetitions by hashing, and in
// pictures mostly finds close and short ones. We know where to look: a row repeats the one above it, straight or
// shifted by a pixel (as in a diagonal gradient), or a run continues at the last distance. So these positions are tried
// first, and one match often covers 258 bytes.

// deflater compresses one picture. It is pooled.
type deflater struct {
	head   [1 << hashBits]int32 // last position with a hash, plus one
	chain  []int32              // the previous position for each position within the window; only with higher effort
	tokens []uint32
	lits   [286]uint32
	dists  [30]uint32
	tables blockTables
	out    []byte
	acc    uint64
	n      uint
	// sizeOnly asks for the size of a stream, without the stream; size has the bits so far that aren't in it.
	sizeOnly bool
	size     int
}

const (
	hashBits  = 15
	window    = 32768
	minMatch  = 4   // by hash, and anywhere: shorter ones cost as much as their bytes
	maxMatch  = 258 // the format's maximum
	goodMatch = 64  // long enough to stop searching
	// blockTokens is how many literals and matches share a set of codes: all of a flat card's, those of some rows of a
	// photograph.
	blockTokens = 1 << 15
)

// effort is how hard to search. The zero value is for a waiting caller.
type effort struct {
	depth int  // how many more earlier positions with the same hash are tried
	lazy  bool // check one byte further before taking a match
}

var (
	fastEffort     = effort{}
	thoroughEffort = effort{depth: 6, lazy: true}
)

var deflaters = sync.Pool{New: func() any { return new(deflater) }}

// token of a match: a bit, the code of its distance, its length minus 3, its distance minus 1. That of a literal has
// noDistance for the code, and its byte for the length; see also isPixel.
const (
	isMatch    = 1 << 31
	codeAt     = 23
	valueAt    = 15
	noDistance = 30 // no code of a distance
)

// matched adds a match.
func (d *deflater) matched(length, dist int) {
	c := distCode(dist)
	d.lits[lengthCodes[length-3]]++
	d.dists[c]++
	d.tokens = append(d.tokens, matchToken(length, dist, c))
}

func matchToken(length, dist int, code uint) uint32 {
	return isMatch | uint32(code)<<codeAt | uint32(length-3)<<valueAt | uint32(dist-1)
}

func literalToken(v byte) uint32 { return noDistance<<codeAt | uint32(v)<<valueAt }

// bitmap is the input of a deflater: the bytes of all rows, each preceded by its filter.
type bitmap struct {
	// raw has capacity for eight more bytes, of any value.
	raw []byte
	// unfiltered means that the first row's filter, none, isn't in raw and must be written first: that is the layout of a
	// picture with a byte between its rows.
	unfiltered bool
	row        int // bytes per row, including its filter
	pixel      int // bytes per pixel, at least 1
}

// compress appends a picture's bytes to out in zlib format. ok is false, and the result unusable, if it becomes longer
// than limit (0: unlimited).
func (d *deflater) compress(out []byte, b bitmap, limit int, e effort) (_ []byte, ok bool) {
	raw, row, pixel := b.raw, b.row, b.pixel
	d.out = append(out, 0x78, 0x01)
	d.acc, d.n = 0, 0
	sum := uint32(adlerStart)
	if b.unfiltered {
		d.lits[filterNone]++
		d.tokens = append(d.tokens, literalToken(filterNone))
		sum = adlerZero
	}
	clear(d.head[:])
	if e.depth > 0 && d.chain == nil {
		d.chain = make([]int32, window)
	}
	likely := [3]int{row, row - pixel, row + pixel}
	last := 1
	full := raw[:len(raw)+8]
	reach, safe := row+pixel, len(raw)-maxMatch-8
	if e.depth > 0 || reach > window {
		safe = 0
	}
	for i := 0; i < len(raw); {
		if i >= reach && i < safe {
			i, last = d.matchFast(full, i, safe, row, pixel, last)
		}
		length, dist := d.match(full, i, len(raw), last, &likely, e)
		if e.lazy && length > 0 && length < goodMatch && i+1 < len(raw) {
			if l, _ := d.match(full, i+1, len(raw), last, &likely, e); l > length+1 {
				length = 0
			}
		}
		if length == 0 {
			d.lits[raw[i]]++
			d.tokens = append(d.tokens, literalToken(raw[i]))
			i++
		} else {
			d.matched(length, dist)
			if e.depth > 0 && length < goodMatch {
				for k := i + 1; k < i+length && k+minMatch <= len(raw); k++ {
					d.insert(full, k)
				}
			}
			i, last = i+length, dist
		}
		if len(d.tokens) >= blockTokens {
			d.block(false)
			if limit > 0 && len(d.out) > limit {
				d.out = nil
				return nil, false
			}
		}
	}
	return d.end(adler(sum, raw), limit)
}

// end returns the stream, which a checksum ends; ok is false if it is longer than a limit other than 0.
func (d *deflater) end(sum uint32, limit int) (out []byte, ok bool) {
	d.block(true)
	if d.sizeOnly {
		d.size = (d.size+8*len(d.out)+int(d.n)+7)/8 + 4
		out, d.out = d.out, nil
		return out, true
	}
	d.flush()
	d.out = binary.BigEndian.AppendUint32(d.out, sum)
	out, d.out = d.out, nil
	return out, limit == 0 || len(out) <= limit
}

func load32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }

func hash(v uint32) uint32 { return v * 0x9E3779B1 >> (32 - hashBits) }

// insert adds a position to the hash table and its chain.
func (d *deflater) insert(b []byte, i int) {
	h := &d.head[hash(load32(b, i))]
	if int(*h) == i+1 {
		return
	}
	d.chain[i%window] = *h
	*h = int32(i + 1)
}

// match returns the longest match found at i, or 0.
func (d *deflater) match(b []byte, i, end, last int, likely *[3]int, e effort) (length, dist int) {
	most := min(maxMatch, end-i)
	if most < minMatch {
		return 0, 0
	}
	v := load32(b, i)
	if last <= i && load32(b, i-last) == v {
		if length, dist = extend(b, i, i-last, most), last; length >= goodMatch {
			return length, dist
		}
	}
	for _, at := range likely {
		if at <= i && at <= window && at != last && load32(b, i-at) == v {
			if l := extend(b, i, i-at, most); l > length {
				if length, dist = l, at; length >= goodMatch {
					return length, dist
				}
			}
		}
	}
	h := &d.head[hash(v)]
	p := int(*h) - 1
	if p != i {
		if e.depth > 0 {
			d.chain[i%window] = *h
		}
		*h = int32(i + 1)
	} else {
		p = int(d.chain[i%window]) - 1 // examined before, by the lazy search
	}
	for depth := e.depth; p >= 0 && i-p <= window; depth-- {
		if load32(b, p) == v {
			if l := extend(b, i, p, most); l > length+distancePenalty(i-p) {
				length, dist = l, i-p
			}
		}
		if depth <= 0 || length >= goodMatch {
			break
		}
		next := int(d.chain[p%window]) - 1
		if next >= p {
			break
		}
		p = next
	}
	return length, dist
}

// extend returns the number of equal bytes at two positions of which four are known to be equal, at most most.
func extend(b []byte, i, p, most int) int {
	n := 4
	for n < most {
		if x := binary.LittleEndian.Uint64(b[i+n:]) ^ binary.LittleEndian.Uint64(b[p+n:]); x != 0 {
			return min(n+bits.TrailingZeros64(x)/8, most)
		}
		n += 8
		if n+8 > most && n < most {
			for n < most && b[i+n] == b[p+n] {
				n++
			}
			return n
		}
	}
	return min(n, most)
}

// lengthCodes has the code of each length minus 3, and lengthExtra the number of bits after it. Source: RFC 1951,
// 3.2.5.
var lengthCodes, lengthBase, lengthExtra = func() (codes [256]uint16, base [29]uint8, extra [29]uint8) {
	at := 0
	for c := range 28 {
		if c >= 8 {
			extra[c] = uint8(c/4 - 1)
		}
		base[c] = uint8(at)
		for range 1 << extra[c] {
			if at < 256 {
				codes[at] = uint16(257 + c)
			}
			at++
		}
	}
	codes[255], base[28] = 285, 255 // 258 has a code of its own
	return
}()

// distCode returns the code of a distance; from the fourth on, code/2-1 bits follow it.
func distCode(dist int) uint {
	v := uint(dist - 1)
	if v < 4 {
		return v
	}
	n := uint(bits.Len(v)) - 2
	return 2*n + v>>n
}
