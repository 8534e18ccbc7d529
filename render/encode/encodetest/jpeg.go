// Package encodetest has the slow twins of the encoders, for tests: a reader of JPEG files that shows each coefficient,
// an encoder that follows the definitions, and a reader of deflate streams that shows each match.
//
//	encodetest.JPEG(t, img, text, file) // each block of the file is that of a baseline encoder
//
// It knows nothing of package encode: what both have wrong in the same way is not wrong by accident.
package encodetest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
)

// Block is the quantized coefficients of 8×8 samples, in natural order: eight to a row, frequency 0 first.
type Block [64]int

// Coefficients is what a baseline JPEG of three components holds.
type Coefficients struct {
	Size image.Point
	Half bool // chrominance has half the resolution (4:2:0)
	// Steps are the quantization tables of luminance and chrominance, in natural order.
	Steps [2][64]int
	// Blocks are those of Y, Cb and Cr in rows of Columns blocks, with those that only fill the last units.
	Blocks  [3][]Block
	Columns [3]int
}

// zigzag holds the place in the block of each coefficient of the file. Source: ITU T.81, figure A.6.
var zigzag = func() (order [64]int) {
	x, y := 0, 0
	for i := range order {
		order[i] = 8*y + x
		switch up := (x+y)%2 == 0; {
		case up && x == 7, !up && y < 7 && x == 0:
			y++
		case up && y == 0, !up && y == 7:
			x++
		case up:
			x, y = x+1, y-1
		default:
			x, y = x-1, y+1
		}
	}
	return order
}()

// codes are the Huffman codes of a table: of each length the first one, how many there are, and their values.
type codes struct {
	first, count [17]int
	values       [17][]int
}

// reader reads the scan of a JPEG bit by bit.
type reader struct {
	data []byte
	at   int // in bits
}

var errShort = errors.New("the scan ends early")

func (r *reader) bit() (int, error) {
	if r.at >= 8*len(r.data) {
		return 0, errShort
	}
	v := int(r.data[r.at/8]) >> (7 - r.at%8) % 2
	r.at++
	return v, nil
}

// value reads the code of a value.
func (r *reader) value(c *codes) (int, error) {
	v := 0
	for n := 1; n <= 16; n++ {
		b, err := r.bit()
		if err != nil {
			return 0, err
		}
		v = 2*v + b
		if i := v - c.first[n]; i >= 0 && i < c.count[n] {
			return c.values[n][i], nil
		}
	}
	return 0, fmt.Errorf("no code begins with %016b", v)
}

// signed reads a number of so many bits. Source: ITU T.81, F.2.2.1.
func (r *reader) signed(size int) (int, error) {
	v := 0
	for range size {
		b, err := r.bit()
		if err != nil {
			return 0, err
		}
		v = 2*v + b
	}
	if size > 0 && v < 1<<(size-1) {
		v -= 1<<size - 1
	}
	return v, nil
}

// block reads the coefficients of a block, the first one less that of the block before.
func (r *reader) block(dc, ac *codes) (b Block, err error) {
	size, err := r.value(dc)
	if err != nil {
		return b, err
	}
	if b[0], err = r.signed(size); err != nil {
		return b, err
	}
	for k := 1; k < 64; k++ {
		v, err := r.value(ac)
		if err != nil {
			return b, err
		}
		run, size := v/16, v%16
		if size == 0 && run != 15 {
			if run == 0 {
				break
			}
			return b, fmt.Errorf("value %#x in a baseline scan", v)
		}
		if k += run; k > 63 {
			return b, errors.New("a run passes the end of its block")
		}
		if size == 0 {
			continue
		}
		if b[zigzag[k]], err = r.signed(size); err != nil {
			return b, err
		}
	}
	return b, nil
}

