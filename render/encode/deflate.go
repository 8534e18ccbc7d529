package encode

import (
	"encoding/binary"
	"math/bits"
	"sync"
)

// Deflate (RFC 1951 in the frame of RFC 1950) for rows of pixels. A general compressor looks for what repeats by
// hashing, and in pictures mostly finds near and short repeats. We know where to look: a row repeats the one above it,
// straight or shifted by a pixel (that is what a diagonal gradient does), or the run goes on at the distance of the
// last one. So these places are tried first, and one match mostly takes 258 bytes.

// deflater compresses one picture. It is pooled.
type deflater struct {
	head   [1 << hashBits]int32 // the last position with a hash, plus one
	chain  []int32              // the position before, of each position within the window; where effort asks for it
	tokens []uint32
	lits   [286]uint32
	dists  [30]uint32
	tables blockTables
	out    []byte
	acc    uint64
	n      uint
}

const (
	hashBits  = 15
	window    = 32768
	minMatch  = 4   // by hash, and anywhere: shorter ones cost as much as their bytes
	maxMatch  = 258 // of the format
	goodMatch = 64  // from which nothing longer is looked for
	// blockTokens is how many literals and matches share a set of codes: those of a flat card all, those of a
	// photograph those of some rows.
	blockTokens = 1 << 15
)

// effort says how hard to look. The zero value is for a waiting caller.
type effort struct {
	depth int  // how many earlier places with the same hash are tried, beyond the last
	lazy  bool // look one byte further before taking a match
}

var (
	fastEffort     = effort{}
	thoroughEffort = effort{depth: 6, lazy: true}
)

var deflaters = sync.Pool{New: func() any { return new(deflater) }}

// token of a match: a bit, its length less 3, its distance less 1. A literal is its byte.
const isMatch = 1 << 31

func matchToken(length, dist int) uint32 { return isMatch | uint32(length-3)<<15 | uint32(dist-1) }

// bitmap is what a deflater compresses: the bytes of all rows, each with its filter in front.
type bitmap struct {
	// raw has eight bytes more, of any value, below its capacity.
	raw []byte
	// unfiltered says that the filter of the first row, none, is not in raw, but to be written before it: that is how
	// rows lie in a picture whose own have a byte between them.
	unfiltered bool
	row        int // bytes of a row, its filter included
	pixel      int // bytes of a pixel, at least 1
}

// compress appends the bytes of a picture to out in the frame of zlib. ok is false, and out of no use, when it becomes
// longer than limit (0: never).
func (d *deflater) compress(out []byte, b bitmap, limit int, e effort) (_ []byte, ok bool) {
	raw, row, pixel := b.raw, b.row, b.pixel
	d.out = append(out, 0x78, 0x01)
	d.acc, d.n = 0, 0
	sum := uint32(adlerStart)
	if b.unfiltered {
		d.lits[filterNone]++
		d.tokens = append(d.tokens, uint32(filterNone))
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
			d.tokens = append(d.tokens, uint32(raw[i]))
			i++
		} else {
			d.lits[lengthCodes[length-3]]++
			d.dists[distCode(dist)]++
			d.tokens = append(d.tokens, matchToken(length, dist))
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
	d.block(true)
	d.flush()
	d.out = binary.BigEndian.AppendUint32(d.out, adler(sum, raw))
	out, d.out = d.out, nil
	return out, limit == 0 || len(out) <= limit
}

func load32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }

func hash(v uint32) uint32 { return v * 0x9E3779B1 >> (32 - hashBits) }

// insert enters a position into the hash table and its chain.
func (d *deflater) insert(b []byte, i int) {
	h := &d.head[hash(load32(b, i))]
	if int(*h) == i+1 {
		return
	}
	d.chain[i%window] = *h
	*h = int32(i + 1)
}

// match returns the longest match that was found at i, or 0.
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
		p = int(d.chain[i%window]) - 1 // looked at before, by the lazy search
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

// extend returns how many bytes are equal at two places of which four are known to be, most at most.
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

// lengthCodes holds the code of each length less 3, and lengthExtra how many bits follow it. Source: RFC 1951, 3.2.5.
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

// distCode returns the code of a distance; code/2-1 bits follow it from the fourth on.
func distCode(dist int) uint {
	v := uint(dist - 1)
	if v < 4 {
		return v
	}
	n := uint(bits.Len(v)) - 2
	return 2*n + v>>n
}
