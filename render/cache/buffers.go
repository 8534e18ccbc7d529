package cache

import (
	"runtime"
	"slices"
	"sync"
)

// Buffers hands out memory for pixels that is given back, of any size. A sync.Pool would do so too; but it hands out
// any buffer, of which one that is too small is dropped for a new one, and what it holds counts several times over when
// the collector decides how much garbage it lets be. This one hands out the smallest that is large enough, and keeps a
// bounded number of bytes, those that were given back last.
type Buffers struct {
	mu    sync.Mutex
	arena arena
	free  [][]byte // in the order in which they were given back
	bytes int      // of them all
	max   int
}

// Pixels are the buffers of all stages of drawing. What a hero needs at a time is 10 MB at most and mostly 3, so what
// two cards need at a time has its place, and as much is kept as is needed where each further processor draws one.
var Pixels = &Buffers{arena: newArena(pixels[:]), max: 7 << 20 * max(runtime.GOMAXPROCS(0)-2, 0)}

// pixels is a variable, of which no page is there before it is used: memory of the heap would count twice, once for
// itself and once for the garbage that the collector lets be beside it.
var pixels [18 << 20]byte

// NewBuffers returns buffers of which it keeps up to maxBytes that nobody uses.
func NewBuffers(maxBytes int) *Buffers { return &Buffers{max: maxBytes} }

// roundBuffer is the multiple to which buffers are allocated: pictures of nearly the same size share one.
const roundBuffer = 64 << 10

// Take returns n bytes of any content, of which the caller gives the memory back with [Buffers.Give].
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

// InUse returns how many bytes were taken and not given back, of those that are always there: none while nothing is
// drawn.
func (b *Buffers) InUse() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.arena.taken {
		n += p.to - p.from
	}
	return n
}

// Give takes back what Take returned. Nobody may use it afterwards.
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
