package paint

import "image"

// Round corners of pictures, as fractions of their sides.
const (
	cornerReach = .2 // of the shorter side: the largest corner
	cornerSolid = 250
)

// squared returns a picture whose four corners alone are clear with corners in the color of the nearest pixel of their
// row, since a card cuts or rounds it by itself; ok is false for other pictures.
func squared(src *image.NRGBA) (out *image.NRGBA, ok bool) {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	if w < 2*focusSide || h < 2*focusSide {
		return nil, false
	}
	alpha := func(x, y int) uint8 { return src.Pix[y*src.Stride+4*x+3] }
	if alpha(0, 0)|alpha(w-1, 0)|alpha(0, h-1)|alpha(w-1, h-1) > 255-cornerSolid {
		return nil, false
	}
	reach := int(cornerReach * float64(min(w, h)))
	for y := range h { // from the corners on, no pixel is clear
		from := 0
		if y < reach || y >= h-reach {
			from = reach
		}
		for x := from; x < w-from; x++ {
			if alpha(x, y) < cornerSolid {
				return nil, false
			}
		}
	}
	out = image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		row := out.Pix[y*out.Stride:][:4*w]
		copy(row, src.Pix[y*src.Stride:][:4*w])
		first, last := 0, w-1
		for row[4*first+3] < cornerSolid {
			first++
		}
		for row[4*last+3] < cornerSolid {
			last--
		}
		for x := range first {
			copy(row[4*x:4*x+4], row[4*first:4*first+4])
		}
		for x := last + 1; x < w; x++ {
			copy(row[4*x:4*x+4], row[4*last:4*last+4])
		}
	}
	return out, true
}
