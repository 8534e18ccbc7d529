package picture

import (
	"encoding/binary"
	"image"

	"golang.org/x/image/webp"
)

// webpHead has the information in a WebP's chunks. Source: RFC 9649.
type webpHead struct {
	w, h int // the canvas
	// frame is the position of the first frame; the whole canvas for a still picture.
	frame    image.Rectangle
	animated bool
	lossless bool
	// alpha and pixels are the chunks of the first frame, each with its header, without padding; alpha is often nil.
	alpha, pixels []byte
	hasAlpha      Tristate
	orientation   int
}

// Bits of a VP8X chunk's first byte. Source: RFC 9649, 2.7.1.
const (
	webpAnimation = 1 << 1
	webpAlpha     = 1 << 4
)

// riffChunk returns the chunk at at with its header, cut to the available data, and the start of the next one. ok is
// false without a complete header.
func riffChunk(data []byte, at int) (id string, chunk []byte, next int, ok bool) {
	if at < 0 || len(data)-at < 8 {
		return "", nil, 0, false
	}
	size := int64(binary.LittleEndian.Uint32(data[at+4:]))
	end := min(int64(at)+8+size, int64(len(data)))
	following := min(int64(at)+8+size+size&1, int64(len(data)))
	return string(data[at : at+4]), data[at:end], int(following), true
}

// readWebP walks the chunks, at most maxChunks, to the first frame and the EXIF block.
func readWebP(data []byte) (webpHead, error) {
	head := webpHead{orientation: 1}
	extended := false
	for at, chunks := 12, 0; ; chunks++ {
		id, chunk, next, ok := riffChunk(data, at)
		if !ok {
			break
		}
		if chunks >= maxChunks {
			return head, tooLarge("more than %d chunks", maxChunks)
		}
		body := chunk[8:]
		switch {
		case id == "VP8X" && !extended && len(body) >= 10:
			extended = true
			head.w, head.h = 1+int(uint24(body[4:])), 1+int(uint24(body[7:]))
			head.animated, head.hasAlpha = body[0]&webpAnimation != 0, tristate(body[0]&webpAlpha != 0)
			head.frame = image.Rect(0, 0, head.w, head.h)
		case id == "ANMF" && head.pixels == nil && len(body) >= 16:
			x, y := 2*int(uint24(body)), 2*int(uint24(body[3:]))
			head.frame = image.Rect(x, y, x+1+int(uint24(body[6:])), y+1+int(uint24(body[9:])))
			head.readFrame(body[16:])
		case id == "EXIF":
			head.orientation = exifOrientation(body)
		case id == "ALPH" || id == "VP8 " || id == "VP8L":
			head.keep(id, chunk)
		}
		at = next
	}
	if !extended {
		var ok bool
		if head.w, head.h, ok = head.coded(); !ok {
			return head, corrupt("it has no frame at its start")
		}
		head.frame = image.Rect(0, 0, head.w, head.h)
	}
	return head, nil
}

// readFrame reads the chunks within an animation frame.
func (w *webpHead) readFrame(data []byte) {
	for at, chunks := 0, 0; chunks < maxChunks && w.pixels == nil; chunks++ {
		id, chunk, next, ok := riffChunk(data, at)
		if !ok {
			return
		}
		w.keep(id, chunk)
		at = next
	}
}

// keep stores a chunk of the frame: the first alpha before the first pixels.
func (w *webpHead) keep(id string, chunk []byte) {
	switch {
	case w.pixels != nil:
	case id == "ALPH" && w.alpha == nil:
		w.alpha = chunk
	case id == "VP8 ":
		w.pixels = chunk
		if w.hasAlpha == Unsure {
			w.hasAlpha = tristate(w.alpha != nil)
		}
	case id == "VP8L":
		w.pixels, w.alpha, w.lossless = chunk, nil, true
		if w.hasAlpha == Unsure && len(chunk) >= 13 {
			w.hasAlpha = tristate(chunk[12]&0x10 != 0)
		}
	}
}

// coded returns the size in the frame's own header.
func (w webpHead) coded() (width, height int, ok bool) {
	switch {
	case w.pixels == nil:
		return 0, 0, false
	case w.lossless: // RFC 9649, 3.4: a signature byte, then 14 bits for each side minus one
		if len(w.pixels) < 13 || w.pixels[8] != 0x2f {
			return 0, 0, false
		}
		bits := binary.LittleEndian.Uint32(w.pixels[9:])
		return 1 + int(bits&0x3fff), 1 + int(bits>>14&0x3fff), true
	default:
		// RFC 6386, 9.1: three bytes of tag whose lowest bit is 0 for a key frame, a start code, then 14 bits for each side
		if len(w.pixels) < 18 || w.pixels[8]&1 != 0 || string(w.pixels[11:14]) != "\x9d\x01\x2a" {
			return 0, 0, false
		}
		width = int(binary.LittleEndian.Uint16(w.pixels[14:]) & 0x3fff)
		height = int(binary.LittleEndian.Uint16(w.pixels[16:]) & 0x3fff)
		return width, height, width > 0 && height > 0
	}
}

