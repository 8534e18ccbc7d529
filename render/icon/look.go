package icon

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"slices"

	"masthead/render/palette"
)

// This file determines what a source looks like: which part is the mark, and whether it has a background of its own.

// form is the kind of a source.
type form uint8

const (
	// glyph is a mark on a transparent background.
	glyph form = iota
	// badge is a mark on a rounded square or a disc of its own, with transparent corners.
	badge
	// plain is an opaque picture whose border has one color, which is the background of its mark.
	plain
	// full is an opaque picture that extends to its edges.
	full
)

// look describes the appearance of a source.
type look struct {
	form form
	// ink is the drawn part of the picture: of a plain one what differs from its background.
	ink image.Rectangle
	// rim is the color of the border: the background of a plain picture, the edge of a badge. even reports whether all of
	// the border has it.
	rim  color.NRGBA
	even bool
	disc bool // of a badge

	// mostly reports whether most of the border has the color.
	mostly bool

	oneColor bool    // everything drawn has one color
	shades   []shade // the drawn colors, out of 4096
	busy     float64 // fraction of pixels that differ much from a neighbor
}

// shade is a color and the fraction of the drawing that has it.
type shade struct {
	color color.NRGBA
	share float64
}

// Thresholds.
const (
	seen      = 16  // minimum alpha of a drawn pixel
	solid     = 250 // minimum alpha of an opaque pixel
	sameColor = 26  // channels with a smaller difference count as equal, because of antialiasing and JPEG artifacts
	samples   = 128 // sample positions in each direction
	// A color is invisible on a background with less contrast, unless its hue differs; without any contrast it always is.
	unseen, unseenHue = palette.MinFill, 1.25
	hueApart          = .09 // in the plane of a and b of OKLab
)

func lookAt(img *image.NRGBA) look {
	l := look{ink: inkOf(img, color.NRGBA{})}
	if l.ink.Empty() {
		return l
	}
	opaque := l.border(img, img.Rect, 0)
	switch {
	case opaque && l.even:
		l.form = plain
		if ink := inkOf(img, l.rim); !ink.Empty() {
			l.ink = ink
		} else {
			l.form = full // only one color
		}
	case opaque:
		l.form = full
	default:
		l.badge(img)
	}
	l.sample(img)
	if l.form == badge && l.oneColor {
		l.form = glyph // there is only a background
	}
	return l
}

// inkOf returns the part of a picture that differs from a background, which may be transparent.
func inkOf(img *image.NRGBA, background color.NRGBA) image.Rectangle {
	drawn := func(p []uint8) bool { return p[3] >= seen }
	if background.A != 0 {
		drawn = func(p []uint8) bool { return p[3] < solid || !near(p, background) }
	}
	var r image.Rectangle
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		row := img.Pix[img.PixOffset(img.Rect.Min.X, y):][:4*img.Rect.Dx()]
		first, last := 0, len(row)-4
		for first < len(row) && !drawn(row[first:first+4]) {
			first += 4
		}
		if first == len(row) {
			continue
		}
		for !drawn(row[last : last+4]) {
			last -= 4
		}
		r = r.Union(image.Rect(img.Rect.Min.X+first/4, y, img.Rect.Min.X+last/4+1, y+1))
	}
	return r
}

// border samples the pixels along the edge of a rectangle, without a part of each side at its ends. It reports whether
// all are opaque.
func (l *look) border(img *image.NRGBA, r image.Rectangle, ends float64) (opaque bool) {
	var pixels [][]uint8
	cutX, cutY := int(ends*float64(r.Dx())), int(ends*float64(r.Dy()))
	for x := r.Min.X + cutX; x < r.Max.X-cutX; x++ {
		pixels = append(pixels, img.Pix[img.PixOffset(x, r.Min.Y):][:4], img.Pix[img.PixOffset(x, r.Max.Y-1):][:4])
	}
	for y := r.Min.Y + cutY; y < r.Max.Y-cutY; y++ {
		pixels = append(pixels, img.Pix[img.PixOffset(r.Min.X, y):][:4], img.Pix[img.PixOffset(r.Max.X-1, y):][:4])
	}
	l.judgeRim(pixels)
	for _, p := range pixels {
		if p[3] < solid {
			return false
		}
	}
	return true
}

