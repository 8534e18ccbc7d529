package picture_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"runtime"
	"testing"

	"masthead/pkg/picture"
)

// badIndex is a PNG of 8 bits whose palette has two colors and whose pixels name all 256.
func badIndex(t testing.TB, side int) []byte {
	t.Helper()
	var rows bytes.Buffer
	z := zlib.NewWriter(&rows)
	for y := range side {
		row := make([]byte, 1+side)
		for x := range side {
			row[1+x] = byte(x + y)
		}
		if _, err := z.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.Join([][]byte{
		[]byte(pngMagic), ihdr(uint32(side), uint32(side), 8, 3), chunk("PLTE", []byte{255, 0, 0, 0, 255, 0}),
		chunk("tRNS", []byte{255, 128}), chunk("IDAT", rows.Bytes()), chunk("IEND", nil),
	}, nil)
}

func manyFrames(t testing.TB, n int) []byte {
	t.Helper()
	g := &gif.GIF{Config: image.Config{Width: 400, Height: 300}}
	first := image.NewPaletted(image.Rect(0, 0, 400, 300), color.Palette{color.Black, color.White})
	rest := image.NewPaletted(image.Rect(0, 0, 4, 4), first.Palette)
	for i := range n {
		frame := rest
		if i == 0 {
			frame = first
		}
		g.Image, g.Delay = append(g.Image, frame), append(g.Delay, 1)
	}
	return gifFile(t, g)
}

func solidPNG(t testing.TB, w, h uint32, rows int) []byte {
	t.Helper()
	var data bytes.Buffer
	z := zlib.NewWriter(&data)
	for range rows {
		if _, err := z.Write(make([]byte, 1+4*w)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.Join([][]byte{[]byte(pngMagic), ihdr(w, h, 8, 6), chunk("IDAT", data.Bytes()), chunk("IEND", nil)}, nil)
}

// hostile are the files that are meant to hurt, with the error that they must give, nil when they are drawn.
func hostile(t testing.TB) map[string]struct {
	file []byte
	err  error
} {
	t.Helper()
	type row = struct {
		file []byte
		err  error
	}
	chunks := append([]byte(pngMagic), ihdr(8, 8, 8, 6)...)
	chunks = append(chunks, bytes.Repeat(chunk("tEXt", nil), 5000)...)
	gifHeader := []byte("GIF89a\xff\xff\xff\xff\x80\x00\x00\x00\x00\x00\xff\xff\xff")
	gifClaim := []byte("GIF89a\x00\x10\x00\x10\x80\x00\x00\x00\x00\x00\xff\xff\xff\x2c\x00\x00\x00\x00\x00\x10\x00\x10\x00\x02\x02\x44\x01\x00\x3b")
	bigLossless := vp8l(1, 1, func(int, int) int { return 0 })
	copy(bigLossless[1:5], []byte{0xff, 0xff, 0xff, 0x1f}) // 16384×16384
	return map[string]row{
		"jpeg of 38 bytes that claims 16000×16000": {claimJPEG(16000, 16000), picture.ErrTooLarge},
		"jpeg of 38 bytes that claims 4096×4096":   {claimJPEG(4096, 4096), picture.ErrCorrupt},
		"jpeg of 3000 scans": {flatJPEG(3072, 2048, []byte{90, 128, 128}, -1, 2999),
			picture.ErrTooLarge},
		"jpeg of 101 scans":      {flatJPEG(64, 64, []byte{90, 128, 128}, -1, 100), picture.ErrTooLarge},
		"jpeg of 100 scans":      {flatJPEG(64, 64, []byte{90, 128, 128}, -1, 99), nil},
		"jpeg of 90 large scans": {flatJPEG(4096, 4096, []byte{90}, -1, 89), picture.ErrTooLarge},
		"jpeg of a million segments": {append(
			append([]byte{0xff, 0xd8}, bytes.Repeat(segment(0xdd, 0, 0), 800_000)...),
			flatJPEG(8, 8, []byte{9}, -1, -1)[2:]...), picture.ErrTooLarge},
		"jpeg of no height": {claimJPEG(16, 0), picture.ErrCorrupt},
		"png that claims 30000×30000": {append(append([]byte(pngMagic), ihdr(30000, 30000, 16, 6)...),
			chunk("IDAT", nil)...), picture.ErrTooLarge},
		"png that claims 4096×4096": {solidPNG(t, 4096, 4096, 1), picture.ErrCorrupt},
		"png of 2^31 columns": {append(append([]byte(pngMagic), ihdr(1<<31, 1, 8, 6)...),
			chunk("IDAT", nil)...), picture.ErrCorrupt},
		"png of 5000 chunks": {append(chunks, chunk("IEND", nil)...), picture.ErrTooLarge},
		"png chunk beyond the file": {append(append([]byte(pngMagic), ihdr(8, 8, 8, 6)...), 0xff, 0xff, 0xff,
			0xff, 'I', 'D', 'A', 'T', 0, 0, 0, 0), picture.ErrCorrupt},
		"png with indices beyond its palette": {badIndex(t, 300), nil},
		"gif of 10000 frames":                 {manyFrames(t, 10_000), nil},
		"gif of 65535×65535":                  {gifHeader, picture.ErrTooLarge},
		"gif that claims 4096×4096":           {gifClaim, picture.ErrCorrupt},
		"gif of endless comments": {append(append([]byte(nil), gifHeader[:6]...),
			append([]byte("\x10\x00\x10\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff"),
				bytes.Repeat([]byte("\x21\xfe\x01x\x00"), 900_000)...)...), picture.ErrCorrupt},
		"webp of 16384×16384": {riff(webpChunk("VP8L", bigLossless...)), picture.ErrTooLarge},
		"webp canvas of 2^24": {riff(webpChunk("VP8X", 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
			webpChunk("VP8 ", vp8(16, 16)...)), picture.ErrTooLarge},
		"webp small canvas, large frame": {riff(webpChunk("VP8X", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
			webpChunk("VP8L", bigLossless...)), picture.ErrCorrupt},
		"webp of 5000 chunks": {riff(webpChunk("VP8 ", vp8(16, 16)...),
			bytes.Repeat(webpChunk("XXXX"), 5000)), picture.ErrTooLarge},
		"webp animation of frames in frames": {riff(webpChunk("VP8X", 2, 0, 0, 0, 7, 0, 0, 7, 0, 0),
			bytes.Repeat(webpChunk("ANMF", make([]byte, 24)...), 4000)), picture.ErrCorrupt},
		"ico of 62 bytes that claims 3 GB": {icoFile(
			entry{size: 40, offset: 22, body: dibHeader(28000, 56000, 32, 0, 0)}), picture.ErrTooLarge},
	}
}

// TestDecode_hostileFiles_areCheap holds what a file may cost that is refused, and the drawn ones among those that
// are meant to hurt: 64 MiB in all, garbage included. Time is bounded by the same: work that takes long takes memory
// or scans, and those are counted.
func TestDecode_hostileFiles_areCheap(t *testing.T) {
	const limit = 64 << 20
	decoder := picture.NewDecoder(picture.Config{})
	for name, tt := range hostile(t) {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			img, facts, err := decoder.Decode(context.Background(), tt.file, picture.Want{})
			runtime.ReadMemStats(&after)
			if !errors.Is(err, tt.err) || (img == nil) != (tt.err != nil) {
				t.Errorf("got %v, want %v", err, tt.err)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > limit {
				t.Errorf("%d bytes cost %d MiB", len(tt.file), used>>20)
			}
			if tt.err == nil && (facts.Width != img.Rect.Dx() || facts.Width < 64) {
				t.Errorf("facts %+v", facts)
			}
		})
	}
	if n := len(claimJPEG(16000, 16000)); n != 38 {
		t.Errorf("the JPEG of 38 bytes has %d", n)
	}
}

func TestDecode_paletteIndexOutOfRange_isBlack(t *testing.T) {
	got, _ := decode(t, badIndex(t, 300), picture.Want{})
	for x, want := range []color.NRGBA{{255, 0, 0, 255}, {0, 255, 0, 128}, {0, 0, 0, 255}, {0, 0, 0, 255}} {
		if c := got.NRGBAAt(x, 0); c != want {
			t.Errorf("index %d is %v, want %v", x, c, want)
		}
	}
}
