package raster

import (
	"encoding/binary"
	"image"
	"math"
	"slices"
)

// Edge says what is beyond the edge of what is blurred.
type Edge uint8

// What is beyond the edge.
const (
	EdgeZero   Edge = iota // transparent pixels
	EdgeMirror             // the pixels within, mirrored
)

// Blur blurs pixels of n channels, 1 or 4, by a Gaussian of sigma px. A wide blur is computed at a fraction of the
// size, where it is narrow: what averaging and interpolating blur in addition is taken off its sigma.
func Blur(pix []uint8, w, h, stride, n int, sigma float64, e Edge) {
	blur(pix, w, h, stride, n, sigma, e, image.Rectangle{})
}

// BlurMask blurs a mask without anything beyond it. The pixels in except may have any value afterwards.
func BlurMask(m *image.Alpha, sigma float64, except image.Rectangle) {
	except = except.Intersect(m.Rect).Sub(m.Rect.Min)
	blur(m.Pix, m.Rect.Dx(), m.Rect.Dy(), m.Stride, 1, sigma, EdgeZero, except)
}

func blur(pix []uint8, w, h, stride, n int, sigma float64, e Edge, except image.Rectangle) {
	if sigma < .05 || w == 0 || h == 0 {
		return
	}
	shift := 0
	for shift < maxShift && sigma >= minReduced*float64(int(2)<<shift) {
		shift++
	}
	f := float64(int(1) << shift)
	if shift > 0 {
		sigma = math.Sqrt(sigma*sigma-(f*f-1)/12-f*f/6) / f
	}
	z := &blurrer{n: n, edge: e, shift: shift, kernel: gaussian(sigma)}
	if n == 1 && shift == 0 {
		z.mask(pix, w, h, stride)
		return
	}
	z.reduce(pix, w, h, stride)
	z.across()
	z.down()
	z.enlarge(pix, w, h, stride, except)
}

const (
	maxShift = 4 // sums of more than 16×16 pixels exceed a lane
	// minReduced is the least sigma at a fraction of the size, in its pixels: a narrower one would show its grid.
	minReduced = 1.5
)

// gaussian returns the weights by distance, of 256 together.
func gaussian(sigma float64) []uint64 {
	r := int(math.Ceil(2.8 * sigma))
	weight := func(i int) float64 { return math.Exp(-float64(i*i) / (2 * sigma * sigma)) }
	sum := 0.0
	for i := -r; i <= r; i++ {
		sum += weight(i)
	}
	kernel := make([]uint64, r+1)
	rest := uint64(256)
	for i := r; i > 0; i-- {
		kernel[i] = uint64(weight(i)/sum*256 + .5)
		rest -= 2 * kernel[i]
	}
	kernel[0] = rest
	for len(kernel) > 1 && kernel[len(kernel)-1] == 0 {
		kernel = kernel[:len(kernel)-1]
	}
	return kernel
}

// blurrer blurs lanes: the pixels at 1/(1<<shift) of the size.
type blurrer struct {
	n      int
	edge   Edge
	shift  int
	kernel []uint64
	w, h   int
	border int // cells around
	cells  []uint64
}

// reduce fills z.cells with the averages of squares of pixels.
func (z *blurrer) reduce(pix []uint8, w, h, stride int) {
	side := 1 << z.shift
	inner, lines := (w+side-1)>>z.shift, (h+side-1)>>z.shift
	if z.edge == EdgeZero && z.shift > 0 {
		z.border = 1 // what is blurred beyond the edge, for interpolation
	}
	z.w, z.h = inner+2*z.border, lines+2*z.border
	z.cells = make([]uint64, z.w*z.h)
	for y := range lines << z.shift {
		at := y
		if y >= h {
			if z.edge == EdgeZero {
				break
			}
			at = mirrored(y, h)
		}
		row, cells := pix[at*stride:][:z.n*w], z.cells[(y>>z.shift+z.border)*z.w+z.border:][:inner]
		x := 0
		if z.shift == 0 && z.n == 4 {
			for ; x < w; x++ {
				cells[x] = lanes(row[4*x:])
			}
		}
		for ; (x+1)<<z.shift <= w; x++ {
			cells[x] += z.sum(row[z.n*x<<z.shift : z.n*(x+1)<<z.shift])
		}
		for x <<= z.shift; x < w; x++ {
			cells[x>>z.shift] += z.pixel(row, x)
		}
		if z.edge == EdgeMirror {
			for x := w; x < inner<<z.shift; x++ {
				cells[x>>z.shift] += z.pixel(row, mirrored(x, w))
			}
		}
	}
	if z.shift == 0 {
		return
	}
	half := uint64(1) << (2*z.shift - 1)
	half |= half<<16 | half<<32 | half<<48
	for i, v := range z.cells {
		z.cells[i] = (v + half) >> (2 * z.shift) & laneMask
	}
}

