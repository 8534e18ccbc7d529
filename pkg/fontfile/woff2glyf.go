package fontfile

import "encoding/binary"

// This file restores the outlines of WOFF 2, which are stored as streams of numbers of a kind. Source: WOFF 2, 5.1.

// glyphStreams are the streams of the transformed table glyf.
type glyphStreams struct {
	contours, points, flags, glyphs, composites, boxes, instructions stream
	hasBox                                                           []byte // a bit for each glyph
	overlaps                                                         []byte // the same; nil if none overlaps
	out                                                              []byte
}

// restoreGlyphs restores glyf and loca, without instructions, and returns the left edges of the glyphs.
func (t tables) restoreGlyphs() (lefts []int, err error) {
	s := stream{rest: t["glyf"]}
	s.u16()
	options, count := s.u16(), s.u16()
	s.u16()
	var g glyphStreams
	var sizes [7]int
	for i := range sizes {
		sizes[i] = s.u32()
	}
	all := []*stream{&g.contours, &g.points, &g.flags, &g.glyphs, &g.composites, &g.boxes, &g.instructions}
	for i, of := range all {
		of.rest = s.bytes(sizes[i])
	}
	g.hasBox = g.boxes.bytes((count + 31) / 32 * 4)
	if options&1 != 0 {
		g.overlaps = s.bytes((count + 7) / 8)
	}
	if s.err != nil || g.boxes.err != nil {
		return nil, errBroken
	}
	offsets := make([]byte, 4, 4*count+4)
	lefts = make([]int, count)
	for i := range count {
		if lefts[i], err = g.glyph(i); err != nil {
			return nil, err
		}
		if len(g.out) > maxUnpacked {
			return nil, errUnpacked
		}
		g.out = append(g.out, make([]byte, -len(g.out)&3)...)
		offsets = binary.BigEndian.AppendUint32(offsets, uint32(len(g.out)))
	}
	for _, of := range all {
		if of.err != nil {
			return nil, of.err
		}
	}
	head := append([]byte(nil), t["head"]...)
	binary.BigEndian.PutUint16(head[50:], 1) // loca has four bytes for each glyph
	t["glyf"], t["loca"], t["head"] = g.out, offsets, head
	return lefts, nil
}

const composite = 0xffff

// glyph restores a glyph, and returns its left edge.
func (g *glyphStreams) glyph(i int) (left int, err error) {
	contours := g.contours.u16()
	if contours == 0 {
		if bit(g.hasBox, i) {
			return 0, errBroken
		}
		return 0, nil
	}
	begin := len(g.out)
	g.out = binary.BigEndian.AppendUint16(g.out, uint16(contours))
	g.out = append(g.out, make([]byte, 8)...) // the box
	hasBox := bit(g.hasBox, i)
	var box [8]byte
	if hasBox {
		copy(box[:], g.boxes.bytes(len(box)))
	}
	if contours == composite {
		if !hasBox {
			return 0, errBroken
		}
		g.composite()
	} else {
		drawn, err := g.simple(contours, bit(g.overlaps, i))
		if err != nil {
			return 0, err
		}
		if !hasBox {
			box = drawn
		}
	}
	copy(g.out[begin+2:], box[:])
	return int(int16(binary.BigEndian.Uint16(box[:]))), nil
}

func bit(bits []byte, i int) bool { return i/8 < len(bits) && bits[i/8]&(0x80>>(i%8)) != 0 }

// Flags of the parts of a glyph. Source: OpenType, glyf.
const (
	wordArguments   = 0x0001
	oneScale        = 0x0008
	moreParts       = 0x0020
	twoScales       = 0x0040
	fourScales      = 0x0080
	hasInstructions = 0x0100
)

// partSize is the size of a part after its flags and glyph.
func partSize(flags int) int {
	size := 2
	if flags&wordArguments != 0 {
		size = 4
	}
	switch {
	case flags&oneScale != 0:
		size += 2
	case flags&twoScales != 0:
		size += 4
	case flags&fourScales != 0:
		size += 8
	}
	return size
}

