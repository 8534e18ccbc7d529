package paint

import (
	"encoding/binary"
	"image/color"
)

// A brush is an ink prepared for one canvas. It stays valid when the canvas is upgraded.
type brush struct {
	color  color.NRGBA
	blends *inkBlends // on an indexed canvas
	soft   bool
}

// brush prepares an ink for shapes with sharp edges.
func (c *Canvas) brush(col color.NRGBA) brush {
	b := brush{color: col}
	if c.blends != nil {
		b.blends = c.blends.blendsOf(col, hardSteps)
	}
	return b
}

// softBrush prepares an ink for shapes that fade over many pixels.
func (c *Canvas) softBrush(col color.NRGBA) brush {
	b := brush{color: col, soft: true}
	if c.blends != nil {
		b.blends = c.blends.blendsOf(col, softSteps)
	}
	return b
}

// row is the basis of all drawing: it draws ink over the pixels of row y from x on, by the coverage of each.
func (c *Canvas) row(y, x int, cov []uint8, b brush) {
	if y < c.clip.Min.Y || y >= c.clip.Max.Y {
		return
	}
	if d := c.clip.Min.X - x; d > 0 {
		if d >= len(cov) {
			return
		}
		cov, x = cov[d:], c.clip.Min.X
	}
	if d := x + len(cov) - c.clip.Max.X; d > 0 {
		if d >= len(cov) {
			return
		}
		cov = cov[:len(cov)-d]
	}
	if c.mask != nil {
		m := c.mask.Pix[c.mask.PixOffset(x, y):]
		for i, v := range cov {
			c.masked[i] = mul8(v, m[i])
		}
		cov = c.masked[:len(cov)]
	}
	if c.indexed == nil {
		c.row32(y, x, cov, b)
		return
	}
	dst := c.indexed.Pix[y*c.stride+x:][:len(cov)]
	var done int
	if b.soft {
		done = c.blends.blendSoft(dst, cov, b.blends, x, y)
	} else {
		done = c.blends.blendHard(dst, cov, b.blends)
	}
	if done < len(cov) {
		c.Upgrade()
		c.row32(y, x+done, cov[done:], b)
	}
}

const (
	fullWord = 1<<64 - 1          // eight fully covered pixels
	alike    = 0x0101010101010101 // times a byte: eight copies of it
)

// blendHard blends on palette entries. It returns how many pixels it did, which is fewer than given if the palette
// can't hold the next.
//
// Masks are mostly empty or full, and edges of letters are unpredictable for the processor. So eight empty pixels are
// skipped at once, eight full ones over the same entry are looked up once, and otherwise all eight are looked up,
// whatever their coverage.
func (b *blendTable) blendHard(dst, cov []uint8, k *inkBlends) int {
	table := (*[maxColors * (hardSteps + 1)]uint8)(k.table)
	dst = dst[:len(cov)]
	for i := 0; i < len(cov); {
		end := i + 8
		if end <= len(cov) {
			word := binary.LittleEndian.Uint64(cov[i:])
			if word == 0 {
				i = end
				continue
			}
			if below := binary.LittleEndian.Uint64(dst[i:]); word == fullWord && below == alike*(below&255) {
				if at := table[int(below&255)<<5|hardSteps]; at != unknown {
					binary.LittleEndian.PutUint64(dst[i:], alike*uint64(at))
					i = end
					continue
				}
			}
		} else {
			end = len(cov)
		}
		for ; i < end; i++ {
			step := hardStep[cov[i]]
			at := table[int(dst[i])<<5|int(step)]
			if at == unknown {
				var ok bool
				if at, ok = b.resolve(k, dst[i], int(step)); !ok {
					return i
				}
			}
			dst[i] = at
		}
	}
	return len(cov)
}

