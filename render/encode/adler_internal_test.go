package encode

import (
	"bytes"
	"hash/adler32"
	"testing"
)

// The checksum is that of the standard library, at every length about a block and for the bytes that fill lanes most.
func TestAdler_anyLength_equalsStandardLibrary(t *testing.T) {
	b := make([]byte, 5<<20)
	for i := range b {
		b[i] = 255
	}
	check := func(b []byte) {
		t.Helper()
		if got, want := adler(adlerStart, b), adler32.Checksum(b); got != want {
			t.Fatalf("%d bytes: %08x, want %08x", len(b), got, want)
		}
		if got, want := adler(adlerZero, b[1:]), adler32.Checksum(append([]byte{0}, b[1:]...)); got != want {
			t.Fatalf("%d bytes after a zero: %08x, want %08x", len(b)-1, got, want)
		}
	}
	check(b)
	for i := range b {
		b[i] = uint8(i * i >> 7)
	}
	check(b)
	for n := range 600 {
		check(b[1000 : 1001+n])
	}
}

// The checksum of what follows any bytes is that of the standard library over both.
func FuzzAdler(f *testing.F) {
	f.Add([]byte{1, 2, 3}, uint16(200), uint8(255))
	f.Add([]byte{255}, uint16(5000), uint8(255))
	f.Fuzz(func(t *testing.T, data []byte, more uint16, value uint8) {
		all := append(bytes.Clone(data), bytes.Repeat([]byte{value}, int(more))...)
		all = append(all, data...)
		for _, at := range []int{0, len(data) / 2, len(data), len(all)} {
			if got, want := adler(adler(adlerStart, all[:at]), all[at:]), adler32.Checksum(all); got != want {
				t.Fatalf("%d bytes and %d: %08x, want %08x", at, len(all)-at, got, want)
			}
		}
	})
}

func BenchmarkAdler(b *testing.B) {
	raw := make([]byte, 1201*630)
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		adler(adlerStart, raw)
	}
}
