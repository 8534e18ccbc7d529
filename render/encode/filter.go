package encode

import "masthead/render/cache"

// Row filters. Source: PNG (Third Edition), 9.2.
const (
	filterNone byte = iota
	filterSub
	filterUp
	filterAverage
	filterPaeth
	// filterEach isn't a filter of the format: each row gets the best one.
	filterEach
)

// apply filters a row in place; last is the row above. bpp is the number of bytes per pixel.
func apply(filter byte, row, last []byte, bpp int) {
	switch filter {
	case filterSub:
		for i := len(row) - 1; i >= bpp; i-- {
			row[i] -= row[i-bpp]
		}
	case filterUp:
		last = last[:len(row)]
		for i, v := range last {
			row[i] -= v
		}
	case filterAverage:
		for i := len(row) - 1; i >= 0; i-- {
			left := 0
			if i >= bpp {
				left = int(row[i-bpp])
			}
			row[i] -= uint8((left + int(last[i])) / 2)
		}
	case filterPaeth:
		for i := len(row) - 1; i >= bpp; i-- {
			row[i] -= paeth(int(row[i-bpp]), int(last[i]), int(last[i-bpp]))
		}
		for i := min(bpp, len(row)) - 1; i >= 0; i-- {
			row[i] -= last[i]
		}
	}
}

// paeth returns the one of the bytes to the left, above, and above left that is closest to their linear prediction.
func paeth(a, b, c int) uint8 {
	pa, pb, pc := max(b-c, c-b), max(a-c, c-a), max(a+b-2*c, 2*c-a-b)
	switch {
	case pa <= pb && pa <= pc:
		return uint8(a)
	case pb <= pc:
		return uint8(b)
	}
	return uint8(c)
}

// applyEach filters a row, preceded by its filter byte, with the filter that leaves the smallest differences. scratch
// has the length of the row. Source: PNG (Third Edition), 12.7.
func applyEach(row, last, scratch []byte, bpp int) {
	best, least := filterNone, 1<<62
	for f := filterNone; f <= filterPaeth; f++ {
		copy(scratch, row[1:])
		apply(f, scratch[:len(row)-1], last, bpp)
		sum := 0
		for _, v := range scratch[:len(row)-1] {
			sum += max(int(int8(v)), -int(int8(v)))
		}
		if sum < least {
			best, least = f, sum
		}
	}
	row[0] = best
	apply(best, row[1:], last, bpp)
}

// smallPixels is the maximum area of a thoroughly compressed picture with a filter per row: favicons consist of edges,
// and become a fifth smaller that way.
const smallPixels = 64 * 64

// Parameters of the sampling.
const (
	sampleBands = 8   // bands of rows that are tried, spread over the picture
	sampleRows  = 4   // rows per band
	filterGain  = .92 // a filter must reduce a sample to less than this fraction of its unfiltered size
)

// chooseFilter returns the filter for all rows: none, unless a sample of rows compresses clearly better with another.
// It also returns an estimate of the whole picture's size in bytes, or 0 if it is too small to sample or never large.
func chooseFilter(height int, s pixels) (filter byte, estimate int) {
	if s.pixelBytes() == 0 || height < 2*sampleBands*sampleRows {
		return filterNone, 0
	}
	least := sampleSize(height, s, filterNone)
	wanted := int(float64(least) * filterGain)
	for _, f := range [...]byte{filterUp, filterSub} {
		if n := sampleSize(height, s, f); n < min(wanted, least) {
			filter, least = f, n
		}
	}
	return filter, least * height / (sampleBands * sampleRows)
}

// sampleSize returns the compressed size of a few bands of rows under a filter.
func sampleSize(height int, s pixels, filter byte) int {
	if rgb, ok := s.(*rgbPixels); ok && rgb.inWords(filter) {
		return sampleWords(height, rgb, filter)
	}
	w := pngWriters.Get().(*pngWriter)
	defer pngWriters.Put(w)
	n := s.rowBytes() + 1
	raw := cache.Pixels.Take(sampleBands*sampleRows*n + 8)[:sampleBands*sampleRows*n]
	defer cache.Pixels.Give(raw)
	above, cur := make([]byte, n-1), make([]byte, n-1)
	for b := range sampleBands {
		y := (2*b + 1) * height / (2 * sampleBands)
		s.read(above, y-1)
		for i := range sampleRows {
			row := raw[(b*sampleRows+i)*n:][:n]
			row[0] = filter
			s.read(cur, y+i)
			copy(row[1:], cur)
			apply(filter, row[1:], above, s.pixelBytes())
			above, cur = cur, above
		}
	}
	d := deflaters.Get().(*deflater)
	defer deflaters.Put(d)
	w.out, _ = d.compress(w.out[:0], bitmap{raw: raw, row: n, pixel: s.pixelBytes()}, 0, fastEffort)
	return len(w.out)
}

// sampleWords is sampleSize of what is compressed by whole pixels.
func sampleWords(height int, s *rgbPixels, filter byte) int {
	w := pngWriters.Get().(*pngWriter)
	defer pngWriters.Put(w)
	n := 4 * s.w
	pix := cache.Pixels.Take(sampleBands * sampleRows * n)
	defer cache.Pixels.Give(pix)
	for b := range sampleBands {
		s.putWords(pix[b*sampleRows*n:], (2*b+1)*height/(2*sampleBands), sampleRows, filter)
	}
	d := deflaters.Get().(*deflater)
	defer deflaters.Put(d)
	d.sizeOnly, d.size = true, 0
	w.out, _ = d.compressWords(w.out[:0], words{pix, s.w, sampleBands * sampleRows, filter}, 0)
	d.sizeOnly = false
	return d.size
}
