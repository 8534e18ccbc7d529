package picture

import (
	"image"

	"github.com/disintegration/imaging"
)

// maxTarget is the maximum side of a scaled picture, in pixels.
const maxTarget = 4096

// bigPixels is the size from which a picture counts as big: a photograph, for which Lanczos takes noticeable time.
const bigPixels = 1 << 20

// Scale returns img at exactly w×h pixels, even if that changes its ratio. The sides are clamped to 1 to 4096. img
// isn't changed, and the result never shares its pixels.
//
// Small pictures, and all enlargements, use Lanczos. A big one reduced to half or less uses a box filter, which takes a
// third of the time; one reduced to a quarter or less is box-filtered to twice the final size, followed by Lanczos.
//
// The filters differ from those of paint.Scale, which draws onto cards and must be fast there: results of this package
// are files of their own.
func Scale(img *image.NRGBA, w, h int) *image.NRGBA {
	w, h = clamp(w), clamp(h)
	sw, sh := img.Rect.Dx(), img.Rect.Dy()
	if sw == 0 || sh == 0 {
		return image.NewNRGBA(image.Rect(0, 0, w, h))
	}
	if sw*sh < bigPixels || sw < 2*w || sh < 2*h {
		return imaging.Resize(img, w, h, imaging.Lanczos)
	}
	if sw < 4*w || sh < 4*h {
		return imaging.Resize(img, w, h, imaging.Box)
	}
	return imaging.Resize(imaging.Resize(img, 2*w, 2*h, imaging.Box), w, h, imaging.Lanczos)
}

// Contain returns img scaled, keeping its ratio, to the largest size within w×h; small pictures are enlarged. A side is
// never less than 1 pixel.
func Contain(img *image.NRGBA, w, h int) *image.NRGBA {
	w, h = clamp(w), clamp(h)
	sw, sh := img.Rect.Dx(), img.Rect.Dy()
	if sw == 0 || sh == 0 {
		return image.NewNRGBA(image.Rect(0, 0, w, h))
	}
	cw, ch := Contained(sw, sh, w, h)
	return Scale(img, cw, ch)
}

// Contained returns the size that [Contain] gives a picture of sw×sh pixels, both above 0.
func Contained(sw, sh, w, h int) (cw, ch int) {
	w, h = clamp(w), clamp(h)
	if sw*h >= sh*w {
		return w, clamp((sh*w + sw/2) / sw)
	}
	return clamp((sw*h + sh/2) / sh), h
}

func clamp(side int) int { return min(max(side, 1), maxTarget) }
