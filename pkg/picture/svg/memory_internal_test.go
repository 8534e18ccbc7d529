package svg

import (
	"bytes"
	"testing"
)

// TestMemory_reused_isEmpty: what one document leaves in an instance's memory isn't seen by the next.
func TestMemory_reused_isEmpty(t *testing.T) {
	const secret = 7
	for range 100 { // the pool may drop some
		m := memories.Get().(*memory)
		if len(m.bytes) != 0 {
			t.Fatalf("new memory has %d bytes", len(m.bytes))
		}
		all := m.Reallocate(1 << 16)
		if at := bytes.IndexFunc(all, func(r rune) bool { return r != 0 }); at >= 0 {
			t.Fatalf("memory has an earlier byte at %d", at)
		}
		for i := range all {
			all[i] = secret
		}
		m.release()
	}
}

// TestMemory_growing_keepsTheContent: beyond its first capacity too, and then it is left to the garbage collector.
func TestMemory_growing_keepsTheContent(t *testing.T) {
	m := &memory{}
	for _, size := range []uint64{1 << 16, 2 << 16, memoryRoom, memoryRoom + 1<<16, MemoryBytes} {
		before := len(m.bytes)
		grown := m.Reallocate(size)
		if uint64(len(grown)) != size || cap(grown) > MemoryBytes {
			t.Fatalf("%d bytes: got %d with room for %d", size, len(grown), cap(grown))
		}
		for i := 0; i < len(grown); i += 1 << 12 {
			if want := byte(1); (i < before) != (grown[i] == want) {
				t.Fatalf("%d bytes: byte %d is %d", size, i, grown[i])
			}
			grown[i] = 1
		}
	}
	m.release()
	if len(m.bytes) != MemoryBytes {
		t.Error("memory of 64 MiB was cleared to be kept")
	}
}
