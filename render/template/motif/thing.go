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
	cutMost   = .998
	cutLeast  = .12 // fractions of ground: above the one nothing is left, below the other there is no ground
	cutSmall  = .5  // of the side of a picture: smaller things are cut out of a part of it, to be sharp
	cutClear  = 8   // alpha, up to which a pixel is clear

	cutReach = 1. / 160 // of the side around a pixel that is ground, too: what ground reaches through less is of the thing
	cutSlits = .015     // … of the thing at most: more of it are gaps between its parts

	edgeDepth = 3   // pixels within which a thing differs from its ground by twice cutNear
	edgeSoft  = .15 // fraction of its outline where it doesn't, above which a part is missing or a shadow was left
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

// PlainGround returns the color of the border of a picture if that is plain.
func PlainGround(picture image.Image) (ground color.NRGBA, ok bool) {
	src, isNRGBA := picture.(*image.NRGBA)
	if !isNRGBA || src.Rect.Empty() || src.Pix[3] < 255 {
		return ground, false
	}
	c, ok := borderColor(src)
	return color.NRGBA{R: c[0], G: c[1], B: c[2], A: 255}, ok
}

// IsCut reports whether a picture shows a thing on a plain ground that its edges cut: half of its border has one color,
// but not all of it.
func IsCut(picture image.Image) bool {
	src, isNRGBA := picture.(*image.NRGBA)
	if !isNRGBA || src.Rect.Empty() {
		return false
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	for _, corner := range [...]image.Point{{}, {X: w - 1}, {Y: h - 1}, {X: w - 1, Y: h - 1}} {
		var ground [3]uint8
		copy(ground[:], src.Pix[corner.Y*src.Stride+4*corner.X:])
		off, all := offGround(src, ground)
		if off*2 <= all {
			return off*100 > all
		}
	}
	return false
}

// cutThing returns a thing that is on a clear or plain ground, without it, otherwise nil.
func cutThing(src *image.NRGBA) *image.NRGBA {
	size := src.Rect.Size()
	small, k := src, cutSide/float64(max(size.X, size.Y))
	if k < 1 {
		small = paint.Scale(src, max(int(float64(size.X)*k), 4), max(int(float64(size.Y)*k), 4))
	}
	alpha, ok := clearGround(small)
	if !ok {
		alpha, ok = plainGround(small)
	}
	if !ok {
		return nil
	}
	box := opaqueBox(alpha, small.Rect.Dx())
	if side := float64(max(box.Dx(), box.Dy())); k < 1 && side < cutSmall*cutSide {
		box = box.Inset(-int(side/6) - 2)
		part := image.Rect(
			int(float64(box.Min.X)/k), int(float64(box.Min.Y)/k), int(float64(box.Max.X)/k), int(float64(box.Max.Y)/k),
		).Add(src.Rect.Min).Intersect(src.Rect)
		return cutThing(src.SubImage(part).(*image.NRGBA))
	}
	return trimmed(small, alpha, box)
}

// clearGround returns where the thing is in a picture whose ground is clear.
func clearGround(src *image.NRGBA) (alpha []uint8, ok bool) {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	alpha = make([]uint8, w*h)
	ground := 0
	for i := range alpha {
		if src.Pix[i/w*src.Stride+4*(i%w)+3] > cutClear {
			alpha[i] = 255
		} else {
			ground++
		}
	}
	return alpha, isGround(ground, w*h)
}

// isGround reports whether a count of pixels may be the ground of a thing.
func isGround(n, all int) bool {
	return float64(n) >= cutLeast*float64(all) && float64(n) <= cutMost*float64(all)
}

// plainGround returns where the thing is in a picture whose ground has the color of its border.
func plainGround(src *image.NRGBA) (alpha []uint8, ok bool) {
	ground, ok := borderColor(src)
	if !ok {
		return nil, false
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	alpha = make([]uint8, w*h)
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
	return alpha, isGround(len(queue), w*h) && hasEdges(src, alpha, queue, ground) && closeSlits(alpha, w, queue)
}

// closeSlits makes what the ground only reaches through slits a part of the thing, such as light on the rim of a cup on
// white, and reports whether that is little.
func closeSlits(alpha []uint8, w int, ground []int32) bool {
	h := len(alpha) / w
	reach := int(cutReach * float64(max(w, h)))
	var wide []int32
	steps := make([]int32, len(alpha)) // of ground: how far it is from where it is wide, from 1
	for i, is := range erode(alpha, w, reach) {
		edge := i/w == 0 || i/w == h-1 || i%w == 0 || i%w == w-1
		if is || edge && alpha[i] == 0 {
			steps[i], wide = 1, append(wide, int32(i))
		}
	}
	for n := 0; n < len(wide); n++ {
		i := int(wide[n])
		for _, at := range [...]int{i - 1, i + 1, i - w, i + w} {
			beside := at >= 0 && at < len(alpha) && (at/w == i/w || at%w == i%w)
			if beside && alpha[at] == 0 && steps[at] == 0 && int(steps[i]) <= reach*3/2 {
				steps[at], wide = steps[i]+1, append(wide, int32(at))
			}
		}
	}
	for _, i := range ground {
		if steps[i] == 0 {
			alpha[i] = 255
		}
	}
	return float64(len(ground)-len(wide)) <= cutSlits*float64(len(alpha)-len(wide))
}

// erode returns where all within a distance, in both directions, is ground.
func erode(alpha []uint8, w, reach int) []bool {
	out, row := make([]bool, len(alpha)), make([]bool, len(alpha))
	h := len(alpha) / w
	for i := range alpha {
		x := i % w
		row[i] = true
		for d := max(-reach, -x); d <= min(reach, w-1-x); d++ {
			row[i] = row[i] && alpha[i+d] == 0
		}
	}
	for i := range alpha {
		y := i / w
		out[i] = true
		for d := max(-reach, -y); d <= min(reach, h-1-y); d++ {
			out[i] = out[i] && row[i+d*w]
		}
	}
	return out
}

// hasEdges reports whether a thing differs from its ground all around. A white one on white doesn't: parts of it would
// be taken for ground. Of one with a soft shadow, a part of the shadow would be left.
func hasEdges(src *image.NRGBA, alpha []uint8, outside []int32, ground [3]uint8) bool {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	soft, all := 0, 0
	for _, i := range outside {
		x, y := int(i)%w, int(i)/w
		for _, d := range [...]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
			in, deep := image.Pt(x, y).Add(d), image.Pt(x, y).Add(d.Mul(edgeDepth))
			if !deep.In(image.Rect(0, 0, w, h)) || alpha[in.Y*w+in.X] == 0 || alpha[deep.Y*w+deep.X] == 0 {
				continue
			}
			all++
			if p := src.Pix[deep.Y*src.Stride+4*deep.X:][:4:4]; p[3] >= 128 && apart(p, ground) <= 2*cutNear {
				soft++
			}
		}
	}
	return float64(soft) <= edgeSoft*float64(all)
}

// borderColor returns the color of the outermost pixels of a picture if they have one, or are clear.
func borderColor(img *image.NRGBA) (ground [3]uint8, ok bool) {
	copy(ground[:], img.Pix)
	off, all := offGround(img, ground)
	return ground, off*100 <= all // a shadow may reach the edge
}

// offGround counts the outermost pixels of a picture that differ from a color and aren't clear, and all of them. None
// are of the color if the first one is clear.
func offGround(img *image.NRGBA, ground [3]uint8) (off, all int) {
	w, h, clear := img.Rect.Dx(), img.Rect.Dy(), img.Pix[3] <= 128
	look := func(x, y int) {
		all++
		if p := img.Pix[y*img.Stride+4*x:][:4:4]; p[3] > 128 && (clear || apart(p, ground) > cutBorder) {
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
	return off, all
}

// apart returns the largest difference of two colors in a channel.
func apart(p []uint8, q [3]uint8) (d int) {
	for i, v := range q {
		d = max(d, int(p[i])-int(v), int(v)-int(p[i]))
	}
	return d
}

// opaqueBox returns the box of the pixels of rows that aren't clear.
func opaqueBox(alpha []uint8, w int) (box image.Rectangle) {
	for i, a := range alpha {
		if x, y := i%w, i/w; a > 0 {
			box = box.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	return box
}

// trimmed returns the part of a picture in a box that isn't clear, with soft edges.
func trimmed(src *image.NRGBA, alpha []uint8, box image.Rectangle) *image.NRGBA {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, box.Dx(), box.Dy()))
	for y := range box.Dy() {
		for x := range box.Dx() {
			sum, n, inward := 0, 0, image.Point{}
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					if sx, sy := box.Min.X+x+dx, box.Min.Y+y+dy; sx >= 0 && sy >= 0 && sx < w && sy < h && alpha[sy*w+sx] > 0 {
						sum++
						inward = inward.Add(image.Pt(dx, dy))
					}
					n++
				}
			}
			at := box.Min.Add(image.Pt(x, y))
			p := src.Pix[at.Y*src.Stride+4*at.X:][:4:4]
			a := min(alpha[at.Y*w+at.X], p[3])
			if in := at.Add(inward); a == 255 && in.In(image.Rect(0, 0, w, h)) && alpha[in.Y*w+in.X] == 255 {
				p = src.Pix[in.Y*src.Stride+4*in.X:][:4:4] // the ground shines through its edge
			}
			out.SetNRGBA(x, y, color.NRGBA{R: p[0], G: p[1], B: p[2], A: uint8(int(a) * sum / n)})
		}
	}
	return out
}
