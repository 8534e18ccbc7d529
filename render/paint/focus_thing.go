package paint

import (
	"image"

	"masthead/render/palette"
)

// Distances in Oklab within which a ground has one color: all of a border, and a part of it.
const evenGround, evenPart = .03, .01

// loneThing returns the box of what differs from the border of a picture, in sample points, if all of that has about
// one color; otherwise an empty one.
func loneThing(labs *[focusSide * focusSide]palette.Lab) image.Rectangle {
	var border palette.Lab
	n := 0.0
	for k, v := range labs {
		if atEdge(k) {
			border.L, border.A, border.B, n = border.L+v.L, border.A+v.A, border.B+v.B, n+1
		}
	}
	border = palette.Lab{L: border.L / n, A: border.A / n, B: border.B / n}
	if box, off := offGround(labs, border, evenGround); off == 0 {
		return box
	}
	return image.Rectangle{}
}

// cutThing returns the box of what differs from a corner of a picture if half of its border has about its color.
func cutThing(labs *[focusSide * focusSide]palette.Lab) image.Rectangle {
	for _, corner := range [...]int{0, focusSide - 1, len(labs) - focusSide, len(labs) - 1} {
		if box, off := offGround(labs, labs[corner], evenPart); off <= 2*(focusSide-1) {
			return box
		}
	}
	return image.Rectangle{}
}

// offGround returns the box of what differs from a color, and how many points of the border do.
func offGround(labs *[focusSide * focusSide]palette.Lab, ground palette.Lab, even float64) (
	box image.Rectangle, border int,
) {
	for k, v := range labs {
		if v.Distance(ground) <= even {
			continue
		}
		box = box.Union(image.Rect(k%focusSide, k/focusSide, k%focusSide+1, k/focusSide+1))
		if atEdge(k) {
			border++
		}
	}
	return box, border
}

// atEdge reports whether a sample point is at the border.
func atEdge(k int) bool {
	i, j := k%focusSide, k/focusSide
	return min(i, j, focusSide-1-i, focusSide-1-j) == 0
}
