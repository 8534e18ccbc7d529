package motif

import (
	"image"
	"image/color"

	"masthead/render/cache"
	"masthead/render/paint"
)

// FitInto returns the size of a picture in a box, enlarged by a third at most.
func FitInto(size, box image.Point) image.Point {
	k := min(float64(box.X)/float64(size.X), float64(box.Y)/float64(size.Y), 1.35)
	return image.Pt(max(int(float64(size.X)*k), 4), max(int(float64(size.Y)*k), 4))
}

// Parameters of cutting out a thing, by eye on pictures of shops.
const (
	cutSide   = 640 // at which a picture is examined
	cutBorder = 6   // levels by which its border may differ from one color
	cutNear   = 14  // levels by which ground may differ from that
	cutMost   = .95 // fraction of ground above which nothing is left
	cutLeast  = .12 // and below which there is no ground
)

// thingKey identifies a picture.
type thingKey struct {
	sum       uint64
	size, box image.Point
}

// things caches things that were cut out, at the size of the stage; nil for pictures without one.
var things = cache.NewPart(cache.Pieces, func(_ thingKey, thing *image.NRGBA) int {
	if thing == nil {
		return 100
	}
	return len(thing.Pix) + 100
})

// Thing returns the thing in a picture, as large as a box allows, if it is on a plain ground; nil for other pictures.
func Thing(picture image.Image, box image.Point) *image.NRGBA {
	src, ok := picture.(*image.NRGBA)
	if !ok {
		return nil
	}
	sum, known := paint.SumOf(src)
	key := thingKey{sum, src.Rect.Size(), box}
	if thing, found := things.Get(key); known && found {
		return thing
	}
	thing := cutThing(src)
	if thing != nil {
		size := FitInto(thing.Rect.Size(), box)
		thing = paint.Scale(thing, size.X, size.Y)
	}
	if known {
		things.Put(key, thing)
	}
	return thing
}

// cutThing returns a thing that is on a plain ground, without it, otherwise nil.
func cutThing(src *image.NRGBA) *image.NRGBA {
	size := src.Rect.Size()
	if k := cutSide / float64(max(size.X, size.Y)); k < 1 {
		src = paint.Scale(src, max(int(float64(size.X)*k), 4), max(int(float64(size.Y)*k), 4))
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	ground, ok := borderColor(src)
	if !ok {
		return nil
	}
	alpha := make([]uint8, w*h)
	for i := range alpha {
		alpha[i] = 255
	}
	queue := make([]int32, 0, w*h)
	visit := func(x, y int) {
		if x < 0 || y < 0 || x >= w || y >= h || alpha[y*w+x] == 0 {
			return
		}
		if p := src.Pix[y*src.Stride+4*x:][:4:4]; p[3] < 128 || apart(p, ground) <= cutNear {
			alpha[y*w+x] = 0
			queue = append(queue, int32(y*w+x))
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
	for i := 0; i < len(queue); i++ {
		x, y := int(queue[i])%w, int(queue[i])/w
		visit(x-1, y)
		visit(x+1, y)
		visit(x, y-1)
		visit(x, y+1)
	}
	if share := float64(len(queue)) / float64(w*h); share > cutMost || share < cutLeast {
		return nil
	}
	return trimmed(src, alpha)
}

// borderColor returns the color of the outermost pixels of a picture if they have one, or are clear.
func borderColor(img *image.NRGBA) (ground [3]uint8, ok bool) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	first := img.Pix[:4:4]
	copy(ground[:], first)
	off, all := 0, 0
	look := func(x, y int) {
		all++
		if p := img.Pix[y*img.Stride+4*x:][:4:4]; p[3] > 128 && (first[3] <= 128 || apart(p, ground) > cutBorder) {
			off++
		}
	}
	for x := range w {
		look(x, 0)
		look(x, h-1)
	}
	for y := range h {
		look(0, y)
		look(w-1, y)
	}
	return ground, off*100 <= all // a shadow may reach the edge
}

// apart returns the largest difference of two colors in a channel.
func apart(p []uint8, q [3]uint8) (d int) {
	for i, v := range q {
		d = max(d, int(p[i])-int(v), int(v)-int(p[i]))
	}
	return d
}

// trimmed returns the part of a picture that isn't clear, with soft edges.
func trimmed(src *image.NRGBA, alpha []uint8) *image.NRGBA {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	box := image.Rectangle{}
	for i, a := range alpha {
		if x, y := i%w, i/w; a > 0 {
			box = box.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	out := image.NewNRGBA(image.Rect(0, 0, box.Dx(), box.Dy()))
	for y := range box.Dy() {
		for x := range box.Dx() {
			sum, n := 0, 0
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					if sx, sy := box.Min.X+x+dx, box.Min.Y+y+dy; sx >= 0 && sy >= 0 && sx < w && sy < h {
						sum += int(alpha[sy*w+sx])
					}
					n++
				}
			}
			at := (box.Min.Y+y)*w + box.Min.X + x
			p := src.Pix[(box.Min.Y+y)*src.Stride+4*(box.Min.X+x):][:4:4]
			a := min(alpha[at], p[3])
			out.SetNRGBA(x, y, color.NRGBA{R: p[0], G: p[1], B: p[2], A: uint8(int(a) * sum / (255 * n))})
		}
	}
	return out
}