// blendSoft is blendHard with all 255 steps of coverage, for a soft ink. If the palette has too few entries for a fade,
// ordered dithering chooses between two of them; x, y is the position of the first pixel.
func (b *blendTable) blendSoft(dst, cov []uint8, k *inkBlends, x, y int) int {
	first := bareFrom(cov)
	if first == len(cov) {
		return first
	}
	if k.ditherStep == 0 {
		k.setDither(b.ditherStepOn(dst[first], k.color))
	}
	if k.ditherStep > 1 || k.zones != nil {
		return first + b.blendDithered(dst[first:], cov[first:], k, x+first, y)
	}
	table := (*[maxColors * (softSteps + 1)]uint8)(k.table)
	dst = dst[:len(cov)]
	for i := first; i < len(cov); i++ {
		v, at := cov[i], dst[i]
		if v == 0 {
			continue
		}
		e := table[int(at)<<8|int(v)]
		if e == unknown {
			var ok bool
			if e, ok = b.resolve(k, at, int(v)); !ok {
				return i
			}
		}
		dst[i] = e
		for ; i+9 <= len(cov) && binary.LittleEndian.Uint64(cov[i+1:]) == alike*uint64(v) && // flat areas stay flat
			binary.LittleEndian.Uint64(dst[i+1:]) == alike*uint64(at); i += 8 {
			binary.LittleEndian.PutUint64(dst[i+1:], alike*uint64(e))
		}
	}
	return len(cov)
}

// bareFrom returns the number of uncovered pixels at the start.
func bareFrom(cov []uint8) int {
	if len(cov) == 0 || cov[0] != 0 {
		return 0
	}
	return alikeFrom(cov)
}

// blendDithered is blendSoft with coverage rounded by thresholds, and entries of a gradient moved along it.
func (b *blendTable) blendDithered(dst, cov []uint8, k *inkBlends, x, y int) int {
	table := (*[maxColors * (softSteps + 1)]uint8)(k.table)
	across, along := thresholds(y, k.zones != nil)
	var lift [noiseSide]int
	for i, t := range across {
		lift[i] = int(t) * int(k.ditherStep) / 256
	}
	dst = dst[:len(cov)]
	for i, v := range cov {
		if v == 0 {
			continue
		}
		if k.ditherStep > 1 && v < softSteps {
			if v = k.rounded[int(v)+lift[(x+i)%noiseSide]]; v == 0 {
				continue
			}
		}
		at := dst[i]
		if k.zones != nil {
			at = b.gradient.jitter(at, k.zones[v], along[(x+i)%noiseSide])
		}
		e := table[int(at)<<8|int(v)]
		if e == unknown {
			var ok bool
			if e, ok = b.resolve(k, at, int(v)); !ok {
				return i
			}
		}
		dst[i] = e
	}
	return len(cov)
}

// setDither sets the multiples that coverage is dithered to.
func (k *inkBlends) setDither(step uint8) {
	if k.ditherStep = step; step < 2 {
		return
	}
	for v := range k.rounded {
		k.rounded[v] = uint8(min(v-v%int(step), softSteps))
	}
}

// row32 blends on RGBA pixels, exactly; soft inks on a dithered canvas are rounded by blue noise. All channels of a
// pixel are blended at once, see [spread].
func (c *Canvas) row32(y, x int, cov []uint8, br brush) {
	dst := c.rgba.Pix[4*(y*c.w+x):][:4*len(cov)]
	pixel := uint32(br.color.R) | uint32(br.color.G)<<8 | uint32(br.color.B)<<16 | 255<<24
	ink, alpha := spread(pixel), uint32(br.color.A)
	var noise []uint8
	if br.soft && c.dither {
		noise = noiseRow(y)
	}
	for i := 0; i < len(cov); i++ {
		n := 1
		if i+8 <= len(cov) && binary.LittleEndian.Uint64(cov[i:]) == alike*uint64(cov[i]) {
			n = 8
		}
		if cov[i] == 0 || cov[i] == 255 && alpha == 255 {
			if cov[i] != 0 {
				for d := dst[4*i : 4*(i+n)]; len(d) >= 4; d = d[4:] {
					binary.LittleEndian.PutUint32(d, pixel)
				}
			}
			i += n - 1
			continue
		}
		a := uint32(cov[i])
		if alpha != 255 {
			a = div255(a * alpha)
		}
		if n == 8 {
			level32((*[32]uint8)(dst[4*i:]), pixel, uint64(a), noise, x+i)
			i += n - 1
			continue
		}
		d := (*[4]uint8)(dst[4*i:])
		v := ink*uint64(a) + spread(binary.LittleEndian.Uint32(d[:]))*uint64(255-a)
		if noise != nil { // divided by 255, rounding down
			v += uint64(noise[(x+i)%noiseSide])*everyLane + everyLane
		} else { // to the nearest
			v += 128 * everyLane
		}
		v += v >> 8 & lowLanes
		binary.LittleEndian.PutUint32(d[:], pack(v)|255<<24)
	}
}

