package picture_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"testing"
	"time"

	"github.com/disintegration/imaging"
	"golang.org/x/sync/errgroup"

	"masthead/pkg/picture"
)

func decode(t testing.TB, data []byte, want picture.Want) (*image.NRGBA, picture.Facts) {
	t.Helper()
	img, facts, err := picture.NewDecoder(picture.Config{}).Decode(context.Background(), data, want)
	if err != nil {
		t.Fatalf("decode: %v", err)
	}
	if img.Rect.Min != (image.Point{}) || facts.Width != img.Rect.Dx() || facts.Height != img.Rect.Dy() {
		t.Fatalf("facts say %d×%d, the picture is %v", facts.Width, facts.Height, img.Rect)
	}
	return img, facts
}

// same fails unless every channel of got is within tolerance of want, colors of invisible pixels left aside.
func same(t *testing.T, got *image.NRGBA, want image.Image, tolerance int) {
	t.Helper()
	bounds := want.Bounds()
	if got.Rect.Size() != bounds.Size() {
		t.Fatalf("got %v, want %v", got.Rect, bounds)
	}
	for y := range bounds.Dy() {
		for x := range bounds.Dx() {
			g := got.NRGBAAt(x, y)
			w := color.NRGBAModel.Convert(want.At(bounds.Min.X+x, bounds.Min.Y+y)).(color.NRGBA)
			if g.A == 0 && w.A == 0 {
				continue
			}
			for i, pair := range [4][2]uint8{{g.R, w.R}, {g.G, w.G}, {g.B, w.B}, {g.A, w.A}} {
				if d := int(pair[0]) - int(pair[1]); d > tolerance || d < -tolerance {
					t.Fatalf("pixel %d,%d channel %d: got %v, want %v", x, y, i, g, w)
				}
			}
		}
	}
}

func onto[T draw.Image](dst T, src image.Image) T {
	draw.Draw(dst, dst.Bounds(), src, src.Bounds().Min, draw.Src)
	return dst
}

func TestDecode_picture_givesThePixelsThatWereEncoded(t *testing.T) {
	opaque, glassy := motley(37, 23, false), motley(37, 23, true)
	r := opaque.Rect
	colors := color.Palette{color.NRGBA{}, color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 120, 255, 128},
		color.NRGBA{250, 250, 250, 255}}
	paletted := image.NewPaletted(r, colors)
	for i := range paletted.Pix {
		paletted.Pix[i] = uint8(i % len(colors))
	}
	for name, img := range map[string]image.Image{
		"nrgba": glassy, "rgba": onto(image.NewRGBA(r), opaque), "grey": onto(image.NewGray(r), opaque), "palette": paletted,
		"grey16": onto(image.NewGray16(r), opaque), "nrgba64": onto(image.NewNRGBA64(r), glassy),
		"rgba64": onto(image.NewRGBA64(r), opaque),
	} {
		t.Run("png "+name, func(t *testing.T) {
			got, facts := decode(t, pngFile(t, img), picture.Want{})
			same(t, got, img, 1) // 16-bit values are cut, not rounded
			if want := map[bool]picture.Tristate{true: picture.No, false: picture.Yes}[got.Opaque()]; facts.Alpha != want {
				t.Errorf("alpha %v, want %v", facts.Alpha, want)
			}
		})
	}
	smooth := imaging.Blur(opaque, 4)
	for name, img := range map[string]image.Image{"ycbcr": smooth, "grey": onto(image.NewGray(r), smooth)} {
		t.Run("jpeg "+name, func(t *testing.T) {
			got, _ := decode(t, jpegFile(t, img), picture.Want{})
			same(t, got, img, 12)
		})
	}
	t.Run("gif", func(t *testing.T) {
		file := gifFile(t, &gif.GIF{Image: []*image.Paletted{paletted}, Delay: []int{0}})
		want := image.NewPaletted(r, color.Palette{color.NRGBA{}, colors[1], color.NRGBA{0, 60, 128, 255}, colors[3]})
		copy(want.Pix, paletted.Pix)
		got, _ := decode(t, file, picture.Want{})
		same(t, got, want, 1)
	})
}

