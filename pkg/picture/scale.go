package picture

import (
	"image"

	"github.com/disintegration/imaging"
)

// maxTarget is the greatest side of a scaled picture, in pixels.
const maxTarget = 4096

// bigPixels is the size from which a picture counts as big: a photograph, where the time that Lanczos takes is felt.
const bigPixels = 1 << 20

// Scale returns img at exactly w×h pixels, whatever that does to its ratio. The sides are clamped to 1 to 4096. img
// is not changed, and the result never shares its pixels.
//
// Small pictures, and all enlargements, go through Lanczos. A big one that shrinks to half or less goes through a
// box, which takes a third of the time; one that shrinks to a quarter or less goes to twice its size so, and the rest
// through Lanczos.
//
// Filters differ from those of paint.Scale, which draws onto cards and must be fast there: results of this package are
// files of their own.
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

// Contain returns img scaled, keeping its ratio, to the largest size that lies within w×h; small pictures are
// enlarged. A side is never less than 1 pixel.
func Contain(img *image.NRGBA, w, h int) *image.NRGBA {
	w, h = clamp(w), clamp(h)
	sw, sh := img.Rect.Dx(), img.Rect.Dy()
	if sw == 0 || sh == 0 {
		return image.NewNRGBA(image.Rect(0, 0, w, h))
	}
	if sw*h >= sh*w {
		return Scale(img, w, (sh*w+sw/2)/sw)
	}
	return Scale(img, (sw*h+sh/2)/sh, h)
}

func clamp(side int) int { return min(max(side, 1), maxTarget) }