// level32 is row32 for eight pixels with the same coverage: two are blended at once, red and blue in one word, green in
// another.
func level32(d *[32]uint8, pixel uint32, a uint64, noise []uint8, x int) {
	both := uint64(pixel) | uint64(pixel)<<32
	rb, ga, keep, round := both&lowLanes*a, both>>8&lowLanes*a, 255-a, uint64(128*everyLane)
	for i := 0; i < len(d); i += 8 {
		if noise != nil {
			at := x + i/4
			round = uint64(noise[at%noiseSide])*0x0001_0001 + uint64(noise[(at+1)%noiseSide])*0x0001_0001<<32 + everyLane
		}
		p := binary.LittleEndian.Uint64(d[i : i+8])
		v, w := p&lowLanes*keep+rb+round, p>>8&lowLanes*keep+ga+round
		v, w = v+v>>8&lowLanes, w+w>>8&lowLanes
		binary.LittleEndian.PutUint64(d[i:i+8], v>>8&lowLanes|w&^lowLanes)
	}
}

// div255 divides by 255 and rounds, for values up to 65,535.
func div255(v uint32) uint32 { return (v + 128 + (v+128)>>8) >> 8 }

func mul8(a, b uint8) uint8 { return uint8(div255(uint32(a) * uint32(b))) }

// span draws ink fully over the pixels x0 to x1 (excluded) of row y.
func (c *Canvas) span(y, x0, x1 int, b brush) {
	x0, x1 = max(x0, c.clip.Min.X), min(x1, c.clip.Max.X)
	if y < c.clip.Min.Y || y >= c.clip.Max.Y || x0 >= x1 {
		return
	}
	if c.mask != nil || b.color.A != 255 {
		c.row(y, x0, solid[:x1-x0], b)
		return
	}
	if c.indexed != nil {
		if b.blends.entry == unknown {
			at, ok := c.blends.flat(rgb{b.color.R, b.color.G, b.color.B})
			if !ok {
				c.Upgrade()
				c.span(y, x0, x1, b)
				return
			}
			b.blends.entry = at
		}
		set(c.indexed.Pix[y*c.stride+x0:y*c.stride+x1], b.blends.entry)
		return
	}
	fill32(c.rgba.Pix[4*(y*c.w+x0):4*(y*c.w+x1)], b.color)
}

// solid is a row of full coverage.
var solid = func() (s [maxSide]uint8) {
	set(s[:], 255)
	return s
}()

// set fills bytes: few by words, many by doubling copies, which the runtime does fast, of at most the size of a near
// cache.
func set(b []uint8, v uint8) {
	const few, most = 128, 8 << 10
	switch word := alike * uint64(v); {
	case len(b) < 8:
		for i := range b {
			b[i] = v
		}
	case len(b) <= few:
		for i := 0; i+8 <= len(b); i += 8 {
			binary.LittleEndian.PutUint64(b[i:], word)
		}
		binary.LittleEndian.PutUint64(b[len(b)-8:], word)
	default:
		b[0] = v
		for n := 1; n < len(b); n += min(n, most) {
			copy(b[n:], b[:min(n, most)])
		}
	}
}

func fill32(b []uint8, c color.NRGBA) {
	if len(b) == 0 {
		return
	}
	b[0], b[1], b[2], b[3] = c.R, c.G, c.B, 255
	for n := 4; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}
