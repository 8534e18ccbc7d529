package draw

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/raster"
)

// borderImage paints the border of a box as a picture in nine parts: corners, edges, and the middle if asked for. ok is
// false if there is none, or it can't be drawn. Source: CSS Backgrounds 3, 6.
func (p *painter) borderImage(f *fragment.Fragment, shape raster.RoundRect, t target) (ok bool) {
	bi := &f.Style.BorderImage
	if bi.Source.None() {
		return false
	}
	borders := [4]float64{f.BorderWidth.Top, f.BorderWidth.Right, f.BorderWidth.Bottom, f.BorderWidth.Left}
	area := shape.Rect
	var out [4]float64
	for i := range out {
		out[i] = bi.Outset[i].Times*borders[i] + bi.Outset[i].Length.Px
	}
	area = raster.Rect{X0: area.X0 - out[3], Y0: area.Y0 - out[0], X1: area.X1 + out[1], Y1: area.Y1 + out[2]}
	pic := p.borderPicture(f, area)
	if pic == nil {
		return false
	}
	full := [4]float64{float64(pic.H), float64(pic.W), float64(pic.H), float64(pic.W)}
	room := [4]float64{area.H(), area.W(), area.H(), area.W()}
	var slice [4]int
	var width [4]float64
	for i := range slice {
		s := min(max(bi.Slice[i].Resolve(full[i]), 0), full[i])
		slice[i] = int(math.Round(s))
		w := &bi.Width[i]
		if width[i] = max(w.Length.Resolve(room[i]), 0) + w.Times*borders[i]; w.Auto {
			width[i] = float64(slice[i])
		}
	}
	k := min(1, area.W()/max(width[1]+width[3], 1e-9), area.H()/max(width[0]+width[2], 1e-9))
	for i := range width {
		width[i] *= k
	}
	b := &borderPainter{p: p, f: f, t: t, pic: pic}
	b.from[0] = [4]int{0, slice[3], max(pic.W-slice[1], slice[3]), pic.W}
	b.from[1] = [4]int{0, slice[0], max(pic.H-slice[2], slice[0]), pic.H}
	b.to[0] = [4]float64{area.X0, math.Round(area.X0 + width[3]), math.Round(area.X1 - width[1]), area.X1}
	b.to[1] = [4]float64{area.Y0, math.Round(area.Y0 + width[0]), math.Round(area.Y1 - width[2]), area.Y1}
	for row := range 3 {
		for column := range 3 {
			if row != 1 || column != 1 || bi.Fill {
				b.part(column, row)
			}
		}
	}
	return true
}

// borderPicture returns the pixels of a border's picture: a gradient is as large as the area.
func (p *painter) borderPicture(f *fragment.Fragment, area raster.Rect) *raster.Pixels {
	src := &f.Style.BorderImage.Source
	w, h := area.W(), area.H()
	var img Image
	if src.URL != "" {
		if img = p.image(f, src.URL); img == nil {
			return nil
		}
		if iw, ih, _ := img.Size(); iw > 0 && ih > 0 {
			w, h = iw, ih
		}
	}
	if !(w >= 1 && h >= 1 && w*h <= maxTile) {
		return nil
	}
	pw, ph := int(math.Round(w)), int(math.Round(h))
	if img != nil {
		return p.pixels(f, img, pw, ph)
	}
	pic := &raster.Pixels{Pix: make([]uint8, 4*pw*ph), W: pw, H: ph}
	one := raster.Rect{X0: 0, Y0: 0, X1: float64(pw), Y1: float64(ph)}
	s := raster.Gradient(src.Gradient, one, raster.Identity, f.Style.Color)
	for y := 0; y < ph && !p.Meter.Spend(pw); y++ {
		s.Shade(y, 0, pic.Pix[4*pw*y:][:4*pw])
	}
	return pic
}

// borderPainter paints the parts of a border's picture, by their columns and rows: where they are in the picture, and
// where they are drawn.
type borderPainter struct {
	p    *painter
	f    *fragment.Fragment
	t    target
	pic  *raster.Pixels
	from [2][4]int
	to   [2][4]float64
}

// scale returns how much larger the edge before or after a part is drawn, along the other axis; 0 if there is none.
func (b *borderPainter) scale(axis int) float64 {
	for _, i := range [2]int{0, 2} {
		if n := b.from[axis][i+1] - b.from[axis][i]; n > 0 && b.to[axis][i+1] > b.to[axis][i] {
			return (b.to[axis][i+1] - b.to[axis][i]) / float64(n)
		}
	}
	return 1
}

// part paints one of the nine parts.
func (b *borderPainter) part(column, row int) {
	at := [2]int{column, row}
	var size, first, tile, period [2]float64
	for axis, i := range at {
		n := b.from[axis][i+1] - b.from[axis][i]
		room := b.to[axis][i+1] - b.to[axis][i]
		if n <= 0 || room <= 0 {
			return
		}
		size[axis], first[axis], tile[axis] = float64(n), b.to[axis][i], room
		period[axis] = room
		if i != 1 || b.f.Style.BorderImage.Stretch[axis] {
			continue
		}
		one := float64(n) * b.scale(1-axis)
		switch b.f.Style.BorderImage.Repeat[axis] {
		case css.RepeatRound:
			one = room / max(1, math.Round(room/one))
			period[axis] = one
		case css.RepeatSpace:
			count := math.Floor(room / one)
			if count < 1 {
				return
			}
			gap := (room - count*one) / (count + 1)
			first[axis] += gap
			period[axis] = one + gap
		default: // one tile is in the middle
			first[axis] += (room - one) / 2
			period[axis] = one
		}
		tile[axis] = one
	}
	inv, ok := b.t.m.Inverse()
	if !ok {
		return
	}
	kx, ky := size[0]/tile[0], size[1]/tile[1]
	s := &raster.PictureShader{
		Pixels: b.pic.Part(b.from[0][column], b.from[1][row], int(size[0]), int(size[1])), Nearest: b.f.Style.ImagePixels,
		RepeatX: tile[0] < b.to[0][column+1]-b.to[0][column], RepeatY: tile[1] < b.to[1][row+1]-b.to[1][row],
		PeriodX: max(period[0]*kx, size[0]), PeriodY: max(period[1]*ky, size[1]),
		At: raster.Matrix{A: kx, D: ky, E: -first[0] * kx, F: -first[1] * ky}.Mul(inv),
	}
	to := raster.Rect{X0: b.to[0][column], Y0: b.to[1][row], X1: b.to[0][column+1], Y1: b.to[1][row+1]}
	b.p.fillShape(b.t, raster.RoundRect{Rect: to}, s)
}
