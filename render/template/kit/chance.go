package kit

import "math/rand/v2"

// Chances returns what a motif of a variant is drawn by: numbers from 0 to 1, the same ones for the same variant.
// Motifs that take long to draw come in a few variants, which are kept; a card has the one of its seed.
func Chances(variant uint64) func() float64 {
	return rand.New(rand.NewPCG(variant, 0x6d617374)).Float64
}
