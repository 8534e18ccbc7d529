package icon

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"masthead/render/paint"
)

// This file has operations on the pixels of a picture: compositing, rounding, extending, coloring.

func clear(side int) *image.NRGBA { return image.NewNRGBA(image.Rect(0, 0, side, side)) }

func centredOn(side int, background color.NRGBA) *image.NRGBA {
	img := clear(side)
	draw.Draw(img, img.Rect, image.NewUniform(background), image.Point{}, draw.Src)
	return img
}

// centered draws a picture over the middle of another, which it returns.
func centered(dst, src *image.NRGBA) *image.NRGBA {
	if dst.Rect == src.Rect && isClear(dst) {
		return src
	}
	return over(dst, src, image.Pt((dst.Rect.Dx()-src.Rect.Dx())/2, (dst.Rect.Dy()-src.Rect.Dy())/2))
}

func isClear(img *image.NRGBA) bool {
	return img.Pix[img.PixOffset(img.Rect.Dx()/2, img.Rect.Dy()/2)+3] == 0
}

// over draws src over dst at a position.
func over(dst, src *image.NRGBA, at image.Point) *image.NRGBA {
	r := src.Rect.Add(at).Intersect(dst.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		d := dst.Pix[dst.PixOffset(r.Min.X, y):][:4*r.Dx()]
		s := src.Pix[src.PixOffset(r.Min.X-at.X, y-at.Y):][:4*r.Dx()]
		for ; len(d) > 0; d, s = d[4:], s[4:] {
			blend(d, s)
		}
	}
	return dst
}

// blend blends a pixel over another, both with straight alpha.
func blend(d, s []uint8) {
	switch {
	case s[3] == 0:
		return
	case s[3] == 255 || d[3] == 0:
		copy(d[:4], s[:4])
		return
	}
	sa, da := uint32(s[3])*255, uint32(d[3])*(255-uint32(s[3]))
	sum := sa + da
	for i := range 3 {
		d[i] = uint8((uint32(s[i])*sa + uint32(d[i])*da + sum/2) / sum)
	}
	d[3] = uint8((sum + 127) / 255)
}

// rounded cuts the corners off a picture.
func rounded(img *image.NRGBA) *image.NRGBA {
	mask := paint.RoundMask(image.Rectangle{Max: img.Rect.Size()}, tileRounded*float64(min(img.Rect.Dx(), img.Rect.Dy())))
	for y := range img.Rect.Dy() {
		row := img.Pix[y*img.Stride:]
		for x := range img.Rect.Dx() {
			p := row[4*x : 4*x+4]
			if p[3] = uint8(uint32(p[3]) * uint32(mask.Pix[y*mask.Stride+x]) / 255); p[3] == 0 {
				p[0], p[1], p[2] = 0, 0, 0
			}
		}
	}
	return img
}

// extended returns an opaque square around a badge: each free pixel has the nearest color of the badge on the way to
// its center.
func extended(side int, img *image.NRGBA) *image.NRGBA {
	out := clear(side)
	offset := image.Pt((side-img.Rect.Dx())/2, (side-img.Rect.Dy())/2)
	cx, cy := float64(side)/2, float64(side)/2
	for y := range side {
		for x := range side {
			d := out.Pix[y*out.Stride+4*x:][:4]
			p := image.Pt(x, y).Sub(offset)
			if p.In(img.Rect) {
				copy(d, img.Pix[img.PixOffset(p.X, p.Y):][:4])
				if d[3] == 255 {
					continue
				}
			}
			under := inward(img, offset, float64(x)+.5, float64(y)+.5, cx, cy)
			background := [4]uint8{under.R, under.G, under.B, 255}
			blend(background[:], d)
			copy(d, background[:])
		}
	}
	return out
}

// inward returns the first opaque color on the way from a position to the center, two pixels inside the edge.
func inward(img *image.NRGBA, offset image.Point, x, y, cx, cy float64) color.NRGBA {
	length := math.Hypot(cx-x, cy-y)
	dx, dy := (cx-x)/length, (cy-y)/length
	for step := 0.0; step < length; step++ {
		p := image.Pt(int(x+dx*step), int(y+dy*step)).Sub(offset)
		if p.In(img.Rect) && img.NRGBAAt(p.X, p.Y).A >= solid {
			in := image.Pt(int(x+dx*(step+2)), int(y+dy*(step+2))).Sub(offset)
			if in.In(img.Rect) && img.NRGBAAt(in.X, in.Y).A >= solid {
				p = in
			}
			c := img.NRGBAAt(p.X, p.Y)
			c.A = 255
			return c
		}
	}
	return white
}
