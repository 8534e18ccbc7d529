package paint

import (
	"image"
	"image/color"
	"math"

	"masthead/render/palette"
)

// interest is how interesting a picture is around sample points.
type interest [focusSide * focusSide]float64

// Weights of the parts of interest, on average, and the extents of what stands out and its surroundings, in sample
// points: a face is calm, but differs from what is around it. The values were found with 54 photographs whose subjects
// were marked.
const (
	finely, standing, beyond = .5, .3, 4

	smallReach, smallAround = 2, 12
	largeReach, largeAround = 4, 20
)

// lookAt returns what is interesting in a picture: its detail times the distance of its color from those at the border,
// how much each part stands out from its surroundings, how far it is apart from the border, and who is likely there.
func lookAt(img image.Image) *sight {
	b := img.Bounds()
	var labs [focusSide * focusSide]palette.Lab
	var ring palette.Lab
	n, edge := 0.0, borderRing
	for k := range labs {
		i, j := k%focusSide, k/focusSide
		labs[k] = palette.ToLab(sampleOf(img, i, j))
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
	out.scale(finely)
	sums := sumsOf(&labs)
	for _, more := range [...]struct {
		*interest
		mean float64
	}{
		{standsOut(sums, smallReach, smallAround), standing}, {standsOut(sums, largeReach, largeAround), standing},
		{apart(&labs), beyond},
	} {
		more.scale(more.mean)
		for k, v := range more.interest {
			out[k] += v
		}
	}
	heart, core, person, heads := out.heart(), out.core(), findPerson(sums, out, b.Size()), findHeads(img)
	person.within(core)
	person.doubt(heads)
	return &sight{out, heart, heart.gathered(), person, heads, loneThing(&labs), cutThing(&labs), core}
}

// samplesAcross is the number of pixels along each side of a sample point whose mean it is.
const samplesAcross = 3

// sampleOf returns the color of a picture around a sample point.
func sampleOf(img image.Image, i, j int) color.NRGBA {
	const n, all = samplesAcross * focusSide, samplesAcross * samplesAcross
	b := img.Bounds()
	src, fast := img.(*image.NRGBA)
	var r, g, bl int
	for at := range all {
		x := b.Min.X + (2*(i*samplesAcross+at%samplesAcross)+1)*b.Dx()/(2*n)
		y := b.Min.Y + (2*(j*samplesAcross+at/samplesAcross)+1)*b.Dy()/(2*n)
		var c color.NRGBA
		if fast {
			p := src.Pix[src.PixOffset(x, y):][:4:4]
			c = color.NRGBA{R: p[0], G: p[1], B: p[2], A: p[3]}
		} else {
			c = color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
		}
		r, g, bl = r+int(c.R), g+int(c.G), bl+int(c.B)
	}
	return color.NRGBA{R: uint8(r / all), G: uint8(g / all), B: uint8(bl / all), A: 255}
}

// standsOut returns the squared distance of the mean color around each point from that of its wider surroundings.
func standsOut(sums *labSums, near, around int) *interest {
	mean := func(i, j, reach int) palette.Lab {
		m, _, _ := sums.mean(image.Rect(i-reach, j-reach, i+reach+1, j+reach+1))
		return m
	}
	out := new(interest)
	for k := range out {
		d := mean(k%focusSide, k/focusSide, near).Distance(mean(k%focusSide, k/focusSide, around))
		out[k] = d * d
	}
	return out
}

// scale makes the mean interest this much.
func (t *interest) scale(mean float64) {
	sum := t.sum()
	if sum == 0 {
		return
	}
	for k := range t {
		t[k] *= mean * float64(len(t)) / sum
	}
}

// sum returns all of the interest.
func (t *interest) sum() (all float64) {
	for _, v := range t {
		all += v
	}
	return all
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
				score -= v
				break
			}
		}
	}
	if sum == 0 {
		return 0, .5
	}
	return max(score, 0), moment / sum / float64(w)
}

// gathered reports whether most of the interest is in a part of the width.
func (t *interest) gathered() bool {
	const part, most = 2 * focusSide / 5, .72
	all, within, best := 0.0, 0.0, 0.0
	columns := t.sums(false)
	for i, v := range columns {
		if all, within = all+v, within+v; i >= part {
			within -= columns[i-part]
		}
		best = max(best, within)
	}
	return best > most*all
}

// sums returns the sums of the interest from top to bottom, or from side to side.
func (t *interest) sums(rows bool) *[focusSide]float64 {
	out := new([focusSide]float64)
	for k, v := range t {
		if i := k % focusSide; !rows {
			out[i] += v
		} else {
			out[k/focusSide] += v
		}
	}
	return out
}
