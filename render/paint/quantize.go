package paint

import (
	"cmp"
	"slices"
)

// Parameters of pictures on an indexed canvas.
const (
	pictureColors   = 56            // maximum number of entries for one picture
	maxPictureError = 9 * 7 * 7     // mean error from which a picture looks grainy for lack of colors
	manyColors      = 400           // number of colors from which similar ones are merged first
	pictureRoom     = exactRoom / 2 // entries left for later flat colors
	edgeColors      = 8             // these include entries for edges, where a picture blends with its background
	maxEdgeError    = 9 * 6 * 6     // an edge may use an entry that is off by this
)

// addPicture adds the colors of a picture, given with their pixel counts, and returns the entries to draw it with. It
// adds all of them if there is room (exact), otherwise the best few by median cut. It also adds a few for edges, where
// the picture blends with its background: round corners look rough if their pixels use whatever is nearest. It returns
// false, without adding anything, if the picture would look poor.
func (b *blendTable) addPicture(seen, edges map[rgb]int) (entries []uint8, exact, ok bool) {
	room := min(pictureColors, maxColors-pictureRoom-b.n)
	fringe := slices.DeleteFunc(sortedColors(edges), func(c colorCount) bool {
		_, d := b.nearest(c.rgb)
		return d <= maxEdgeError
	})
	fringeRoom := min(edgeColors, len(fringe), max(room, 0)/4)
	room -= fringeRoom
	defer func() {
		if ok && fringeRoom > 0 {
			for _, e := range medianCut(fringe, fringeRoom) {
				b.add(e, false)
			}
		}
	}()
	colors := sortedColors(seen)
	if exact = len(colors) <= manyColors; !exact {
		colors = bin(colors)
	}
	missing := colors[:0]
	var known [maxColors]bool
	for _, c := range colors {
		if at, d := b.nearest(c.rgb); d > 9*2 {
			missing = append(missing, c)
		} else if !known[at] {
			known[at] = true
			entries = append(entries, at)
		}
	}
	if exact = exact && len(missing) <= room; exact {
		for _, m := range missing {
			entries = append(entries, b.add(m.rgb, false))
		}
		return entries, true, true
	}
	if room < 8 {
		return nil, false, false
	}
	means := medianCut(missing, room)
	off, pixels := 0, 0
	for _, m := range missing {
		d := 1 << 30
		for _, e := range means {
			d = min(d, distance(e, m.rgb))
		}
		off, pixels = off+d*m.n, pixels+m.n
	}
	if off > maxPictureError*pixels {
		return nil, false, false
	}
	for _, e := range means {
		entries = append(entries, b.add(e, false))
	}
	return entries, false, true
}

// sortedColors lists colors in a fixed order.
func sortedColors(seen map[rgb]int) []colorCount {
	colors := make([]colorCount, 0, len(seen))
	for c, n := range seen {
		colors = append(colors, colorCount{c, n})
	}
	slices.SortFunc(colors, func(p, q colorCount) int { return cmp.Compare(p.key(), q.key()) })
	return colors
}

// bin merges colors that share the upper five bits of each channel into their mean.
func bin(colors []colorCount) []colorCount {
	var at [1 << 15]uint16 // index of each bin in sums, plus one
	var sums [][4]int
	for _, c := range colors {
		b := &at[int(c.r)>>3<<10|int(c.g)>>3<<5|int(c.b)>>3]
		if *b == 0 {
			sums = append(sums, [4]int{})
			*b = uint16(len(sums)) // at most 1<<15
		}
		s := &sums[*b-1]
		s[0], s[1], s[2], s[3] = s[0]+int(c.r)*c.n, s[1]+int(c.g)*c.n, s[2]+int(c.b)*c.n, s[3]+c.n
	}
	out := colors[:0]
	for _, s := range sums {
		n, half := s[3], s[3]/2
		mean := rgb{uint8((s[0] + half) / n), uint8((s[1] + half) / n), uint8((s[2] + half) / n)}
		out = append(out, colorCount{mean, n})
	}
	return out
}

// nearestOf returns the one of some entries that is closest to a color.
func (b *blendTable) nearestOf(entries []uint8, c rgb) (at uint8) {
	d := 1 << 30
	for _, i := range entries {
		p := &b.colors[i]
		dg := int(p.g) - int(c.g)
		if 4*dg*dg >= d {
			continue
		}
		dr, db := int(p.r)-int(c.r), int(p.b)-int(c.b)
		if e := 3*dr*dr + 4*dg*dg + 2*db*db; e < d {
			at, d = i, e
		}
	}
	return at
}

