package picture_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"testing"

	"masthead/pkg/picture"
)

func TestDecode_icoOfEachDepth_givesItsPixels(t *testing.T) {
	colors := []color.NRGBA{{0, 0, 0, 255}, {250, 250, 250, 255}, {200, 30, 40, 255}, {10, 90, 220, 255}}
	for _, bits := range []int{1, 4, 8, 24, 32} {
		for _, w := range []int{1, 7, 16, 33} {
			t.Run(fmt.Sprintf("%d bits, %d wide", bits, w), func(t *testing.T) {
				palette := colors[:min(len(colors), 1<<bits)]
				img := image.NewNRGBA(image.Rect(0, 0, w, 5))
				for i := range w * 5 {
					c := palette[i*7%len(palette)]
					if i%5 == 3 {
						c = color.NRGBA{A: 0} // masked, or alpha 0
					}
					if bits == 32 && i%5 == 1 {
						c.A = 77
					}
					img.SetNRGBA(i%w, i/w, c)
				}
				if bits > 8 {
					palette = nil
				}
				got, facts := decode(t, icoFile(entry{w: byte(w), h: 5, body: dibFile(img, bits, palette)}), picture.Want{})
				same(t, got, img, 0)
				if facts.Format != picture.ICO {
					t.Errorf("facts %+v", facts)
				}
			})
		}
	}
}

func TestDecode_icoVariants_decoded(t *testing.T) {
	img := motley(8, 8, false)
	img.SetNRGBA(2, 3, color.NRGBA{})
	whole := dibFile(img, 24, nil)
	unmasked := motley(8, 8, false)
	unmasked.SetNRGBA(2, 3, color.NRGBA{A: 255})
	t.Run("no mask", func(t *testing.T) {
		got, _ := decode(t, icoFile(entry{w: 8, h: 8, body: whole[:40+8*24]}), picture.Want{})
		same(t, got, unmasked, 0)
	})
	t.Run("from the top", func(t *testing.T) {
		flipped := append([]byte(nil), whole...)
		binary.LittleEndian.PutUint32(flipped[8:], 1<<32-16)
		want := image.NewNRGBA(img.Rect)
		for i := range 64 {
			want.SetNRGBA(i%8, 7-i/8, img.NRGBAAt(i%8, i/8))
		}
		got, _ := decode(t, icoFile(entry{w: 8, h: 8, body: flipped}), picture.Want{})
		same(t, got, want, 0)
	})
	t.Run("32 bits without any alpha", func(t *testing.T) {
		old := image.NewNRGBA(img.Rect)
		copy(old.Pix, img.Pix)
		body := dibFile(old, 32, nil)
		for i := 40 + 3; i < 40+8*8*4; i += 4 {
			body[i] = 0
		}
		got, _ := decode(t, icoFile(entry{w: 8, h: 8, body: body}), picture.Want{})
		same(t, got, img, 0)
	})
	t.Run("index beyond the palette", func(t *testing.T) {
		body := dibHeader(4, 4, 8, 0, 2)
		body = append(body, 0, 0, 255, 0, 0, 255, 0, 0) // red, green
		body = append(body, 0, 1, 2, 255, 1, 0, 200, 9) // rows from the bottom
		body = append(body, 0, 0, 0, 0, 0, 0, 0, 0)     // mask
		want := image.NewNRGBA(image.Rect(0, 0, 4, 2))
		red, green, black := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}, color.NRGBA{0, 0, 0, 255}
		for i, c := range []color.NRGBA{green, red, black, black, red, green, black, black} {
			want.SetNRGBA(i%4, i/4, c)
		}
		got, _ := decode(t, icoFile(entry{w: 4, h: 2, body: body}), picture.Want{})
		same(t, got, want, 0)
	})
	t.Run("png inside", func(t *testing.T) {
		big := motley(300, 300, true)
		got, facts := decode(t, icoFile(entry{body: pngFile(t, big)}), picture.Want{})
		same(t, got, big, 0)
		if facts.Width != 300 || facts.Alpha != picture.Yes {
			t.Errorf("facts %+v", facts)
		}
	})
}

