package value

// Box is one of the boxes of an element, or the text in it.
type Box uint8

// The boxes.
const (
	BoxBorder Box = iota
	BoxPadding
	BoxContent
	BoxText
	BoxMargin
	BoxNone // no-clip of a mask
)

// Extent is how far a circle or an ellipse reaches.
type Extent uint8

// The extents.
const (
	FarthestCorner Extent = iota
	ClosestSide
	FarthestSide
	ClosestCorner
)

// Four spreads one to four values over the sides.
func Four(v []Value) (list [4][]Value, ok bool) {
	switch len(v) {
	case 1:
		return [4][]Value{v, v, v, v}, true
	case 2:
		return [4][]Value{v[:1], v[1:], v[:1], v[1:]}, true
	case 3:
		return [4][]Value{v[:1], v[1:2], v[2:], v[1:2]}, true
	case 4:
		return [4][]Value{v[:1], v[1:2], v[2:3], v[3:]}, true
	}
	return list, false
}
