package apikeys

import "time"

// SetNow replaces the clock.
func (s *Service) SetNow(now func() time.Time) { s.now = now }

// NewSecret returns a fresh secret, WellFormed says whether a text can be one, Checksum returns the end of one.
var (
	NewSecret  = newSecret
	WellFormed = wellFormed
	Checksum   = checksum
)

// UsedQueue is how many uses wait to be noted.
const UsedQueue = usedQueue
