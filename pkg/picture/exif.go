package picture

import "encoding/binary"

// Tags of a TIFF directory. Source: TIFF 6.0, section 8.
const (
	tagWidth       = 256
	tagHeight      = 257
	tagOrientation = 274
	tagExtra       = 338
)

// maxTags is the maximum number of entries read of a TIFF directory.
const maxTags = 512

// tiffTags returns the first directory of a TIFF structure as single numbers: the first value of every entry of type
// SHORT or LONG stored in the entry itself. It follows no offsets, so maxTags bounds its work. It returns nil for data
// that isn't TIFF.
func tiffTags(data []byte) map[uint16]uint32 {
	if len(data) < 8 {
		return nil
	}
	var order binary.ByteOrder
	switch string(data[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return nil
	}
	offset := int64(order.Uint32(data[4:]))
	if offset < 8 || offset+2 > int64(len(data)) {
		return nil
	}
	count := int(order.Uint16(data[offset:]))
	rest := data[offset+2:]
	tags := make(map[uint16]uint32, 8)
	for i := 0; i < min(count, maxTags) && len(rest) >= 12; i++ {
		tag, kind := order.Uint16(rest), order.Uint16(rest[2:])
		values := order.Uint32(rest[4:])
		switch {
		case kind == 3 && values >= 1 && values <= 2:
			tags[tag] = uint32(order.Uint16(rest[8:]))
		case kind == 4 && values == 1:
			tags[tag] = order.Uint32(rest[8:])
		}
		rest = rest[12:]
	}
	return tags
}

// exifOrientation returns the orientation of an EXIF block (a TIFF structure, with or without a preceding "Exif\0\0"),
// 1 to 8; the default is 1. Source: EXIF 2.32, 4.6.4 A.
func exifOrientation(block []byte) int {
	if len(block) >= 6 && string(block[:4]) == "Exif" {
		block = block[6:]
	}
	if o := tiffTags(block)[tagOrientation]; o >= 1 && o <= 8 {
		return int(o)
	}
	return 1
}

func inspectTIFF(data []byte) (Facts, error) {
	tags := tiffTags(data)
	w, h := tags[tagWidth], tags[tagHeight]
	if w == 0 || h == 0 || w > 1<<30 || h > 1<<30 {
		return Facts{}, corrupt("no directory with a size in its first part")
	}
	alpha := Unsure
	if _, extra := tags[tagExtra]; extra {
		alpha = Yes
	}
	return displayed(int(w), int(h), int(tags[tagOrientation]), Unsure, alpha), nil
}

// inspectBMP reads the size from the header after the 14 bytes of the file header: 16-bit numbers in the oldest
// version, otherwise 32-bit ones with a negative height for top-down rows.
func inspectBMP(data []byte) (Facts, error) {
	if binary.LittleEndian.Uint32(data[14:]) == 12 {
		w, h := binary.LittleEndian.Uint16(data[18:]), binary.LittleEndian.Uint16(data[20:])
		return displayed(int(w), int(h), 1, No, No), sizeKnown(int(w), int(h))
	}
	w, h := int(int32(binary.LittleEndian.Uint32(data[18:]))), int(int32(binary.LittleEndian.Uint32(data[22:])))
	if h < 0 {
		h = -h
	}
	return displayed(w, h, 1, No, Unsure), sizeKnown(w, h)
}

func sizeKnown(w, h int) error {
	if w < 1 || h < 1 {
		return corrupt("its size is %d×%d", w, h)
	}
	return nil
}
