package kit

import "math/rand/v2"

// Chances returns a generator of numbers from 0 to 1, the same sequence for the same variant. Motifs that take long to
// draw come in a few variants, which are cached; the seed of a card chooses one.
func Chances(variant uint64) func() float64 {
	return rand.New(rand.NewPCG(variant, 0x6d617374)).Float64
}