// composite restores a glyph that is made of glyphs.
func (g *glyphStreams) composite() {
	instructed := false
	for g.composites.err == nil {
		flags := g.composites.u16()
		instructed = instructed || flags&hasInstructions != 0
		g.out = binary.BigEndian.AppendUint16(g.out, uint16(flags&^hasInstructions))
		g.out = append(g.out, g.composites.bytes(2+partSize(flags))...)
		if flags&moreParts == 0 {
			break
		}
	}
	if instructed {
		g.instructions.bytes(g.glyphs.u255())
	}
}

// Flags of the points of a glyph. Source: OpenType, glyf.
const (
	onCurve, xShort, yShort       = 1, 2, 4
	xSameOrPositive, ySamePositve = 16, 32
	overlapSimple                 = 64
)

// simple restores a glyph of contours, and returns its box.
func (g *glyphStreams) simple(contours int, overlaps bool) (box [8]byte, err error) {
	total := 0
	for range contours {
		n := g.points.u255()
		if total += n; n == 0 || total > maxPoints || g.points.err != nil {
			return box, errBroken
		}
		g.out = binary.BigEndian.AppendUint16(g.out, uint16(total-1))
	}
	g.out = binary.BigEndian.AppendUint16(g.out, 0) // no instructions
	flags, xs, ys := make([]byte, 0, total), make([]byte, 0, 2*total), make([]byte, 0, 2*total)
	x, y, bounds := 0, 0, [4]int{1 << 15, 1 << 15, -1 << 15, -1 << 15}
	for i := range total {
		dx, dy, on := g.step()
		flag := byte(0)
		if on {
			flag |= onCurve
		}
		if overlaps && i == 0 {
			flag |= overlapSimple
		}
		var short, same byte
		xs, short, same = appendStep(xs, dx, xShort, xSameOrPositive)
		flag |= short | same
		ys, short, same = appendStep(ys, dy, yShort, ySamePositve)
		flags = append(flags, flag|short|same)
		x, y = x+dx, y+dy
		if x != int(int16(x)) || y != int(int16(y)) {
			return box, errBroken
		}
		bounds = [4]int{min(bounds[0], x), min(bounds[1], y), max(bounds[2], x), max(bounds[3], y)}
	}
	g.out = append(append(append(g.out, flags...), xs...), ys...)
	g.instructions.bytes(g.glyphs.u255())
	for i, n := range bounds {
		binary.BigEndian.PutUint16(box[2*i:], uint16(n))
	}
	return box, nil
}

// appendStep appends the distance from the point before, and returns the flags of its form.
func appendStep(out []byte, d int, short, same byte) (_ []byte, shortFlag, sameFlag byte) {
	switch {
	case d == 0:
		return out, 0, same
	case d > 0 && d < 256:
		return append(out, byte(d)), short, same
	case d < 0 && d > -256:
		return append(out, byte(-d)), short, 0
	}
	return binary.BigEndian.AppendUint16(out, uint16(d)), 0, 0
}

// step reads the distance of a point from the one before. Source: WOFF 2, 5.2.
func (g *glyphStreams) step() (dx, dy int, on bool) {
	flag := g.flags.u8()
	on = flag&0x80 == 0
	flag &= 0x7f
	sign := func(bit, n int) int {
		if flag>>bit&1 == 0 {
			return -n
		}
		return n
	}
	b := &g.glyphs
	switch {
	case flag < 10:
		return 0, sign(0, (flag&14)<<7+b.u8()), on
	case flag < 20:
		return sign(0, ((flag-10)&14)<<7+b.u8()), 0, on
	case flag < 84:
		n, m := flag-20, b.u8()
		return sign(0, 1+n&0x30+m>>4), sign(1, 1+(n&0x0c)<<2+m&0x0f), on
	case flag < 120:
		n := flag - 84
		dx = sign(0, 1+n/12<<8+b.u8())
		return dx, sign(1, 1+n%12>>2<<8+b.u8()), on
	case flag < 124:
		first, middle, last := b.u8(), b.u8(), b.u8()
		return sign(0, first<<4+middle>>4), sign(1, (middle&0x0f)<<8+last), on
	}
	dx = sign(0, b.u16())
	return dx, sign(1, b.u16()), on
}