// judgeRim determines the color of a rim: that of most of its pixels. A mark may touch the edge, so a tenth may differ.
func (l *look) judgeRim(pixels [][]uint8) {
	counts := map[uint16]int{}
	var most uint16
	for _, p := range pixels {
		k := quantized(p)
		if counts[k]++; counts[k] > counts[most] {
			most = k
		}
	}
	var first, all mean
	for _, p := range pixels {
		if quantized(p) == most {
			first.add(p)
		}
	}
	l.rim = first.color()
	for _, p := range pixels { // including those in the neighboring quantized colors
		if near(p, l.rim) {
			all.add(p)
		}
	}
	l.rim = all.color()
	alike := 0
	for _, p := range pixels {
		if near(p, l.rim) {
			alike++
		}
	}
	l.even, l.mostly = alike*10 >= len(pixels)*9, alike*10 >= len(pixels)*6
}

// quantized is one of 4096 colors.
func quantized(p []uint8) uint16 { return uint16(p[0]>>4)<<8 | uint16(p[1]>>4)<<4 | uint16(p[2]>>4) }

// badge checks whether the drawing is a rounded square or a disc without holes.
func (l *look) badge(img *image.NRGBA) {
	r := l.ink
	w, h := r.Dx(), r.Dy()
	if min(w, h) < 12 || max(w, h)*100 > min(w, h)*108 {
		return
	}
	inDisc, inSquare, all := 0, 0, 0
	const corner = .30 // maximum radius of a rounded square
	step := max(1, min(w, h)/samples)
	for y := step / 2; y < h; y += step {
		for x := step / 2; x < w; x += step {
			p := img.Pix[img.PixOffset(r.Min.X+x, r.Min.Y+y):][:4]
			dx, dy := math.Abs((float64(x)+.5)/float64(w)-.5)*2, math.Abs((float64(y)+.5)/float64(h)-.5)*2
			drawn := p[3] >= 128
			all++
			if edge := 2.5 / float64(min(w, h)); math.Abs(math.Hypot(dx, dy)-1) < edge || drawn == (math.Hypot(dx, dy) < 1) {
				inDisc++
			}
			cx, cy := max(dx-(1-2*corner), 0)/(2*corner), max(dy-(1-2*corner), 0)/(2*corner)
			if drawn || math.Hypot(cx, cy) > 1 {
				inSquare++
			}
		}
	}
	switch {
	case inDisc*1000 >= all*998:
		l.form, l.disc = badge, true
		l.discRim(img)
	case inSquare*1000 >= all*997:
		l.form = badge
		l.border(img, r.Inset(1+min(w, h)/48), corner)
	}
}

// discRim samples the pixels just inside the edge of a disc.
func (l *look) discRim(img *image.NRGBA) {
	var pixels [][]uint8
	cx, cy := float64(l.ink.Min.X+l.ink.Max.X)/2, float64(l.ink.Min.Y+l.ink.Max.Y)/2
	radius := float64(min(l.ink.Dx(), l.ink.Dy()))/2 - 1.5 - float64(l.ink.Dx())/48
	for a := range 128 {
		sin, cos := math.Sincos(float64(a) * math.Pi / 64)
		pixels = append(pixels, img.Pix[img.PixOffset(int(cx+radius*cos), int(cy+radius*sin)):][:4])
	}
	l.judgeRim(pixels)
}

// sample collects the colors of the drawing.
func (l *look) sample(img *image.NRGBA) {
	step := max(1, max(l.ink.Dx(), l.ink.Dy())/samples)
	var at [1 << 12]int16 // for each of 4096 colors, its index in found, from 1
	type met struct {
		mean
		count int
	}
	var found []met
	var all mean
	n, differ := 0, 0
	for y := l.ink.Min.Y; y < l.ink.Max.Y; y += step {
		for x := l.ink.Min.X; x < l.ink.Max.X; x += step {
			p := img.Pix[img.PixOffset(x, y):][:4]
			if p[3] < 128 || l.form == plain && near(p, l.rim) {
				continue // transparent, or the background, which isn't part of the mark
			}
			k := quantized(p)
			if at[k] == 0 {
				found = append(found, met{})
				at[k] = int16(len(found))
			}
			m := &found[at[k]-1]
			m.add(p)
			m.count++
			all.add(p)
			n++
			if x+step < l.ink.Max.X && apart(p, img.Pix[img.PixOffset(x+step, y):][:4]) > 48 {
				differ++
			}
		}
	}
	whole := all.color()
	same := 0.0
	for i := range found {
		c := shade{found[i].color(), float64(found[i].count) / float64(n)}
		l.shades = append(l.shades, c)
		if near([]uint8{c.color.R, c.color.G, c.color.B}, whole) {
			same += c.share
		}
	}
	// Sorted by color, since sums must not depend on the order of their appearance in the picture.
	slices.SortFunc(l.shades, func(a, b shade) int { return bytes.Compare(rgb(a.color), rgb(b.color)) })
	l.oneColor, l.busy = same >= .98, float64(differ)/max(float64(n), 1)
}

