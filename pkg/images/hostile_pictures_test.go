package images_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"strings"
	"testing"
)

// hostilePictures are files that want to hurt whoever decodes them, with the status that one gets as a logo. As an icon
// each is passed over or drawn.
func hostilePictures(t *testing.T) map[string]struct {
	file []byte
	logo int
} {
	t.Helper()
	claim := claimingJPEG(16000, 16000)
	if len(claim) != 38 {
		t.Fatalf("the JPEG of 38 bytes has %d", len(claim))
	}
	ico := claimingICO(28000)
	if len(ico) != 62 {
		t.Fatalf("the ICO of 62 bytes has %d", len(ico))
	}
	return map[string]struct {
		file []byte
		logo int
	}{
		"JPEG of 38 bytes that claims 16000x16000": {claim, 502},
		"progressive JPEG of 3000 scans":           {scannedJPEG(3072, 2048, 2999), 502},
		"progressive JPEG of 100 scans":            {scannedJPEG(64, 64, 99), 200},
		"ICO of 62 bytes that claims 3 GB":         {ico, 502},
		"GIF of 10000 frames":                      {longGIF(t, 10_000), 200},
		"PNG whose pixels are not in its palette":  {lostPixelsPNG(t, 300), 200},
		"PNG that claims 30000x30000":              {pngOf(pngHeader(30000, 30000, 16, 6), pngChunk("IDAT", nil)), 502},
		"PNG of one pixel": {pngOf(pngHeader(1, 1, 8, 6),
			pngChunk("IDAT", deflated(t, make([]byte, 5)))), 200},
		"SVG bomb":                        {[]byte(svgBomb()), 502},
		"SVG of nested uses":              {[]byte(svgUses()), 502},
		"SVG that uses itself":            {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><g id="a"><use href="#a"/></g></svg>`), 502},
		"SVG with a file in it":           {[]byte(`<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><path d="&a;"/></svg>`), 502},
		"SVG of 70 levels":                {[]byte(`<svg xmlns="http://www.w3.org/2000/svg">` + strings.Repeat("<g>", 70) + strings.Repeat("</g>", 70) + `</svg>`), 502},
		"SVG of an endless path":          {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0` + strings.Repeat("h1", 120_000) + `"/></svg>`), 502},
		"SVG of nothing":                  {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), 502},
		"SVG with words":                  {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text y="9">X</text></svg>`), 200},
		"SVG with a picture of elsewhere": {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><image href="http://169.254.169.254/" width="9" height="9"/><circle r="9"/></svg>`), 200},
		"HTML": {[]byte("<!doctype html><title>No picture</title>" + strings.Repeat("<p>",
			10_000)), 502},
		"nothing": {nil, 502},
		"noise":   {bytes.Repeat([]byte{0xde, 0xad, 0xbe, 0xef}, 50_000), 502},
		"a BMP":   {append([]byte("BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x01\x00\x18\x00"), make([]byte, 40)...), 502},
	}
}

func jpegSegment(marker byte, body ...byte) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(2+len(body))), body...)
}

// claimingJPEG is a progressive JPEG with a frame header, the beginning of a scan, and nothing in it.
func claimingJPEG(w, h int) []byte {
	out := append([]byte{0xff, 0xd8}, jpegSegment(0xc2, 8, byte(h>>8), byte(h), byte(w>>8), byte(w), 3, 1, 0x11, 0, 2,
		0x11, 0, 3, 0x11, 0)...)
	return append(append(out, jpegSegment(0xda, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0)...), 0, 0, 0)
}

// scannedJPEG is a grey progressive JPEG with more scans, each of which goes over all blocks and changes nothing.
func scannedJPEG(w, h, more int) []byte {
	out := append([]byte{0xff, 0xd8}, jpegSegment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)...)
	out = append(out, jpegSegment(0xc2, 8, byte(h>>8), byte(h), byte(w>>8), byte(w), 1, 1, 0x11, 0)...)
	// DC: the one category 0 is the bit 0. AC: "end of block" is 0, "end of 2^14 blocks and more" is 10.
	out = append(out, jpegSegment(0xc4, append([]byte{0x00, 1}, make([]byte, 16)...)...)...)
	out = append(out, jpegSegment(0xc4, append([]byte{0x10, 1, 1}, append(make([]byte, 14), 0x00, 0xe0)...)...)...)
	blocks := (w + 7) / 8 * ((h + 7) / 8)
	out = append(out, jpegSegment(0xda, 1, 1, 0x00, 0, 0, 0)...)
	out = append(out, make([]byte, (blocks+7)/8)...)
	var scan bitString
	for left := blocks; left > 0; {
		if left < 1<<14 {
			scan.add(0, 1)
			left--
			continue
		}
		run := min(left, 1<<15-1)
		scan.add(0b10, 2)
		scan.add(run-1<<14, 14)
		left -= run
	}
	one := append(jpegSegment(0xda, 1, 1, 0x00, 1, 63, 0), scan.stuffed()...)
	return append(append(out, bytes.Repeat(one, more)...), 0xff, 0xd9)
}

