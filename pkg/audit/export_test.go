package audit

import "time"

// SetNow gives the service a clock.
func (s *Service) SetNow(now func() time.Time) { s.now = now }

// MaxReports is how many reports an account has.
const MaxReports = maxReports
