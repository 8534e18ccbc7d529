package paint

import (
	"image"
	"slices"
)

// What the subject of a picture is: where its interest is at least a share of the greatest. What texts must not cover
// is where it exceeds a larger share.
const (
	coreShare    = .35
	heartShare   = .5
	coreGreatest = 98  // percent of the sample points are less interesting than the greatest interest
	coreTogether = 3   // points of 3×3 around one that are of the subject, so that specks aren't
	coreOfThing  = 40  // percent of the picture that the box of a thing takes at most
	coreTrim     = .01 // of the subject, which may be beyond its box, but not above it: what is tall ends in a point
)

// core returns the subject's box, in sample points; an empty one if nothing is of interest.
func (t *interest) core() image.Rectangle {
	least := coreShare * t.greatest()
	if least <= 0 {
		return image.Rectangle{}
	}
	const side = focusSide
	var rows, columns [side]int
	all := 0
	for k := range t {
		i, j, n := k%side, k/side, 0
		for y := max(j-1, 0); y <= min(j+1, side-1); y++ {
			for x := max(i-1, 0); x <= min(i+1, side-1); x++ {
				if t[y*side+x] >= least {
					n++
				}
			}
		}
		if t[k] >= least && n >= coreTogether {
			rows[j], columns[i], all = rows[j]+1, columns[i]+1, all+1
		}
	}
	if all == 0 {
		return image.Rectangle{}
	}
	span := func(of *[side]int) (from, to int) {
		for sum := 0; sum <= int(coreTrim*float64(all)); from++ {
			sum += of[from]
		}
		to = side
		for sum := 0; sum <= int(coreTrim*float64(all)); to-- {
			sum += of[to-1]
		}
		return from - 1, to + 1
	}
	x0, x1 := span(&columns)
	_, y1 := span(&rows)
	y0 := 0
	for rows[y0] == 0 {
		y0++
	}
	return image.Rect(x0, y0, x1, y1)
}

// heart returns by how much the interest exceeds a share of the greatest.
func (t *interest) heart() *interest {
	out, most := new(interest), t.greatest()
	for k, v := range t {
		out[k] = max(min(v, most)-heartShare*most, 0)
	}
	return out
}

// greatest returns the interest that few points exceed.
func (t *interest) greatest() float64 {
	sorted := *t
	slices.Sort(sorted[:])
	return sorted[len(sorted)*coreGreatest/100]
}
