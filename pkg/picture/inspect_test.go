package picture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"testing"

	"masthead/pkg/picture"
)

// isoBox is one box of an ISO base media file.
func isoBox(kind string, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), kind...), body...)
}

func ispe(w, h uint32) []byte {
	return isoBox("ispe", binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(make([]byte, 4), w), h))
}

// heif is a file whose primary item 2 has the properties of associations; flags 1 makes them 16 bits wide.
func heif(brand string, associations []byte, flags byte, properties ...[]byte) []byte {
	ipma := isoBox("ipma", []byte{0, 0, 0, flags, 0, 0, 0, 2, 0, 1, 0, 0, 2}, associations)
	return bytes.Join([][]byte{
		isoBox("ftyp", []byte(brand), make([]byte, 4), []byte("mif1miaf")),
		isoBox("meta", make([]byte, 4), isoBox("hdlr", make([]byte, 24)), isoBox("pitm", make([]byte, 4), []byte{0, 2}),
			isoBox("iprp", isoBox("ipco", properties...), ipma)),
		isoBox("mdat", make([]byte, 100)),
	}, nil)
}

func TestInspect_headers_giveFacts(t *testing.T) {
	sound := motley(40, 30, false)
	withAlpha := motley(40, 30, true)
	paletted := image.NewPaletted(image.Rect(0, 0, 40, 30), color.Palette{color.Black, color.White})
	one := gifFile(t, &gif.GIF{Image: []*image.Paletted{paletted}, Delay: []int{0}})
	two := gifFile(t, &gif.GIF{Image: []*image.Paletted{paletted, paletted}, Delay: []int{1, 1}})
	longText := insert(pngFile(t, sound), 33, chunk("tEXt", make([]byte, 300<<10))...)
	longApp := []byte{0xff, 0xd8}
	for range 5 {
		longApp = append(longApp, segment(0xe2, make([]byte, 65000)...)...)
	}
	longApp = append(longApp, jpegFile(t, sound)[2:]...)
	bmp := func(w, h int32) []byte {
		return append(append([]byte("BM"), make([]byte, 12)...), dibHeader(w, h, 24, 0, 0)...)
	}
	oldBMP := append(append([]byte("BM"), make([]byte, 12)...), 12, 0, 0, 0, 40, 0, 30, 0, 1, 0, 24, 0)
	tiff := []byte("MM\x00*\x00\x00\x00\x08\x00\x03\x01\x00\x00\x03\x00\x00\x00\x01\x00\x28\x00\x00" +
		"\x01\x01\x00\x04\x00\x00\x00\x01\x00\x00\x00\x1e\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00")
	type facts = picture.Facts
	const unsure, no, yes = picture.Unsure, picture.No, picture.Yes
	for _, tt := range []struct {
		name string
		file []byte
		want facts
	}{
		{"png", pngFile(t, sound), facts{picture.PNG, 40, 30, 1, no, no, ""}},
		{"png with alpha", pngFile(t, withAlpha), facts{picture.PNG, 40, 30, 1, no, yes, ""}},
		{"png of which the head is there", pngFile(t, sound)[:60], facts{picture.PNG, 40, 30, 1, no, no, ""}},
		{"png with 300 KiB of text first", longText, facts{picture.PNG, 40, 30, 1, unsure, unsure, ""}},
		{"animated png", insert(pngFile(t, withAlpha), 33, chunk("acTL", []byte{0, 0, 0, 9, 0, 0, 0, 0})...),
			facts{picture.PNG, 40, 30, 1, yes, yes, ""}},
		{"png of any size", append(append([]byte(pngMagic), ihdr(1<<30, 7, 8, 2)...), chunk("IDAT", nil)...),
			facts{picture.PNG, 1 << 30, 7, 1, no, no, ""}},
		{"jpeg", jpegFile(t, sound), facts{picture.JPEG, 40, 30, 1, no, no, ""}},
		{"jpeg that claims 16000×16000", claimJPEG(16000, 16000), facts{picture.JPEG, 16000, 16000, 1, no, no, ""}},
		{"jpeg of 12 bits", append([]byte{0xff, 0xd8}, segment(0xc1, 12, 0, 8, 0, 9, 1, 1, 0x11, 0)...),
			facts{picture.JPEG, 9, 8, 1, no, no, ""}},
		{"gif", one, facts{picture.GIF, 40, 30, 1, no, no, ""}},
		{"animated gif", two, facts{picture.GIF, 40, 30, 1, yes, no, ""}},
		{"gif of which the head is there", one[:30], facts{picture.GIF, 40, 30, 1, unsure, no, ""}},
		{"lossless webp", riff(webpChunk("VP8L", vp8l(40, 30, func(x, y int) int { return 0 })...)),
			facts{picture.WebP, 40, 30, 1, no, yes, ""}},
		{"lossy webp", riff(webpChunk("VP8 ", vp8(40, 30)...))[:64], facts{picture.WebP, 40, 30, 1, no, no, ""}},
		{"animated webp", riff(webpChunk("VP8X", 2, 0, 0, 0, 39, 0, 0, 29, 0, 0)), facts{picture.WebP, 40, 30, 1, yes, no, ""}},
		{"ico", icoFile(entry{w: 16, h: 16, body: dibFile(motley(16, 16, false), 24, nil)},
			entry{body: pngFile(t, withAlpha)}), facts{picture.ICO, 40, 30, 1, no, yes, ""}},
		{"ico whose entry is far away", icoFile(entry{w: 0, h: 0, size: 900, offset: 1 << 20}),
			facts{picture.ICO, 256, 256, 1, no, unsure, ""}},
		{"bmp", bmp(40, 30), facts{picture.BMP, 40, 30, 1, no, unsure, ""}},
		{"bmp from the top", bmp(40, -30), facts{picture.BMP, 40, 30, 1, no, unsure, ""}},
		{"bmp of the oldest kind", oldBMP, facts{picture.BMP, 40, 30, 1, no, no, ""}},
		{"tiff, turned", tiff, facts{picture.TIFF, 30, 40, 6, unsure, unsure, ""}},
		{"avif", heif("avif", []byte{2, 2, 0x81}, 0, ispe(8, 8), ispe(40, 30)), facts{picture.AVIF, 40, 30, 1, no, no, ""}},
		{"avif with alpha, wide indices", heif("avif", []byte{1, 0x80, 1}, 1, ispe(40, 30), ispe(80, 80),
			isoBox("auxC", []byte("\x00\x00\x00\x00urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\x00"))),
			facts{picture.AVIF, 40, 30, 1, no, yes, ""}},
		{"avif without associations", heif("avif", []byte{0}, 0, ispe(8, 8), ispe(40, 30), ispe(9, 9)),
			facts{picture.AVIF, 40, 30, 1, no, no, ""}},
		{"avif sequence", heif("avis", []byte{1, 1}, 0, ispe(40, 30)), facts{picture.AVIF, 40, 30, 1, yes, no, ""}},
		{"heic, turned", heif("heic", []byte{2, 1, 2}, 0, ispe(40, 30), isoBox("irot", []byte{3})),
			facts{picture.HEIC, 30, 40, 1, no, no, ""}},
		{"heic of long boxes and long numbers", bytes.Join([][]byte{
			isoBox("ftyp", []byte("heix\x00\x00\x00\x00mif1")),
			{0, 0, 0, 1, 'f', 'r', 'e', 'e', 0, 0, 0, 0, 0, 0, 0, 20, 1, 2, 3, 4},
			{0, 0, 0, 0, 'm', 'e', 't', 'a', 0, 0, 0, 0}, // to the end of the file
			isoBox("pitm", []byte{1, 0, 0, 0, 0, 1, 0, 2}),
			isoBox("iprp", isoBox("ipco", ispe(90, 80), ispe(40, 30)),
				isoBox("ipma", []byte{1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 2, 1, 2})),
		}, nil), facts{picture.HEIC, 40, 30, 1, no, no, ""}},
		{"svg", []byte(`<svg width="40" height='30' viewBox="0 0 1 1">`), facts{picture.SVG, 40, 30, 1, unsure, yes, ""}},
		{"svg by its box", []byte("\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <svg> > -->\n<!DOCTYPE svg [<!ENTITY a \"]\">\n]>" +
			"<s:svg xmlns:s = 'http://www.w3.org/2000/svg' width='100%' viewBox = '0,0 40 29.6' >"),
			facts{picture.SVG, 40, 30, 1, unsure, yes, ""}},
		{"svg with a comment in its declaration", []byte(
			`<!doctype svg PUBLIC "-//W3C//DTD SVG 1.1//EN" [<!-- don't ] > --> ]><svg viewBox="0 0 40 30">`),
			facts{picture.SVG, 40, 30, 1, unsure, yes, ""}},
		{"svg of one side", []byte(`<svg height="15px" data-width="9" viewBox="0 0 80 60"/>`),
			facts{picture.SVG, 20, 15, 1, unsure, yes, ""}},
		{"svg in inches", []byte(`<svg width="1in" height="25.4mm"/>`), facts{picture.SVG, 96, 96, 1, unsure, yes, ""}},
		{"svg without a size", []byte("<svg>"), facts{picture.SVG, 0, 0, 1, unsure, yes, ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := picture.Inspect(tt.file)
			if err != nil || got != tt.want {
				t.Errorf("got %+v, %v\nwant %+v", got, err, tt.want)
			}
		})
	}
	for name, file := range map[string][]byte{
		"jpeg whose frame is beyond 256 KiB": longApp, "jpeg without a frame": {0xff, 0xd8, 0xff, 0xd9},
		"png without a header": []byte(pngMagic + "1234"),
		"gif cut":              []byte("GIF89a\x01"), "webp without a frame": riff(webpChunk("EXIF", 1)),
		"ico without entries": {0, 0, 1, 0, 1, 0},
		"tiff cut":            []byte("II*\x00\xff\xff\xff\x7f"), "avif without properties": isoBox("ftyp",
			[]byte("avif\x00\x00\x00\x00mif1")), "bmp of no size": bmp(0, 4),
	} {
		if got, err := picture.Inspect(file); !errors.Is(err, picture.ErrCorrupt) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
	if _, err := picture.Inspect([]byte("hello")); !errors.Is(err, picture.ErrUnknown) {
		t.Errorf("text: %v", err)
	}
}

func TestSniff_magicBytes_giveFormat(t *testing.T) {
	for text, want := range map[string]picture.Format{
		"": picture.Unknown, "BM": picture.Unknown, "BMW sells cars in many countries of the world": picture.Unknown,
		"RIFF1234WAVE":             picture.Unknown,
		"<html><svg></svg></html>": picture.Unknown, "<!-- a --><html>": picture.Unknown, "<svgx>": picture.Unknown,
		" \n<svg\n>":                     picture.SVG,
		"<?xml version='1.0'?><svg:svg>": picture.SVG, "\x00\x00\x01\x00\x00\x00": picture.Unknown,
		"\x00\x00\x02\x00\x01\x00":                         picture.Unknown,
		"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1avif": picture.AVIF,
		"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heic": picture.HEIC,
		"\x00\x00\x00\x18ftypisom\x00\x00\x00\x00iso2mp41": picture.Unknown, "\x00\x00\x00\x01ftypavif": picture.Unknown,
		"\xff\xd8\xfe": picture.Unknown,
	} {
		if got := picture.Sniff([]byte(text)); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}
