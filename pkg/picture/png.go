package picture

import (
	"bytes"
	"encoding/binary"
	"image/png"
	"io"
)

const (
	pngMagic = "\x89PNG\r\n\x1a\n"
	// pngEnd is a complete IEND chunk.
	pngEnd = "\x00\x00\x00\x00IEND\xae\x42\x60\x82"
	// maxInflate is the maximum ratio of deflate: a match of 258 bytes in two bits. Source: RFC 1951.
	maxInflate = 1032
)

// pngHead has the information in a PNG's chunks before decompression.
type pngHead struct {
	w, h        int
	depth       int
	colorType   byte // 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGBA
	interlaced  bool
	transparent bool // there is a tRNS chunk
	animated    bool // there is an acTL chunk with more than one frame
	orientation int
	// parts are the complete chunks with pixels in file order; pixelBytes is the length of all IDAT.
	parts      [][]byte
	pixelBytes int64
	// cut means that the file ends within a chunk or before the last one.
	cut bool
	// whole means that the walk passed the pixel chunks, so that nothing before them is missing.
	whole bool
}

// readPNG walks the chunks, at most maxChunks of them, and parses only IHDR, acTL and eXIf. A truncated file isn't an
// error here: the available part is returned.
func readPNG(data []byte) (pngHead, error) {
	head := pngHead{orientation: 1, cut: true}
	if len(data) < len(pngMagic)+25 || string(data[12:16]) != "IHDR" || binary.BigEndian.Uint32(data[8:]) != 13 {
		return head, corrupt("it does not begin with IHDR")
	}
	ihdr := data[16:29]
	w, h := binary.BigEndian.Uint32(ihdr), binary.BigEndian.Uint32(ihdr[4:])
	if w == 0 || h == 0 || w > 1<<31-1 || h > 1<<31-1 {
		return head, corrupt("its size is %d×%d", w, h)
	}
	head.w, head.h, head.depth, head.colorType, head.interlaced = int(w), int(h), int(ihdr[8]), ihdr[9], ihdr[12] == 1
	if head.samples() == 0 || head.depth == 0 || head.depth > 16 {
		return head, corrupt("color type %d with depth %d", head.colorType, head.depth)
	}
	head.parts = append(head.parts, data[:33])
	for at, chunks := 33, 1; len(data)-at >= 12; chunks++ {
		if chunks >= maxChunks {
			return head, tooLarge("more than %d chunks", maxChunks)
		}
		length := int64(binary.BigEndian.Uint32(data[at:]))
		end := int64(at) + 12 + length
		chunk := string(data[at+4 : at+8])
		if end > int64(len(data)) {
			head.whole = head.whole || chunk == "IDAT"
			break
		}
		body := data[at+8 : end-4]
		switch chunk {
		case "PLTE":
			head.parts = append(head.parts, data[at:end])
		case "tRNS":
			head.parts, head.transparent = append(head.parts, data[at:end]), true
		case "IDAT":
			head.parts, head.pixelBytes, head.whole = append(head.parts, data[at:end]), head.pixelBytes+length, true
		case "acTL":
			head.animated = len(body) >= 4 && binary.BigEndian.Uint32(body) > 1
		case "eXIf":
			head.orientation = exifOrientation(body)
		case "IEND":
			head.cut = false
			return head, nil
		}
		at = int(end)
	}
	return head, nil
}

// samples returns the number of channels of the color type, or 0 for an unknown type.
func (p pngHead) samples() int {
	switch p.colorType {
	case 0, 3:
		return 1
	case 2:
		return 3
	case 4:
		return 2
	case 6:
		return 4
	}
	return 0
}

func (p pngHead) alpha() Tristate {
	switch {
	case p.colorType == 4, p.colorType == 6, p.transparent:
		return Yes
	case p.whole:
		return No
	}
	return Unsure
}

func (p pngHead) facts() Facts {
	animated := tristate(p.animated)
	if !p.animated && !p.whole {
		animated = Unsure
	}
	return displayed(p.w, p.h, p.orientation, animated, p.alpha())
}

func inspectPNG(data []byte) (Facts, error) {
	head, err := readPNG(data)
	if err != nil && head.w == 0 {
		return Facts{}, err
	}
	return head.facts(), nil // Decode checks for too many chunks: the size is in the first.
}

func planPNG(data []byte, _ Want) (plan, error) {
	head, err := readPNG(data)
	if err != nil {
		return plan{}, err
	}
	if err := checkSides(head.w, head.h); err != nil {
		return plan{}, err
	}
	row := (int64(head.w)*int64(head.samples()*head.depth)+7)/8 + 1
	if raw := row * int64(head.h); raw > head.pixelBytes*maxInflate {
		if head.cut {
			return plan{}, errTruncated
		}
		return plan{}, corrupt("%d bytes of pixels cannot give %d×%d", head.pixelBytes, head.w, head.h)
	}
	pixels := int64(head.w) * int64(head.h)
	perPixel := int64(4) // the decoder's result: one byte per gray or palette pixel, otherwise 4, twice that with 16 bits
	if head.depth == 16 {
		perPixel = 8
	} else if head.samples() == 1 && !(head.colorType == 0 && head.transparent) {
		perPixel = 1
	}
	parts := append(head.parts, []byte(pngEnd))
	return plan{
		facts: head.facts(),
		cut:   head.cut,
		cost:  pixels * (perPixel + 4), // the last pass of an interlaced one is smaller than the result
		decode: func(in *input) (frame, error) {
			img, err := png.Decode(in.stream(parts))
			return frame{img: img, orientation: head.orientation}, err
		},
	}, nil
}

// stream returns the concatenated parts without copying them.
func (in *input) stream(parts [][]byte) io.Reader {
	readers := make([]io.Reader, len(parts))
	for i, part := range parts {
		readers[i] = bytes.NewReader(part)
	}
	in.r = io.MultiReader(readers...)
	return in
}
