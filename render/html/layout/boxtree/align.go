package boxtree

import (
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
)

// Slack is how much wider than its room a line may be, in px, due to rounding.
const Slack = 1.0 / 64

// FlexOrder returns the in-flow children by order, and the others.
func FlexOrder(b *Box) (items, out []*Box) {
	for _, k := range b.Kids {
		if k.OutOfFlow() {
			out = append(out, k)
			continue
		}
		items = append(items, k)
	}
	slices.SortStableFunc(items, func(a, z *Box) int { return OrderOf(a) - OrderOf(z) })
	return items, out
}

// OrderOf returns the order property of an item.
func OrderOf(b *Box) int {
	if b.Anonymous {
		return 0
	}
	return b.Style.Order
}

// Gap resolves a gap; percentages of an indefinite size are 0.
func Gap(v value.Length, base float64) float64 { return max(0, Unit(v.Resolve(max(base, 0)))) }

// Distribute returns where the first of n things begins and the space between them, by a value of *-content. reverse
// says that the start is at the far end, which matters to start and end.
func Distribute(a css.Align, free float64, n int, reverse bool) (at, between float64) {
	if n == 0 {
		return 0, 0
	}
	switch a {
	case css.AlignCenter:
		return free / 2, 0
	case css.AlignFlexEnd:
		return free, 0
	case css.AlignEnd, css.AlignRight:
		if reverse {
			return 0, 0
		}
		return free, 0
	case css.AlignStart, css.AlignLeft:
		if reverse {
			return free, 0
		}
		return 0, 0
	case css.AlignSpaceBetween:
		if free > 0 && n > 1 {
			return 0, free / float64(n-1)
		}
	case css.AlignSpaceAround, css.AlignSpaceEvenly:
		parts := float64(n + 1)
		if a == css.AlignSpaceAround {
			parts = float64(2 * n)
		}
		switch {
		case free > 0 && a == css.AlignSpaceAround:
			return free / parts, free / float64(n)
		case free > 0:
			return free / parts, free / parts
		case reverse: // what overflows does so at the end: "safe center"
			return free, 0
		}
	}
	return 0, 0
}

// StaticAlong returns the point of a box of the given size at which an alignment puts something.
func StaticAlong(a css.Align, size float64, reverse bool) (at, align float64) {
	far := 0.0
	switch a {
	case css.AlignCenter, css.AlignSpaceAround, css.AlignSpaceEvenly:
		return size / 2, .5
	case css.AlignFlexEnd:
		far = 1
	case css.AlignEnd, css.AlignSelfEnd, css.AlignRight:
		return size, 1
	case css.AlignStart, css.AlignSelfStart, css.AlignLeft:
		return 0, 0
	}
	if reverse {
		far = 1 - far
	}
	return size * far, far
}

// StretchesContent reports whether align-content or justify-content enlarges tracks or lines.
func StretchesContent(a css.Align) bool {
	return a == css.AlignNormal || a == css.AlignStretch || a == css.AlignAuto
}