func TestDecode_jpegColorSpaces_converted(t *testing.T) {
	for _, tt := range []struct {
		name   string
		values []byte
		adobe  int
		want   color.NRGBA
	}{
		{"grey", []byte{90}, -1, color.NRGBA{90, 90, 90, 255}},
		{"ycbcr", []byte{76, 85, 255}, -1, color.NRGBA{254, 0, 0, 255}},
		{"rgb", []byte{200, 100, 50}, 0, color.NRGBA{200, 100, 50, 255}},
		// Adobe stores ink inverted: 255 is none. Half of the black takes half of the light.
		{"cmyk", []byte{255, 0, 255, 255}, 0, color.NRGBA{255, 0, 255, 255}},
		{"cmyk with black", []byte{255, 255, 255, 128}, 0, color.NRGBA{128, 128, 128, 255}},
		// Of YCCK the colors are those of the ink turned over twice: what reads as red is cyan.
		{"ycck", []byte{76, 85, 255, 255}, 2, color.NRGBA{1, 255, 255, 255}},
	} {
		for _, extra := range []int{-1, 0, 3} {
			got, facts := decode(t, flatJPEG(19, 11, tt.values, tt.adobe, extra), picture.Want{})
			want := image.NewNRGBA(image.Rect(0, 0, 19, 11))
			draw.Draw(want, want.Rect, image.NewUniform(tt.want), image.Point{}, draw.Src)
			same(t, got, want, 3)
			if facts.Alpha != picture.No || facts.Format != picture.JPEG {
				t.Errorf("%s: facts %+v", tt.name, facts)
			}
		}
	}
}

// turned are the operations that set a stored picture upright, by orientation, in the words of another library.
var turned = [9]func(image.Image) *image.NRGBA{
	1: imaging.Clone, 2: imaging.FlipH, 3: imaging.Rotate180, 4: imaging.FlipV,
	5: imaging.Transpose, 6: imaging.Rotate270, 7: imaging.Transverse, 8: imaging.Rotate90,
}

func TestDecode_orientations_applied(t *testing.T) {
	stored := motley(31, 17, true)
	smooth := imaging.Blur(motley(48, 32, false), 5)
	frame := vp8l(31, 17, func(x, y int) int { return (x*y + x) % 2 })
	plain, _ := decode(t, riff(webpChunk("VP8L", frame...)), picture.Want{})
	for orientation := uint16(1); orientation <= 8; orientation++ {
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			block := exif(orientation, order)
			for name, tt := range map[string]struct {
				file   []byte
				stored image.Image
				off    int
			}{
				"png":  {insert(pngFile(t, stored), 33, chunk("eXIf", block)...), stored, 0},
				"jpeg": {insert(jpegFile(t, smooth), 2, segment(0xe1, append([]byte("Exif\x00\x00"), block...)...)...), smooth, 12},
				"webp": {riff(webpChunk("VP8X", 1<<3, 0, 0, 0, 30, 0, 0, 16, 0, 0), webpChunk("VP8L", frame...),
					webpChunk("EXIF", block...)), plain, 0},
			} {
				got, facts := decode(t, tt.file, picture.Want{})
				same(t, got, turned[orientation](tt.stored), tt.off)
				head, err := picture.Inspect(tt.file)
				if err != nil || head.Orientation != int(orientation) || facts.Orientation != int(orientation) {
					t.Errorf("%s %d: header says %+v (%v), decode %+v", name, orientation, head, err, facts)
				}
				if head.Width != got.Rect.Dx() || head.Height != got.Rect.Dy() {
					t.Errorf("%s %d: header says %d×%d, drawn %v", name, orientation, head.Width, head.Height, got.Rect)
				}
			}
		}
	}
	t.Run("out of range", func(t *testing.T) {
		for _, orientation := range []uint16{0, 9, 65535} {
			got, facts := decode(t, insert(pngFile(t, stored), 33, chunk("eXIf", exif(orientation, binary.BigEndian))...),
				picture.Want{})
			same(t, got, stored, 0)
			if facts.Orientation != 1 {
				t.Errorf("orientation %d gives %d", orientation, facts.Orientation)
			}
		}
	})
}

