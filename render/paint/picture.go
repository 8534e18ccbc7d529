package paint

import (
	"image"
	"image/color"

	"github.com/disintegration/imaging"

	"masthead/render/cache"
)

// maxIndexedPicture is the maximum area of a picture that an indexed canvas draws in palette colors: logos, icons.
// Larger ones turn the canvas into RGBA.
const maxIndexedPicture = 36_000

// Scale returns a picture in another size, 1 to 4096 pixels per side, with a suitable filter: Box for a reduction to
// half or less (three times faster than Lanczos, and as good there), Lanczos for smaller reductions, Catmull-Rom for
// enlarging. A picture that already has the size is returned as it is.
//
// The filters differ from those of picture.Scale, whose results are files of their own, such as the icons of a set: it
// takes more time, with Lanczos for everything small or enlarged. On a card an enlarged logo shows the ringing of
// Lanczos.
func Scale(img *image.NRGBA, w, h int) *image.NRGBA {
	w, h = min(max(w, 1), maxSide), min(max(h, 1), maxSide)
	b := img.Rect
	switch {
	case b.Empty():
		return image.NewNRGBA(image.Rect(0, 0, w, h))
	case b.Dx() == w && b.Dy() == h:
		return img
	case b.Dx() >= 2*w && b.Dy() >= 2*h:
		return imaging.Resize(img, w, h, imaging.Box)
	case b.Dx() >= w && b.Dy() >= h:
		return imaging.Resize(img, w, h, imaging.Lanczos)
	}
	return imaging.Resize(img, w, h, imaging.CatmullRom)
}

// Cover returns the largest part of a picture with the proportions of w×h, scaled to it, around the focus, given as
// fractions of its width and height (.5, .5: the center).
func Cover(img *image.NRGBA, w, h int, focusX, focusY float64) *image.NRGBA {
	b := img.Rect
	if b.Empty() || w < 1 || h < 1 {
		return Scale(img, w, h)
	}
	cw, ch := b.Dx(), b.Dy()
	if cw*h > ch*w {
		cw = max(1, (ch*w+h/2)/h)
	} else {
		ch = max(1, (cw*h+w/2)/w)
	}
	place := func(full, part int, focus float64) int {
		return min(max(int(focus*float64(full)-float64(part)/2+.5), 0), full-part)
	}
	x, y := b.Min.X+place(b.Dx(), cw, focusX), b.Min.Y+place(b.Dy(), ch, focusY)
	return Scale(img.SubImage(image.Rect(x, y, x+cw, y+ch)).(*image.NRGBA), w, h)
}

// coverKey is a picture and what [Cover] makes of it.
type coverKey struct {
	sum            uint64
	size, to       image.Point
	focusX, focusY float64
}

// covers caches pictures that many cards show: the author of a site's pages. One takes 800 KB.
var covers = cache.NewPart(cache.Pieces, func(_ coverKey, img *image.NRGBA) int { return len(img.Pix) + 100 })

// KeptCover is Cover from the cache if it is there. The result is shared and must not be changed.
func KeptCover(img *image.NRGBA, w, h int, focusX, focusY float64) *image.NRGBA {
	sum, _ := SumOf(img) // it knows this type
	key := coverKey{sum, img.Rect.Size(), image.Pt(w, h), focusX, focusY}
	cover, ok := covers.Get(key)
	if !ok {
		cover = Cover(img, w, h, focusX, focusY)
		covers.Put(key, cover)
	}
	return cover
}

// FitSize returns the size of a pw×ph picture scaled to fit into w×h, at least 1×1.
func FitSize(pw, ph, w, h int) (int, int) {
	if pw < 1 || ph < 1 {
		return max(w, 1), max(h, 1)
	}
	if pw*h > ph*w {
		return max(w, 1), max((ph*w+pw/2)/pw, 1)
	}
	return max((pw*h+ph/2)/ph, 1), max(h, 1)
}

// Picture draws a picture into a rectangle, with its own alpha and with rounded corners. A picture of another size is
// scaled without keeping its proportions (see [Cover] and [FitSize]). An indexed canvas adds the colors of a small
// picture to its palette, reduced if it has too many, and becomes RGBA for a large or very colorful one.
func (c *Canvas) Picture(img *image.NRGBA, r image.Rectangle, radius float64) {
	if r.Empty() || r.Intersect(c.clip).Empty() || r.Dx() > maxSide || r.Dy() > maxSide {
		return
	}
	img, radius = Scale(img, r.Dx(), r.Dy()), fitRadius(r, radius)
	if c.indexed != nil && (r.Dx()*r.Dy() > maxIndexedPicture || !c.pictureIndexed(img, r, radius)) {
		c.Upgrade()
	}
	if c.indexed == nil {
		if 3*r.Dx()*r.Dy() > c.w*c.h {
			c.dither = true // such a card will be a JPEG
		}
		c.pictureRGBA(img, r, radius)
	}
}

