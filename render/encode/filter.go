package encode

import (
	"sync"

	"github.com/klauspost/compress/flate"
)

// Row filters. Source: PNG (Third Edition), 9.2.
const (
	filterNone byte = iota
	filterSub
	filterUp
)

// apply writes a filtered row. bpp is the number of bytes a pixel.
func apply(filter byte, dst, cur, last []byte, bpp int) {
	switch filter {
	case filterSub:
		copy(dst, cur[:bpp])
		a, b := cur[bpp:], cur[:len(cur)-bpp]
		d := dst[bpp:][:len(a)]
		for i := range d {
			d[i] = a[i] - b[i]
		}
	case filterUp:
		last, dst = last[:len(cur)], dst[:len(cur)]
		for i, v := range cur {
			dst[i] = v - last[i]
		}
	default:
		copy(dst, cur)
	}
}

// Figures of the sampling.
const (
	sampleBands = 6   // bands of rows that are tried, spread over the picture
	sampleRows  = 8   // rows a band
	filterGain  = .92 // a filter must bring a sample below this part of the unfiltered size
)

// choose returns the filter for all rows: none, unless a sample of rows compresses clearly better with another.
func choose(height int, s source) byte {
	if s.pixelBytes() == 0 || height < 2*sampleBands*sampleRows {
		return filterNone
	}
	best := filterNone
	least := int(float64(sample(height, s, filterNone)) * filterGain)
	for _, f := range [...]byte{filterUp, filterSub} {
		if n := sample(height, s, f); n < least {
			best, least = f, n
		}
	}
	return best
}

// sampler compresses samples and counts what comes out.
type sampler struct {
	zip       *flate.Writer
	n         int
	cur, last []byte
	row       []byte
}

func (s *sampler) Write(p []byte) (int, error) {
	s.n += len(p)
	return len(p), nil
}

var samplers = sync.Pool{New: func() any {
	s := &sampler{}
	s.zip, _ = flate.NewWriter(s, waitingLevel) // fails for unknown levels only
	return s
}}

// sample returns the compressed size of a few bands of rows under a filter.
func sample(height int, s source, filter byte) int {
	p := samplers.Get().(*sampler)
	defer samplers.Put(p)
	p.n = 0
	p.zip.Reset(p)
	n := s.rowBytes()
	if cap(p.cur) < n {
		p.cur, p.last, p.row = make([]byte, n), make([]byte, n), make([]byte, n)
	}
	cur, last, row := p.cur[:n], p.last[:n], p.row[:n]
	for b := range sampleBands {
		y := (2*b + 1) * height / (2 * sampleBands)
		s.read(last, y-1)
		for i := range sampleRows {
			s.read(cur, y+i)
			apply(filter, row, cur, last, s.pixelBytes())
			_, _ = p.zip.Write(row) // Write of a sampler cannot fail
			cur, last = last, cur
		}
	}
	_ = p.zip.Close()
	return p.n
}