// sum returns the sums of the pixels in a part of a row that is a cell wide: 2 to 16.
func (z *blurrer) sum(row []uint8) uint64 {
	if z.n == 1 {
		if len(row) < 8 {
			v := uint64(0)
			for _, c := range row {
				v += uint64(c)
			}
			return v
		}
		v := uint64(0)
		for ; len(row) >= 8; row = row[8:] {
			u := binary.LittleEndian.Uint64(row)
			v += u&laneMask + u>>8&laneMask
		}
		v = v&0x0000ffff0000ffff + v>>16&0x0000ffff0000ffff
		return v&0xffff + v>>32
	}
	// Of two pixels at a time: reds and blues, greens and alphas.
	var even, odd uint64
	for ; len(row) >= 8; row = row[8:] {
		u := binary.LittleEndian.Uint64(row)
		even += u & laneMask
		odd += u >> 8 & laneMask
	}
	even, odd = even+even>>32, odd+odd>>32
	return even&0xffff | (odd&0xffff)<<16 | (even&0xffff0000)<<16 | (odd&0xffff0000)<<32
}

// pixel returns pixel x of a row.
func (z *blurrer) pixel(row []uint8, x int) uint64 {
	if z.n == 1 {
		return uint64(row[x])
	}
	return lanes(row[4*x:])
}

// mask blurs one channel at its own size: four rows, then four columns at a time.
func (z *blurrer) mask(pix []uint8, w, h, stride int) {
	z.w, z.h = w, (h+3)/4
	z.cells = make([]uint64, z.w*z.h)
	for y := range h {
		shift := 16 * (y % 4)
		cells := z.cells[y/4*w:][:w]
		for x, v := range pix[y*stride:][:w] {
			cells[x] |= uint64(v) << shift
		}
	}
	z.across()
	rows := z.cells
	z.w, z.h = (w+3)/4, h
	z.cells = make([]uint64, z.w*z.h)
	for y := range h {
		shift := 16 * (y % 4)
		from, to := rows[y/4*w:][:w], z.cells[y*z.w:][:z.w]
		for x, v := range from {
			to[x/4] |= ((v >> shift) & 0xff) << (16 * (x % 4))
		}
	}
	z.down()
	for y := range h {
		row := pix[y*stride:][:w]
		for x, v := range z.cells[y*z.w:][:z.w] {
			if 4*x+4 <= w {
				putLanes(row[4*x:4*x+4], v)
				continue
			}
			for i := 4 * x; i < w; i++ {
				row[i] = uint8(v >> (16 * (i % 4)))
			}
		}
	}
}

// across blurs the rows. A row like the one above, as in most shadows, has the same result.
func (z *blurrer) across() {
	r := len(z.kernel) - 1
	padded := make([]uint64, z.w+2*r)
	k0, rest := z.kernel[0], z.kernel[1:]
	for y := range z.h {
		row := z.cells[y*z.w:][:z.w]
		if y > 0 && slices.Equal(row, padded[r:r+z.w]) {
			copy(row, z.cells[(y-1)*z.w:])
			continue
		}
		copy(padded[r:], row)
		if z.edge == EdgeMirror {
			for i := range r {
				padded[r-1-i] = row[mirrored(-1-i, z.w)]
				padded[r+z.w+i] = row[mirrored(z.w+i, z.w)]
			}
		}
		for x := range row {
			v := laneHalf + k0*padded[x+r]
			left, right := padded[x:x+r], padded[x+r+1:][:r]
			for i, k := range rest {
				v += k * (left[r-1-i] + right[i])
			}
			row[x] = v >> 8 & laneMask
		}
	}
}

// down blurs the columns. A row between rows like itself stays.
func (z *blurrer) down() {
	out := make([]uint64, len(z.cells))
	r := len(z.kernel) - 1
	alike := make([]int, z.h) // rows before that are the same
	for y := 1; y < z.h; y++ {
		if slices.Equal(z.cells[y*z.w:][:z.w], z.cells[(y-1)*z.w:][:z.w]) {
			alike[y] = alike[y-1] + 1
		}
	}
	for y := range z.h {
		sum := out[y*z.w:][:z.w]
		if y >= r && y+r < z.h && alike[y+r] >= 2*r {
			copy(sum, z.cells[y*z.w:])
			continue
		}
		for x, v := range z.cells[y*z.w:][:z.w] {
			sum[x] = laneHalf + z.kernel[0]*v
		}
		for i, k := range z.kernel[1:] {
			for _, from := range [...]int{y - 1 - i, y + 1 + i} {
				if from < 0 || from >= z.h {
					if z.edge == EdgeZero {
						continue
					}
					from = mirrored(from, z.h)
				}
				row := z.cells[from*z.w:][:len(sum)]
				for x, v := range row {
					sum[x] += k * v
				}
			}
		}
		for x, v := range sum {
			sum[x] = v >> 8 & laneMask
		}
	}
	z.cells = out
}