func rgb(c color.NRGBA) []byte { return []byte{c.R, c.G, c.B} }

// lostOn returns the fraction of the drawing that is invisible on a background.
func (l *look) lostOn(background color.NRGBA) float64 {
	lost, on := 0.0, palette.ToLab(background)
	for _, s := range l.shades {
		contrast := palette.Contrast(s.color, background)
		if contrast >= unseen {
			continue
		}
		lab := palette.ToLab(s.color)
		if contrast < unseenHue || math.Hypot(lab.A-on.A, lab.B-on.B) < hueApart {
			lost += s.share
		}
	}
	return lost
}

func near(p []uint8, c color.NRGBA) bool {
	return apart(p, rgb(c)) <= sameColor
}

// apart returns the largest difference between channels.
func apart(p, q []uint8) int {
	most := 0
	for i := range 3 {
		most = max(most, int(p[i])-int(q[i]), int(q[i])-int(p[i]))
	}
	return most
}

// mean is a mean color, weighted by alpha.
type mean struct{ r, g, b, a int }

func (m *mean) add(p []uint8) {
	a := int(p[3])
	m.r, m.g, m.b, m.a = m.r+int(p[0])*a, m.g+int(p[1])*a, m.b+int(p[2])*a, m.a+a
}

func (m *mean) color() color.NRGBA {
	n := max(m.a, 1)
	return color.NRGBA{R: uint8(m.r / n), G: uint8(m.g / n), B: uint8(m.b / n), A: 255}
}

// pixelArt reports whether a small picture consists of few flat colors without soft edges, so that it may be enlarged
// by whole pixels.
func pixelArt(img *image.NRGBA) bool {
	const mostSide, mostColors = 64, 16
	w, h := img.Rect.Dx(), img.Rect.Dy()
	if max(w, h) > mostSide {
		return false
	}
	colors := map[[3]uint8]bool{}
	for y := range h {
		row := img.Pix[img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y+y):][:4*w]
		for ; len(row) > 0; row = row[4:] {
			if row[3] != 0 && row[3] != 255 {
				return false
			}
			if row[3] == 255 {
				colors[[3]uint8(row[:3])] = true
			}
			if len(colors) > mostColors {
				return false
			}
		}
	}
	return !softEdges(img)
}

// softEdges reports whether many of an opaque picture's edges have a mixture of the colors on both sides between them.
func softEdges(img *image.NRGBA) bool {
	const share = 4 // one in four
	edges, soft := 0, 0
	at := func(x, y int) []uint8 { return img.Pix[img.PixOffset(img.Rect.Min.X+x, img.Rect.Min.Y+y):][:4] }
	judge := func(a, b, c []uint8) {
		if b[3] == 0 || apart(a, b) <= sameColor && apart(b, c) <= sameColor {
			return
		}
		edges++
		if a[3] != 0 && c[3] != 0 && apart(a, b) > sameColor && apart(b, c) > sameColor && between(a, b, c) {
			soft++
		}
	}
	w, h := img.Rect.Dx(), img.Rect.Dy()
	for y := range h {
		for x := range w {
			if x > 0 && x+1 < w {
				judge(at(x-1, y), at(x, y), at(x+1, y))
			}
			if y > 0 && y+1 < h {
				judge(at(x, y-1), at(x, y), at(x, y+1))
			}
		}
	}
	return soft*share > edges
}

// between reports whether each channel of b is between those of a and c, or close.
func between(a, b, c []uint8) bool {
	const close = 6
	for i := range 3 {
		if int(b[i]) < int(min(a[i], c[i]))-close || int(b[i]) > int(max(a[i], c[i]))+close {
			return false
		}
	}
	return true
}
