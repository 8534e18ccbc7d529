package motif

import "image"

// OnWhite reports whether a picture shows something on white that several of its edges cut: too much of its border
// isn't white for a thing that could be cut out, but most of it is.
func OnWhite(picture image.Image) bool {
	const white, most = 240, .5
	src, ok := picture.(*image.NRGBA)
	if !ok || src.Rect.Empty() {
		return false
	}
	n, all := 0, 0
	look := func(x, y int) {
		all++
		if p := src.Pix[y*src.Stride+4*x:][:4:4]; p[3] == 255 && min(p[0], p[1], p[2]) >= white {
			n++
		}
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	for x := range w {
		look(x, 0)
		look(x, h-1)
	}
	for y := range h {
		look(0, y)
		look(w-1, y)
	}
	return float64(n) >= most*float64(all)
}
