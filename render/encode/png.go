package encode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// Compression levels of klauspost/compress. Level 5 takes a third longer for a fifth fewer bytes; beyond it little is gained.
const (
	waitingLevel = 1
	keptLevel    = 5
)

func level(kept bool) int {
	if kept {
		return keptLevel
	}
	return waitingLevel
}

// writer is what one PNG needs: a compressor, its output and the raw bytes of some rows.
type writer struct {
	zip  *zlib.Writer
	out  bytes.Buffer
	max  int // size from which the output is given up; 0 for none
	rows []byte
}

var errTooLarge = errors.New("picture is larger than its limit")

// Write collects compressed bytes until there are too many.
func (w *writer) Write(p []byte) (int, error) {
	if w.max > 0 && w.out.Len()+len(p) > w.max {
		return 0, errTooLarge
	}
	return w.out.Write(p)
}

var writers = map[int]*sync.Pool{waitingLevel: newWriters(waitingLevel), keptLevel: newWriters(keptLevel)}

func newWriters(level int) *sync.Pool {
	return &sync.Pool{New: func() any {
		w := &writer{}
		w.zip, _ = zlib.NewWriterLevel(w, level) // fails for unknown levels only
		return w
	}}
}

// PNG colour types. Source: PNG (Third Edition), 11.2.1.
const (
	truecolor      = 2
	indexedColor   = 3
	truecolorAlpha = 6
)

// encodePNG returns the picture as a PNG; ok is false when it would be larger than max (0: never).
func encodePNG(img image.Image, level, max int) (data []byte, ok bool) {
	w := writers[level].Get().(*writer)
	defer writers[level].Put(w)
	w.max = max
	w.out.Reset()
	w.zip.Reset(w)

	size := img.Bounds().Size()
	var s source
	switch p := img.(type) {
	case *image.Paletted:
		s = newIndexed(p)
	case *image.RGBA:
		s = &rgbSource{pix: p.Pix[p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y):], stride: p.Stride, w: size.X}
	case *image.NRGBA:
		s = &rgbSource{pix: p.Pix[p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y):], stride: p.Stride, w: size.X, alpha: !p.Opaque()}
	}
	w.head(size, s)
	at := w.out.Len()
	w.out.Write([]byte("\x00\x00\x00\x00IDAT"))
	if err := w.body(size, s); err != nil {
		return nil, false
	}
	w.finish(at)
	w.chunk("IEND", nil)
	if max > 0 && w.out.Len() > max {
		return nil, false
	}
	return bytes.Clone(w.out.Bytes()), true
}

// source gives the rows of a picture as PNG wants them.
type source interface {
	depth() (bits, colorType byte)
	palette() []byte // R, G, B of each entry; nil for none
	rowBytes() int   // without the filter byte
	pixelBytes() int // by which filters look back; 0 for pictures that no filter helps
	read(dst []byte, y int)
}

// bandRows is how many rows are handed to the compressor at a time: enough to make calls rare, few enough to stay in the cache.
const bandRows = 16

// body compresses all rows, each with the filter that suits it.
func (w *writer) body(size image.Point, s source) error {
	n := s.rowBytes()
	filters := choose(size.Y, s)
	if need := (bandRows + 2) * (n + 1); cap(w.rows) < need {
		w.rows = make([]byte, need)
	}
	raw := w.rows[bandRows*(n+1):][:2*n]
	cur, last := raw[:n], raw[n:]
	clear(last)
	for y := 0; y < size.Y; y += bandRows {
		band := w.rows[:min(bandRows, size.Y-y)*(n+1)]
		for i := 0; i*(n+1) < len(band); i++ {
			row := band[i*(n+1):][:n+1]
			row[0] = filters
			if filters == filterNone {
				s.read(row[1:], y+i)
				continue
			}
			s.read(cur, y+i)
			apply(filters, row[1:], cur, last, s.pixelBytes())
			cur, last = last, cur
		}
		if _, err := w.zip.Write(band); err != nil {
			return err
		}
	}
	return w.zip.Close()
}

func (w *writer) head(size image.Point, s source) {
	w.out.WriteString("\x89PNG\r\n\x1a\n")
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

func (w *writer) chunk(name string, data []byte) {
	at := w.out.Len()
	w.out.Write([]byte{0, 0, 0, 0})
	w.out.WriteString(name)
	w.out.Write(data)
	w.finish(at)
}

// finish writes the length and the checksum of the chunk that begins at an offset of the output.
func (w *writer) finish(at int) {
	b := w.out.Bytes()[at:]
	binary.BigEndian.PutUint32(b, uint32(len(b)-8))
	var sum [4]byte
	binary.BigEndian.PutUint32(sum[:], crc32.ChecksumIEEE(b[4:]))
	w.out.Write(sum[:])
}
