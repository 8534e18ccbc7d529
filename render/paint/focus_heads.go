package paint

import (
	_ "embed"
	"encoding/binary"
	"image"
	"slices"
)

// faceTrees are the first 48 trees of the cascade for faces of pico, by Nenad Markuš and others, under the MIT license:
// faces.license.md. Each has 63 comparisons of two places, in 1/256 of the side of a face from its middle, the sums of
// its 64 leaves, and the least sum with which the search continues. Source: https://arxiv.org/abs/1305.4537, and
// https://github.com/nenadmarkus/pico.
//
//go:embed faces.bin
var faceTrees []byte

// Layout of a tree.
const (
	treeDepth  = 6
	treeLeaves = 1 << treeDepth
	treeCodes  = 4 * (treeLeaves - 1)
	treeBytes  = treeCodes + treeLeaves + 2
)

// How faces are searched. The thresholds are sums of all that is found at one place. The whole cascade is 15 times as
// large and finds 10 % more.
const (
	faceSide     = 160 // longer side at which a picture is searched
	leastFace    = 18  // side of the smallest face there
	faceGrowth   = 1.15
	faceStep     = .1
	sameFace     = .25 // overlap of what is one face, as a fraction of both together
	faceUnlikely = 5100.0
	faceCertain  = 14000.0

	faceWide, faceAbove, faceBelow = .5, .75, .62 // of its side, from its middle to the edges of the head
	headMargin                     = .3           // of a head, between it and the edge of a crop
	cutHead                        = .9           // of a head: a crop that shows less of it is worse with it
)

// head is where somebody's head may be, as fractions of the picture.
type head struct {
	x0, y0, x1, y1 float64
	likely         float64 // 0 to 1
}

// face is a square around a place, with a sum over [faceTrees].
type face struct{ x, y, side, sum float64 }

// findHeads searches a picture for faces that look at the camera, more or less.
func findHeads(img image.Image) (heads []head) {
	src, ok := img.(*image.NRGBA)
	if !ok || src.Rect.Empty() {
		return nil
	}
	small := grayOf(src)
	w, h := float64(small.Rect.Dx()), float64(small.Rect.Dy())
	for _, f := range groupFaces(findFaces(small)) {
		if likely := min((f.sum-faceUnlikely)/(faceCertain-faceUnlikely), 1); likely > 0 {
			heads = append(heads, head{
				x0: max(f.x-faceWide*f.side, 0) / w, x1: min(f.x+faceWide*f.side, w) / w,
				y0: max(f.y-faceAbove*f.side, 0) / h, y1: min(f.y+faceBelow*f.side, h) / h, likely: likely,
			})
		}
	}
	return heads
}

// grayOf returns the luma of a picture, at most [faceSide] long, from four pixels each.
func grayOf(src *image.NRGBA) *image.Gray {
	size := src.Rect.Size()
	k := faceSide / float64(max(size.X, size.Y))
	w, h := max(int(float64(size.X)*k), 1), max(int(float64(size.Y)*k), 1)
	out := image.NewGray(image.Rect(0, 0, w, h))
	for i := range out.Pix {
		sum := 0
		for d := range 4 {
			x, y := (4*(i%w)+1+2*(d&1))*size.X/(4*w), (4*(i/w)+1+2*(d>>1))*size.Y/(4*h)
			p := src.Pix[y*src.Stride+4*x:][:3:3]
			sum += 77*int(p[0]) + 150*int(p[1]) + 29*int(p[2])
		}
		out.Pix[i] = uint8(sum >> 10)
	}
	return out
}

// findFaces returns all squares in which all trees see a face.
func findFaces(img *image.Gray) (found []face) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	for side := float64(leastFace); side <= float64(min(w, h)); side *= faceGrowth {
		step, edge := max(int(side*faceStep), 1), int(side/2)+1
		for y := edge; y < h-edge; y += step {
			for x := edge; x < w-edge; x += step {
				if sum := faceAt(img, x, y, int(side)); sum > 0 {
					found = append(found, face{float64(x), float64(y), side, float64(sum)})
				}
			}
		}
	}
	return found
}

// faceAt returns by how much the sum over all trees exceeds the least one of a face, 0 if one of them sees none. The
// square is within the picture.
func faceAt(img *image.Gray, x, y, side int) int {
	x, y = x<<8, y<<8
	sum, least := 0, 0
	for tree := faceTrees; len(tree) >= treeBytes; tree = tree[treeBytes:] {
		node := 1
		for range treeDepth {
			c := tree[4*node-4:][:4:4]
			a := img.Pix[(y+int(int8(c[0]))*side)>>8*img.Stride+(x+int(int8(c[1]))*side)>>8]
			b := img.Pix[(y+int(int8(c[2]))*side)>>8*img.Stride+(x+int(int8(c[3]))*side)>>8]
			if node *= 2; a <= b {
				node++
			}
		}
		sum += int(int8(tree[treeCodes+node-treeLeaves]))
		if least = int(int16(binary.LittleEndian.Uint16(tree[treeBytes-2:]))); sum <= least {
			return 0
		}
	}
	return sum - least
}

// groupFaces joins squares around one face, the clearest first, and adds their sums.
func groupFaces(found []face) (faces []face) {
	slices.SortFunc(found, func(a, b face) int { return int(b.sum - a.sum) })
	for len(found) > 0 {
		first, rest, all := found[0], found[:0:0], face{}
		for _, f := range found {
			if first.overlap(f) < sameFace {
				rest = append(rest, f)
				continue
			}
			all = face{all.x + f.x*f.sum, all.y + f.y*f.sum, all.side + f.side*f.sum, all.sum + f.sum}
		}
		faces = append(faces, face{all.x / all.sum, all.y / all.sum, all.side / all.sum, all.sum})
		found = rest
	}
	return faces
}

// overlap returns the area that two squares share, as a fraction of that of both.
func (f face) overlap(g face) float64 {
	w := min(f.x+f.side/2, g.x+g.side/2) - max(f.x-f.side/2, g.x-g.side/2)
	h := min(f.y+f.side/2, g.y+g.side/2) - max(f.y-f.side/2, g.y-g.side/2)
	both := max(w, 0) * max(h, 0)
	return both / (f.side*f.side + g.side*g.side - both)
}

// keptHeads returns how much of the heads a crop between two columns, or rows, keeps, less than nothing of those that
// it cuts, and how likely the likeliest is. Large ones count more.
func keptHeads(heads []head, from, to float64, down bool) (share, likely float64) {
	sum, all := 0.0, 0.0
	for _, h := range heads {
		first, end := h.x0, h.x1
		if down {
			first, end = h.y0, h.y1
		}
		weight := h.likely * (h.y1 - h.y0)
		all, likely = all+weight, max(likely, h.likely)
		switch in := (min(end, to) - max(first, from)) / (end - first); {
		case in >= 1:
			room := headMargin
			if from >= pictureEdge {
				room = min(room, (first-from)/(end-first))
			}
			if to <= 1-pictureEdge {
				room = min(room, (to-end)/(end-first))
			}
			sum += weight * (.8 + .2*room/headMargin)
		case in > 0:
			sum += weight * 4 * in * (in - cutHead)
		}
	}
	if all == 0 {
		return 0, 0
	}
	return sum / all, likely
}
