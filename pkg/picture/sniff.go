package picture

import (
	"bytes"
	"encoding/binary"
)

// Sniff detects the format of a file by its first bytes; content types and file extensions are ignored. The first 4 KiB
// are enough, except for an SVG that begins with longer comments.
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

// isBMP checks not only the two letters, with which text may begin, too, but also the size of the header after them.
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

// sniffBrand distinguishes AVIF and HEIC by the brands of the ftyp box: the major one, otherwise the first compatible
// one that tells. Sources: AV1 Image File Format 1.1, 6; ISO/IEC 23008-12, annex B.4.
func sniffBrand(data []byte) Format {
	size := int64(binary.BigEndian.Uint32(data))
	if size < 16 {
		return Unknown
	}
	brands := data[8:min(size, int64(len(data)), 512)]
	for i := 0; i+4 <= len(brands); i += 4 {
		if i == 4 {
			continue // the minor version is between the major brand and the compatible ones
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
