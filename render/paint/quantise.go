package paint

import (
	"cmp"
	"slices"
)

// Figures for pictures on an indexed canvas.
const (
	pictureColors = 56            // entries that one picture may take
	pictureOff    = 9 * 7 * 7     // mean error from which a picture shows its missing colours
	pictureRoom   = exactRoom / 2 // entries left for flat colours that come after it
)

// admit enters the colours of a picture, given with how many pixels have each: all of them if there is room, else the best few by median
// cut. It reports false, with nothing entered, when the picture would look poor.
func (b *book) admit(seen map[rgb]int) bool {
	missing := make([]weighted, 0, len(seen))
	for c, n := range seen {
		if _, d := b.nearest(c); d > 9*2 {
			missing = append(missing, weighted{c, n})
		}
	}
	slices.SortFunc(missing, func(p, q weighted) int { return cmp.Compare(p.key(), q.key()) })
	room := min(pictureColors, maxColors-pictureRoom-b.n)
	if len(missing) <= room {
		for _, m := range missing {
			b.add(m.rgb, false)
		}
		return true
	}
	if room < 8 {
		return false
	}
	entries := medianCut(missing, room)
	off, pixels := 0, 0
	for _, m := range missing {
		d := 1 << 30
		for _, e := range entries {
			d = min(d, distance(e, m.rgb))
		}
		off, pixels = off+d*m.n, pixels+m.n
	}
	if off > pictureOff*pixels {
		return false
	}
	for _, e := range entries {
		b.add(e, false)
	}
	return true
}

// weighted is a colour and its number of pixels.
type weighted struct {
	rgb
	n int
}

func (w weighted) key() int { return int(w.r)<<16 | int(w.g)<<8 | int(w.b) }

// medianCut divides colours into n boxes, always the one with the largest sum of squares along its longest side next, and returns the
// mean of each.
func medianCut(colors []weighted, n int) []rgb {
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
	colors []weighted
	mean   [3]float64
	axis   int
	spread float64 // sum of squares about the mean, along axis
}

func newBox(colors []weighted) box {
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

func (w weighted) channels() [3]float64 { return [3]float64{float64(w.r), float64(w.g), float64(w.b)} }

// cut divides a box at its mean, along its longest side.
func (b box) cut() (lower, upper []weighted) {
	slices.SortFunc(b.colors, func(p, q weighted) int {
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
