package encode

import (
	"bytes"
	"compress/zlib"
	"io"
	"math/rand/v2"
	"testing"
)

// Codes are complete, free of prefixes, and never longer than asked, even for frequencies that grow as Fibonacci's
// numbers do.
func TestHuffmanTable_anyFrequencies_isCompleteAndBounded(t *testing.T) {
	fibonacci := make([]uint32, 40)
	a, b := uint32(1), uint32(1)
	for i := range fibonacci {
		fibonacci[i], a, b = a, b, a+b
	}
	even := make([]uint32, 286)
	for i := range even {
		even[i] = 7
	}
	for name, c := range map[string]struct {
		freq    []uint32
		longest uint8
	}{
		"fibonacci": {fibonacci, 15}, "fibonacci, short": {fibonacci[:19], 7}, "even": {even, 15},
		"two": {[]uint32{0, 1, 0, 1 << 30}, 15},
	} {
		var table huffmanTable
		table.build(c.freq, c.longest, new(huffmanTree))
		sum := 0
		for s, f := range c.freq {
			l := table.length[s]
			if (f > 0) != (l > 0) || l > c.longest {
				t.Errorf("%s: symbol %d of frequency %d has a length of %d", name, s, f, l)
			}
			if l > 0 {
				sum += 1 << (16 - l)
			}
		}
		if sum != 1<<16 {
			t.Errorf("%s: the codes are not complete: %d", name, sum)
		}
	}
	var lone huffmanTable
	lone.build([]uint32{0, 0, 5}, 15, new(huffmanTree))
	if lone.length[2] != 1 {
		t.Errorf("a lone symbol has a length of %d", lone.length[2])
	}
	var none huffmanTable
	none.build(make([]uint32, 30), 15, new(huffmanTree))
}

// inflate compares what compress wrote with what went in, and its matches with those of its slow twin.
func inflate(t *testing.T, name string, raw []byte, row, pixel int) {
	t.Helper()
	in := append(bytes.Clone(raw), 1, 2, 3, 4, 5, 6, 7, 8)[:len(raw)]
	for _, e := range []effort{fastEffort, thoroughEffort} {
		inflateOnce(t, name, bitmap{raw: in, row: row, pixel: pixel}, e, raw)
		inflateOnce(t, name, bitmap{raw: in, row: row, pixel: pixel, unfiltered: true}, e, append([]byte{0}, raw...))
	}
}

func inflateOnce(t *testing.T, name string, in bitmap, e effort, want []byte) {
	t.Helper()
	d := deflaters.Get().(*deflater)
	out, ok := d.compress(nil, in, 0, e)
	deflaters.Put(d)
	if !ok {
		t.Fatalf("%s: given up without a limit", name)
	}
	z, err := zlib.NewReader(bytes.NewReader(out))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	back, err := io.ReadAll(z)
	if err != nil || !bytes.Equal(back, want) {
		t.Fatalf("%s, %+v: %v, %d bytes of %d", name, e, err, len(back), len(want))
	}
	checkDeflated(t, name, in, e, out)
}

// shifted returns rows that are the one above shifted by some bytes, with a change now and then, as gradients are.
func shifted(first []byte, rows, by int) (out []byte) {
	n := len(first)
	for y := range rows {
		for x := range n {
			out = append(out, first[((x+by*y)%n+n)%n])
		}
		out[y*n] = 0
		out[y*n+y*y*7%n]++
	}
	return out
}

func TestCompress_anyBytes_inflateToTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	few := make([]byte, 300_000)
	for i := range few {
		few[i] = byte(r.IntN(3))
	}
	far := append(append(bytes.Clone(noise[:40_000]), noise[:40_000]...), noise[5:32_800]...)
	for name, c := range map[string]struct {
		raw        []byte
		row, pixel int
	}{
		"nothing": {nil, 10, 1}, "one byte": {[]byte{7}, 2, 1}, "three bytes": {[]byte{7, 7, 7}, 2, 1},
		"zeros": {make([]byte, 1_000_000), 1201, 1},
		"noise": {noise, 3601, 3}, "few values": {few, 601, 1}, "far repeats": {far, 1 << 17, 4},
		"a match that ends near the end": {append([]byte("QWERxyxZ"), "0QWERxyxyxyxy"...), 20, 1},
		"ends of matches":                {make([]byte, 258*3+5), 3, 1},
		"a block":                        {noise[:blockTokens], 100, 1}, "a block less one": {noise[:blockTokens-1], 100, 1},
		"rows as long as the window":  {append(noise[:window:window], noise[:window]...), window - 1, 1},
		"rows longer than the window": {append(noise[:window+1:window+1], noise[:window+1]...), window + 1, 1},
		"shifted rows":                {shifted(noise[:701], 200, 1), 701, 1}, "rows shifted the other way": {shifted(noise[:802], 200, -4), 802, 4},
	} {
		inflate(t, name, c.raw, c.row, c.pixel)
	}
	for n := range 300 { // matches that end with the picture, at each length, before bytes that differ and that do not
		inflate(t, "a short end", append(bytes.Clone(noise[:50]), noise[:n%50]...), 50, 1)
		inflate(t, "an end", append([]byte{2, 3}, make([]byte, n)...), 40, 3)
		inflate(t, "an end of ones", append([]byte{3, 2}, bytes.Repeat([]byte{1}, n)...), 40, 3)
	}
	d := new(deflater)
	padded := append(bytes.Clone(noise), make([]byte, 8)...)[:len(noise)]
	if _, ok := d.compress(nil, bitmap{raw: padded, row: 3601, pixel: 3}, 1000, fastEffort); ok {
		t.Error("noise fits a kilobyte")
	}
	if len(d.tokens) != 0 {
		t.Error("a compressor that gave up is not clean")
	}
}

// Whatever goes in comes out of the standard library's reader.
func FuzzDeflate(f *testing.F) {
	f.Add([]byte("abcabcabcabcabcabcabc"), uint16(7), uint8(1), uint16(40))
	f.Add([]byte{0, 0, 0, 0, 0, 1}, uint16(13), uint8(3), uint16(900))
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, uint16(9), uint8(4), uint16(3))
	f.Fuzz(func(t *testing.T, data []byte, row uint16, pixel uint8, times uint16) {
		if len(data) == 0 || len(data) > 4096 {
			return
		}
		raw := make([]byte, 0, len(data)*8)
		for i := range int(times%512) + 1 { // repeats with a change now and then, as pictures have
			raw = append(raw, data...)
			raw[(i*31)%len(raw)] ^= byte(i)
		}
		p := int(pixel)%4 + 1
		inflate(t, "fuzz", raw, p+1+int(row), p)
	})
}
