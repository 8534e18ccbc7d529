package encode

// Row filters. Source: PNG (Third Edition), 9.2.
const (
	filterNone byte = iota
	filterSub
	filterUp
)

// apply filters a row in place; last is the row above. bpp is the number of bytes a pixel.
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
	}
}

// Figures of the sampling.
const (
	sampleBands = 6   // bands of rows that are tried, spread over the picture
	sampleRows  = 8   // rows a band
	filterGain  = .92 // a filter must bring a sample below this part of the unfiltered size
)

// chooseFilter returns the filter for all rows: none, unless a sample of rows compresses clearly better with another.
// It returns what the whole picture is likely to take too, in bytes, or 0 for what is too small to sample or never
// large.
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
	w := pngWriters.Get().(*pngWriter)
	defer pngWriters.Put(w)
	n := s.rowBytes() + 1
	if need := sampleBands*sampleRows*n + 8; cap(w.raw) < need {
		w.raw = make([]byte, need)
	}
	raw := w.raw[:sampleBands*sampleRows*n]
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
	w.out, _ = d.compress(w.out[:0], raw, n, s.pixelBytes(), 0, fastEffort)
	return len(w.out)
}
