// Package clock is the clock of a service, which tests can replace while the service runs.
package clock

import (
	"sync/atomic"
	"time"
)

// Clock tells the time. The zero value is the clock of the machine. It may be used by many goroutines at the same time.
type Clock struct {
	now atomic.Pointer[func() time.Time]
}

// Now returns the time.
func (c *Clock) Now() time.Time {
	if now := c.now.Load(); now != nil {
		return (*now)()
	}
	return time.Now()
}

// Set has now tell the time from here on.
func (c *Clock) Set(now func() time.Time) { c.now.Store(&now) }
