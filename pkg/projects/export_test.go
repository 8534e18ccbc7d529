package projects

import "time"

// SetNow replaces the clock.
func (s *Service) SetNow(now func() time.Time) { s.now = now }

// NormalDomains returns domains in the form in which they are compared.
var NormalDomains = normalDomains

// MaxProjects is how many projects an account has at most.
const MaxProjects = maxProjects
