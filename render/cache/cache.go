// Package cache keeps values that cost more to make than to hold: glyph masks, shaped runs, scaled logos, palettes of
// gradients. It is the one cache of the renderer; what else is kept for another use (text's faces of runes and its last
// large letter, paint's blends of inks) is a table of fixed size, and says beside itself why it is no cache. The values
// take a bounded number of bytes in all; for a new one those go that were unused for longest.
//
//	masks := cache.New(4<<20, func(_ glyphKey, m *mask) int { return len(m.alpha.Pix) + 96 })
//	m, ok := masks.Get(key)
//	if !ok {
//		m = draw(key)
//		masks.Put(key, m)
//	}
//
// [New] is for what belongs to one goroutine, such as an engine of package text; [NewShared] for what all goroutines
// share; [NewPart] for what takes its bytes from a [Budget] that several caches have together, as those of drawing do.
// [Buffers] is memory for pixels that goes round, the first of it beside the heap.
//
// Keys that are long are hashed by the caller (hash/maphash, with a seed that nobody outside knows), who then compares
// what the value holds with what was asked for, where an accidental equal hash would show.
package cache

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Cache holds values by key, up to a number of bytes in all, and drops the least recently used. Make it with [New]. It
// belongs to one goroutine at a time.
type Cache[K comparable, V any] struct {
	lru      *simplelru.LRU[K, entry[V]]
	cost     func(K, V) int
	bytes    int // of all entries
	maxBytes int
}

// entry is a value with its cost when it was put: what is added to the sum and what is taken off are the same even if
// the value grows.
type entry[V any] struct {
	value V
	bytes int
}

// New returns an empty cache for maxBytes (more than 0). cost tells about how many bytes a key and its value take; it
// is called once for each Put. What the cache itself needs for an entry, some 100 bytes, matters only for the smallest
// values: add it there.
func New[K comparable, V any](maxBytes int, cost func(key K, value V) int) *Cache[K, V] {
	c := &Cache[K, V]{cost: cost, maxBytes: maxBytes}
	// The library counts entries and we count bytes, so its own bound is out of reach.
	lru, err := simplelru.NewLRU(math.MaxInt, func(_ K, e entry[V]) { c.bytes -= e.bytes })
	if err != nil { // a size below 1, which MaxInt is not
		panic(err)
	}
	c.lru = lru
	return c
}

// Get returns the value of a key; ok is false when there is none. The value counts as used now.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	e, ok := c.lru.Get(key)
	return e.value, ok
}

// Put keeps a value, in place of one with the same key, and drops as many of the others as it must. A value that takes
// more than the whole cache is not kept.
func (c *Cache[K, V]) Put(key K, value V) {
	c.lru.Remove(key) // Add would replace the value without telling us what the old one took
	e := entry[V]{value, c.cost(key, value)}
	if e.bytes > c.maxBytes {
		return
	}
	c.lru.Add(key, e)
	for c.bytes += e.bytes; c.bytes > c.maxBytes; {
		c.lru.RemoveOldest()
	}
}

// Shared is a [Cache] that many goroutines use at a time. Make it with [NewShared]. Two that miss the same key at once
// both make its value, and the later one stays: so values must not depend on who made them, and nobody changes one that
// was put.
type Shared[K comparable, V any] struct {
	mu    sync.Mutex
	cache *Cache[K, V]
}

// NewShared is [New] for a cache that goroutines share.
func NewShared[K comparable, V any](maxBytes int, cost func(key K, value V) int) *Shared[K, V] {
	return &Shared[K, V]{cache: New(maxBytes, cost)}
}

// Get is [Cache.Get].
func (s *Shared[K, V]) Get(key K) (value V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cache.Get(key)
}

// Put is [Cache.Put].
func (s *Shared[K, V]) Put(key K, value V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache.Put(key, value)
}

// Remove drops the value of a key, if there is one.
func (s *Shared[K, V]) Remove(key K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache.lru.Remove(key)
}
