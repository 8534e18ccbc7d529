// Package garbage bounds how much garbage the collector lets be. By default it is as much as there is in use, so that a
// process which holds 60 MB grows to 120, and further while it collects. [Bound] lets it be a number of bytes: a small
// heap is collected as seldom as by default, a large one at the same steps.
package garbage

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Figures of the bound.
const (
	allowed = 24 << 20 // bytes of garbage between two collections
	least   = 25       // percent of what is in use: a heap that is much larger is not collected all the time
	most    = 100      // the default of the runtime
)

var bound atomic.Bool

// Bound bounds the garbage of the process from now on, and reports whether it does: an operator who sets GOGC or
// GOMEMLIMIT decides alone. It is for programs, which own their process, rather than for libraries.
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

// watch sets the percentage after each collection by what that left, where it differs from the last one.
func watch(last int) {
	// What nobody holds is cleaned up after the next collection, and so tells of it. It is large enough to lie alone: the
	// runtime packs the smallest values together.
	type sign struct{ _ [64]byte }
	runtime.AddCleanup(new(sign), func(last int) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		percent := Percent(live[0].Value.Uint64())
		if percent*10 < last*9 || percent*9 > last*10 { // setting it stops the program for a moment
			debug.SetGCPercent(percent)
			last = percent
		}
		watch(last)
	}, last)
}

// Percent returns the percentage for a heap of which so many bytes are in use.
func Percent(live uint64) int {
	return int(min(max(allowed*100/max(live, 1), least), most))
}