// ReadJPEG takes apart a baseline JPEG of three components, without restart intervals, whose chrominance has the full
// resolution or half of it. Source: ITU T.81, annexes B and F.2.
func ReadJPEG(data []byte) (*Coefficients, error) {
	c := &Coefficients{}
	var tables [2][2]codes // by class and destination
	if len(data) < 4 || data[0] != 0xff || data[1] != 0xd8 {
		return nil, errors.New("no JPEG")
	}
	for at := 2; at+4 <= len(data); {
		marker, n := data[at+1], int(binary.BigEndian.Uint16(data[at+2:]))
		if data[at] != 0xff || n < 2 || at+2+n > len(data) {
			return nil, fmt.Errorf("no segment at %d", at)
		}
		s := data[at+4 : at+2+n]
		at += 2 + n
		switch marker {
		case 0xdb:
			for ; len(s) >= 65; s = s[65:] {
				for z, step := range s[1:65] {
					c.Steps[s[0]&1][zigzag[z]] = int(step)
				}
			}
		case 0xc4:
			for len(s) >= 17 {
				var err error
				if s, err = readCodes(s, &tables[s[0]>>4&1][s[0]&1]); err != nil {
					return nil, err
				}
			}
		case 0xc0:
			if len(s) != 15 || s[0] != 8 || s[5] != 3 {
				return nil, errors.New("no frame of three components of 8 bits")
			}
			c.Size = image.Pt(int(binary.BigEndian.Uint16(s[3:])), int(binary.BigEndian.Uint16(s[1:])))
			c.Half = s[7] == 0x22
		case 0xda:
			return c, c.scan(data[at:], &tables)
		}
	}
	return nil, errors.New("no scan")
}

// readCodes reads a Huffman table, and returns what follows it. Source: ITU T.81, annex C.
func readCodes(s []byte, c *codes) (rest []byte, err error) {
	count, values, first := s[1:17], s[17:], 0
	for i, n := range count {
		if len(values) < int(n) {
			return nil, errors.New("a Huffman table is cut off")
		}
		c.first[i+1], c.count[i+1], c.values[i+1] = first, int(n), nil
		for _, v := range values[:n] {
			c.values[i+1] = append(c.values[i+1], int(v))
		}
		first, values = 2*(first+int(n)), values[n:]
	}
	return values, nil
}

// scan reads all blocks, and looks that nothing but filling and the end of the image follows them.
func (c *Coefficients) scan(data []byte, tables *[2][2]codes) error {
	plain := make([]byte, 0, len(data))
	end := 0
	for end+1 < len(data) && (data[end] != 0xff || data[end+1] == 0) {
		plain = append(plain, data[end])
		if end++; data[end-1] == 0xff {
			end++
		}
	}
	if string(data[end:]) != "\xff\xd9" {
		return fmt.Errorf("the scan is followed by % x", data[end:])
	}
	unit, per := 8, 1
	if c.Half {
		unit, per = 16, 2
	}
	across, down := (c.Size.X+unit-1)/unit, (c.Size.Y+unit-1)/unit
	c.Columns = [3]int{across * per, across, across}
	for i := range c.Blocks {
		c.Blocks[i] = make([]Block, 0, across*down)
	}
	c.Blocks[0] = make([]Block, across*down*per*per)
	r := &reader{data: plain}
	var last [3]int
	read := func(component int) (Block, error) {
		table := min(component, 1)
		b, err := r.block(&tables[0][table], &tables[1][table])
		b[0] += last[component]
		last[component] = b[0]
		return b, err
	}
	for u := range across * down {
		for i := range per * per {
			b, err := read(0)
			if err != nil {
				return fmt.Errorf("unit %d: %w", u, err)
			}
			x, y := u%across*per+i%per, u/across*per+i/per
			c.Blocks[0][y*c.Columns[0]+x] = b
		}
		for component := 1; component < 3; component++ {
			b, err := read(component)
			if err != nil {
				return fmt.Errorf("unit %d: %w", u, err)
			}
			c.Blocks[component] = append(c.Blocks[component], b)
		}
	}
	for left := 8*len(plain) - r.at; left > 0; left-- {
		if b, _ := r.bit(); left > 7 || b != 1 {
			return fmt.Errorf("%d bits follow the last block", left)
		}
	}
	return nil
}
