package watches

import "time"

// SetNow sets the clock.
func (s *Service) SetNow(now func() time.Time) { s.now = now }