// bitString is bits, the most significant first.
type bitString []byte

func (b *bitString) add(value, bits int) {
	for i := bits - 1; i >= 0; i-- {
		*b = append(*b, byte(value>>i&1))
	}
}

// stuffed packs the bits into bytes, filled up with ones, with a zero after every FF as JPEG scans have it.
func (b bitString) stuffed() []byte {
	var out []byte
	for i := 0; i < len(b); i += 8 {
		v := byte(0)
		for j := range 8 {
			bit := byte(1)
			if i+j < len(b) {
				bit = b[i+j]
			}
			v = v<<1 | bit
		}
		if out = append(out, v); v == 0xff {
			out = append(out, 0)
		}
	}
	return out
}

// claimingICO is an icon of one bitmap whose header claims a square of side pixels of 32 bits.
func claimingICO(side int32) []byte {
	le := binary.LittleEndian
	out := []byte{0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 32, 0, 40, 0, 0, 0, 22, 0, 0, 0}
	out = le.AppendUint32(out, 40)
	out = le.AppendUint32(out, uint32(side))
	out = le.AppendUint32(out, uint32(2*side)) // with the mask
	out = append(out, 1, 0, 32, 0)
	return append(out, make([]byte, 24)...)
}

func longGIF(t *testing.T, frames int) []byte {
	t.Helper()
	g := &gif.GIF{Config: image.Config{Width: 400, Height: 300}}
	first := image.NewPaletted(image.Rect(0, 0, 400, 300), color.Palette{color.Black, color.White})
	g.Image, g.Delay = append(g.Image, first), append(g.Delay, 1)
	rest := image.NewPaletted(image.Rect(0, 0, 4, 4), first.Palette)
	for range frames - 1 {
		g.Image, g.Delay = append(g.Image, rest), append(g.Delay, 1)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngOf(chunks ...[]byte) []byte {
	return append([]byte("\x89PNG\r\n\x1a\n"), append(bytes.Join(chunks, nil), pngChunk("IEND", nil)...)...)
}

func pngChunk(kind string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, kind...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

func pngHeader(w, h uint32, depth, kind byte) []byte {
	body := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	return pngChunk("IHDR", append(body, depth, kind, 0, 0, 0))
}

// lostPixelsPNG has a palette of two colours and pixels that name all 256.
func lostPixelsPNG(t *testing.T, side int) []byte {
	t.Helper()
	var rows []byte
	for y := range side {
		rows = append(rows, 0)
		for x := range side {
			rows = append(rows, byte(x+y))
		}
	}
	return pngOf(pngHeader(uint32(side), uint32(side), 8, 3), pngChunk("PLTE", []byte{255, 0, 0, 0, 255, 0}),
		pngChunk("IDAT", deflated(t, rows)))
}

func deflated(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// svgBomb is entities of entities, ten to the ninth in all.
func svgBomb() string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a0 "lol">`)
	for i := range 9 {
		b.WriteString(`<!ENTITY a` + string(rune('1'+i)) + ` "` + strings.Repeat("&a"+string(rune('0'+i))+";", 10) + `">`)
	}
	b.WriteString(`]><svg xmlns="http://www.w3.org/2000/svg" width="180" height="180"><text>&a9;</text></svg>`)
	return b.String()
}

// svgUses is groups of uses of groups of uses.
func svgUses() string {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="180" height="180"><g id="a0"><path d="M0 0h9v9z"/></g>`)
	for i := range 9 {
		b.WriteString(`<g id="a` + string(rune('1'+i)) + `">` + strings.Repeat(`<use href="#a`+string(rune('0'+i))+`"/>`,
			10) + `</g>`)
	}
	return b.String() + `<use href="#a9"/></svg>`
}
