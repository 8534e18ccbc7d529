package cache

import (
	"hash/maphash"
	"sync/atomic"
)

// Budget is a number of bytes that caches of several kinds of values share: a program that draws one design all day has
// all of it for that, and one that draws all of them holds no more. Make it with [NewBudget], and its caches with
// [NewPart].
type Budget struct {
	kept *Shared[partKey, partValue]
	// asked holds the hashes of the keys that were asked for last, each at the place that its upper bits say.
	asked [1 << askedBits]atomic.Uint32
}

const askedBits = 10

var askedSeed = maphash.MakeSeed()

// partKey is the key of a value, in the part that it belongs to.
type partKey struct {
	part any // *Part of some type
	key  any
}

// partValue is a value with what it takes.
type partValue struct {
	value any
	bytes int
}

// The budgets of drawing. They are two, so that pictures of one card each do not push out what many cards share.
var (
	// Layers is for what is as large as a card and belongs to a theme or a picture: soft light, of .5 to 1 MB and made
	// in 2 ms, and plates of 4 to 7 MB.
	Layers = NewBudget(12 << 20)
	// Pieces is for what many cards share: figures and stencils, of 50 to 350 KB and up to 30 ms to draw, logos,
	// shadows, the palettes of gradients.
	Pieces = NewBudget(12 << 20)
)

// NewBudget returns a budget of maxBytes.
func NewBudget(maxBytes int) *Budget {
	return &Budget{kept: NewShared(maxBytes, func(_ partKey, v partValue) int { return v.bytes + partOverhead })}
}

// partOverhead is about what the budget needs for a value beside it.
const partOverhead = 200

// Part is one of the caches of a [Budget]. It is safe for concurrent use, with what is said of [Shared].
type Part[K comparable, V any] struct {
	budget *Budget
	cost   func(K, V) int
}

// NewPart returns an empty cache that takes its bytes from a budget; cost is as with [New].
func NewPart[K comparable, V any](b *Budget, cost func(key K, value V) int) *Part[K, V] {
	return &Part[K, V]{b, cost}
}

// Get is [Cache.Get].
func (p *Part[K, V]) Get(key K) (value V, ok bool) {
	v, ok := p.budget.kept.Get(partKey{p, key})
	if !ok {
		return value, false
	}
	return v.value.(V), true
}

// Put is [Cache.Put], but that those dropped for it may be of other parts.
func (p *Part[K, V]) Put(key K, value V) {
	p.budget.kept.Put(partKey{p, key}, partValue{value, p.cost(key, value)})
}

// Again reports whether it was called for a key before, not too many others ago. What belongs to a theme or to a logo,
// of which a process may see one each for every card, is put where it does: then what is drawn once neither takes
// memory nor the place of what is drawn often.
func (p *Part[K, V]) Again(key K) bool {
	hash := maphash.Comparable(askedSeed, partKey{p, key})
	return p.budget.asked[hash>>(64-askedBits)].Swap(uint32(hash)) == uint32(hash)
}
