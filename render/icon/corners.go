package icon

import (
	"image"

	"masthead/render/palette"
)

// This file frees a disc or a rounded square from the white square that an opaque file has around it, whose corners
// would stick out in a dark tab.

const (
	paper = .93 // minimum lightness of the color around it
	// leastCut is the minimum size of the mark in pixels: less is no disc yet.
	leastCut = 12
)

// withoutCorners returns the mark of an opaque picture with transparent corners if it is a disc or a rounded square of
// its own on white, otherwise nil.
func withoutCorners(img *image.NRGBA, l *look) *mark {
	if l.form != plain && (l.form != full || !l.mostly) || !l.onPaper() || min(l.ink.Dx(), l.ink.Dy()) < leastCut {
		return nil
	}
	cut := cutOut(img, l, outsideOf(img, l))
	to := lookAt(cut)
	if to.form != badge {
		return nil
	}
	return &mark{look: to, img: cut, scales: newPyramid(cut), onWhite: true}
}

// onPaper reports whether the picture has a white border.
func (l *look) onPaper() bool { return palette.ToLCH(l.rim).L > paper }

// outsideOf returns which pixels have the color of the border and are connected to it.
func outsideOf(img *image.NRGBA, l *look) []bool {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	outside := make([]bool, w*h)
	var open []int
	visit := func(x, y int) {
		if i := y*w + x; !outside[i] && near(img.Pix[y*img.Stride+4*x:][:4], l.rim) {
			outside[i] = true
			open = append(open, i)
		}
	}
	for x := range w {
		visit(x, 0)
		visit(x, h-1)
	}
	for y := range h {
		visit(0, y)
		visit(w-1, y)
	}
	for len(open) > 0 {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		x, y := i%w, i/w
		visit(max(x-1, 0), y)
		visit(min(x+1, w-1), y)
		visit(x, max(y-1, 0))
		visit(x, min(y+1, h-1))
	}
	return outside
}

// cutOut returns a copy of a picture that is transparent outside. The pixels along the edge, which are a mixture of the
// border's color and the mark's, become the mark's color with the alpha of the mixture.
func cutOut(img *image.NRGBA, l *look, outside []bool) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := image.NewNRGBA(img.Rect)
	at := func(x, y int) []uint8 { return img.Pix[y*img.Stride+4*x:][:4] }
	for y := range h {
		for x := range w {
			if outside[y*w+x] {
				continue
			}
			p, d := at(x, y), out.Pix[y*out.Stride+4*x:][:4]
			copy(d, p)
			var beyond []uint8
			for _, n := range neighbors {
				nx, ny := x+n[0], y+n[1]
				if nx < 0 || ny < 0 || nx >= w || ny >= h || outside[ny*w+nx] {
					beyond = rgb(l.rim)
					break
				}
			}
			if beyond == nil {
				continue
			}
			inner := p // the neighbor that differs most from the border is the mark alone
			for _, n := range neighbors {
				nx, ny := x+n[0], y+n[1]
				if nx >= 0 && ny >= 0 && nx < w && ny < h && !outside[ny*w+nx] &&
					apart(at(nx, ny), beyond) > apart(inner, beyond) {
					inner = at(nx, ny)
				}
			}
			if all := apart(inner, beyond); all > 2*sameColor {
				copy(d[:3], inner[:3])
				d[3] = uint8(min(255*apart(p, beyond)/all, 255))
			}
		}
	}
	return out
}
