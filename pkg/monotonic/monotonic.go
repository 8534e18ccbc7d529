// Package monotonic is for moments that are kept as numbers, such as in atomics. They only grow, also when the
// machine's clock is set, which Unix times don't. A [time.Time] of [time.Now] needs none of this: durations between two
// of them are right, see "Monotonic Clocks" in the documentation of package time.
package monotonic

import "time"

var start = time.Now()

// Now returns the time since the program started. In a bubble of testing/synctest it starts anywhere, and may be
// negative.
func Now() time.Duration { return time.Since(start) }
