package raster

import (
	"image"
	"math"
	"slices"
	"sync"
	"weak"
)

// scaledKey identifies a picture at a size. The picture may be collected: its memory isn't kept.
type scaledKey struct {
	of      weak.Pointer[image.NRGBA]
	w, h    int
	nearest bool
}

// maxKept is how many bytes of scaled pictures are kept, for the next card with the same pictures: some ten of the size
// of a card.
const maxKept = 24 << 20

// keptOverhead is about the size of a kept picture besides its pixels, in bytes.
const keptOverhead = 512

// kept are the scaled pictures used last.
var kept keptPictures

// keptPictures are scaled pictures, and their keys in the order of their last use.
type keptPictures struct {
	sync.Mutex
	keys     []scaledKey
	pictures map[scaledKey]*Pixels
	bytes    int
}

// get returns a picture, or nil.
func (k *keptPictures) get(key scaledKey) *Pixels {
	k.Lock()
	defer k.Unlock()
	p := k.pictures[key]
	if p != nil {
		at := slices.Index(k.keys, key)
		k.keys = append(slices.Delete(k.keys, at, at+1), key)
	}
	return p
}

// put keeps a picture, and drops those that were used the longest time ago.
func (k *keptPictures) put(key scaledKey, p *Pixels) {
	k.Lock()
	defer k.Unlock()
	if len(p.Pix) > maxKept/2 || k.pictures[key] != nil {
		return
	}
	if k.pictures == nil {
		k.pictures = map[scaledKey]*Pixels{}
	}
	k.keys = append(k.keys, key)
	k.pictures[key] = p
	k.bytes += len(p.Pix) + keptOverhead
	for k.bytes > maxKept {
		k.bytes -= len(k.pictures[k.keys[0]].Pix) + keptOverhead
		delete(k.pictures, k.keys[0])
		k.keys = k.keys[1:]
	}
}

// ScaledPicture returns img at another size with premultiplied colors. Neither it nor img may be changed.
func ScaledPicture(img *image.NRGBA, w, h int, nearest bool) *Pixels {
	key := scaledKey{weak.Make(img), w, h, nearest}
	p := kept.get(key)
	if p == nil {
		p = PictureOf(img).scaled(w, h, nearest)
		kept.put(key, p)
	}
	return p
}

// scaled returns a picture at another size: averaged where it shrinks, interpolated where it grows.
func (p *Pixels) scaled(w, h int, nearest bool) *Pixels {
	if w == p.W && h == p.H {
		return p
	}
	out := &Pixels{Pix: make([]uint8, 4*w*h), W: w, H: h}
	if nearest {
		for y := range h {
			for x := range w {
				copy(out.Pix[4*(y*w+x):][:4], p.Pix[4*((2*y+1)*p.H/(2*h)*p.W+(2*x+1)*p.W/(2*w)):])
			}
		}
		return out
	}
	across, down := taps(p.W, w), taps(p.H, h)
	// Rows are scaled when a row of the result first needs them.
	rows := make([][]uint64, p.H)
	var spare [][]uint64
	sum := make([]uint64, w)
	first := 0
	for y, t := range down {
		for ; first < t.from; first++ { // no longer needed
			if rows[first] != nil {
				spare, rows[first] = append(spare, rows[first]), nil
			}
		}
		for x := range sum {
			sum[x] = laneHalf
		}
		for i, k := range t.weights {
			at := t.from + i
			if rows[at] == nil {
				if n := len(spare); n > 0 {
					rows[at], spare = spare[n-1], spare[:n-1]
				} else {
					rows[at] = make([]uint64, w)
				}
				scaleRow(rows[at], p.Pix[4*p.W*at:][:4*p.W], across)
			}
			for x, v := range rows[at][:len(sum)] {
				sum[x] += k * v
			}
		}
		row := out.Pix[4*w*y:][:4*w]
		for _, v := range sum {
			putLanes(row, v>>8&laneMask)
			row = row[4:]
		}
	}
	return out
}

// scaleRow fills out with the pixels of a scaled row.
func scaleRow(out []uint64, row []uint8, across []tap) {
	for x := range out {
		t := &across[x]
		v, src := uint64(laneHalf), row[4*t.from:]
		for _, k := range t.weights {
			v += k * lanes(src)
			src = src[4:]
		}
		out[x] = v >> 8 & laneMask
	}
}

// tap is the source pixels of one pixel, and their weights, of 256 together.
type tap struct {
	from    int
	weights []uint64
}

// taps returns how n pixels make m: by the shares that they cover where it shrinks, by interpolation where it grows.
func taps(n, m int) []tap {
	ratio := float64(n) / float64(m)
	list := make([]tap, m)
	var shares []float64
	for i := range list {
		center := (float64(i) + .5) * ratio
		reach := 1.0
		if ratio > 1 {
			reach = ratio / 2
		}
		lo, hi := center-reach, center+reach
		from, to := max(int(math.Floor(lo)), 0), min(int(math.Ceil(hi)), n)
		shares = shares[:0]
		sum := 0.0
		for at := from; at < to; at++ {
			share := max(1-math.Abs(float64(at)+.5-center), 0)
			if ratio > 1 {
				share = max(min(float64(at+1), hi)-max(float64(at), lo), 0)
			}
			shares = append(shares, share)
			sum += share
		}
		list[i] = tap{from: from, weights: make([]uint64, len(shares))}
		list[i].quantize(shares, sum)
	}
	return list
}

// quantize sets the weights in proportion to shares. What rounding leaves over goes on to the next weight, so that many
// small ones keep their sum.
func (t *tap) quantize(shares []float64, sum float64) {
	total, given := 0.0, uint64(0)
	for i, s := range shares {
		total += s / sum * 256
		upTo := uint64(total + .5)
		if i == len(shares)-1 {
			upTo = 256
		}
		t.weights[i] = upTo - given
		given = upTo
	}
}
