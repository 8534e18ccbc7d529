package picture_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
)

// This file builds every picture that the tests read, sound and hostile, byte by byte where no encoder would.

// motley is a picture in which every pixel differs, so that a wrong turn or offset shows.
func motley(w, h int, alpha bool) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{R: uint8(255 * x / w), G: uint8(255 * y / h), B: uint8(40 + x*y%200), A: 255}
			if alpha {
				c.A = uint8(255 * (x + y) / (w + h))
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

func pngFile(t testing.TB, img image.Image) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func jpegFile(t testing.TB, img image.Image) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := jpeg.Encode(&buf, img, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func gifFile(t testing.TB, g *gif.GIF) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := gif.EncodeAll(&buf, g); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

const pngMagic = "\x89PNG\r\n\x1a\n"

// chunk is one PNG chunk with its checksum.
func chunk(kind string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, kind...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// ihdr is a PNG's first chunk.
func ihdr(w, h uint32, depth, kind byte) []byte {
	body := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	return chunk("IHDR", append(body, depth, kind, 0, 0, 0))
}

// insert puts extra into file at at.
func insert(file []byte, at int, extra ...byte) []byte {
	out := append([]byte(nil), file[:at]...)
	return append(append(out, extra...), file[at:]...)
}

// exif is an EXIF block that gives an orientation and a second tag of no interest.
func exif(orientation uint16, order binary.AppendByteOrder) []byte {
	out := []byte("MM\x00*")
	if order == binary.LittleEndian {
		out = []byte("II*\x00")
	}
	out = order.AppendUint32(out, 8)
	out = order.AppendUint16(out, 2)
	for _, tag := range [][2]uint16{{271, 7}, {274, orientation}} {
		out = order.AppendUint16(out, tag[0])
		out = order.AppendUint16(out, 3)
		out = order.AppendUint32(out, 1)
		out = order.AppendUint16(out, tag[1])
		out = order.AppendUint16(out, 0)
	}
	return order.AppendUint32(out, 0)
}

// segment is one JPEG segment.
func segment(marker byte, body ...byte) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(2+len(body))), body...)
}

// bitWriter packs bits, most significant first, and stuffs a zero after every FF as JPEG scans do.
type bitWriter struct {
	out  []byte
	acc  uint32
	held int
}

func (b *bitWriter) write(value uint32, n int) {
	for i := n - 1; i >= 0; i-- {
		b.acc = b.acc<<1 | value>>i&1
		if b.held++; b.held == 8 {
			b.out = append(b.out, byte(b.acc))
			if byte(b.acc) == 0xff {
				b.out = append(b.out, 0)
			}
			b.acc, b.held = 0, 0
		}
	}
}

func (b *bitWriter) bytes() []byte {
	for b.held != 0 {
		b.write(1, 1)
	}
	return b.out
}

