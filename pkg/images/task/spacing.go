package task

import (
	"cmp"
	"time"
)

// This file owns how fast tasks end.

// spacing is the time from the end of one task to that of the next while there are enough of them, averaged over the
// latest: what each adds to the time of those behind it.
type spacing struct {
	each time.Duration // 0 as long as it is not known
	last time.Time     // the end of the one before, if there were enough then
}

const (
	// spacingWeight is the part of the average that a new time is.
	spacingWeight = 16
	// maxSpacing bounds what one time adds, so that a stall is soon forgotten.
	maxSpacing = time.Second
)

// ended notes the end of a task; busy says that there are enough others.
func (p *spacing) ended(now time.Time, busy bool) {
	if !p.last.IsZero() {
		took := min(now.Sub(p.last), maxSpacing)
		p.each = cmp.Or(p.each, took)
		p.each += (took - p.each) / spacingWeight
	}
	if p.last = now; !busy {
		p.last = time.Time{}
	}
}