// diffuse returns the entry for each pixel of a picture of width w, by error diffusion: the error of a pixel is
// distributed to its neighbors. Rows run in alternating directions, to avoid worm artifacts. Pixels that aren't solid
// stay 0.
//
// Source: R. Floyd, L. Steinberg, "An adaptive algorithm for spatial greyscale", 1976.
func (b *blendTable) diffuse(pixels []rgb, solid []bool, w int, entries []uint8) []uint8 {
	out := make([]uint8, len(pixels))
	errs := make([][3]int, 2*(w+2)) // in sixteenths, for this row and the next
	cur, next := errs[:w+2], errs[w+2:]
	for y := 0; y*w < len(pixels); y++ {
		x, step := 0, 1
		if y%2 == 1 {
			x, step = w-1, -1
		}
		for range w {
			if i := y*w + x; solid[i] {
				p, e := pixels[i], cur[x+1]
				want := [3]int{int(p.r) + boundError(e[0]), int(p.g) + boundError(e[1]), int(p.b) + boundError(e[2])}
				at := b.nearestOf(entries, rgb{clamp8(want[0]), clamp8(want[1]), clamp8(want[2])})
				got := b.colors[at]
				out[i] = at
				for ch, v := range [3]int{int(got.r), int(got.g), int(got.b)} {
					d := want[ch] - v
					cur[x+1+step][ch] += 7 * d
					next[x+1-step][ch] += 3 * d
					next[x+1][ch] += 5 * d
					next[x+1+step][ch] += d
				}
			}
			x += step
		}
		cur, next = next, cur
		clear(next)
	}
	return out
}

// boundError limits the error that a pixel absorbs: where no mix of entries matches a color, errors would grow into
// specks.
func boundError(sixteenths int) int { return min(max(sixteenths/16, -20), 20) }

func clamp8(v int) uint8 { return uint8(min(max(v, 0), 255)) }

// colorCount is a color and its number of pixels.
type colorCount struct {
	rgb
	n int
}

func (w colorCount) key() int { return int(w.r)<<16 | int(w.g)<<8 | int(w.b) }

// medianCut divides colors into n boxes, always splitting the one with the largest sum of squares along its longest
// side, and returns the mean of each.
func medianCut(colors []colorCount, n int) []rgb {
	boxes := []box{newBox(colors)}
	for len(boxes) < n {
		worst := 0
		for i := range boxes {
			if boxes[i].spread > boxes[worst].spread {
				worst = i
			}
		}
		if boxes[worst].spread == 0 {
			break
		}
		lower, upper := boxes[worst].cut()
		boxes[worst] = newBox(lower)
		boxes = append(boxes, newBox(upper))
	}
	means := make([]rgb, len(boxes))
	for i, b := range boxes {
		means[i] = rgb{round8(b.mean[0]), round8(b.mean[1]), round8(b.mean[2])}
	}
	return means
}

type box struct {
	colors []colorCount
	mean   [3]float64
	axis   int
	spread float64 // sum of squares around the mean, along axis
}

func newBox(colors []colorCount) box {
	b := box{colors: colors}
	var sum, squares [3]float64
	total := 0.0
	for _, c := range colors {
		n := float64(c.n)
		total += n
		for i, v := range c.channels() {
			sum[i] += n * v
			squares[i] += n * v * v
		}
	}
	for i := range sum {
		b.mean[i] = sum[i] / total
		if s := squares[i] - sum[i]*b.mean[i]; s > b.spread && len(colors) > 1 {
			b.spread, b.axis = s, i
		}
	}
	return b
}

func (w colorCount) channels() [3]float64 {
	return [3]float64{float64(w.r), float64(w.g), float64(w.b)}
}

// cut splits a box at its mean, along its longest side.
func (b box) cut() (lower, upper []colorCount) {
	slices.SortFunc(b.colors, func(p, q colorCount) int {
		if d := cmp.Compare(p.channels()[b.axis], q.channels()[b.axis]); d != 0 {
			return d
		}
		return cmp.Compare(p.key(), q.key())
	})
	at := 1
	for at < len(b.colors)-1 && b.colors[at].channels()[b.axis] <= b.mean[b.axis] {
		at++
	}
	return b.colors[:at], b.colors[at:]
}