// flatJPEG is a JPEG in which every component has one value all over. It is progressive with extra AC scans, which
// change nothing, or baseline when extra is negative. adobe is the transform of an Adobe segment, none when negative.
func flatJPEG(w, h int, values []byte, adobe, extra int) []byte {
	out := []byte{0xff, 0xd8}
	if adobe >= 0 {
		out = append(out, segment(0xee, append([]byte("Adobe\x00\x64\x00\x00\x00\x00"), byte(adobe))...)...)
	}
	out = append(out, segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)...)
	frame := byte(0xc0)
	if extra >= 0 {
		frame = 0xc2
	}
	sof := []byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), byte(len(values))}
	for i := range values {
		sof = append(sof, byte(i+1), 0x11, 0)
	}
	out = append(out, segment(frame, sof...)...)
	// DC: twelve categories in codes of four bits. AC: 00 "end of block" as 0, e0 "end of 2^14 blocks and more" as 10.
	dc := append([]byte{0x00, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	ac := append([]byte{0x10, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0x00, 0xe0)
	out = append(append(out, segment(0xc4, dc...)...), segment(0xc4, ac...)...)
	sos := []byte{byte(len(values))}
	for i := range values {
		sos = append(sos, byte(i+1), 0x00)
	}
	end := byte(63)
	if extra >= 0 {
		end = 0
	}
	out = append(out, segment(0xda, append(sos, 0, end, 0)...)...)
	blocks := (w + 7) / 8 * ((h + 7) / 8)
	var scan bitWriter
	for b := range blocks {
		for _, v := range values {
			category, magnitude := uint32(0), int32(0)
			if b == 0 {
				magnitude = 8 * (int32(v) - 128)
			}
			bits := magnitude
			if magnitude < 0 {
				magnitude, bits = -magnitude, magnitude-1
			}
			for magnitude>>category != 0 {
				category++
			}
			scan.write(category, 4)
			scan.write(uint32(bits)&(1<<category-1), int(category))
			if extra < 0 {
				scan.write(0, 1)
			}
		}
	}
	out = append(out, scan.bytes()...)
	for range max(extra, 0) {
		out = append(out, segment(0xda, 1, 1, 0x00, 1, 63, 0)...)
		var scan bitWriter
		for left := blocks; left > 0; {
			if left >= 1<<14 {
				run := min(left, 1<<15-1)
				scan.write(0b10, 2)
				scan.write(uint32(run-1<<14), 14)
				left -= run
			} else {
				scan.write(0, 1)
				left--
			}
		}
		out = append(out, scan.bytes()...)
	}
	return append(out, 0xff, 0xd9)
}

// claimJPEG is 38 bytes of a progressive JPEG: a frame header that claims w×h, the start of a scan, and nothing in it.
func claimJPEG(w, h int) []byte {
	out := []byte{0xff, 0xd8}
	out = append(out, segment(0xc2, 8, byte(h>>8), byte(h), byte(w>>8), byte(w), 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0)...)
	out = append(out, segment(0xda, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0)...)
	return append(out, 0, 0, 0)
}

// riff wraps chunks as a WebP file.
func riff(chunks ...[]byte) []byte {
	body := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

// webpChunk is one chunk of a WebP file, padded.
func webpChunk(id string, body ...byte) []byte {
	out := append(binary.LittleEndian.AppendUint32([]byte(id), uint32(len(body))), body...)
	if len(body)%2 == 1 {
		out = append(out, 0)
	}
	return out
}

// vp8l is a lossless frame whose pixels are dark where pattern says 0 and light and half transparent where it says 1.
func vp8l(w, h int, pattern func(x, y int) int) []byte {
	var out []byte
	held, n := uint64(0), 0
	write := func(value uint64, bits int) {
		held |= value << n
		for n += bits; n >= 8; n -= 8 {
			out = append(out, byte(held))
			held >>= 8
		}
	}
	write(0x2f, 8)
	write(uint64(w-1), 14)
	write(uint64(h-1), 14)
	write(1, 1) // alpha is used
	write(0, 3) // version
	write(0, 1) // no transform
	write(0, 1) // no color cache
	write(0, 1) // one group of codes
	two := func(a, b uint64) { write(1, 1); write(1, 1); write(1, 1); write(a, 8); write(b, 8) }
	one := func(a uint64) { write(1, 1); write(0, 1); write(1, 1); write(a, 8) }
	two(20, 200) // green
	one(10)      // red
	one(30)      // blue
	two(128, 255)
	one(0) // distance
	for y := range h {
		for x := range w {
			bit := uint64(pattern(x, y))
			write(bit, 1)   // green: the lower symbol has the code 0
			write(1-bit, 1) // alpha
		}
	}
	write(0, 7)
	return out
}

// vp8 is a lossy key frame whose partitions are all zero: every flag is off, every block empty, and the picture is
// gray.
func vp8(w, h int) []byte {
	const first = 4096
	tag := uint32(first)<<5 | 1<<4
	out := []byte{byte(tag), byte(tag >> 8), byte(tag >> 16), 0x9d, 0x01, 0x2a, byte(w), byte(w >> 8), byte(h),
		byte(h >> 8)}
	return append(out, make([]byte, first+4096)...)
}

// entry is a line of an ICO's directory and what it points to. Zero offset and size are filled in.
type entry struct {
	w, h         byte
	size, offset uint32
	body         []byte
}

func icoFile(entries ...entry) []byte {
	out := binary.LittleEndian.AppendUint16([]byte{0, 0, 1, 0}, uint16(len(entries)))
	at := uint32(6 + 16*len(entries))
	for _, e := range entries {
		if e.size == 0 && e.offset == 0 {
			e.size, e.offset = uint32(len(e.body)), at
		}
		at += uint32(len(e.body))
		out = append(out, e.w, e.h, 0, 0, 1, 0, 32, 0)
		out = binary.LittleEndian.AppendUint32(out, e.size)
		out = binary.LittleEndian.AppendUint32(out, e.offset)
	}
	for _, e := range entries {
		out = append(out, e.body...)
	}
	return out
}

// dibHeader is a BITMAPINFOHEADER; height counts the mask, as in icons.
func dibHeader(w, height int32, bits uint16, compression, colors uint32) []byte {
	le := binary.LittleEndian
	out := le.AppendUint32(nil, 40)
	out = le.AppendUint32(out, uint32(w))
	out = le.AppendUint32(out, uint32(height))
	out = le.AppendUint16(out, 1)
	out = le.AppendUint16(out, bits)
	out = le.AppendUint32(out, compression)
	out = append(out, make([]byte, 12)...)
	out = le.AppendUint32(out, colors)
	return append(out, 0, 0, 0, 0)
}

// dibFile encodes img, whose colors must stand in palette for 1, 4 and 8 bits, as an icon's DIB. Pixels of alpha 0
// are masked.
func dibFile(img *image.NRGBA, bits int, palette []color.NRGBA) []byte {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := dibHeader(int32(w), int32(2*h), uint16(bits), 0, uint32(len(palette)))
	for _, c := range palette {
		out = append(out, c.B, c.G, c.R, 0)
	}
	row := func(bits int, value func(x int) uint32) {
		packed := make([]byte, (w*bits+31)/32*4)
		for x := range w {
			v := value(x)
			for i := range bits { // bytes of a pixel go from the lowest, bits within a byte from the highest
				at := x*bits + i
				shift := bits - 1 - i
				if bits >= 8 {
					shift = i/8*8 + 7 - i%8
				}
				packed[at/8] |= byte(v>>shift&1) << (7 - at%8)
			}
		}
		out = append(out, packed...)
	}
	for y := h - 1; y >= 0; y-- {
		row(bits, func(x int) uint32 {
			c := img.NRGBAAt(x, y)
			for i, p := range palette {
				if p.R == c.R && p.G == c.G && p.B == c.B {
					return uint32(i)
				}
			}
			return uint32(c.B) | uint32(c.G)<<8 | uint32(c.R)<<16 | uint32(c.A)<<24
		})
	}
	for y := h - 1; y >= 0; y-- {
		row(1, func(x int) uint32 {
			if img.NRGBAAt(x, y).A == 0 {
				return 1
			}
			return 0
		})
	}
	return out
}
