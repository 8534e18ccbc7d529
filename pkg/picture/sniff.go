package picture

import (
	"bytes"
	"encoding/binary"
)

// Sniff tells the format of a file by its first bytes; labels and suffixes count for nothing. The first 4 KiB are
// enough, save for an SVG that opens with longer comments.
func Sniff(data []byte) Format {
	has := func(magic string) bool { return len(data) >= len(magic) && string(data[:len(magic)]) == magic }
	switch {
	case has(pngMagic):
		return PNG
	case has("\xff\xd8\xff"):
		return JPEG
	case has("GIF87a"), has("GIF89a"):
		return GIF
	case has("RIFF") && len(data) >= 12 && string(data[8:12]) == "WEBP":
		return WebP
	case has("\x00\x00\x01\x00") && len(data) >= icoHeader && binary.LittleEndian.Uint16(data[4:]) > 0:
		return ICO
	case has("II*\x00"), has("MM\x00*"):
		return TIFF
	case has("BM") && isBMP(data):
		return BMP
	case len(data) >= 12 && string(data[4:8]) == "ftyp":
		return sniffBrand(data)
	}
	if _, ok := svgRoot(data); ok {
		return SVG
	}
	return Unknown
}

// isBMP looks past the two letters, which text may begin with too, at the size of the header that follows them.
func isBMP(data []byte) bool {
	if len(data) < 26 {
		return false
	}
	switch binary.LittleEndian.Uint32(data[14:]) {
	case 12, 16, 40, 52, 56, 64, 108, 124:
		return true
	}
	return false
}

// sniffBrand tells AVIF from HEIC by the brands of the ftyp box: the major one, else the first compatible one that
// says so. Sources: AV1 Image File Format 1.1, 6; ISO/IEC 23008-12, annex B.4.
func sniffBrand(data []byte) Format {
	size := int64(binary.BigEndian.Uint32(data))
	if size < 16 {
		return Unknown
	}
	brands := data[8:min(size, int64(len(data)), 512)]
	for i := 0; i+4 <= len(brands); i += 4 {
		if i == 4 {
			continue // The minor version stands between the major brand and the compatible ones.
		}
		brand := brands[i : i+4]
		switch {
		case bytes.Equal(brand, []byte("avif")), bytes.Equal(brand, []byte("avis")):
			return AVIF
		case bytes.HasPrefix(brand, []byte("hei")), bytes.HasPrefix(brand, []byte("hev")):
			return HEIC
		}
	}
	return Unknown
}
