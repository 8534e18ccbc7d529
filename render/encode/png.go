package encode

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"sync"

	"masthead/render/cache"
)

// pngWriter has the state of one PNG: its output and, during writing, the bytes of its rows.
type pngWriter struct {
	out []byte
	raw []byte
}

var pngWriters = sync.Pool{New: func() any { return new(pngWriter) }}

// PNG color types. Source: PNG (Third Edition), 11.2.1.
const (
	truecolor      = 2
	indexedColor   = 3
	truecolorAlpha = 6
)

// encodePNG returns the picture as a PNG; ok is false if it would be larger than limit (0: unlimited).
func encodePNG(size image.Point, s pixels, filter byte, e effort, limit int) (data []byte, ok bool) {
	w := pngWriters.Get().(*pngWriter)
	defer pngWriters.Put(w)
	w.header(size, s)
	at := len(w.out)
	w.out = append(w.out, "\x00\x00\x00\x00IDAT"...)
	d := deflaters.Get().(*deflater)
	defer deflaters.Put(d)
	b := bitmap{row: s.rowBytes() + 1, pixel: max(s.pixelBytes(), 1)}
	if rgb, fast := s.(*rgbPixels); fast && e == fastEffort && rgb.inWords(filter) {
		p := rgb.words(0, size.Y, filter)
		out, ok := d.compressWords(w.out, p.words, limit)
		p.release()
		return w.end(out, at, ok, limit)
	}
	if raw := s.raw(); raw != nil && filter == filterNone {
		b.raw, b.unfiltered = raw, true
	} else {
		w.rows(size.Y, s, filter)
		defer w.releaseRows()
		b.raw = w.raw
	}
	out, ok := d.compress(w.out, b, limit, e)
	return w.end(out, at, ok, limit)
}

// end returns the file whose chunk at an offset has all rows, unless ok is false.
func (w *pngWriter) end(out []byte, at int, ok bool, limit int) (data []byte, _ bool) {
	if !ok {
		return nil, false
	}
	w.out = out
	w.finish(at)
	w.chunk("IEND", nil)
	if limit > 0 && len(w.out) > limit {
		return nil, false
	}
	return bytes.Clone(w.out), true
}

// rows collects all rows, filtered. It allocates eight more bytes, as the compressor requires.
func (w *pngWriter) rows(height int, s pixels, filter byte) {
	n := s.rowBytes() + 1
	w.raw = cache.Pixels.Take(height*n + 8)[:height*n]
	for y := range height {
		row := w.raw[y*n:][:n]
		row[0] = filter
		s.read(row[1:], y)
	}
	if filter == filterNone {
		return
	}
	zero, scratch := make([]byte, n), make([]byte, n)
	for y := height - 1; y >= 0; y-- { // bottom-up, so that the row above is still unfiltered
		last := zero
		if y > 0 {
			last = w.raw[(y-1)*n:][:n]
		}
		if filter == filterEach {
			applyEach(w.raw[y*n:][:n], last[1:], scratch, s.pixelBytes())
		} else {
			apply(filter, w.raw[y*n+1:][:n-1], last[1:], s.pixelBytes())
		}
	}
}

// releaseRows frees the memory of the rows.
func (w *pngWriter) releaseRows() {
	cache.Pixels.Give(w.raw)
	w.raw = nil
}

func (w *pngWriter) header(size image.Point, s pixels) {
	w.out = append(w.out[:0], "\x89PNG\r\n\x1a\n"...)
	bits, colorType := s.depth()
	var ihdr [13]byte
	binary.BigEndian.PutUint32(ihdr[0:], uint32(size.X))
	binary.BigEndian.PutUint32(ihdr[4:], uint32(size.Y))
	ihdr[8], ihdr[9] = bits, colorType
	w.chunk("IHDR", ihdr[:])
	if p := s.palette(); p != nil {
		w.chunk("PLTE", p)
	}
}

func (w *pngWriter) chunk(name string, data []byte) {
	at := len(w.out)
	w.out = append(w.out, 0, 0, 0, 0)
	w.out = append(w.out, name...)
	w.out = append(w.out, data...)
	w.finish(at)
}

// finish writes the length and the checksum of the chunk that begins at an offset of the output.
func (w *pngWriter) finish(at int) {
	b := w.out[at:]
	binary.BigEndian.PutUint32(b, uint32(len(b)-8))
	w.out = binary.BigEndian.AppendUint32(w.out, crc32.ChecksumIEEE(b[4:]))
}
