package svg

import (
	"sync"

	"github.com/tetratelabs/wazero/experimental"
)

// This file gives instances their memory. wazero would grow it page by page, copying all of it each time.

// memoryRoom is the capacity of new memory: as much as a drawing of 512×512 pixels takes. Larger memory isn't kept.
const memoryRoom = 8 << 20

// memory is that of one instance. All bytes between its length and its capacity are 0.
type memory struct{ bytes []byte }

var memories = sync.Pool{New: func() any { return &memory{make([]byte, 0, memoryRoom)} }}

// Allocate is called once, when the instance is created.
func (m *memory) Allocate(_, _ uint64) experimental.LinearMemory { return m }

// Reallocate grows the memory, of which wazero bounds the size. It never shrinks.
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(cap(m.bytes)) {
		grown := make([]byte, len(m.bytes), min(max(size, 2*uint64(cap(m.bytes))), MemoryBytes))
		copy(grown, m.bytes)
		m.bytes = grown
	}
	m.bytes = m.bytes[:size]
	return m.bytes
}

// Free does nothing: wazero doesn't call it for an instance that was stopped.
func (m *memory) Free() {}

// release makes the memory available to another instance, without the content. Nothing may run in it any more.
func (m *memory) release() {
	if cap(m.bytes) > memoryRoom {
		return
	}
	clear(m.bytes)
	m.bytes = m.bytes[:0]
	memories.Put(m)
}
