package picture

import (
	"bytes"
	"encoding/binary"
	"image/jpeg"
)

// Markers. Source: ITU-T T.81, table B.1.
const (
	markerSOF0  = 0xc0
	markerSOF2  = 0xc2
	markerDHT   = 0xc4
	markerJPG   = 0xc8
	markerDAC   = 0xcc
	markerSOF15 = 0xcf
	markerRST0  = 0xd0
	markerRST7  = 0xd7
	markerSOI   = 0xd8
	markerEOI   = 0xd9
	markerSOS   = 0xda
	markerDQT   = 0xdb
	markerDRI   = 0xdd
	markerAPP0  = 0xe0
	markerAPP1  = 0xe1
	markerAPP14 = 0xee
)

// maxScanBlocks limits the work of all scans together, in 8×8 blocks of the first component: each scan walks the whole
// picture. It allows a picture of maximum size 40 scans, which is more than encoders produce, and takes less than a
// second.
const maxScanBlocks = 40 * maxPixels / 64

// maxSegments limits the walk through the markers; a photograph has some tens, with a profile and previews up to 200.
const maxSegments = 4096

// jpegHead has the information in a JPEG's markers.
type jpegHead struct {
	w, h        int
	frame       byte // marker of the frame header
	depth       int  // bits per sample
	orientation int
	cut         bool // the walk didn't reach the end of the image
	// blocks counts the 8×8 blocks of all components; luma counts those of the first, without padding.
	blocks, luma int64
	components   int
	// scans counts every place where a decoder might see a scan begin; scanBytes is the length of their entropy-coded
	// data.
	scans, scanBytes int64
	// parts is the reassembled picture: tables, frame and scans, and of the application segments only JFIF's and Adobe's,
	// which determine the color space.
	parts [][]byte
}

// readJPEG walks the segments. With headerOnly it stops at the frame header. A file that ends within its scans isn't an
// error here; one without a frame header is.
//
// With damaged data, a decoder might find other segments than the walk. So scans aren't counted as the walk meets them:
// every FF DA in the parts for the decoder counts, and those parts end where the walk ended.
func readJPEG(data []byte, headerOnly bool) (jpegHead, error) {
	head := jpegHead{orientation: 1, cut: true}
	if len(data) < 3 {
		return head, corrupt("it ends at once")
	}
	head.parts = append(head.parts, data[:2])
	exif := false
	at := 2
	for segments := 0; ; segments++ {
		if segments >= maxSegments {
			return head, tooLarge("more than %d segments", maxSegments)
		}
		marker, start := nextMarker(data, at)
		if marker == 0 || marker == markerEOI {
			head.cut = marker == 0
			break
		}
		at = start + 2
		if (marker >= markerRST0 && marker <= markerRST7) || marker == markerSOI || marker == 0x01 {
			continue
		}
		if len(data)-at < 2 {
			break
		}
		length := int(binary.BigEndian.Uint16(data[at:]))
		if length < 2 || length > len(data)-at {
			break
		}
		end := at + length
		body := data[at+2 : end]
		switch {
		case marker == markerAPP1 && !exif && head.frame == 0 && bytes.HasPrefix(body, []byte("Exif\x00")):
			head.orientation, exif = exifOrientation(body), true
		case isFrame(marker):
			if head.frame != 0 {
				return head, corrupt("it has two frame headers")
			}
			if err := head.readFrame(marker, body); err != nil {
				return head, err
			}
			if headerOnly {
				return head, nil
			}
			fallthrough
		case marker == markerDHT, marker == markerDQT, marker == markerDRI, marker == markerAPP0, marker == markerAPP14:
			head.parts = append(head.parts, data[start:end])
		case marker == markerSOS:
			_, next := nextMarkerAfterScan(data, end)
			head.scanBytes += int64(next - end)
			head.parts = append(head.parts, data[start:next])
			end = next
		}
		at = end
	}
	if head.frame == 0 {
		return head, corrupt("no frame header in its first part")
	}
	head.countScans()
	return head, nil
}

// countScans counts the headers of scans in the parts. A decoder might find them inside what we took for something
// else.
func (h *jpegHead) countScans() {
	for _, part := range h.parts {
		h.scans += int64(bytes.Count(part, []byte{0xff, markerSOS}))
	}
}

func isFrame(marker byte) bool {
	return marker >= markerSOF0 && marker <= markerSOF15 && marker != markerDHT && marker != markerJPG &&
		marker != markerDAC
}