// enlarge interpolates between the cells, and stores the pixels, besides those of a mask in except.
func (z *blurrer) enlarge(pix []uint8, w, h, stride int, except image.Rectangle) {
	mixed := make([]uint64, z.w)
	for y := range h {
		a, b, k := z.between(y, z.h)
		upper, lower := z.cells[a*z.w:][:z.w], z.cells[b*z.w:][:z.w]
		for x, v := range upper {
			mixed[x] = ((256-k)*v + k*lower[x] + laneHalf) >> 8 & laneMask
		}
		row := pix[y*stride:][:z.n*w]
		switch {
		case z.shift == 0:
			for x, v := range mixed {
				putLanes(row[4*x:4*x+4], v)
			}
		case z.n == 1:
			if y < except.Min.Y || y >= except.Max.Y {
				z.enlargeMask(row, mixed, 0)
				continue
			}
			z.enlargeMask(row[:except.Min.X], mixed, 0)
			z.enlargeMask(row, mixed, z.middle(except.Max.X))
		default:
			z.enlargePixels(row, mixed)
		}
	}
}

// columns returns the cells on both sides of the pixels from x on, and how many they are. Where x isn't 0, it is the
// middle of a cell.
func (z *blurrer) columns(mixed []uint64, x, w int) (a, b uint64, count int) {
	side := 1 << z.shift
	at := (x+side/2)>>z.shift - 1 + z.border
	a, b = mixed[max(at, 0)], mixed[min(at+1, len(mixed)-1)]
	if x == 0 {
		side /= 2
	}
	return a, b, min(side, w-x)
}

// enlargePixels stores a row of pixels between cells: from one to the next, a lane grows by the same amount. A
// difference of lanes is that of their words: borrows are undone when it is added.
func (z *blurrer) enlargePixels(row []uint8, mixed []uint64) {
	w, step := len(row)/4, uint64(256)>>z.shift
	for x := 0; x < w; {
		a, b, n := z.columns(mixed, x, w)
		out := row[4*x : 4*(x+n)]
		first := step / 2
		if x == 0 {
			first += 128
		}
		x += n
		if a == b {
			if a == 0 {
				clear(out)
				continue
			}
			var c [4]uint8
			putLanes(c[:], a)
			Fill4(out, c[:])
			continue
		}
		v, d := a<<8+laneHalf+first*(b-a), step*(b-a)
		for ; len(out) >= 4; out = out[4:] {
			putLanes(out, v>>8&laneMask)
			v += d
		}
	}
}

// laneOnes has 1 in each lane.
const laneOnes = 0x0001000100010001

// middle returns the last column up to x that is the middle of a cell, or 0.
func (z *blurrer) middle(x int) int {
	side := 1 << z.shift
	half := side / 2
	if x < half {
		return 0
	}
	return (x-half)/side*side + half
}

// enlargeMask is enlargePixels from a column on, 0 or the middle of a cell, for one channel: four pixels are the lanes
// of a word.
func (z *blurrer) enlargeMask(row []uint8, mixed []uint64, from int) {
	w, step := len(row), uint64(256)>>z.shift
	const places = 3<<48 | 2<<32 | 1<<16
	for x := from; x < w; {
		a, b, n := z.columns(mixed, x, w)
		out := row[x : x+n]
		first := step / 2
		if x == 0 {
			first += 128
		}
		x += n
		a, b = a&0xff, b&0xff
		v := (a<<8+128)*laneOnes + (b-a)*(first*laneOnes+step*places)
		for d := (b - a) * step * 4 * laneOnes; len(out) >= 4; out = out[4:] {
			putLanes(out, v>>8&laneMask)
			v += d
		}
		for i := range out {
			out[i] = uint8(v >> (16*i + 8))
		}
	}
}

// between returns the cells on both sides of row i, and the weight of the second of 256.
func (z *blurrer) between(i, count int) (a, b int, k uint64) {
	if z.shift == 0 {
		return i, i, 0
	}
	at := (2*i+1)<<(8-z.shift-1) - 128 // in 256ths of a cell, from the middle of the first
	a, k = at>>8, uint64(at&255)
	a += z.border
	return max(a, 0), min(a+1, count-1), k
}

// mirrored returns the index opposite of i beyond the edges of count values.
func mirrored(i, count int) int {
	i %= 2 * count
	if i < 0 {
		i += 2 * count
	}
	if i >= count {
		i = 2*count - 1 - i
	}
	return i
}
