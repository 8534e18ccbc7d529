package motif

// Hues of yellow, and how close shades of other hues may come: dark, they would look brown or olive.
const (
	YellowFrom   = 50
	YellowTo     = 115
	brown, olive = 38, 148
)

// BesideYellow shortens a turn of a hue that would end in yellow.
func BesideYellow(hue, turn float64) float64 {
	switch to := hue + turn; {
	case hue < YellowFrom && to > brown:
		return max(brown-hue, 0)
	case hue > YellowTo && to < olive:
		return min(olive-hue, 0)
	}
	return turn
}