func TestDecode_webp_givesItsPixels(t *testing.T) {
	pattern := func(x, y int) int { return (x/2 + y) % 2 }
	want := image.NewNRGBA(image.Rect(0, 0, 13, 9))
	for y := range 9 {
		for x := range 13 {
			want.SetNRGBA(x, y, [2]color.NRGBA{{10, 20, 30, 255}, {10, 200, 30, 128}}[pattern(x, y)])
		}
	}
	frame := webpChunk("VP8L", vp8l(13, 9, pattern)...)
	extended := webpChunk("VP8X", 1<<4, 0, 0, 0, 12, 0, 0, 8, 0, 0)
	t.Run("lossless", func(t *testing.T) {
		got, facts := decode(t, riff(frame), picture.Want{})
		same(t, got, want, 0)
		if facts.Alpha != picture.Yes || facts.Animated != picture.No {
			t.Errorf("facts %+v", facts)
		}
	})
	t.Run("with profile and text", func(t *testing.T) {
		got, _ := decode(t, riff(extended, webpChunk("ICCP", 1, 2, 3), frame, webpChunk("XMP ", 1)), picture.Want{})
		same(t, got, want, 0)
	})
	t.Run("first frame of an animation", func(t *testing.T) {
		canvas := webpChunk("VP8X", 1<<1|1<<4, 0, 0, 0, 19, 0, 0, 14, 0, 0)
		// The frame lies at 4, 2 on a canvas of 20×15.
		first := webpChunk("ANMF", append([]byte{2, 0, 0, 1, 0, 0, 12, 0, 0, 8, 0, 0, 100, 0, 0, 0}, frame...)...)
		second := webpChunk("ANMF", make([]byte, 16)...)
		got, facts := decode(t, riff(canvas, webpChunk("ANIM", 0, 0, 0, 0, 0, 0), first, second), picture.Want{})
		placed := image.NewNRGBA(image.Rect(0, 0, 20, 15))
		draw.Draw(placed, image.Rect(4, 2, 17, 11), want, image.Point{}, draw.Src)
		same(t, got, placed, 0)
		if facts.Animated != picture.Yes {
			t.Errorf("facts %+v", facts)
		}
	})
	t.Run("lossy with alpha", func(t *testing.T) {
		alpha := make([]byte, 1, 1+20*12) // raw, unfiltered
		for i := range 20 * 12 {
			alpha = append(alpha, byte(i))
		}
		head := webpChunk("VP8X", 1<<4, 0, 0, 0, 19, 0, 0, 11, 0, 0)
		got, _ := decode(t, riff(head, webpChunk("ALPH", alpha...), webpChunk("VP8 ", vp8(20, 12)...)), picture.Want{})
		for i := range 20 * 12 {
			c := got.NRGBAAt(i%20, i/20)
			if c.A != byte(i) || c.R < 100 || c.R > 160 || c.R != c.G && c.R > c.G+2 {
				t.Fatalf("pixel %d is %v", i, c)
			}
		}
		opaque, facts := decode(t, riff(webpChunk("VP8 ", vp8(20, 12)...)), picture.Want{})
		if !opaque.Opaque() || facts.Alpha != picture.No {
			t.Errorf("without alpha: %+v", facts)
		}
	})
}