// nextMarker returns the first marker at or after at and the position of its last FF; 0 and the end if there is none.
// Bytes between segments are skipped, as in all decoders.
func nextMarker(data []byte, at int) (marker byte, start int) {
	for {
		i := bytes.IndexByte(data[at:], 0xff)
		if i < 0 || at+i+1 >= len(data) {
			return 0, len(data)
		}
		at += i
		if m := data[at+1]; m != 0 && m != 0xff {
			return m, at
		}
		at++
	}
}

// nextMarkerAfterScan is nextMarker for entropy-coded data, which includes restart markers.
func nextMarkerAfterScan(data []byte, at int) (marker byte, start int) {
	for {
		marker, start = nextMarker(data, at)
		if marker < markerRST0 || marker > markerRST7 {
			return marker, start
		}
		at = start + 2
	}
}

func (j *jpegHead) readFrame(marker byte, body []byte) error {
	if len(body) < 6 {
		return corrupt("its frame header is too short")
	}
	j.frame, j.depth = marker, int(body[0])
	j.h, j.w, j.components = int(binary.BigEndian.Uint16(body[1:])), int(binary.BigEndian.Uint16(body[3:])), int(body[5])
	if j.w == 0 || j.h == 0 {
		return corrupt("its size is %d×%d", j.w, j.h)
	}
	if j.components < 1 || j.components > 4 || len(body) != 6+3*j.components {
		return corrupt("a frame header of %d bytes for %d components", len(body), j.components)
	}
	j.luma = ceil(j.w, 8) * ceil(j.h, 8)
	h0, v0 := int(body[7]>>4), int(body[7]&15)
	if h0 < 1 || h0 > 4 || v0 < 1 || v0 > 4 || j.components == 1 {
		h0, v0 = 1, 1
	}
	units := ceil(j.w, 8*h0) * ceil(j.h, 8*v0)
	for i := range j.components {
		hv := body[7+3*i]
		j.blocks += units * min(int64(max(hv>>4, 1))*int64(max(hv&15, 1)), 16)
	}
	if j.components == 1 {
		j.blocks = j.luma
	}
	return nil
}

func ceil(a, b int) int64 { return int64((a + b - 1) / b) }

func inspectJPEG(data []byte) (Facts, error) {
	head, err := readJPEG(data, true)
	if err != nil {
		return Facts{}, err
	}
	return displayed(head.w, head.h, head.orientation, No, No), nil
}

func planJPEG(data []byte, _ Want) (plan, error) {
	// It runs twice: the claims of the frame header are checked before the rest of the file is walked.
	head, err := readJPEG(data, true)
	if err != nil {
		return plan{}, err
	}
	if err := checkSides(head.w, head.h); err != nil {
		return plan{}, err
	}
	if head.frame > markerSOF2 || head.depth != 8 {
		return plan{}, unsupported("JPEG process %d with %d bits", head.frame-markerSOF0, head.depth)
	}
	if head, err = readJPEG(data, false); err != nil {
		return plan{}, err
	}
	if head.scans > maxScans {
		return plan{}, tooLarge("%d scans", head.scans)
	}
	if head.scans*head.luma > maxScanBlocks {
		return plan{}, tooLarge("%d scans of %d×%d", head.scans, head.w, head.h)
	}
	progressive := head.frame == markerSOF2
	// A block takes at least one bit in the scan that begins it, and one more for its end if there is a single scan.
	least := head.luma
	if !progressive {
		least *= 2
	}
	if head.scanBytes*8 < least {
		if head.cut {
			return plan{}, errTruncated
		}
		return plan{}, corrupt("%d bytes of scans cannot give %d×%d", head.scanBytes, head.w, head.h)
	}
	pixels := int64(head.w) * int64(head.h)
	planes := head.blocks * 64
	if head.components == 4 {
		planes += pixels * 4 // the decoder merges the inks into a copy
	}
	cost := planes + pixels*4
	if progressive {
		cost = max(cost, planes+head.blocks*64*4) // the decoder keeps every coefficient as an int32
	}
	parts := append(head.parts, []byte{0xff, markerEOI})
	return plan{
		facts: displayed(head.w, head.h, head.orientation, No, No),
		cost:  cost,
		cut:   head.cut,
		decode: func(in *input) (frame, error) {
			img, err := jpeg.Decode(in.stream(parts))
			return frame{img: img, orientation: head.orientation}, err
		},
	}, nil
}
