package paint

import (
	"image"
	"image/color"
)

// focusSide is the number of sample points along a side of a picture for measuring its detail.
const focusSide = 64

// focusStops are the candidate positions of a crop within its free space; the middle comes first, as the default.
var focusStops = [...]float64{.5, .35, .65, .2, .8, 0, 1}

// Focus returns which part of a picture should fill w×h, for [PlateSpec]: the one with the least detail within the
// quiet rectangles of the result, where text will be, and the most elsewhere.
func Focus(img image.Image, w, h int, quiet []image.Rectangle) (atX, atY float64) {
	size := img.Bounds().Size()
	atX, atY = .5, .5
	if size.X < 2*focusSide || size.Y < 2*focusSide || w < 1 || h < 1 {
		return atX, atY
	}
	c := coverCrop(size.X, size.Y, w, h, 0, 0)
	roomX, roomY := float64(size.X)-c.w, float64(size.Y)-c.h
	if roomX < .02*float64(size.X) && roomY < .02*float64(size.Y) {
		return atX, atY
	}
	detail := detailOf(img)
	best := 0.0
	for i, at := range focusStops {
		c.x, c.y = at*roomX, at*roomY // one of the two has no free space
		score := detail.score(c, size, w, h, quiet) * (1 - .04*float64(i))
		if i == 0 || score > best {
			best, atX, atY = score, at, at
		}
	}
	return atX, atY
}

// detail is how much the luminance of a picture varies around sample points.
type detail [focusSide * focusSide]float64

func detailOf(img image.Image) *detail {
	b := img.Bounds()
	light := func(i, j int) float64 {
		x, y := b.Min.X+(2*i+1)*b.Dx()/(2*focusSide+2), b.Min.Y+(2*j+1)*b.Dy()/(2*focusSide+2)
		return float64(color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y)
	}
	var rows [2][focusSide + 1]float64
	var d detail
	for j := range focusSide + 1 {
		row, above := &rows[j%2], &rows[(j+1)%2]
		for i := range row {
			row[i] = light(i, j)
		}
		for i := 0; j > 0 && i < focusSide; i++ {
			dx, dy := above[i+1]-above[i], row[i]-above[i]
			d[(j-1)*focusSide+i] = max(dx, -dx) + max(dy, -dy)
		}
	}
	return &d
}

// score rates a crop: the share of its detail outside of the quiet rectangles.
func (d *detail) score(c crop, size image.Point, w, h int, quiet []image.Rectangle) float64 {
	in, out := 1.0, 1.0 // without detail, all parts are equal
	for j := range focusSide {
		y := int(((float64(j)+.5)/focusSide*float64(size.Y) - c.y) / c.h * float64(h))
		for i := range focusSide {
			x := int(((float64(i)+.5)/focusSide*float64(size.X) - c.x) / c.w * float64(w))
			at := image.Pt(x, y)
			if !at.In(image.Rect(0, 0, w, h)) {
				continue
			}
			sum := &out
			for _, r := range quiet {
				if at.In(r) {
					sum = &in
				}
			}
			*sum += d[j*focusSide+i]
		}
	}
	return out / (in + out)
}
