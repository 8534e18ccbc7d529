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
	free  [][]byte // in the order in which they were given back
	bytes int      // of them all
	max   int
}

// Pixels are the buffers of all stages of drawing. What a hero needs at a time is 6.4 MB, so as much as is needed is
// kept where each processor draws one.
var Pixels = NewBuffers(7 << 20 * runtime.GOMAXPROCS(0))

// NewBuffers returns buffers of which it keeps up to maxBytes that nobody uses.
func NewBuffers(maxBytes int) *Buffers { return &Buffers{max: maxBytes} }

// roundBuffer is the multiple to which buffers are allocated: pictures of nearly the same size share one.
const roundBuffer = 64 << 10

// Take returns n bytes of any content, of which the caller gives the memory back with [Buffers.Give].
func (b *Buffers) Take(n int) []byte {
	b.mu.Lock()
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

// Give takes back what Take returned. Nobody may use it afterwards.
func (b *Buffers) Give(buffer []byte) {
	if cap(buffer) == 0 || cap(buffer) > b.max {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free = append(b.free, buffer)
	b.bytes += cap(buffer)
	drop := 0
	for ; b.bytes > b.max; drop++ {
		b.bytes -= cap(b.free[drop])
	}
	b.free = slices.Delete(b.free, 0, drop)
}
