// Package garbage bounds the garbage that accumulates between two collections. By default, Go lets the heap double: a
// process with 60 MB in use grows to 120 MB, and further while a collection runs. [Bound] replaces this with a number
// of bytes: small heaps are collected as rarely as by default, and large heaps grow by the same amount.
package garbage

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Settings of the bound.
const (
	allowed = 24 << 20 // bytes of garbage between two collections
	least   = 25       // percent of the live heap, so that a much larger heap isn't collected constantly
	most    = 100      // the runtime's default
)

var bound atomic.Bool

// Bound starts bounding the garbage of the process and reports whether it did. It does nothing if GOGC or GOMEMLIMIT
// is set, since the operator has decided then. It is meant for programs, not libraries, because it changes the whole
// process.
func Bound() bool {
	for _, name := range [...]string{"GOGC", "GOMEMLIMIT"} {
		if os.Getenv(name) != "" {
			return false
		}
	}
	if !bound.Swap(true) {
		watch(most)
	}
	return true
}

// watch adjusts the GC percentage after each collection to the live heap that remains. last is the current
// percentage.
func watch(last int) {
	// An unreachable value is cleaned up after the next collection, which notifies us of it. The value is large
	// enough not to share an allocation: the runtime batches the smallest values.
	type sign struct{ _ [64]byte }
	runtime.AddCleanup(new(sign), func(last int) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		percent := Percent(live[0].Value.Uint64())
		if percent*10 < last*9 || percent*9 > last*10 { // setting it briefly stops the world
			debug.SetGCPercent(percent)
			last = percent
		}
		watch(last)
	}, last)
}

// Percent returns the GC percentage for a live heap of the given size in bytes.
func Percent(live uint64) int {
	return int(min(max(allowed*100/max(live, 1), least), most))
}