func TestDecode_icoOfManySizes_takesTheOneThatFits(t *testing.T) {
	var entries []entry
	for _, side := range []int{32, 16, 256, 48} {
		entries = append(entries, entry{w: byte(side), h: byte(side), body: pngFile(t, motley(side, side, true))})
	}
	// Beside the 48 of 32 bits there is one of 4 bits, first in the file, and an entry that is damaged claims to fit
	// best.
	poor := image.NewNRGBA(image.Rect(0, 0, 48, 48))
	for i := range 48 * 48 {
		poor.SetNRGBA(i%48, i/48, color.NRGBA{A: 255})
	}
	entries = append([]entry{{w: 48, h: 48, body: dibFile(poor, 4, []color.NRGBA{{A: 255}})},
		{w: 64, h: 64, body: []byte("damaged")}}, entries...)
	file := icoFile(entries...)
	for side, want := range map[int]int{0: 256, 1: 16, 16: 16, 17: 32, 40: 48, 48: 48, 60: 256, 256: 256, 1000: 256} {
		got, facts := decode(t, file, picture.Want{Side: side})
		if got.Rect.Dx() != want {
			t.Errorf("for %d: got %d, want %d", side, got.Rect.Dx(), want)
		}
		if facts.Alpha != picture.Yes {
			t.Errorf("for %d: the poorer entry was taken", side)
		}
	}
	facts, err := picture.Inspect(file)
	if err != nil || facts.Width != 256 || facts.Height != 256 {
		t.Errorf("inspect: %+v, %v", facts, err)
	}
}

func TestDecode_hostileICO_refused(t *testing.T) {
	sound := dibFile(motley(8, 8, false), 24, nil)
	many := make([]entry, 65)
	for i := range many {
		many[i] = entry{w: 8, h: 8, size: 4, offset: 6}
	}
	many[64] = entry{w: 8, h: 8, body: sound} // the 65th is not read
	for _, tt := range []struct {
		name string
		file []byte
		err  error
	}{
		{"no entry", []byte{0, 0, 1, 0, 1, 0}, picture.ErrCorrupt},
		{"62 bytes that claim 3 GB", icoFile(entry{size: 40, offset: 22, body: dibHeader(28000, 56000, 32, 0, 0)}),
			picture.ErrTooLarge},
		{"claims within the bounds, without bytes", icoFile(
			entry{size: 40, offset: 22, body: dibHeader(4000, 8000, 1, 0, 0)}), picture.ErrCorrupt},
		{"size beyond the file", icoFile(entry{size: 1 << 31, offset: 22, body: sound}), picture.ErrCorrupt},
		{"offset and size wrap around", icoFile(entry{size: 1<<32 - 1, offset: 1<<32 - 1, body: sound}), picture.ErrCorrupt},
		{"offset into the directory", icoFile(entry{size: 40, offset: 3, body: sound}), picture.ErrCorrupt},
		{"more than 64 entries", icoFile(many...), picture.ErrCorrupt},
		{"least height of all", icoFile(entry{body: dibHeader(8, -1<<31, 32, 0, 0)}), picture.ErrTooLarge},
		{"negative width", icoFile(entry{body: dibHeader(-8, 16, 32, 0, 0)}), picture.ErrCorrupt},
		{"compressed", icoFile(entry{body: append(dibHeader(8, 16, 8, 1, 0), make([]byte, 4096)...)}),
			picture.ErrUnsupported},
		{"16 bits", icoFile(entry{body: append(dibHeader(8, 16, 16, 0, 0), make([]byte, 4096)...)}), picture.ErrUnsupported},
		{"palette of 2^30", icoFile(entry{body: append(dibHeader(8, 16, 8, 0, 1<<30), make([]byte, 4096)...)}),
			picture.ErrCorrupt},
		{"png that claims 20000×20000", icoFile(entry{body: append(append([]byte(pngMagic), ihdr(20000, 20000, 8, 6)...),
			chunk("IDAT", nil)...)}), picture.ErrTooLarge},
		{"jpeg inside", icoFile(entry{body: jpegFile(t, motley(8, 8, false))}), picture.ErrCorrupt},
	} {
		img, _, err := picture.NewDecoder(picture.Config{}).Decode(context.Background(), tt.file, picture.Want{})
		if !errors.Is(err, tt.err) || img != nil {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.err)
		}
	}
	if n := len(icoFile(entry{size: 40, offset: 22, body: dibHeader(28000, 56000, 32, 0, 0)})); n != 62 {
		t.Errorf("the file of 62 bytes has %d", n)
	}
}
