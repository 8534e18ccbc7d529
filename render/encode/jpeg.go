package encode

import (
	"bytes"
	"image"
	"sync"
)

// Our own JPEG writer (baseline, ITU T.81), since image/jpeg halves the resolution of color (4:2:0), which blurs the
// small colored text of cards. Here color keeps its full resolution (4:4:4) if the caller gives no text positions, or
// if half would be visible there (colorloss.go), and the picture fits its limit; otherwise it is halved, which saves a
// third of the bytes, before the quality is lowered. If the caller gives text positions, only blocks under text and
// those with edges have full resolution: the others have that of 4:2:0 (quarter.go), which costs less.

// attempt is one way to encode a JPEG.
type attempt struct {
	quality    int
	subsampled bool // chrominance has half the resolution (4:2:0)
}

// attempts are in order of quality; the result is the first that fits. A binary search tries at most four.
var attempts = [...]attempt{
	{MaxQuality, false}, {MaxQuality, true}, {85, true}, {82, true}, {79, true}, {MinQuality, true},
}

// jpegWriter has the state of one JPEG.
type jpegWriter struct {
	bits   bitWriter
	strip  strip
	square square
	// Two adjacent blocks of luminance, and one of each chrominance.
	luma, chroma blockPair
	// strips keeps the writer from using squares and what is kept, for tests: their slow twin.
	strips bool
	// scratch is for the codes of a segment.
	scratch []byte
	// text is where color needs its full resolution; nil: everywhere.
	text []image.Rectangle
}

var jpegWriters = sync.Pool{New: func() any { return new(jpegWriter) }}

// encodeJPEG returns a JPEG of the highest quality that is no larger than limits.MaxJPEG (0: any), or of the lowest one
// if none is.
func encodeJPEG(img image.Image, limits Limits) (data []byte, quality int) {
	w := jpegWriters.Get().(*jpegWriter)
	defer jpegWriters.Put(w)
	pix, stride := rgbaPixels(img)
	size := img.Bounds().Size()
	w.text = limits.Text
	try := func(i int) (fits bool) {
		w.write(pix, stride, size, attempts[i])
		return limits.MaxJPEG <= 0 || len(w.bits.out) <= limits.MaxJPEG
	}
	first := 0
	if limits.Text != nil && !colorShows(pix, stride, size, limits.Text) {
		first = 1
	}
	if try(first) {
		return bytes.Clone(w.bits.out), attempts[first].quality
	}
	low, best := first+1, len(attempts)-1 // best is the first one known to fit, or the last
	for low < best {
		mid := (low + best) / 2
		if try(mid) {
			best, data = mid, append(data[:0], w.bits.out...)
		} else {
			low = mid + 1
		}
	}
	if data == nil {
		try(best)
		data = bytes.Clone(w.bits.out)
	}
	return data, attempts[best].quality
}

// write encodes the picture from the start.
func (w *jpegWriter) write(pix []uint8, stride int, size image.Point, a attempt) {
	q := [2]*quantizer{newQuantizer(&luminance, a.quality), newQuantizer(&chrominance, a.quality)}
	w.bits = bitWriter{out: header(w.bits.out[:0], size, a, q)}
	w.strip.size(size.X, size.Y, a.subsampled)
	var dc [3]int16
	top := 0
	if kept := size.X%unitWidth == 0 && !w.strips; kept && a.subsampled {
		for ; top+squareSide <= size.Y; top += squareSide {
			w.scanKept(pix, stride, image.Rect(0, top, size.X, top+squareSide), a, &dc, func(from, to int) {
				w.scanSquares(pix[top*stride:], stride, from, to, q, &dc)
			})
		}
	} else if kept && w.text != nil {
		for ; top+8 <= size.Y; top += 8 {
			w.strip.markFull(top, w.text)
			w.scanKept(pix, stride, image.Rect(0, top, size.X, top+8), a, &dc, func(from, to int) {
				w.strip.loadMixed(pix, stride, top, from, to)
				w.scan(from, to, q, &dc)
			})
		}
	}
	for ; top < size.Y; top += w.strip.rows {
		if w.text != nil && !a.subsampled {
			w.strip.markFull(top, w.text)
			w.strip.loadMixed(pix, stride, top, 0, w.strip.yStride)
		} else {
			w.strip.load(pix, stride, top)
		}
		w.scan(0, w.strip.yStride, q, &dc)
	}
	w.bits.flush()
	w.bits.out = append(w.bits.out, 0xff, 0xd9)
}

// scan encodes the blocks of a strip from one x to another, in file order: those of luminance, then one of each
// chrominance.
func (w *jpegWriter) scan(from, to int, q [2]*quantizer, dc *[3]int16) {
	s := &w.strip
	if s.subsampled {
		for x := from / 2; x < to/2; x += 8 {
			upper, lower := s.y[2*x:], s.y[8*s.yStride+2*x:]
			w.luma.transform(q[0], upper, upper[8:], s.yStride)
			w.bits.block(&w.luma.out[0], &dc[0], 0)
			w.bits.block(&w.luma.out[1], &dc[0], 0)
			w.luma.transform(q[0], lower, lower[8:], s.yStride)
			w.bits.block(&w.luma.out[0], &dc[0], 0)
			w.bits.block(&w.luma.out[1], &dc[0], 0)
			w.color(q[1], x, dc)
		}
		return
	}
	for x := from; x < to; x += 16 {
		next := min(x+8, s.yStride-8)
		w.luma.transform(q[0], s.y[x:], s.y[next:], s.yStride)
		w.bits.block(&w.luma.out[0], &dc[0], 0)
		w.color(q[1], x, dc)
		if next > x {
			w.bits.block(&w.luma.out[1], &dc[0], 0)
			w.color(q[1], next, dc)
		}
	}
}

// color writes a block of each chrominance.
func (w *jpegWriter) color(q *quantizer, x int, dc *[3]int16) {
	s := &w.strip
	if s.mixed && !s.full[x/8] {
		w.encodeQuarter(s.cbHalf[x/2:], s.yStride/2, q, &dc[1])
		w.encodeQuarter(s.crHalf[x/2:], s.yStride/2, q, &dc[2])
		return
	}
	w.chroma.transform(q, s.cb[x:], s.cr[x:], s.chroma)
	w.bits.block(&w.chroma.out[0], &dc[1], 2)
	w.bits.block(&w.chroma.out[1], &dc[2], 2)
}

// header appends everything before the scan. Source: ITU T.81, annex B.2, and JFIF 1.02.
func header(out []byte, size image.Point, a attempt, q [2]*quantizer) []byte {
	segment := func(marker byte, parts ...[]byte) {
		n := 2
		for _, p := range parts {
			n += len(p)
		}
		out = append(out, 0xff, marker, byte(n>>8), byte(n))
		for _, p := range parts {
			out = append(out, p...)
		}
	}
	sampling := byte(0x11)
	if a.subsampled {
		sampling = 0x22
	}
	out = append(out, 0xff, 0xd8)
	segment(0xe0, []byte("JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"))
	segment(0xdb, []byte{0}, q[0].steps[:], []byte{1}, q[1].steps[:])
	segment(0xc0, []byte{8, byte(size.Y >> 8), byte(size.Y), byte(size.X >> 8), byte(size.X)},
		[]byte{3, 1, sampling, 0, 2, 0x11, 1, 3, 0x11, 1})
	for i, class := range [4]byte{0x00, 0x10, 0x01, 0x11} {
		segment(0xc4, []byte{class}, huffmanSpecs[i].count[:], huffmanSpecs[i].value)
	}
	segment(0xda, []byte{3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0})
	return out
}
