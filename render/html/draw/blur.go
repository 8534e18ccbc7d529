package draw

import "math"

// edge says what is beyond the edge of what is blurred.
type edge uint8

const (
	edgeZero edge = iota
	edgeMirror
)

// blur blurs pixels of n channels by a Gaussian of sigma px: exactly where it is narrow, else by three boxes.
func blur(pix []uint8, w, h, stride, n int, sigma float64, e edge) {
	if sigma < .05 || w == 0 || h == 0 {
		return
	}
	long := max(w, h)
	z := &blurrer{src: make([]uint8, long), dst: make([]uint8, long), n: n, edge: e}
	z.plan(sigma)
	for c := range n {
		for y := range h {
			z.line(pix[y*stride+c:], w, n)
		}
		for x := range w {
			z.line(pix[x*n+c:], h, stride)
		}
	}
}

type blurrer struct {
	src, dst []uint8
	n        int
	edge     edge
	kernel   []int32 // of a narrow blur, by distance
	boxes    [3]box
	pad      int
	padded   []int32
	sums     []int32
}

// box is a mean of size pixels, of which left are before the pixel.
type box struct{ size, left int }

func (z *blurrer) plan(sigma float64) {
	if sigma < 2 {
		r := int(math.Ceil(3 * sigma))
		z.kernel = make([]int32, r+1)
		sum := 0.0
		weight := func(i int) float64 { return math.Exp(-float64(i*i) / (2 * sigma * sigma)) }
		for i := -r; i <= r; i++ {
			sum += weight(i)
		}
		total := int32(0)
		for i := r; i > 0; i-- {
			z.kernel[i] = int32(weight(i)/sum*65536 + .5)
			total += 2 * z.kernel[i]
		}
		z.kernel[0] = 65536 - total
		z.pad = r
		return
	}
	size := int(math.Floor(sigma*3*math.Sqrt(2*math.Pi)/4 + .5))
	if size%2 == 1 {
		b := box{size, size / 2}
		z.boxes = [3]box{b, b, b}
	} else {
		z.boxes = [3]box{{size, size / 2}, {size, size/2 - 1}, {size + 1, size / 2}}
	}
	z.pad = 3 * (size/2 + 1)
}

// line blurs a line of count values, step bytes apart.
func (z *blurrer) line(pix []uint8, count, step int) {
	n := count + 2*z.pad
	if cap(z.padded) < n {
		z.padded, z.sums = make([]int32, n), make([]int32, n)
	}
	a, b := z.padded[:n], z.sums[:n]
	any := false
	for i := range count {
		v := pix[i*step]
		a[z.pad+i] = int32(v)
		any = any || v != 0
	}
	if !any {
		return
	}
	for i := range z.pad {
		a[i], a[n-1-i] = 0, 0
		if z.edge == edgeMirror {
			a[z.pad-1-i] = a[z.pad+mirror(i, count)]
			a[z.pad+count+i] = a[z.pad+count-1-mirror(i, count)]
		}
	}
	if z.kernel != nil {
		for i := range count {
			s := z.kernel[0] * a[z.pad+i]
			for k := 1; k < len(z.kernel); k++ {
				s += z.kernel[k] * (a[z.pad+i-k] + a[z.pad+i+k])
			}
			pix[i*step] = uint8((s + 1<<15) >> 16)
		}
		return
	}
	// Values keep 4 more bits between the passes.
	for i := range a {
		a[i] <<= 4
	}
	for _, k := range z.boxes {
		sum := int32(0)
		inv := float32(1) / float32(k.size)
		right := k.size - k.left // pixels from the pixel on
		for i := 0; i < min(right-1, n); i++ {
			sum += a[i]
		}
		for i := range b {
			if j := i + right - 1; j < n {
				sum += a[j]
			}
			b[i] = int32(float32(sum)*inv + .5)
			if j := i - k.left; j >= 0 {
				sum -= a[j]
			}
		}
		a, b = b, a
	}
	for i := range count {
		pix[i*step] = uint8(min((a[z.pad+i]+8)>>4, 255))
	}
}

// mirror returns the index that lies opposite of i beyond the edge of count values.
func mirror(i, count int) int {
	i %= 2 * count
	if i >= count {
		i = 2*count - 1 - i
	}
	return i
}
