package kit

import "masthead/render/paint"

// View draws the motif of a share image on a card of another size: K times as large, with a point of its layout at one
// of the card's. The zero value leaves it as it is.
type View struct {
	K        float64
	From, To paint.Point
}

// X converts an x of the layout of a share image to the layout of the card.
func (v View) X(x float64) float64 {
	if v.K == 0 {
		return x
	}
	return v.To.X + (x-v.From.X)*v.K
}

// Y is the same for a y.
func (v View) Y(y float64) float64 {
	if v.K == 0 {
		return y
	}
	return v.To.Y + (y-v.From.Y)*v.K
}

// Len converts a length.
func (v View) Len(n float64) float64 {
	if v.K == 0 {
		return n
	}
	return n * v.K
}
