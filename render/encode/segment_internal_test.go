package encode

import (
	"image"
	"math/rand/v2"
	"testing"
)

// writeTwins writes a picture with kept segments and without, and compares the bytes.
func writeTwins(t *testing.T, pix []uint8, size image.Point, text []image.Rectangle, a attempt) {
	t.Helper()
	fast, slow := &jpegWriter{text: text}, &jpegWriter{text: text, strips: true}
	fast.write(pix, 4*size.X, size, a)
	slow.write(pix, 4*size.X, size, a)
	if string(fast.bits.out) != string(slow.bits.out) {
		t.Fatalf("%v, %+v, text %v: bytes with kept segments differ from those without", size, a, text)
	}
}

// A picture that is edited again and again, as a card is over one photograph, has the bytes that it has when nothing is
// kept, whatever is before and after a kept segment.
func TestSegments_editedPicture_hasTheSameBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	sizes := []image.Point{{2*segmentWidth + 48, 41}, {segmentWidth, 32}, {segmentWidth + unitWidth, 16}, {48, 70}}
	for _, size := range sizes {
		for kind := range 3 {
			var pix []uint8
			for y := range size.Y { // flat on the left, noise on the right
				for x := range size.X {
					p := [4]uint8{40, 90, 200, 255}
					if x > size.X/2 && (x+y)%(2+kind) == 0 {
						p[0], p[1], p[2] = uint8(r.Uint32()), uint8(x), uint8(255*(y%2))
					}
					pix = append(pix, p[:]...)
				}
			}
			text := []image.Rectangle{image.Rect(5, 5, 40, 20)}
			for range 8 {
				for _, a := range []attempt{{MaxQuality, true}, {MaxQuality, false}, {MinQuality, true}} {
					writeTwins(t, pix, size, text, a)
					writeTwins(t, pix, size, []image.Rectangle{}, a)
				}
				at := 4 * r.IntN(size.X*size.Y)
				pix[at], pix[at+1] = uint8(r.Uint32()), uint8(r.Uint32())
			}
		}
	}
}

// What was written twice is kept, within the budget.
func TestSegments_writtenAgain_areKept(t *testing.T) {
	const w, h = 2 * segmentWidth, 16
	pix := plainNoise(rand.New(rand.NewPCG(5, 6)), w, h, 0).pix[:4*w*h]
	var writer jpegWriter
	key := writer.segmentKey(pix, 4*w, image.Rect(segmentWidth, 0, w, h), attempt{MaxQuality, true})
	for i := range 2 {
		if _, kept := segments.Get(key); kept {
			t.Fatalf("kept after %d times", i)
		}
		writer.write(pix, 4*w, image.Pt(w, h), attempt{MaxQuality, true})
	}
	kept, ok := segments.Get(key)
	if !ok {
		t.Fatal("not kept after two times")
	}
	pix[4*segmentWidth-4] ^= 255 // before it
	if k := writer.segmentKey(pix, 4*w, image.Rect(segmentWidth, 0, w, h), attempt{MaxQuality, true}); k != key {
		t.Error("the key depends on pixels before the segment")
	}
	pix[4*segmentWidth] ^= 255
	if k := writer.segmentKey(pix, 4*w, image.Rect(segmentWidth, 0, w, h), attempt{MaxQuality, true}); k == key {
		t.Error("the key doesn't depend on the pixels of the segment")
	}
	for i := range 2 * segmentBytes / (4*len(kept.words) + 64) { // others
		pix[0], pix[1], pix[2] = uint8(i), uint8(i>>8), uint8(i>>16)
		segments.Put(uint64(i), kept)
	}
	if _, ok := segments.Get(key); ok {
		t.Error("kept beyond the budget")
	}
}

// FuzzSegments compares kept segments of pictures made of any bytes with none.
func FuzzSegments(f *testing.F) {
	f.Add([]byte{0}, uint8(0), uint16(0))
	f.Add([]byte{255, 0, 0, 0, 255, 255, 7}, uint8(1), uint16(77))
	f.Fuzz(func(t *testing.T, data []byte, extra uint8, at uint16) {
		if len(data) == 0 {
			return
		}
		size := image.Pt(segmentWidth+unitWidth*(int(extra%3)), 8+int(extra/3%20))
		pix := make([]uint8, 4*size.X*size.Y)
		for i := range pix {
			pix[i] = data[i%len(data)]
		}
		for range 4 {
			for _, half := range []bool{true, false} {
				writeTwins(t, pix, size, []image.Rectangle{image.Rect(0, 0, int(extra), 9)}, attempt{MaxQuality, half})
			}
			pix[int(at)%len(pix)] ^= 85
		}
	})
}
