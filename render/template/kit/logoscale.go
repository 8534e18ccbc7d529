package kit

import (
	"hash/maphash"
	"image"

	"masthead/render/cache"
	"masthead/render/paint"
)

// Rules for scaling foreign pictures.
const (
	minIcon     = 32 // px; a smaller one is enlarged only if it is pixel art
	maxPixelArt = 64 // px, to which pixel art is enlarged by whole pixels
	pixelColors = 16 // maximum number of colors of pixel art
	mostOblong  = 64 // maximum ratio of sides; beyond it the picture is a line
)

// scaledLogos caches pictures in the size that cards show them in: a site's icon is the same on all its cards, and
// scaling it takes longer than drawing one. They are cached from the second time on, with room for those of at least
// the 32 busiest sites: one has at most 98 KB (340×72).
var scaledLogos = cache.NewPart(cache.Pieces, func(_ scaledKey, img *image.NRGBA) int { return len(img.Pix) })

// scaledKey is a picture identified by its content, with a secret seed, and the box that it was scaled for.
type scaledKey struct {
	content    uint64
	maxW, maxH int
}

var contentSeed = maphash.MakeSeed()

// scaledLogo returns a picture without its transparent margin, scaled to fit a box. ok is false for one that can't be
// shown: without pixels, transparent, only a line, or too small to enlarge. The result is shared: it must not be
// changed.
func scaledLogo(src *image.NRGBA, maxW, maxH int) (img *image.NRGBA, ok bool) {
	key := scaledKey{content: contentOf(src), maxW: maxW, maxH: maxH}
	if img, ok = scaledLogos.Get(key); ok {
		return img, true
	}
	if img, ok = scaleLogo(src, maxW, maxH); ok && scaledLogos.Again(key) {
		scaledLogos.Put(key, img)
	}
	return img, ok
}

// contentOf returns a digest of a picture's size and pixels.
func contentOf(img *image.NRGBA) uint64 {
	var h maphash.Hash
	h.SetSeed(contentSeed)
	w, height := img.Rect.Dx(), img.Rect.Dy()
	maphash.WriteComparable(&h, [2]int{w, height})
	for y := range height {
		_, _ = h.Write(img.Pix[y*img.Stride:][:4*w]) // a hash never fails
	}
	return h.Sum64()
}

// scaleLogo is scaledLogo without the cache.
func scaleLogo(src *image.NRGBA, maxW, maxH int) (*image.NRGBA, bool) {
	src = trim(src)
	w, h := src.Rect.Dx(), src.Rect.Dy()
	if w == 0 || h == 0 || w > mostOblong*h || h > mostOblong*w {
		return nil, false
	}
	if side := max(w, h); side < maxPixelArt {
		switch most := min(maxW/w, maxH/h); {
		case side < minIcon && !pixelArt(src):
			return nil, false
		case side >= minIcon && (h > maxH || w > maxW || !pixelArt(src)):
		case most > 0 && most*h*4 >= maxH*3: // its pixels stay unchanged
			return enlarge(src, most), true
		default:
			src = enlarge(src, (max(maxW, maxH)+side-1)/side)
		}
	}
	w, h = paint.FitSize(w, h, maxW, maxH)
	img := paint.Scale(src, w, h)
	if img == src { // already the right size: the caller's, who may change it
		img = enlarge(src, 1)
	}
	return img, true
}

// trim returns the non-transparent part of a picture: icons and logos often have a margin.
func trim(img *image.NRGBA) *image.NRGBA { return img.SubImage(inkOf(img)).(*image.NRGBA) }

// withoutBorder returns the content of a logo with a uniform border, if that is a wordmark on a higher background:
// “Acme” in the middle of a white square. An icon keeps its border, which is part of it.
func withoutBorder(img *image.NRGBA) *image.NRGBA {
	first := img.NRGBAAt(img.Rect.Min.X, img.Rect.Min.Y)
	if first.A < 250 {
		return img
	}
	r := image.Rectangle{}
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		row := img.Pix[img.PixOffset(img.Rect.Min.X, y):][:4*img.Rect.Dx()]
		for x := 0; x < len(row); x += 4 {
			if p := row[x : x+4 : x+4]; p[3] < 250 || !near(p, first) {
				at := image.Pt(img.Rect.Min.X+x/4, y)
				r = r.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
			}
		}
	}
	w, h := float64(r.Dx()), float64(r.Dy())
	on := r.Min.X == img.Rect.Min.X || r.Min.Y == img.Rect.Min.Y || r.Max.X == img.Rect.Max.X || r.Max.Y == img.Rect.Max.Y
	if r.Empty() || on || w < Wordmark*h || h > .7*float64(img.Rect.Dy()) {
		return img
	}
	return img.SubImage(r.Inset(-1)).(*image.NRGBA) // one pixel of the border has its color
}

// inkOf returns the non-transparent part of a picture.
func inkOf(img *image.NRGBA) image.Rectangle {
	r := image.Rectangle{}
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		row := img.Pix[img.PixOffset(img.Rect.Min.X, y):][:4*img.Rect.Dx()]
		first, last := 0, len(row)-4
		for first < len(row) && row[first+3] < 16 {
			first += 4
		}
		if first == len(row) {
			continue
		}
		for row[last+3] < 16 {
			last -= 4
		}
		r = r.Union(image.Rect(img.Rect.Min.X+first/4, y, img.Rect.Min.X+last/4+1, y+1))
	}
	return r
}

// pixelArt reports whether a small picture consists of few flat colors without soft edges, so that it may be enlarged
// by whole pixels.
func pixelArt(img *image.NRGBA) bool {
	seen := map[[3]uint8]bool{}
	for y := range img.Rect.Dy() {
		row := img.Pix[y*img.Stride:][:4*img.Rect.Dx()]
		for ; len(row) > 0; row = row[4:] {
			if row[3] != 0 && row[3] != 255 {
				return false
			}
			if row[3] == 255 {
				seen[[3]uint8(row[:3])] = true
			}
			if len(seen) > pixelColors {
				return false
			}
		}
	}
	return true
}

// enlarge repeats each pixel n times in both directions.
func enlarge(img *image.NRGBA, n int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, n*img.Rect.Dx(), n*img.Rect.Dy()))
	for y := range out.Rect.Dy() {
		src, dst := img.Pix[y/n*img.Stride:], out.Pix[y*out.Stride:]
		for x := range out.Rect.Dx() {
			copy(dst[4*x:4*x+4], src[4*(x/n):])
		}
	}
	return out
}

// alphaOf returns the alpha of a picture as a mask.
func alphaOf(img *image.NRGBA) *image.Alpha {
	m := image.NewAlpha(image.Rect(0, 0, img.Rect.Dx(), img.Rect.Dy()))
	for y := range m.Rect.Dy() {
		row := img.Pix[y*img.Stride:]
		for x := range m.Rect.Dx() {
			m.Pix[y*m.Stride+x] = row[4*x+3]
		}
	}
	return m
}
