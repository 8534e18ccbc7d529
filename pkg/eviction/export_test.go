package eviction

import "time"

// SetClock sets the time of a service for tests.
func (s *Service) SetClock(now func() time.Time) { s.clock.Set(now) }

// Remembered returns how many pictures a node knows to have been noted, and how many wait to be written.
func (s *Service) Remembered() (noted, pending int) {
	s.used.mu.Lock()
	defer s.used.mu.Unlock()
	return len(s.used.noted), len(s.used.pending)
}
