package kit

import (
	"image"
	"image/color"
	"math"

	"masthead/render/palette"
)

// FittedLogo is a logo or icon from a page, prepared for its surface: scaled and, if it would be invisible or look
// pasted, in one color or on a tile.
type FittedLogo struct {
	W, H int // including the plate

	img    *image.NRGBA
	ink    color.NRGBA // draws only the alpha of img; transparent: img in its own colors
	plate  color.NRGBA // under img; transparent: none
	pad    int         // of the plate, on each side
	radius float64     // of the plate, or of img without one
}

// Rules for foreign pictures. Contrasts are to the surface.
const (
	platePad    = .18 // of the height: 10 px of 56
	plateRadius = .21 // of the height: 12 px of 56
	seamless    = 1.3 // an opaque picture whose border has less contrast needs no round corners: its edge is invisible
	minVisible  = 2.0 // anything with less contrast is invisible
	minLogoH    = 32  // of a wordmark, if the width allows it
	mayBeLost   = .3  // maximum invisible share of a picture with alpha
)

// Logos are sized by their visual weight, not their box: a wordmark that filled the box of a square one would be
// several times as heavy. Source: docs/rendering.md#logos, 56×56 to 56×120.
const widestArea = 120. / 56

// FitIcon is FitLogo for a square of side pixels. ok is also false for a picture that is far from square.
func FitIcon(src *image.NRGBA, on Surface, side int) (l FittedLogo, ok bool) {
	if src == nil || src.Rect.Empty() {
		return l, false
	}
	const least = .4 // of the side
	if size := inkOf(src).Size(); min(float64(size.X), float64(size.Y)) < least*max(float64(size.X), float64(size.Y)) {
		return l, false
	}
	return fitPicture(src, on, side, side)
}

// FitLogo prepares a logo for a box on a surface. ok is false for a picture that can't be shown: nil, empty, or too
// small to enlarge.
func FitLogo(src *image.NRGBA, on Surface, maxW, maxH int) (l FittedLogo, ok bool) {
	if src == nil || src.Rect.Empty() {
		return l, false
	}
	src = withoutBorder(src)
	size := inkOf(src).Size()
	if size.Y > 0 {
		if wide := float64(size.X) / float64(size.Y); wide > widestArea {
			maxH = int(max(float64(maxH)*math.Sqrt(widestArea/wide), minLogoH) + .5)
		}
	}
	return fitPicture(src, on, maxW, maxH)
}

// fitPicture is the common part of FitLogo and FitIcon.
func fitPicture(src *image.NRGBA, on Surface, maxW, maxH int) (l FittedLogo, ok bool) {
	if !l.scale(src, maxW, maxH) {
		return l, false
	}
	seen := lookAt(l.img)
	switch {
	case on.OneInk && seen.oneColor && !seen.opaque:
		l.ink = on.Text
	case seen.opaque && palette.Contrast(seen.border, on.Color) < seamless:
	case seen.opaque && seen.evenBorder:
		l.onPlate(src, seen.border, maxW)
	case seen.opaque:
		l.radius = plateRadius * float64(l.H)
	case seen.lostOn(on.Color) < mayBeLost:
	case seen.oneColor:
		l.ink = on.Text
	default:
		l.onPlate(src, on.Text, maxW)
	}
	return l, true
}

// scale scales src to fit a box.
func (l *FittedLogo) scale(src *image.NRGBA, maxW, maxH int) (ok bool) {
	if l.img, ok = scaledLogo(src, maxW, maxH); ok {
		l.W, l.H = l.img.Rect.Dx(), l.img.Rect.Dy()
	}
	return ok
}

// onPlate scales src, which was already scaled to a box, onto a tile of that box.
func (l *FittedLogo) onPlate(src *image.NRGBA, plate color.NRGBA, maxW int) {
	h := l.H
	l.pad = min(int(platePad*float64(h)+.5), (maxW-1)/2)
	l.scale(src, max(maxW-2*l.pad, 1), max(h-2*l.pad, 1))
	l.W, l.H, l.plate, l.radius = l.W+2*l.pad, l.H+2*l.pad, plate, plateRadius*float64(h)
}