func TestDecode_gif_givesTheFirstFrame(t *testing.T) {
	colors := color.Palette{color.NRGBA{}, color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 0, 255, 255}}
	first := image.NewPaletted(image.Rect(3, 2, 9, 8), colors)
	for i := range first.Pix {
		first.Pix[i] = uint8(i % 3)
	}
	second := image.NewPaletted(image.Rect(0, 0, 12, 10), colors)
	file := gifFile(t, &gif.GIF{Image: []*image.Paletted{first, second}, Delay: []int{1, 1},
		Config: image.Config{Width: 12, Height: 10, ColorModel: colors}})
	got, facts := decode(t, file, picture.Want{})
	want := image.NewNRGBA(image.Rect(0, 0, 12, 10))
	draw.Draw(want, first.Rect, first, first.Rect.Min, draw.Src)
	same(t, got, want, 0)
	if facts.Animated != picture.Yes || facts.Alpha != picture.Yes {
		t.Errorf("facts %+v", facts)
	}
	// A second frame that is damaged is no reason to lose the first.
	got, _ = decode(t, file[:len(file)-20], picture.Want{})
	same(t, got, want, 0)
}

func TestDecode_metadata_leftBehind(t *testing.T) {
	secret := []byte("51.5007 N 0.1246 W")
	img := motley(20, 20, false)
	for name, file := range map[string][]byte{
		"jpeg": insert(jpegFile(t, img), 2, append(segment(0xe1, append([]byte("Exif\x00\x00"), secret...)...),
			segment(0xfe, secret...)...)...),
		// The second has a wrong checksum: it is never looked at.
		"png": insert(pngFile(t, img), 33, append(chunk("tEXt", secret), append(chunk("zTXt", secret)[:12+len(secret)-4], 0,
			0, 0, 0)...)...),
	} {
		got, _ := decode(t, file, picture.Want{})
		if bytes.Contains(got.Pix, secret) || got.Rect.Dx() != 20 {
			t.Errorf("%s: %v", name, got.Rect)
		}
	}
}

func TestDecode_outOfBounds_refused(t *testing.T) {
	decoder := picture.NewDecoder(picture.Config{})
	small := pngFile(t, motley(9, 9, false))
	for _, tt := range []struct {
		name string
		data []byte
		want picture.Want
		err  error
	}{
		{"nothing", nil, picture.Want{}, picture.ErrUnknown},
		{"text", []byte("hello, this is no picture"), picture.Want{}, picture.ErrUnknown},
		{"a page", []byte("<!DOCTYPE html><html><svg></svg></html>"), picture.Want{}, picture.ErrUnknown},
		{"svg without an engine", []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), picture.Want{}, picture.ErrUnsupported},
		{"bmp", append(append([]byte("BM"), make([]byte, 12)...), dibHeader(4, 4, 24, 0, 0)...), picture.Want{},
			picture.ErrUnsupported},
		{"tiff", []byte("II*\x00\x08\x00\x00\x00\x00\x00"), picture.Want{}, picture.ErrUnsupported},
		{"avif", []byte("\x00\x00\x00\x14ftypavif\x00\x00\x00\x00mif1"), picture.Want{}, picture.ErrUnsupported},
		{"too long", small, picture.Want{MaxBytes: len(small) - 1}, picture.ErrTooLarge},
		{"png cut", small[:len(small)/2], picture.Want{}, picture.ErrCorrupt},
		{"jpeg cut", jpegFile(t, motley(64, 64, false))[:900], picture.Want{}, picture.ErrCorrupt},
		{"jpeg of 12 bits", append([]byte{0xff, 0xd8}, segment(0xc1, 12, 0, 8, 0, 8, 1, 1, 0x11, 0)...), picture.Want{},
			picture.ErrUnsupported},
		{"cmyk jpeg that does not say how", flatJPEG(9, 9, []byte{1, 2, 3, 4}, -1, -1), picture.Want{},
			picture.ErrUnsupported},
		{"lossless jpeg", append([]byte{0xff, 0xd8}, segment(0xc3, 8, 0, 8, 0, 8, 1, 1, 0x11, 0)...), picture.Want{},
			picture.ErrUnsupported},
		{"webp of another size", riff(webpChunk("VP8X", 0, 0, 0, 0, 9, 0, 0, 9, 0, 0), webpChunk("VP8 ", vp8(20, 12)...)),
			picture.Want{}, picture.ErrCorrupt},
	} {
		img, _, err := decoder.Decode(context.Background(), tt.data, tt.want)
		if !errors.Is(err, tt.err) || img != nil || picture.Transient(err) {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.err)
		}
	}
}