// alphas writes the alpha of a picture's row into cov: that of the picture, of its round corners and of the clip. It
// returns the part of the row within the clip, as x from the left edge of the picture.
func (c *Canvas) alphas(cov []uint8, img *image.NRGBA, r image.Rectangle, radius float64, y int) (from, to int) {
	from, to = max(0, c.clip.Min.X-r.Min.X), min(r.Dx(), c.clip.Max.X-r.Min.X)
	src := img.Pix[(y-r.Min.Y)*img.Stride:]
	top := min(y-r.Min.Y, r.Max.Y-1-y)
	for x := from; x < to; x++ {
		a := src[4*x+3]
		if float64(top) < radius {
			a = mul8(a, roundEdge(min(x, r.Dx()-1-x), top, radius))
		}
		if c.mask != nil {
			a = mul8(a, c.mask.Pix[c.mask.PixOffset(r.Min.X+x, y)])
		}
		cov[x] = a
	}
	return from, to
}

func (c *Canvas) pictureRGBA(img *image.NRGBA, r image.Rectangle, radius float64) {
	cov := make([]uint8, r.Dx())
	for y := max(r.Min.Y, c.clip.Min.Y); y < min(r.Max.Y, c.clip.Max.Y); y++ {
		from, to := c.alphas(cov, img, r, radius, y)
		src, dst := img.Pix[(y-r.Min.Y)*img.Stride:], c.rgba.Pix[4*(y*c.w+r.Min.X+from):]
		for x := from; x < to; x++ {
			s, d, a := src[4*x:4*x+4:4*x+4], dst[4*(x-from):4*(x-from)+4:4*(x-from)+4], uint32(cov[x])
			switch a {
			case 0:
			case 255:
				d[0], d[1], d[2] = s[0], s[1], s[2]
			default:
				d[0] = uint8(div255(uint32(s[0])*a + uint32(d[0])*(255-a)))
				d[1] = uint8(div255(uint32(s[1])*a + uint32(d[1])*(255-a)))
				d[2] = uint8(div255(uint32(s[2])*a + uint32(d[2])*(255-a)))
			}
		}
	}
}

// quantize draws a small picture in palette entries. It returns false, without drawing, if the loss would be visible.
func (c *Canvas) quantize(img *image.NRGBA, r image.Rectangle, radius float64) bool {
	area := r.Intersect(c.clip)
	w := area.Dx()
	mixed := make([]rgb, w*area.Dy())           // the exact result
	touched := make([]bool, len(mixed))         // pixels that the picture covers at least partly
	solid := make([]bool, len(mixed))           // pixels that it covers fully
	seen, edges := map[rgb]int{}, map[rgb]int{} // colors of solid pixels and of others
	cov := make([]uint8, r.Dx())
	for y := area.Min.Y; y < area.Max.Y; y++ {
		from, to := c.alphas(cov, img, r, radius, y)
		src := img.Pix[(y-r.Min.Y)*img.Stride:]
		for x := from; x < to; x++ {
			i := (y-area.Min.Y)*w + x - from
			background := c.blends.colors[c.indexed.Pix[y*c.stride+r.Min.X+x]]
			mixed[i] = over(background, color.NRGBA{R: src[4*x], G: src[4*x+1], B: src[4*x+2], A: cov[x]}, 1, 1)
			touched[i], solid[i] = cov[x] > 0, cov[x] > 250
			switch {
			case solid[i]:
				seen[mixed[i]]++
			case touched[i]:
				edges[mixed[i]]++
			}
		}
	}
	entries, exact, ok := c.blends.addPicture(seen, edges)
	if !ok {
		return false
	}
	var diffused []uint8
	if !exact {
		diffused = c.blends.diffuse(mixed, solid, w, entries)
	}
	known := make(map[rgb]uint8, len(seen))
	for i, p := range mixed {
		if !touched[i] {
			continue
		}
		dst := &c.indexed.Pix[(area.Min.Y+i/w)*c.stride+area.Min.X+i%w]
		if solid[i] && !exact {
			*dst = diffused[i]
			continue
		}
		at, ok := known[p]
		if !ok {
			at, _ = c.blends.nearest(p)
			known[p] = at
		}
		*dst = at
	}
	return true
}
