// Package cache keeps values that are more expensive to create than to store: glyph masks, shaped runs, scaled logos,
// palettes of gradients. It is the only cache of the renderer; other stored values (text's faces of runes and its last
// large letter, paint's blends of inks) are tables of fixed size, whose comments say why they aren't caches. The values
// take a bounded number of bytes in total; the least recently used ones are evicted.
//
//	masks := cache.New(4<<20, func(_ glyphKey, m *mask) int { return len(m.alpha.Pix) + 96 })
//	m, ok := masks.Get(key)
//	if !ok {
//		m = draw(key)
//		masks.Put(key, m)
//	}
//
// [New] is for one goroutine, such as that of an engine of package text; [NewShared] is for all goroutines; [NewPart]
// is for caches that share a [Budget], such as those of drawing. [Buffers] is reusable memory for pixels, the first of
// it outside of the heap.
//
// Fields of structs have the caches of golang-lru as its interface (simplelru.LRUCache), and other generic types of
// modules as one of the methods in use: Go compiles the methods of a generic type again in each package that sees it in
// the field of a struct, however indirectly, which was more than half of all that was compiled. Source:
// https://go.dev/issue/56718.
//
// The caller hashes long keys (hash/maphash, with a secret seed), and then compares the value with the request if an
// accidental hash collision would be visible.
package cache

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Cache stores values by key, up to a number of bytes in total, and evicts the least recently used. Create it with
// [New]. It belongs to one goroutine at a time.
type Cache[K comparable, V any] struct {
	lru      simplelru.LRUCache[K, entry[V]]
	cost     func(K, V) int
	bytes    int // of all entries
	maxBytes int
}

// entry is a value with its cost when it was put, so that the same amount is added to and subtracted from the total
// even if the value grows.
type entry[V any] struct {
	value V
	bytes int
}

// New returns an empty cache for maxBytes (more than 0). cost returns about how many bytes a key and its value take; it
// is called once for each Put. The cache's own memory per entry, some 100 bytes, matters only for the smallest values:
// add it there.
func New[K comparable, V any](maxBytes int, cost func(key K, value V) int) *Cache[K, V] {
	c := &Cache[K, V]{cost: cost, maxBytes: maxBytes}
	// The library counts entries and we count bytes, so its own limit is unreachable.
	lru, err := simplelru.NewLRU(math.MaxInt, func(_ K, e entry[V]) { c.bytes -= e.bytes })
	if err != nil { // only for a size below 1
		panic(err)
	}
	c.lru = lru
	return c
}

// Get returns the value of a key; ok is false if there is none. The value becomes the most recently used.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	e, ok := c.lru.Get(key)
	return e.value, ok
}

// Put stores a value, replacing one with the same key, and evicts as many others as necessary. A value larger than the
// whole cache isn't stored.
func (c *Cache[K, V]) Put(key K, value V) {
	c.lru.Remove(key) // Add would replace the value without reporting the old one's size
	e := entry[V]{value, c.cost(key, value)}
	if e.bytes > c.maxBytes {
		return
	}
	c.lru.Add(key, e)
	for c.bytes += e.bytes; c.bytes > c.maxBytes; {
		c.lru.RemoveOldest()
	}
}

// Shared is a [Cache] for concurrent use. Create it with [NewShared]. Two goroutines that miss the same key
// concurrently both create its value, and the later one stays: so values must not depend on their creator, and must not
// be modified after Put.
type Shared[K comparable, V any] struct {
	mu    sync.Mutex
	cache *Cache[K, V]
}

// NewShared is like [New] for a cache shared by goroutines.
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