func TestDecode_bytesThatAreNoPicture_lookedPast(t *testing.T) {
	img := flat(40, 30, color.NRGBA{90, 90, 90, 255})
	scans := bytes.Repeat([]byte{0xff, 0xda}, 2000)
	sound := flatJPEG(40, 30, []byte{90}, -1, 5)
	for name, file := range map[string][]byte{
		"scans in a profile":           insert(sound, 2, segment(0xe2, scans...)...),
		"a second picture behind":      append(append([]byte(nil), sound...), scans...),
		"no end of image":              sound[:len(sound)-2],
		"fill bytes and stray ones":    insert(sound, 71, 0x00, 0x17, 0xff, 0xff), // behind the first table
		"a thumbnail in another block": insert(sound, 2, segment(0xe1, append([]byte("Exif\x00\x00"), sound...)...)...),
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := decode(t, file, picture.Want{})
			same(t, got, img, 1)
		})
	}
}

func TestDecode_restartMarkers_followed(t *testing.T) {
	one := flatJPEG(8, 8, []byte{90}, -1, -1)
	sos := bytes.Index(one, []byte{0xff, 0xda})
	scan := one[sos+10 : len(one)-2]
	wide := append([]byte(nil), one[:sos]...)
	wide[bytes.Index(wide, []byte{0xff, 0xc0})+8] = 24
	wide = append(append(wide, segment(0xdd, 0, 1)...), one[sos:sos+10]...)
	wide = append(wide, bytes.Join([][]byte{scan, {0xff, 0xd0}, scan, {0xff, 0xd1}, scan, {0xff, 0xd9}}, nil)...)
	got, _ := decode(t, wide, picture.Want{})
	same(t, got, flat(24, 8, color.NRGBA{90, 90, 90, 255}), 1)
}

func TestDecode_manyAtOnce_allServed(t *testing.T) {
	decoder := picture.NewDecoder(picture.Config{Wait: time.Minute, Deadline: time.Minute})
	files := [][]byte{
		pngFile(t, motley(60, 40, true)), jpegFile(t, motley(60, 40, false)),
		riff(webpChunk("VP8L", vp8l(60, 40, func(x, y int) int { return x & 1 })...)),
		icoFile(entry{body: pngFile(t, motley(60, 40, true))}), claimJPEG(16000, 16000),
	}
	var group errgroup.Group
	for i := range 100 {
		group.Go(func() error {
			file := files[i%len(files)]
			img, _, err := decoder.Decode(context.Background(), file, picture.Want{})
			if i%len(files) == 4 {
				if !errors.Is(err, picture.ErrTooLarge) {
					return fmt.Errorf("hostile: %w", err)
				}
				return nil
			}
			if err == nil && img.Rect.Dx() != 60 {
				return fmt.Errorf("got %v", img.Rect)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := decoder.Decode(canceled, files[0], picture.Want{}); !errors.Is(err, context.Canceled) ||
		!picture.Transient(err) {
		t.Errorf("canceled: %v", err)
	}
}

func TestDecode_memory_asPlanned(t *testing.T) {
	decoder := picture.NewDecoder(picture.Config{MaxBytes: 16 << 20})
	// The result takes 4 bytes a pixel, the plane of greys 1: 13.8 MiB at 1700, 19.1 at 2000.
	for side, want := range map[int]error{1000: nil, 1700: nil, 2000: picture.ErrTooLarge} {
		_, _, err := decoder.Decode(context.Background(), flatJPEG(side, side, []byte{90}, -1, -1), picture.Want{})
		if !errors.Is(err, want) {
			t.Errorf("%d: got %v, want %v", side, err, want)
		}
	}
}
