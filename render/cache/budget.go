package cache

import (
	"hash/maphash"
	"sync/atomic"
)

// Budget is a number of bytes shared by caches for several kinds of values: a program that draws one design all day can
// use all of it for that, and one that draws all designs uses no more. Create it with [NewBudget], and its caches with
// [NewPart].
type Budget struct {
	kept *Shared[partKey, partValue]
	// asked has the hashes of recently requested keys, each at the index given by its upper bits.
	asked [1 << askedBits]atomic.Uint32
}

const askedBits = 10

var askedSeed = maphash.MakeSeed()

// partKey is the key of a value, with its part.
type partKey struct {
	part any // *Part of some type
	key  any
}

// partValue is a value with its cost.
type partValue struct {
	value any
	bytes int
}

// The budgets of drawing. There are two, so that pictures used by one card don't evict what many cards share.
var (
	// Layers is for values as large as a card that belong to a theme or a picture: soft light, of .5 to 1 MB and drawn in
	// 2 ms, and plates of 4 to 7 MB.
	Layers = NewBudget(12 << 20)
	// Pieces is for values that many cards share: figures and stencils, of 50 to 350 KB and up to 30 ms to draw, logos,
	// shadows, the palettes of gradients.
	Pieces = NewBudget(12 << 20)
)

// NewBudget returns a budget of maxBytes.
func NewBudget(maxBytes int) *Budget {
	return &Budget{kept: NewShared(maxBytes, func(_ partKey, v partValue) int { return v.bytes + partOverhead })}
}

// partOverhead is about the budget's memory per value in addition to the value.
const partOverhead = 200

// Part is one of the caches of a [Budget]. It is safe for concurrent use, under the conditions of [Shared].
type Part[K comparable, V any] struct {
	budget *Budget
	cost   func(K, V) int
}

// NewPart returns an empty cache that takes its bytes from a budget; cost is as for [New].
func NewPart[K comparable, V any](b *Budget, cost func(key K, value V) int) *Part[K, V] {
	return &Part[K, V]{b, cost}
}

// Get is like [Cache.Get].
func (p *Part[K, V]) Get(key K) (value V, ok bool) {
	v, ok := p.budget.kept.Get(partKey{p, key})
	if !ok {
		return value, false
	}
	return v.value.(V), true
}

// Put is like [Cache.Put], but may evict values of other parts.
func (p *Part[K, V]) Put(key K, value V) {
	p.budget.kept.Put(partKey{p, key}, partValue{value, p.cost(key, value)})
}

// Again reports whether it was recently called for the same key. A value that belongs to a theme or a logo, of which a
// process may see a different one for every card, should be put only if it returns true: then values used once neither
// take memory nor evict values used often.
func (p *Part[K, V]) Again(key K) bool {
	hash := maphash.Comparable(askedSeed, partKey{p, key})
	return p.budget.asked[hash>>(64-askedBits)].Swap(uint32(hash)) == uint32(hash)
}
