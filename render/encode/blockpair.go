package encode

import "encoding/binary"

// blockPair is two blocks of samples, each in half of every word, and their coefficients.
type blockPair struct {
	samples [64]int64
	out     [2]block
}

// block has the coefficients of one block, in zigzag order, with a bit for each that isn't 0. Except for the first, the
// others aren't set.
type block struct {
	coefficients [64]int16
	nonzero      uint64
}

// bytes8 is eight bytes of 1.
const bytes8 = 0x0101_0101_0101_0101

// load reads two blocks of 8×8 samples, and reports whether each has a single value; then only their first samples
// count.
func (p *blockPair) load(a, b []uint8, stride int) (flat bool) {
	firstA, firstB, differ := uint64(a[0])*bytes8, uint64(b[0])*bytes8, uint64(0)
	for i := range 8 {
		v, w := binary.LittleEndian.Uint64(a[i*stride:]), binary.LittleEndian.Uint64(b[i*stride:])
		differ |= (v ^ firstA) | (w ^ firstB) // ^ and | share a precedence in Go
		d := (*[8]int64)(p.samples[8*i:])
		d[0] = int64(v&255 | (w&255)<<32)
		d[1] = int64(v>>8&255 | (w>>8&255)<<32)
		d[2] = int64(v>>16&255 | (w>>16&255)<<32)
		d[3] = int64(v>>24&255 | (w>>24&255)<<32)
		d[4] = int64(v>>32&255 | (w>>32&255)<<32)
		d[5] = int64(v>>40&255 | (w>>40&255)<<32)
		d[6] = int64(v>>48&255 | (w>>48&255)<<32)
		d[7] = int64(v>>56 | w>>56<<32)
	}
	return differ == 0
}

// both is one in each half of a word.
const both = 1<<32 + 1

// transform computes the coefficients of two blocks.
func (p *blockPair) transform(q *quantizer, a, b []uint8, stride int) {
	p.compute(q, p.load(a, b, stride))
}

// finish computes the coefficients of the samples that are there.
func (p *blockPair) finish(q *quantizer) {
	flat, first := true, p.samples[0]
	for _, v := range &p.samples {
		if v != first {
			flat = false
			break
		}
	}
	p.compute(q, flat)
}

// compute is [blockPair.finish] for blocks of which flat says whether each has a single value.
func (p *blockPair) compute(q *quantizer, flat bool) {
	const middle = 128 * 64 * unit * unit * both // samples are centered around 0, which only affects the mean
	if flat {
		p.flat(q, 64*unit*unit*p.samples[0]-middle)
		return
	}
	forwardDCT(&p.samples)
	p.samples[0] -= middle
	p.quantize(q)
}

// flat is quantize for blocks that only have a mean.
func (p *blockPair) flat(q *quantizer, v int64) {
	for i := range p.out {
		p.out[i].coefficients[0], p.out[i].nonzero = q.terms[0].of(int64(int32(v))), 0
		v = (v - int64(int32(v))) >> 32
	}
}

// quantize rounds the coefficients of two blocks to steps.
func (p *blockPair) quantize(q *quantizer) {
	var nonzeroA, nonzeroB uint64
	a, b := &p.out[0], &p.out[1]
	a.coefficients[0], b.coefficients[0] = 0, 0
	for i := range &p.samples {
		v, t := p.samples[i], &q.terms[i]
		if uint64(v+t.bias)&t.large == 0 {
			continue
		}
		z, bit := t.z&63, uint64(1)<<(t.z&63)
		c, d := t.of(int64(int32(v))), t.of((v-int64(int32(v)))>>32)
		a.coefficients[z], b.coefficients[z] = c, d
		if c == 0 {
			bit = 0
		}
		nonzeroA |= bit
		if bit = uint64(1) << z; d == 0 {
			bit = 0
		}
		nonzeroB |= bit
	}
	a.nonzero, b.nonzero = nonzeroA, nonzeroB
}

// of rounds a coefficient to its step.
func (t *term) of(v int64) int16 { return int16((v*t.factor + 1<<(factorBits-1)) >> factorBits) }
