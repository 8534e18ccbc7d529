package admin

import "time"

// SetNow replaces the clock.
func (s *Service) SetNow(now func() time.Time) { s.clock.Set(now) }
