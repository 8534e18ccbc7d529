package cache

import (
	"runtime"
	"slices"
	"sync"
)

// Buffers allocates reusable memory for pixels, of any size. A sync.Pool returns any buffer, and one that is too small
// must be dropped for a new one; and its content counts several times when the garbage collector sets its target.
// Buffers returns the smallest one that is large enough, and keeps a bounded number of bytes, the most recently
// returned ones.
type Buffers struct {
	mu    sync.Mutex
	arena arena
	free  [][]byte // in the order in which they were returned
	bytes int      // total size
	max   int
}

// Pixels are the buffers of all stages of drawing. A hero needs at most 10 MB at a time and mostly 3, so the arena has
// room for two cards, and as much is kept in addition as is needed if each further processor draws one.
var Pixels = &Buffers{arena: newArena(pixels[:]), max: 7 << 20 * max(runtime.GOMAXPROCS(0)-2, 0)}

// pixels is a variable, whose pages are only allocated when used: memory on the heap would count twice, once for itself
// and once for the garbage that the collector tolerates in proportion.
var pixels [18 << 20]byte

// NewBuffers returns buffers that keep up to maxBytes of unused memory.
func NewBuffers(maxBytes int) *Buffers { return &Buffers{max: maxBytes} }

// roundBuffer is the unit of allocation: pictures of nearly the same size share buffers.
const roundBuffer = 64 << 10

// Take returns n bytes with arbitrary content, which the caller must return with [Buffers.Give].
func (b *Buffers) Take(n int) []byte {
	b.mu.Lock()
	if buffer := b.arena.take(n); buffer != nil {
		b.mu.Unlock()
		return buffer
	}
	best := -1
	for i, f := range b.free {
		if cap(f) >= n && (best < 0 || cap(f) < cap(b.free[best])) {
			best = i
		}
	}
	if best < 0 {
		b.mu.Unlock()
		return make([]byte, n, (n+roundBuffer-1)/roundBuffer*roundBuffer)
	}
	found := b.free[best]
	b.free = slices.Delete(b.free, best, best+1)
	b.bytes -= cap(found)
	b.mu.Unlock()
	return found[:n]
}

// InUse returns how many bytes of the arena are in use: none while nothing is drawn.
func (b *Buffers) InUse() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.arena.taken {
		n += p.to - p.from
	}
	return n
}

// Give takes back the result of Take, which must not be used afterwards.
func (b *Buffers) Give(buffer []byte) {
	if cap(buffer) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.arena.give(buffer) || cap(buffer) > b.max {
		return
	}
	b.free = append(b.free, buffer)
	b.bytes += cap(buffer)
	drop := 0
	for ; b.bytes > b.max; drop++ {
		b.bytes -= cap(b.free[drop])
	}
	b.free = slices.Delete(b.free, 0, drop)
}
