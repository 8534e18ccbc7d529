package paint

import (
	"image"
	"image/color"
	"math"

	"masthead/render/palette"
)

// Where heads are in photographs, as fractions of their height, and how crops keep them. There is no detection of
// faces. Source: docs/rendering.md#pictures-of-pages.
const (
	headTop, headBottom = .12, .45
	emptyBand           = .1 // of the mean interest, under which there are no heads in the band
	borderRing          = 8  // sample points from a side within which most are of the background
	leastRarity         = .35
	edgeShare           = .06 // of a crop: its interest isn't centered closer to an edge
	clearlyBest         = 1.1 // times the score of the middle
	unclearY            = .38 // of the free height, if no crop is clearly the best
)

// photoStops are the candidate positions of a crop whose sides are cut, with the weights of their scores.
var photoStops = [...]struct{ at, weight float64 }{
	{.5, 1}, {.35, .96}, {.65, .96}, {.2, .9}, {.8, .9}, {0, .8}, {1, .8},
}

// FocusPhoto returns which part of a photograph should fill w×h, for [PlateSpec]: the one with the most interest
// outside of the quiet rectangles of the result, where text will be. Interest is detail in a color that is rare at the
// border. If the height is cut, the part between 12 and 45 % of it stays, where heads are.
func FocusPhoto(img image.Image, w, h int, quiet []image.Rectangle) (atX, atY float64) {
	size := img.Bounds().Size()
	if size.X < 2*focusSide || size.Y < 2*focusSide || w < 1 || h < 1 {
		return .5, .5
	}
	c := coverCrop(size.X, size.Y, w, h, 0, 0)
	roomX, roomY := float64(size.X)-c.w, float64(size.Y)-c.h
	switch {
	case roomX >= .02*float64(size.X):
		return acrossPhoto(img, c, roomX, w, h, quiet), .5
	case roomY >= .02*float64(size.Y):
		return .5, downPhoto(img, c, roomY, w, h, quiet)
	}
	return .5, .5
}

// acrossPhoto returns the position of a crop of the whole height.
func acrossPhoto(img image.Image, c crop, room float64, w, h int, quiet []image.Rectangle) float64 {
	interest, size := interestOf(img), img.Bounds().Size()
	best, middle, at := 0.0, 0.0, .5
	for i, stop := range photoStops {
		c.x = stop.at * room
		score, center := interest.inside(c, size, w, h, quiet)
		if score *= stop.weight; i == 0 {
			middle = score
		} else if center < edgeShare || center > 1-edgeShare {
			continue
		}
		if score > best {
			best, at = score, stop.at
		}
	}
	if best < clearlyBest*middle {
		return .5
	}
	return at
}

// downPhoto returns the position of a crop of the whole width.
func downPhoto(img image.Image, c crop, room float64, w, h int, quiet []image.Rectangle) float64 {
	interest, size := interestOf(img), img.Bounds().Size()
	height, shown := float64(size.Y), c.h/float64(size.Y)
	free := room / height
	first, last := max(0, headBottom-shown), min(headTop, free)
	if first > last { // the band doesn't fit: its upper part, where faces are
		first = last
	}
	if interest.band(headTop, headBottom) < emptyBand*interest.band(0, 1) {
		last = max(last, free/2)
	}
	const steps = 4
	best, at := -1.0, first
	unclear := min(max(unclearY*free, first), last)
	usual := 0.0
	for i := range steps + 2 {
		top := first + (last-first)*float64(i)/steps
		if i > steps {
			top = unclear
		}
		c.y = top * height
		score, _ := interest.inside(c, size, w, h, quiet)
		if usual = score; score > best {
			best, at = score, top
		}
	}
	if best < clearlyBest*usual {
		at = unclear
	}
	return at / free
}

// interest is how interesting a picture is around sample points.
type interest [focusSide * focusSide]float64

// interestOf returns the detail of a picture times the distance of its color from those at the border.
func interestOf(img image.Image) *interest {
	b := img.Bounds()
	at := func(i, j int) image.Point {
		return image.Pt(b.Min.X+(2*i+1)*b.Dx()/(2*focusSide), b.Min.Y+(2*j+1)*b.Dy()/(2*focusSide))
	}
	var labs [focusSide * focusSide]palette.Lab
	var ring palette.Lab
	n, edge := 0.0, borderRing
	for k := range labs {
		i, j := k%focusSide, k/focusSide
		p := at(i, j)
		labs[k] = palette.ToLab(color.NRGBAModel.Convert(img.At(p.X, p.Y)).(color.NRGBA))
		if min(i, j, focusSide-1-i, focusSide-1-j) < edge {
			ring.L, ring.A, ring.B, n = ring.L+labs[k].L, ring.A+labs[k].A, ring.B+labs[k].B, n+1
		}
	}
	ring = palette.Lab{L: ring.L / n, A: ring.A / n, B: ring.B / n}
	out, detail := new(interest), detailOf(img)
	farthest := 0.0
	for k := range labs {
		out[k] = labs[k].Distance(ring)
		farthest = max(farthest, out[k])
	}
	for k, d := range detail {
		rare := 1.0
		if farthest > 0 {
			rare = max(leastRarity, out[k]/farthest)
		}
		out[k] = d * rare
	}
	return out
}

// band returns the mean interest between two heights, as fractions.
func (t *interest) band(from, to float64) float64 {
	first, end := int(from*focusSide), int(math.Ceil(to*focusSide))
	sum := 0.0
	for _, v := range t[first*focusSide : end*focusSide] {
		sum += v
	}
	return sum / float64((end-first)*focusSide)
}

// inside returns the interest within a crop less that under the quiet rectangles, and where it is centered from side to
// side, 0 to 1.
func (t *interest) inside(c crop, size image.Point, w, h int, quiet []image.Rectangle) (score, center float64) {
	whole, sum, moment := image.Rect(0, 0, w, h), 0.0, 0.0
	for k, v := range t {
		x := int(((float64(k%focusSide)+.5)/focusSide*float64(size.X) - c.x) / c.w * float64(w))
		y := int(((float64(k/focusSide)+.5)/focusSide*float64(size.Y) - c.y) / c.h * float64(h))
		at := image.Pt(x, y)
		if !at.In(whole) {
			continue
		}
		sum, moment = sum+v, moment+v*float64(x)
		score += v
		for _, r := range quiet {
			if at.In(r) {
				score -= 2 * v
				break
			}
		}
	}
	if sum == 0 {
		return 0, .5
	}
	return max(score, 0), moment / sum / float64(w)
}