func uint24(b []byte) uint32 { return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 }

func (w webpHead) facts() Facts {
	return displayed(w.w, w.h, w.orientation, tristate(w.animated), w.hasAlpha)
}

func inspectWebP(data []byte) (Facts, error) {
	head, err := readWebP(data)
	if err != nil && head.w == 0 {
		return Facts{}, err
	}
	return head.facts(), nil
}

// planWebP decodes the still picture, or the first frame of an animation on its transparent canvas.
func planWebP(data []byte, _ Want) (plan, error) {
	head, err := readWebP(data)
	if err != nil {
		return plan{}, err
	}
	if err := checkSides(head.w, head.h); err != nil {
		return plan{}, err
	}
	w, h, ok := head.coded()
	if !ok || head.frame.Size() != image.Pt(w, h) || !head.frame.In(image.Rect(0, 0, head.w, head.h)) {
		return plan{}, corrupt("its first frame %v is %d×%d on a canvas of %d×%d", head.frame, w, h, head.w, head.h)
	}
	pixels, canvas := int64(w)*int64(h), int64(head.w)*int64(head.h)
	cost := pixels*3/2 + canvas*4
	if head.lossless || head.alpha != nil {
		// The lossless decoder allocates 4 bytes per pixel, twice if it has to undo a color table, and its prefix codes take
		// at most 128 MiB, which only a file of half a MiB can fill: 2,600 groups of 3,136 symbols.
		cost += pixels*8 + min(128<<20, 256*int64(len(head.pixels)+len(head.alpha)))
	}
	return plan{
		facts: head.facts(),
		cost:  cost,
		decode: func(in *input) (frame, error) {
			img, err := webp.Decode(in.stream(head.still(w, h)))
			toFullRange(img)
			return frame{
				img: img, offset: head.frame.Min, canvas: image.Pt(head.w, head.h), orientation: head.orientation,
			}, err
		},
	}, nil
}

// fullY and fullC convert luma of 16 to 235 and chroma of 16 to 240, as in WebP, to the whole range, which the image
// package expects. Source: RFC 9649, 2.5 (RFC 6386, 9.2); ITU-R BT.601, 2.5.
var fullY, fullC = func() (y, c [256]uint8) {
	share := func(v, from, size int) uint8 {
		return uint8(min(max((2*255*(v-from)+size)/(2*size), 0), 255))
	}
	for v := range 256 {
		y[v], c[v] = share(v, 16, 219), share(v, 16, 224)
	}
	return y, c
}()

// toFullRange converts the planes of a decoded lossy picture.
func toFullRange(img image.Image) {
	planes := func(p *image.YCbCr) {
		for i, v := range p.Y {
			p.Y[i] = fullY[v]
		}
		for i := range p.Cb {
			p.Cb[i], p.Cr[i] = fullC[p.Cb[i]], fullC[p.Cr[i]]
		}
	}
	switch img := img.(type) {
	case *image.YCbCr:
		planes(img)
	case *image.NYCbCrA:
		planes(&img.YCbCr)
	}
}

// still returns the frame as a WebP file of its own with only a header, alpha and pixels.
func (w webpHead) still(width, height int) [][]byte {
	var parts [][]byte
	size := 4
	add := func(chunk []byte) {
		header := append([]byte(nil), chunk[:4]...)
		// the header of a chunk that is cut short gets the real length, so that its decoder finds the end
		header = le32(header, uint32(len(chunk)-8))
		parts = append(parts, header, chunk[8:])
		size += len(chunk)
		if len(chunk)%2 == 1 {
			parts = append(parts, []byte{0})
			size++
		}
	}
	if w.alpha != nil {
		header := append([]byte("VP8X\x0a\x00\x00\x00"), webpAlpha, 0, 0, 0)
		header = append(header, byte(width-1), byte((width-1)>>8), byte((width-1)>>16))
		header = append(header, byte(height-1), byte((height-1)>>8), byte((height-1)>>16))
		add(header)
		add(w.alpha)
	}
	add(w.pixels)
	riff := append(le32([]byte("RIFF"), uint32(size)), "WEBP"...)
	return append([][]byte{riff}, parts...)
}

func le32(b []byte, n uint32) []byte { return binary.LittleEndian.AppendUint32(b, n) }
