package picture

import (
	"encoding/binary"
	"image"
	"image/gif"
)

// maxLZW is the maximum number of pixels per byte of a GIF's LZW data: a code of 12 bits represents at most 4096.
const maxLZW = 4096 * 8 / 12

// gifHead has the information in a GIF's blocks before decompression.
type gifHead struct {
	w, h  int             // the logical screen
	frame image.Rectangle // the first frame; empty if the file ends before it
	// frames counts to two.
	frames      int
	transparent bool // the first frame has a transparent color
	// end is where the first frame's last block ends.
	end int
	// dataBytes is the length of the first frame's compressed data.
	dataBytes int64
	whole     bool // the walk reached the trailer or a second frame
}

// readGIF walks the blocks up to the second frame's header.
func readGIF(data []byte) (gifHead, error) {
	if len(data) < 13 {
		return gifHead{}, corrupt("its header is too short")
	}
	head := gifHead{w: int(binary.LittleEndian.Uint16(data[6:])), h: int(binary.LittleEndian.Uint16(data[8:]))}
	if head.w == 0 || head.h == 0 {
		return head, corrupt("its size is %d×%d", head.w, head.h)
	}
	at := 13 + colorTable(data[10])
	transparent := false
	for at < len(data) {
		switch data[at] {
		case 0x21: // extension
			if at+7 < len(data) && data[at+1] == 0xf9 {
				transparent = data[at+3]&1 == 1
			}
			at, _ = skipBlocks(data, at+2)
		case 0x2c: // image descriptor
			head.frames++
			if head.frames == 2 {
				head.whole = true
				return head, nil
			}
			if len(data)-at < 10 {
				return head, nil
			}
			x, y := int(binary.LittleEndian.Uint16(data[at+1:])), int(binary.LittleEndian.Uint16(data[at+3:]))
			w, h := int(binary.LittleEndian.Uint16(data[at+5:])), int(binary.LittleEndian.Uint16(data[at+7:]))
			head.frame, head.transparent = image.Rect(x, y, x+w, y+h), transparent
			// One byte between the color table and the blocks gives the width of the codes.
			at, head.dataBytes = skipBlocks(data, at+10+colorTable(data[at+9])+1)
			head.end = at
		default: // the trailer, or something that no decoder reads past
			head.whole = true
			return head, nil
		}
	}
	return head, nil
}

// colorTable returns the length of the color table declared in the packed fields, 0 to 768 bytes.
func colorTable(fields byte) int {
	if fields&0x80 == 0 {
		return 0
	}
	return 3 << (fields&7 + 1)
}

// skipBlocks returns the end of the sub-blocks that begin at at, at most the end of data, and the number of bytes in
// them.
func skipBlocks(data []byte, at int) (end int, held int64) {
	for at < len(data) {
		n := int(data[at])
		at += 1 + n
		if n == 0 {
			break
		}
		held += int64(n)
	}
	return min(at, len(data)), held
}

func (g gifHead) facts() Facts {
	animated, alpha := Unsure, Unsure
	if g.frames == 2 || g.whole {
		animated = tristate(g.frames == 2)
	}
	if g.frames > 0 {
		alpha = tristate(g.transparent || g.frame != image.Rect(0, 0, g.w, g.h))
	}
	return displayed(g.w, g.h, 1, animated, alpha)
}

func inspectGIF(data []byte) (Facts, error) {
	head, err := readGIF(data)
	if err != nil {
		return Facts{}, err
	}
	return head.facts(), nil
}

func planGIF(data []byte, _ Want) (plan, error) {
	head, err := readGIF(data)
	if err != nil {
		return plan{}, err
	}
	if err := checkSides(head.w, head.h); err != nil {
		return plan{}, err
	}
	screen := image.Rect(0, 0, head.w, head.h)
	if head.frame.Empty() || !head.frame.In(screen) {
		return plan{}, corrupt("its first frame %v does not lie in %v", head.frame, screen)
	}
	area := int64(head.frame.Dx()) * int64(head.frame.Dy())
	if area > head.dataBytes*maxLZW {
		if !head.whole {
			return plan{}, errTruncated
		}
		return plan{}, corrupt("%d bytes of pixels cannot give %d×%d", head.dataBytes, head.frame.Dx(), head.frame.Dy())
	}
	first := [][]byte{data[:head.end]} // nothing after the first frame reaches the decoder
	return plan{
		facts: head.facts(),
		cost:  area + int64(head.w)*int64(head.h)*4,
		cut:   !head.whole,
		decode: func(in *input) (frame, error) {
			img, err := gif.Decode(in.stream(first))
			return frame{img: img, canvas: screen.Max}, err
		},
	}, nil
}
